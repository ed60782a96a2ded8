package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// kind is what a change does to the set of values; with the direction it gives
// the grade.
type kind int

const (
	note      kind = iota // nothing
	loosened              // more values are possible
	unclear               // perhaps other values
	tightened             // fewer values are possible
	changed               // other values
)

// grades say what a change means for those who send arguments and for those who
// read results.
var grades = map[bool][5]Grade{
	false: {note: Safe, loosened: Safe, unclear: Risky, tightened: Breaking, changed: Breaking},
	true:  {note: Safe, loosened: Risky, unclear: Risky, tightened: Safe, changed: Breaking},
}

// maxChanges bounds what is said about one schema: a type that many parts share
// is compared wherever it stands.
const maxChanges = 200

// comparison is that of one schema with another.
type comparison struct {
	report   *Report
	tool     string
	output   bool // of results, else of arguments
	old, new *node.Node
	visits   map[[2]*node.Node]visit
	changes  int
}

// visit is what is known of two schemas that met.
type visit int

const (
	unknown visit = iota
	active        // being compared further up: recursion
	equal
	different
)

// schemas compares what a tool takes or gives.
func (r *Report) schemas(tool string, old, new *node.Node, output bool) {
	if same(old, new) {
		return
	}
	c := &comparison{report: r, tool: tool, output: output, old: old, new: new, visits: map[[2]*node.Node]visit{}}
	c.schema("", old, new)
}

// add says that something changed at a path. The message goes on after its name.
func (c *comparison) add(rule string, k kind, at, old, new, format string, args ...any) {
	c.changes++
	change := c.about(at)
	change.Message += " " + fmt.Sprintf(format, args...)
	change.Rule, change.Grade, change.Old, change.New = rule, grades[c.output][k], old, new
	if c.output {
		change.Rule = "output-changed"
	}
	c.report.add(change)
}

// about begins a change: "argument `body.name`".
func (c *comparison) about(at string) Change {
	what := "argument"
	if c.output {
		what = "result"
	}
	if at != "" {
		what += " " + quote(at)
	}
	return Change{Tool: c.tool, Path: at, Message: what}
}

// schema compares two schemas and all below them. What was found equal once is
// not looked at again; recursion ends where it meets itself.
func (c *comparison) schema(at string, old, new *node.Node) {
	o, n := expand(old, c.old), expand(new, c.new)
	if c.changes >= maxChanges {
		return
	}
	c.notes(at, o, n) // may stand beside a reference
	key := [2]*node.Node{o.last(), n.last()}
	if v := c.visits[key]; v == active || v == equal {
		return
	}
	c.visits[key] = active
	before := c.changes
	if c.types(at, o, n) {
		if o.isUnion() == n.isUnion() {
			c.values(at, o, n)
			c.keywords(at, o, n)
			c.object(at, o, n)
			c.array(at, o, n)
		}
		c.alternatives(at, o, n)
	}
	c.visits[key] = equal
	if c.changes > before {
		c.visits[key] = different
	}
}

// notes compares what is for the reader alone.
func (c *comparison) notes(at string, o, n view) {
	if at == "" {
		return // the tool's own
	}
	count := len(c.report.Changes)
	text := c.about(at)
	text.Old, text.New, text.Message = o.get("description").Text(), n.get("description").Text(), text.Message+": description"
	c.report.prose(text)
	c.changes += len(c.report.Changes) - count
	if a, b := o.get("title").Text(), n.get("title").Text(); a != b {
		c.add("title-changed", note, at, a, b, "has the title %s, had %s", quote(b), quote(a))
	}
	switch was, is := o.get("deprecated").Is(true), n.get("deprecated").Is(true); {
	case is && !was:
		c.add("argument-deprecated", note, at, "", "", "is deprecated")
	case was && !is:
		c.add("argument-deprecated", note, at, "", "", "is no longer deprecated")
	}
	if !same(o.get("examples"), n.get("examples")) {
		c.add("examples-changed", note, at, "", "", "has other examples")
	}
	switch a, b := o.get("default"), n.get("default"); {
	case a == nil && b != nil:
		c.add("default-changed", note, at, "", literal(b), "has the default %s now", quoteNode(b))
	case a != nil && b == nil:
		c.add("default-changed", unclear, at, literal(a), "", "has no default any more, had %s", quoteNode(a))
	case !same(a, b):
		c.add("default-changed", unclear, at, literal(a), literal(b), "has the default %s, had %s", quoteNode(b), quoteNode(a))
	}
}

// types compares which types are taken. It returns false if none is taken both
// before and after, so that nothing else can be compared.
func (c *comparison) types(at string, o, n view) bool {
	old, new := o.types(), n.types()
	var lost, gained []string
	if old == nil && new != nil {
		lost = []string{"any"}
	}
	if new == nil && old != nil {
		gained = []string{"any"}
	}
	shared := old == nil || new == nil
	for _, t := range old {
		switch {
		case !takes(new, t):
			lost = append(lost, t)
		case t != "null":
			shared = true
		}
	}
	for _, t := range new {
		if !takes(old, t) {
			gained = append(gained, t)
		}
	}
	a, b := typeText(old), typeText(new)
	numbers := slices.Contains(old, "number") && slices.Contains(new, "integer")
	switch {
	case len(lost) == 0 && len(gained) == 0:
	case slices.Equal(lost, []string{"null"}) && len(gained) == 0:
		c.add("type-narrowed", tightened, at, a, b, "can no longer be null")
	case slices.Equal(gained, []string{"null"}) && len(lost) == 0:
		c.add("type-widened", loosened, at, a, b, "can be null now")
	case len(gained) == 0:
		c.add("type-narrowed", tightened, at, a, b, "is %s, was %s", b, a)
	case len(lost) == 0:
		c.add("type-widened", loosened, at, a, b, "is %s, was %s", b, a)
	default:
		c.add("type-changed", changed, at, a, b, "is %s, was %s", b, a)
	}
	return shared || numbers || len(old)+len(new) == 2 && slices.Equal(old, new)
}

func typeText(types []string) string {
	if types == nil {
		return "of any type"
	}
	return strings.Join(types, " or ")
}

// values compares which values are allowed.
func (c *comparison) values(at string, o, n view) {
	old, new := words(o.values()), words(n.values())
	a, b := strings.Join(old, ", "), strings.Join(new, ", ")
	switch {
	case old == nil && new == nil:
		return
	case old == nil:
		c.add("value-removed", tightened, at, "", b, "is limited to %s", quoteAll(new))
		return
	case new == nil:
		c.add("value-added", loosened, at, a, "", "can be any value, was limited to %s", quoteAll(old))
		return
	}
	if gone := without(old, new); len(gone) > 0 {
		c.add("value-removed", tightened, at, a, b, "can no longer be %s", quoteAll(gone))
	}
	if more := without(new, old); len(more) > 0 {
		c.add("value-added", loosened, at, a, b, "can be %s now", quoteAll(more))
	}
}

// words writes allowed values; null is a matter of types.
func words(values []*node.Node) []string {
	var out []string
	for _, v := range values {
		if v.Kind != node.Null {
			out = append(out, literal(v))
		}
	}
	return out
}
