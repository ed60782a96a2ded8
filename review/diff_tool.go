package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// tool compares a tool with what it was.
func (r *Report) tool(old, new *Tool) {
	if old.Request != nil && new.Request != nil {
		r.request(old, new)
	}
	r.hints(new.Name, old.Hints, new.Hints)
	if old.Title != new.Title {
		r.add(Change{Tool: new.Name, Rule: "title-changed", Grade: Safe, Old: old.Title, New: new.Title,
			Message: fmt.Sprintf("title changed from %s to %s", quote(old.Title), quote(new.Title))})
	}
	r.prose(Change{Tool: new.Name, Message: "description", Old: old.Description, New: new.Description})
	r.result(new.Name, old.Result, new.Result)
	r.schemas(new.Name, old.whole(), new.whole(), false)
	switch {
	case old.Output == nil && new.Output != nil:
		r.add(Change{Tool: new.Name, Rule: "output-added", Grade: Risky,
			Message: "results have a schema now, which clients check"})
	case old.Output != nil && new.Output == nil:
		r.add(Change{Tool: new.Name, Rule: "output-removed", Grade: Breaking,
			Message: "results have no schema any more"})
	case old.Output != nil:
		r.schemas(new.Name, old.Output, new.Output, true)
	}
}

// whole is the input schema with what a diet hid.
func (t *Tool) whole() *node.Node { return cmp.Or(t.full, t.Input) }

// result compares what happens around a call.
func (r *Report) result(tool string, old, new Result) {
	if old.Confirm != new.Confirm {
		c := Change{Tool: tool, Rule: "confirm-changed", Grade: Risky, Message: "people are asked before a call now"}
		if old.Confirm {
			c.Message = "people are no longer asked before a call"
		}
		r.add(c)
	}
	if slices.Equal(old.Select, new.Select) {
		return
	}
	c := Change{Tool: tool, Rule: "select-changed", Grade: Risky, Old: strings.Join(old.Select, ", "), New: strings.Join(new.Select, ", "),
		Message: "results keep " + selectText(new.Select) + ", kept " + selectText(old.Select)}
	if len(new.Select) == 0 || len(old.Select) > 0 && len(without(old.Select, new.Select)) == 0 {
		c.Grade = Safe
	}
	r.add(c)
}

func selectText(fields []string) string {
	if len(fields) == 0 {
		return "all fields"
	}
	return quoteAll(fields)
}

// hint is one annotation; better is the value that lets a client ask less.
type hint struct {
	name             string
	old, new, better bool
	weaker, stronger Grade
}

// hints compares the annotations. A tool that promises less breaks the consent
// that was given on its promise; one that claims to be harmless now is called
// without asking, so that wants a look too.
func (r *Report) hints(tool string, old, new ir.Hints) {
	for _, h := range []hint{
		{"readOnly", old.ReadOnly, new.ReadOnly, true, Breaking, Risky},
		{"destructive", old.Destructive, new.Destructive, false, Breaking, Risky},
		{"idempotent", old.Idempotent, new.Idempotent, true, Risky, Safe},
		{"openWorld", old.OpenWorld, new.OpenWorld, false, Risky, Safe},
	} {
		if h.old == h.new {
			continue
		}
		c := Change{Tool: tool, Rule: "hint-weakened", Grade: h.weaker, Old: fmt.Sprint(h.old), New: fmt.Sprint(h.new)}
		if h.new == h.better {
			c.Rule, c.Grade = "hint-strengthened", h.stronger
		}
		c.Message = fmt.Sprintf("hint %s is %t, was %t", quote(h.name), h.new, h.old)
		r.add(c)
	}
}

// without returns the words of a that b lacks.
func without(a, b []string) []string {
	var out []string
	for _, w := range a {
		if !slices.Contains(b, w) {
			out = append(out, w)
		}
	}
	return out
}
