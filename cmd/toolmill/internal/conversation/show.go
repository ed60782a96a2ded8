// Package conversation prints the messages that two sides exchange so that a
// person can follow them.
package conversation

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/node"
)

const (
	indent   = "    "
	maxWidth = 96 // characters of a line of JSON
	maxText  = 320
	maxList  = 400 // characters of a list that is shown whole
)

// Event is one message between two sides.
type Event struct {
	From, To string
	Line     string // what stands beside them: of HTTP the request or status line
	Body     []byte // JSON
}

// Show prints one event.
func Show(w io.Writer, e Event) {
	fmt.Fprintf(w, "%s%s → %s", indent, e.From, e.To)
	if e.Line != "" {
		fmt.Fprintf(w, "   %s", e.Line)
	}
	fmt.Fprintln(w)
	if len(e.Body) > 0 {
		var b strings.Builder
		printJSON(&b, e.Body, indent+indent)
		fmt.Fprintln(w, indent+indent+b.String())
	}
	fmt.Fprintln(w)
}

// printJSON lays JSON out for reading: what fits stands on one line, long texts
// and lists are cut and say so. What is no JSON is printed as it is.
func printJSON(b *strings.Builder, data []byte, margin string) {
	var file node.File
	if !json.Valid(data) || node.Parse(&file, data) != nil {
		b.WriteString(strings.ReplaceAll(strings.TrimSpace(string(data)), "\n", "\n"+margin))
		return
	}
	layout(b, shorten(file.Root), margin, 0)
}

// shorten cuts long texts, and lists that are long after that.
func shorten(n *node.Node) *node.Node {
	c := *n
	c.Items = make([]*node.Node, len(n.Items))
	for i, item := range n.Items {
		c.Items[i] = shorten(item)
	}
	switch n.Kind {
	case node.String:
		if over := utf8.RuneCountInString(n.Value) - maxText; over > 0 {
			c.Value = fmt.Sprintf("%s… (%d more characters)", string([]rune(n.Value)[:maxText]), over)
		}
	case node.Sequence:
		if more := len(c.Items) - 1; more > 0 && len(node.AppendJSON(nil, &c)) > maxList {
			c.Items = []*node.Node{c.Items[0], node.Str(nil, fmt.Sprintf("… (%d more like this)", more))}
		}
	}
	return &c
}

// layout prints n after used characters of a line that began at margin.
func layout(b *strings.Builder, n *node.Node, margin string, used int) {
	flat := string(node.AppendJSON(nil, n))
	if len(n.Items) == 0 || len(margin)+used+utf8.RuneCountInString(flat) <= maxWidth {
		b.WriteString(spaced(n))
		return
	}
	inner := margin + "  "
	brackets, step := "[]", 1
	if n.IsMap() {
		brackets, step = "{}", 2
	}
	b.WriteString(brackets[:1])
	for i := 0; i < len(n.Items); i += step {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + inner)
		item, key := n.Items[i], ""
		if n.IsMap() {
			item, key = n.Items[i+1], string(node.AppendJSON(nil, n.Items[i]))+": "
		}
		b.WriteString(key)
		layout(b, item, inner, len(key))
	}
	b.WriteString("\n" + margin + brackets[1:])
}

// spaced prints n on one line with a space after each colon and comma.
func spaced(n *node.Node) string {
	var parts []string
	switch n.Kind {
	case node.Mapping:
		for key, value := range n.Pairs() {
			parts = append(parts, string(node.AppendJSON(nil, key))+": "+spaced(value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case node.Sequence:
		for _, item := range n.Items {
			parts = append(parts, spaced(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return string(node.AppendJSON(nil, n))
}
