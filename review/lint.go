package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// Finding is one thing that makes a tool hard to use.
type Finding struct {
	diag.Diagnostic
	Tool string `json:"tool"`
	Cost int    `json:"cost"` // points of the tool's 100
}

// LintReport is what [Lint] finds.
type LintReport struct {
	// Score is the mean of what each tool keeps of 100 points, rounded down:
	// 100 means that nothing was found. A server without tools has 100.
	Score    int
	Tools    int
	Findings []Finding // by position, code and tool
}

// Lint looks for what makes the tools of a server hard to choose and to call.
// Rules of disabled codes are left out.
func Lint(server *ir.Server, disabled []string) (*LintReport, error) {
	surface, err := FromServer(server)
	if err != nil {
		return nil, err
	}
	l := &linter{server: server.Name}
	for i, t := range server.Tools() { // by name, as those of the surface
		l.tools = append(l.tools, newSubject(t, surface.Tools[i]))
	}
	for _, rule := range LintRules {
		if slices.Contains(disabled, rule.Code) {
			continue
		}
		l.rule = rule
		rule.check(l)
	}
	return l.report(), nil
}

// linter collects findings.
type linter struct {
	server   string
	tools    []*subject
	rule     LintRule
	findings []Finding
}

// subject is a tool as rules see it.
type subject struct {
	*ir.Tool
	said  string   // the description without what toolmill adds to it
	words []string // of said
	args  []lintArgument
}

// lintArgument is a value that the model fills in: an argument, a property of the
// body, "body.name", or of an object among these, "body.lines[].name".
type lintArgument struct {
	path, name string
	schema     view
	pos        diag.Pos
	part       bool // of another one
}

// empty reports whether an argument is an object in which nothing can be written,
// as some documents declare for bodies.
func (a lintArgument) empty() bool {
	return slices.Equal(a.schema.types(), []string{"object"}) && a.schema.get("properties") == nil &&
		!a.schema.get("additionalProperties").IsMap()
}

func newSubject(t *ir.Tool, surface *Tool) *subject {
	s := &subject{Tool: t, said: ownText(t)}
	s.words = bareWords(s.said)
	var body *ir.Body
	pos := map[string]diag.Pos{}
	if t.Request != nil {
		body = t.Request.Body
		for _, b := range t.Request.Bindings {
			pos[b.Arg] = b.Pos
		}
	}
	root := surface.Input
	for name, schema := range root.Get("properties").Pairs() {
		a := lintArgument{path: name.Value, name: name.Value, schema: expand(schema, root), pos: pos[name.Value]}
		if body == nil || name.Value != body.Arg {
			s.add(a)
			continue
		}
		a.pos = body.Pos
		properties := a.properties()
		for _, p := range properties {
			s.add(p)
		}
		if properties == nil {
			s.add(a)
		}
	}
	return s
}

// add takes an argument with what an object, or a list of such, holds: one level,
// below which little is left that a model fills in without a look at the whole.
func (s *subject) add(a lintArgument) {
	s.args = append(s.args, a)
	if items := a.schema.get("items"); items.IsMap() {
		a.path, a.schema = a.path+"[]", expand(items, a.schema.root)
	}
	for _, p := range a.properties() {
		p.part = true
		s.args = append(s.args, p)
	}
}

// properties are those of an object as arguments of their own.
func (a lintArgument) properties() []lintArgument {
	var out []lintArgument
	for name, schema := range a.schema.get("properties").Pairs() {
		out = append(out, lintArgument{path: member(a.path, name.Value), name: name.Value, schema: expand(schema, a.schema.root), pos: a.pos})
	}
	return out
}

// each checks every tool by itself.
func each(check func(l *linter, t *subject)) func(*linter) {
	return func(l *linter) {
		for _, t := range l.tools {
			check(l, t)
		}
	}
}

// find adds a finding about a tool, at most one for a rule.
func (l *linter) find(t *subject, pos diag.Pos, cost int, format string, args ...any) {
	if pos.File == "" {
		pos = t.Pos
	}
	l.findings = append(l.findings, Finding{
		Tool: t.Name, Cost: cost,
		Diagnostic: diag.Diagnostic{
			Pos: pos, Severity: diag.Warning, Code: l.rule.Code, Hint: l.rule.Hint,
			Message: "tool " + t.Name + ": " + fmt.Sprintf(format, args...),
		},
	})
}

func (l *linter) report() *LintReport {
	lost := map[string]int{}
	for _, f := range l.findings {
		lost[f.Tool] += f.Cost
	}
	kept := 0
	for _, t := range l.tools {
		kept += max(0, 100-lost[t.Name])
	}
	r := &LintReport{Score: 100, Tools: len(l.tools), Findings: l.findings}
	if r.Tools > 0 {
		r.Score = kept / r.Tools
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
			cmp.Compare(a.Code, b.Code), cmp.Compare(a.Tool, b.Tool))
	})
	return r
}

// ownText is the description without what toolmill adds: the sentence that stands
// in for a missing one, and the lines about the result, the age and the name of
// the operation.
func ownText(t *ir.Tool) string {
	text := t.Description
	if t.Request != nil {
		if i := strings.LastIndex(text, "\n\n"); i >= 0 && isAdded(text[i+2:]) {
			text = text[:i]
		}
		if strings.HasPrefix(text, "Sends "+t.Request.Method+" ") && !strings.Contains(text, "\n") {
			return ""
		}
	}
	return strings.TrimSpace(text)
}

func isAdded(paragraph string) bool {
	for _, start := range []string{"Returns ", "Returns: ", "Deprecated.", "Operation "} {
		if strings.HasPrefix(paragraph, start) {
			return true
		}
	}
	return false
}
