package openapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// Selector chooses operations by one property: a kind and a pattern. In a
// pattern, * stands for any text; in one of paths for text without a slash, and
// ** for any. A path pattern that ends in /** takes what stands before it too.
type Selector struct {
	kind    string
	text    string // the pattern as written
	pattern *regexp.Regexp
}

// The kinds of selectors.
const (
	byTag    = "tag"
	byOp     = "op"
	byPath   = "path"
	byMethod = "method"
	byTrait  = "is"
)

var (
	selectorKinds = []string{byTag, byOp, byPath, byMethod, byTrait}
	// traits are the words that TOOLS.md has for tools.
	traits = []string{"read-only", "destructive", "idempotent", "deprecated"}
)

// ParseSelector reads "tag:pets", "op:getPet", "path:/pets/**", "method:GET" or
// "is:read-only". Methods count without case.
func ParseSelector(text string) (Selector, error) {
	kind, pattern, found := strings.Cut(text, ":")
	s := Selector{kind: kind, text: pattern}
	switch {
	case !found:
		return s, fmt.Errorf("%q has no kind; write one of %s before it, for example op:%s", text, kindList(), text)
	case !slices.Contains(selectorKinds, kind):
		if near := diag.Nearest(kind, selectorKinds); near != "" {
			return s, fmt.Errorf("%q is no kind of selector; did you mean %s:%s?", kind, near, pattern)
		}
		return s, fmt.Errorf("%q is no kind of selector; the kinds are %s", kind, kindList())
	case pattern == "":
		return s, fmt.Errorf("%q names nothing", text)
	case kind == byPath && !strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "*"):
		return s, fmt.Errorf("%q: a path starts with /, write path:/%s", text, pattern)
	case kind == byTrait && !slices.Contains(traits, pattern):
		if near := diag.Nearest(pattern, traits); near != "" {
			return s, fmt.Errorf("%q is no trait; did you mean is:%s?", text, near)
		}
		return s, fmt.Errorf("%q: the words after is: are %s", text, strings.Join(traits, ", "))
	}
	s.pattern = compilePattern(kind, pattern)
	return s, nil
}

func kindList() string { return strings.Join(selectorKinds, ":, ") + ":" }

func compilePattern(kind, pattern string) *regexp.Regexp {
	expr, one := "(?s)^", ".*"
	switch kind {
	case byMethod:
		expr = "(?is)^"
	case byPath:
		one = "[^/]*"
	}
	below := false
	if kind == byPath {
		pattern, below = strings.CutSuffix(pattern, "/**")
	}
	for i, part := range strings.Split(pattern, "**") {
		if i > 0 {
			expr += ".*"
		}
		expr += strings.ReplaceAll(regexp.QuoteMeta(part), `\*`, one)
	}
	if below {
		expr += "(/.*)?"
	}
	return regexp.MustCompile(expr + "$")
}

// String gives the selector as it was written.
func (s Selector) String() string { return s.kind + ":" + s.text }

// exact reports whether the selector names one value.
func (s Selector) exact() bool { return !strings.Contains(s.text, "*") }

func (s Selector) matches(c *candidate) bool {
	return slices.ContainsFunc(c.values[s.kind], s.pattern.MatchString)
}

// candidate is an operation as selectors see it: what it has of each kind.
type candidate struct{ values map[string][]string }

func newCandidate(op *Operation, names ir.NameStyle) *candidate {
	c := &candidate{values: map[string][]string{byPath: {op.Path}}}
	if op.Method == "" {
		return c // a path whose operations cannot be read
	}
	c.values[byMethod] = []string{op.Method}
	c.values[byOp] = []string{claim(op, names).Name}
	if id := op.ID(); id != "" && id != c.values[byOp][0] {
		c.values[byOp] = append(c.values[byOp], id)
	}
	tags := op.Node.Get("tags")
	for _, tag := range append(tags.List(), op.mcp.Get("tags").List()...) {
		c.values[byTag] = append(c.values[byTag], tag.Text())
	}
	if text := tags.Text(); text != "" { // one tag in place of a list
		c.values[byTag] = append(c.values[byTag], text)
	}
	h := toolHints(op)
	for i, holds := range []bool{h.ReadOnly, h.Destructive, h.Idempotent, op.Node.Get("deprecated").Is(true)} {
		if holds {
			c.values[byTrait] = append(c.values[byTrait], traits[i])
		}
	}
	return c
}

