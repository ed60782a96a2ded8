package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Offer chooses the tools that there are. The others are neither listed nor can they
// be called. The zero Offer leaves out none.
type Offer struct {
	Tools  []string // with Tags the only ones that stay; both empty: all stay
	Tags   []string // groups
	Except []string // tools that go in any case
	// Operation keeps only what reads ("read") or only what does not ("write"),
	// by the tools' hints.
	Operation string
}

// facts are what a tool's object says beside its schema.
type facts struct {
	Title       string `json:"title"`
	Annotations struct {
		ReadOnly    bool  `json:"readOnlyHint"`
		Destructive *bool `json:"destructiveHint"` // MCP 2025-11-25, ToolAnnotations: absent is true
	} `json:"annotations"`
}

func (f *facts) destructive() bool {
	return !f.Annotations.ReadOnly && (f.Annotations.Destructive == nil || *f.Annotations.Destructive)
}

// readFacts reads a tool's file. It is only for who asks: a start need not.
func readFacts(files fs.FS, file string) (facts, error) {
	var f facts
	data, err := fs.ReadFile(files, file)
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	return f, err
}

// apply returns the tools that stay.
func (o *Offer) apply(def *Definition) ([]Tool, error) {
	var kept []Tool
	for _, t := range def.Tools {
		chosen := len(o.Tools)+len(o.Tags) == 0 || slices.Contains(o.Tools, t.Name) || slices.Contains(o.Tags, t.Group) && t.Group != ""
		if !chosen || slices.Contains(o.Except, t.Name) {
			continue
		}
		if o.Operation != "" {
			files, file := t.source(def)
			f, err := readFacts(files, file)
			if err != nil {
				return nil, fmt.Errorf("tool %s: %w", t.Name, err)
			}
			if f.Annotations.ReadOnly != (o.Operation == "read") {
				continue
			}
		}
		kept = append(kept, t)
	}
	if len(kept) == 0 && len(def.Tools) > 0 {
		return nil, errors.New("no tool is left: -tool and -tag add up, then -no-tool, -operation and -read-only take away")
	}
	return kept, nil
}

// check refuses names that nothing has.
func (o *Offer) check(def *Definition) error {
	if !o.isSet() {
		return nil
	}
	var tools, tags []string
	for _, t := range def.Tools {
		tools = append(tools, t.Name)
		if t.Group != "" && !slices.Contains(tags, t.Group) {
			tags = append(tags, t.Group)
		}
	}
	if len(o.Tags) > 0 && len(tags) == 0 {
		return errors.New("-tag: the tools of this server are in one group")
	}
	return errors.Join(known("-tool", "tool", o.Tools, tools), known("-no-tool", "tool", o.Except, tools), known("-tag", "tag", o.Tags, tags))
}

// known refuses the first of the given names that is not there.
func known(flag, what string, given, there []string) error {
	for _, name := range given {
		if slices.Contains(there, name) {
			continue
		}
		shown := make([]string, len(there))
		for i, other := range there {
			shown[i] = printable(other)
		}
		return fmt.Errorf("%s %s: there is no %s of that name%s (there are: %s)", flag, printable(name), what, didYouMean(printable(nearest(name, there))), listText(shown))
	}
	return nil
}

// isSet reports whether anything may be left out.
func (o *Offer) isSet() bool {
	return len(o.Tools)+len(o.Tags)+len(o.Except) > 0 || o.Operation != ""
}

// setOperation reads -operation.
func (o *Offer) setOperation(text string) error {
	switch {
	case text != "read" && text != "write":
		return errors.New("there are read and write")
	case o.Operation != "" && o.Operation != text:
		return errors.New("read and write together would leave no tool")
	}
	o.Operation = text
	return nil
}

// adds returns the setter of a repeatable flag.
func adds(into *[]string) func(string) error {
	return func(text string) error {
		if text = strings.TrimSpace(text); text == "" {
			return errors.New("it must be a name")
		}
		*into = append(*into, text)
		return nil
	}
}
