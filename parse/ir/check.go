package ir

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// Check reports every way in which s breaks the promises of this package. A
// front end calls it last; an error is a mistake in the front end, not in its
// input.
func (s *Server) Check() error {
	var c checker
	if !serverName.MatchString(s.Name) {
		c.fail("server name %q", s.Name)
	}
	tools := s.Tools()
	if s.Found != len(tools)+len(s.Skips) {
		c.fail("found %d, but %d tools and %d skips", s.Found, len(tools), len(s.Skips))
	}
	for i := 1; i < len(s.Groups); i++ {
		if s.Groups[i-1].Name >= s.Groups[i].Name {
			c.fail("groups %q and %q: not in order", s.Groups[i-1].Name, s.Groups[i].Name)
		}
	}
	for i, t := range tools {
		if i > 0 && tools[i-1].Name == t.Name {
			c.fail("tool %s: two of them", t.Name)
		}
		c.tool(t)
	}
	c.auth(s.Auth, tools)
	return errors.Join(c.errs...)
}

type checker struct{ errs []error }

func (c *checker) fail(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf(format, args...))
}

func (c *checker) tool(t *Tool) {
	fail := func(format string, args ...any) {
		c.fail("tool %s: "+format, append([]any{t.Name}, args...)...)
	}
	// A Go function's directive may put dots into the name, and its arguments
	// are what encoding/json calls them.
	if !IsToolName(t.Name) && (t.Func == nil || !IsArgName(t.Name)) {
		fail("not a tool name")
	}
	if t.Description == "" {
		fail("no description")
	}
	if (t.Request == nil) == (t.Func == nil) {
		fail("wants a request or a function, not both")
	}
	input, err := readRoot(t.Input)
	if err != nil {
		fail("input schema: %v", err)
		return
	}
	if t.Output != nil {
		if _, err := readRoot(t.Output); err != nil {
			fail("output schema: %v", err)
		}
	}
	for _, name := range input {
		if t.Func == nil && !IsArgName(name) {
			fail("argument %q: not an argument name", name)
		}
	}
	if t.Request != nil {
		c.request(t.Request, input, fail)
	}
}

// request checks that arguments, bindings and path variables are the same set.
func (c *checker) request(r *Request, args []string, fail func(string, ...any)) {
	var bound, filled []string
	for _, b := range r.Bindings {
		if b.Value == "" {
			bound = append(bound, b.Arg)
		}
		if b.Wire == "" || b.In == "" || b.Style == "" && b.Content == "" && b.In != InQuerystring || (b.Part != "") != (b.In == InPart) {
			fail("argument %s: incomplete binding", b.Arg)
		}
		if b.In == InPath {
			filled = append(filled, strings.TrimPrefix(b.Wire, "+"))
		}
	}
	if b := r.Body; b != nil {
		bound = append(bound, b.Arg)
		if b.MediaType == "" || b.Kind == "" {
			fail("body: incomplete")
		}
	}
	var wanted []string
	for _, name := range PathVariables(r.Path) {
		if name = strings.TrimPrefix(name, "+"); !slices.Contains(wanted, name) {
			wanted = append(wanted, name)
		}
	}
	for _, pair := range []struct {
		what      string
		got, want []string
	}{{"bindings", bound, args}, {"path variables", filled, wanted}} {
		slices.Sort(pair.got)
		slices.Sort(pair.want)
		if !slices.Equal(pair.got, pair.want) {
			fail("%s %q, want %q", pair.what, pair.got, pair.want)
		}
	}
}

func (c *checker) auth(auth []Auth, tools []*Tool) {
	used := make(map[string]bool)
	for _, t := range tools {
		if t.Request == nil {
			continue
		}
		for _, alternative := range t.Request.Security {
			for _, use := range alternative {
				used[use.Name] = true
				if !slices.ContainsFunc(auth, func(a Auth) bool { return a.Name == use.Name }) {
					c.fail("tool %s: unknown security scheme %q", t.Name, use.Name)
				}
			}
		}
	}
	for i, a := range auth {
		if !used[a.Name] || i > 0 && auth[i-1].Name >= a.Name {
			c.fail("security scheme %q: not used or not in order", a.Name)
		}
	}
}

// readRoot returns the names of the properties of a schema whose root is an
// object without composition.
func readRoot(schema json.RawMessage) ([]string, error) {
	var root map[string]json.RawMessage
	if err := json.Unmarshal(schema, &root); err != nil {
		return nil, err
	}
	if string(root["type"]) != `"object"` {
		return nil, fmt.Errorf("root type %s", root["type"])
	}
	for _, key := range []string{"oneOf", "anyOf", "allOf", "not", "enum", "if", "$ref"} {
		if root[key] != nil {
			return nil, fmt.Errorf("%s at the root", key)
		}
	}
	var names []string
	if raw := root["properties"]; raw != nil {
		var properties map[string]json.RawMessage
		if err := json.Unmarshal(raw, &properties); err != nil {
			return nil, err
		}
		for name := range properties {
			names = append(names, name)
		}
		slices.Sort(names)
	}
	return names, nil
}

// PathVariables returns the names between braces in a path template, each
// once, in order.
func PathVariables(path string) []string {
	var names []string
	for _, m := range pathVariable.FindAllStringSubmatch(path, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

var pathVariable = regexp.MustCompile(`\{([^{}]+)\}`)