// selection decides which operations stay, and keeps count for the messages.
type selection struct {
	names    ir.NameStyle
	rules    []*rule
	includes int                 // rules that include
	known    map[string][]string // what operations have, by kind, for suggestions
	seen     map[string]bool     // its members, as selectors
	excluded []exclusion
}

// rule is one -include or -exclude.
type rule struct {
	Selector
	include bool
	matched bool
}

func (r *rule) String() string {
	if r.include {
		return "-include " + r.Selector.String()
	}
	return "-exclude " + r.Selector.String()
}

// exclusion is how many operations one reason left out.
type exclusion struct {
	by    string
	count int
}

// The reasons beside "-exclude …".
const (
	notIncluded = "-include"
	byExtension = "x-mcp"
)

func newSelection(opts Options) *selection {
	s := &selection{names: opts.Names, includes: len(opts.Include), known: map[string][]string{}, seen: map[string]bool{}}
	for _, sel := range opts.Include {
		s.rules = append(s.rules, &rule{Selector: sel, include: true})
	}
	for _, sel := range opts.Exclude {
		s.rules = append(s.rules, &rule{Selector: sel})
	}
	return s
}

// excludes returns why an operation is left out; empty: it stays. -exclude beats -include, and both
// beat x-mcp in one way only: an operation that x-mcp disables comes back when
// an -include op: names it, without a *.
func (s *selection) excludes(op *Operation) (reason string) {
	enabled := !op.mcp.Get("enabled").Is(false)
	if len(s.rules) > 0 {
		c := newCandidate(op, s.names)
		included, named := s.includes == 0, false
		for _, r := range s.rules {
			if !r.matches(c) {
				continue
			}
			r.matched = true
			switch {
			case r.include:
				included = true
				named = named || r.kind == byOp && r.exact()
			case reason == "":
				reason = r.String()
			}
		}
		if reason == "" && !included {
			reason = notIncluded
		}
		enabled = enabled || named
		s.learn(c)
	}
	if reason == "" && !enabled {
		reason = byExtension
	}
	if reason != "" {
		s.count(reason)
	}
	return reason
}

func (s *selection) learn(c *candidate) {
	for _, kind := range selectorKinds {
		for _, value := range c.values[kind] {
			if key := kind + ":" + value; !s.seen[key] {
				s.seen[key] = true
				s.known[kind] = append(s.known[kind], value)
			}
		}
	}
}

func (s *selection) count(reason string) {
	for i := range s.excluded {
		if s.excluded[i].by == reason {
			s.excluded[i].count++
			return
		}
	}
	s.excluded = append(s.excluded, exclusion{reason, 1})
}

// report makes an error of each rule that matched nothing, as it does not do
// what it was written for. It reports whether there was none.
func (s *selection) report(diags *diag.List) bool {
	ok := true
	for _, r := range s.rules {
		if !r.matched {
			ok = false
			diags.Error(diag.Pos{}, "nothing-selected", s.suggest(r.Selector), "%s matched nothing", r)
		}
	}
	return ok
}

// maxListed is how many values a hint lists.
const maxListed = 8

// suggest says what could be meant by a selector that matched nothing: the same
// pattern of another kind, a value that is spelt alike, or what there is.
func (s *selection) suggest(sel Selector) string {
	for _, kind := range selectorKinds {
		if other, err := ParseSelector(kind + ":" + sel.text); err == nil && slices.ContainsFunc(s.known[kind], other.pattern.MatchString) {
			return "did you mean " + other.String() + "?"
		}
	}
	known := s.known[sel.kind]
	if near := diag.Nearest(sel.text, known); near != "" {
		return "did you mean " + sel.kind + ":" + near + "?"
	}
	what := map[string]string{byTag: "tag", byOp: "name", byPath: "path", byMethod: "method", byTrait: "trait"}[sel.kind]
	if len(known) == 0 {
		return "no operation has a " + what
	}
	list := strings.Join(known[:min(len(known), maxListed)], ", ")
	if more := len(known) - maxListed; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return "the " + what + "s of its operations are " + list
}

// explain says how to get back what each reason left out.
func (e exclusion) explain() string {
	switch e.by {
	case notIncluded:
		return "-include names none of the operations that are left"
	case byExtension:
		return "x-mcp: true on an operation, or -include op:NAME, makes it a tool"
	}
	return "leave out " + e.by
}
