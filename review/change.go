package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Grade says how much a change matters to those who use the surface as it was.
type Grade int

const (
	// Safe: whatever worked goes on working.
	Safe Grade = iota
	// Risky: calls go on working, but a model may choose, or a call may do,
	// something else.
	Risky
	// Breaking: calls, permissions or code that worked no longer do.
	Breaking
)

// Grades are all grades, worst first.
var Grades = []Grade{Breaking, Risky, Safe}

// String gives the word that reports use.
func (g Grade) String() string { return [...]string{"safe", "risky", "breaking"}[g] }

// MarshalText lets a Grade appear as a word in JSON.
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// Change is one difference between two surfaces.
type Change struct {
	Tool    string `json:"tool,omitempty"` // its name now, or before if it is gone; empty: the server
	Rule    string `json:"rule"`           // stable, in kebab-case
	Grade   Grade  `json:"grade"`
	Path    string `json:"path,omitempty"` // of the argument or result: body.items[].name
	Message string `json:"message"`        // one line; names and values stand in back quotes
	Old     string `json:"old,omitempty"`
	New     string `json:"new,omitempty"`

	words bool // Old and New are texts to compare word by word
}

// Rules are the rules of [Diff] and what each finds.
var Rules = []struct{ Code, Finds string }{
	{"tool-added", "a tool that was not there"},
	{"tool-removed", "a tool that is gone"},
	{"tool-renamed", "a tool that does the same under another name"},
	{"tool-deprecated", "the API means to remove what a tool calls, or no longer does"},
	{"argument-added", "an argument, or a property of one, that was not there"},
	{"argument-removed", "one that is gone"},
	{"argument-renamed", "one that means the same under another name"},
	{"argument-required", "one that must be sent now"},
	{"argument-optional", "one that may be left out now"},
	{"argument-deprecated", "one that should no longer be used, or may be again"},
	{"argument-moved", "one that goes to another place in the request"},
	{"serialisation-changed", "one that is written otherwise in the request"},
	{"type-narrowed", "fewer types are taken"},
	{"type-widened", "more types are taken"},
	{"type-changed", "other types are taken"},
	{"value-removed", "an allowed value that is gone, or values that are limited now"},
	{"value-added", "an allowed value that was not there, or values that are free now"},
	{"bound-tightened", "a limit that allows less"},
	{"bound-loosened", "a limit that allows more"},
	{"pattern-changed", "another pattern for text"},
	{"format-changed", "another format of text"},
	{"default-changed", "another default value"},
	{"alternative-removed", "a form that is no longer taken"},
	{"alternative-added", "a form that is taken now"},
	{"properties-closed", "an object that takes no other properties any more"},
	{"properties-opened", "an object that takes other properties now"},
	{"constraint-changed", "another condition on values"},
	{"description-changed", "other words for a tool, an argument or the whole server"},
	{"title-changed", "another title"},
	{"examples-changed", "other examples of an argument"},
	{"detail-changed", "something else that clients see of a tool, as its icons or the order of values"},
	{"hint-weakened", "a hint that promises less"},
	{"hint-strengthened", "a hint that promises more"},
	{"request-moved", "a tool that calls another method, path, function or server"},
	{"media-type-changed", "another media type is sent or asked for"},
	{"auth-changed", "another credential is needed"},
	{"confirm-changed", "people are asked before a call, or no longer"},
	{"select-changed", "results keep other fields"},
	{"output-added", "results have a schema now"},
	{"output-removed", "results have no schema any more"},
	{"output-changed", "results have another shape"},
	{"server-renamed", "another name of the server"},
	{"server-moved", "another address of the API"},
	{"scheme-changed", "a security scheme that was added, removed or works otherwise"},
}

// The longest value that a message quotes, in characters.
const maxQuoted = 80

// quote writes a name or a value of the document for a message.
func quote(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case r == '`':
			return '\''
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, s)), " ")
	if r := []rune(s); len(r) > maxQuoted {
		s = string(r[:maxQuoted-1]) + "…"
	}
	return "`" + s + "`"
}

func quoteNode(n *node.Node) string { return quote(literal(n)) }

// quoteAll lists values: `a`, `b` and 3 more.
func quoteAll(values []string) string {
	const most = 8
	var out []string
	for _, v := range values[:min(most, len(values))] {
		out = append(out, quote(v))
	}
	list := strings.Join(out, ", ")
	if n := len(values) - most; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return list
}

// literal is JSON, without the quotes of text.
func literal(n *node.Node) string {
	if n != nil && n.Kind == node.String {
		return n.Value
	}
	return string(node.AppendJSON(nil, n))
}

// canonical is JSON that does not depend on the order of properties, nor on that
// of what is required.
func canonical(n *node.Node) []byte { return appendCanonical(nil, n) }

func appendCanonical(dst []byte, n *node.Node) []byte {
	switch {
	case n.IsMap():
		type pair struct{ key, value *node.Node }
		var pairs []pair
		for k, v := range n.Pairs() {
			pairs = append(pairs, pair{k, v})
		}
		slices.SortFunc(pairs, func(a, b pair) int { return cmp.Compare(a.key.Value, b.key.Value) })
		dst = append(dst, '{')
		for _, p := range pairs {
			dst = append(node.AppendString(dst, p.key.Value), ':')
			value := p.value
			if p.key.Value == "required" {
				value = sorted(value)
			}
			dst = append(appendCanonical(dst, value), ',')
		}
		return append(dst, '}')
	case n != nil && n.Kind == node.Sequence:
		dst = append(dst, '[')
		for _, item := range n.Items {
			dst = append(appendCanonical(dst, item), ',')
		}
		return append(dst, ']')
	}
	return node.AppendJSON(dst, n)
}

// sorted orders a list of names.
func sorted(n *node.Node) *node.Node {
	if n == nil || n.Kind != node.Sequence {
		return n
	}
	items := slices.Clone(n.Items)
	slices.SortStableFunc(items, func(a, b *node.Node) int { return cmp.Compare(a.Text(), b.Text()) })
	return node.Seq(n, items...)
}

func same(a, b *node.Node) bool {
	return a == b || string(canonical(a)) == string(canonical(b))
}
