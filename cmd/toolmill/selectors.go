package main

import (
	"strings"

	"github.com/seed7346ab69/toolmill/parse/openapi"
)

// selectors is the value of a flag that is given once for each selector.
type selectors struct{ list *[]openapi.Selector }

// String gives all of them; pflag also asks the zero value.
func (s selectors) String() string { return strings.Join(s.GetSlice(), ", ") }

// Type is never shown: the usage of the flags has a word of its own.
func (s selectors) Type() string { return "selector" }

func (s selectors) Set(text string) error { return s.Append(text) }

// Append and the two below let toolmill.yaml give a list.
func (s selectors) Append(text string) error {
	selector, err := openapi.ParseSelector(text)
	if err == nil {
		*s.list = append(*s.list, selector)
	}
	return err
}

func (s selectors) Replace(texts []string) error {
	*s.list = nil
	for _, text := range texts {
		if err := s.Append(text); err != nil {
			return err
		}
	}
	return nil
}

func (s selectors) GetSlice() []string {
	if s.list == nil {
		return nil
	}
	var texts []string
	for _, selector := range *s.list {
		texts = append(texts, selector.String())
	}
	return texts
}

// noDocument refuses flags that choose among the operations of a document where
// there is none: who gives them expects tools to be left out.
func (s *settings) noDocument() error {
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"include", len(s.document.Include) > 0}, {"exclude", len(s.document.Exclude) > 0}, {"overlay", len(s.document.Overlays) > 0},
	} {
		if flag.given {
			return usage("a Go function is a tool only where //mcp:tool says so", "-%s is about the operations of an OpenAPI document, and there is none", flag.name)
		}
	}
	return nil
}
