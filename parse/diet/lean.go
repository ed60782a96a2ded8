package diet

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

func cutSentences(root *node.Node, _ int) *node.Node { return texts(root, firstSentence) }

// maxDepth is the deepest level that a lean tool shows: an argument is the first,
// a property of the body the second.
const maxDepth = 3

// cutDepth puts what lies below maxDepth behind a marker, and drops the definitions
// that nothing refers to any more.
func cutDepth(root *node.Node, size int) *node.Node {
	depths := schema.Depths(root)
	out := schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		if depths[n] != maxDepth || isSimple(root, n) {
			return n
		}
		return marked(root, n)
	})
	if out == root {
		return root
	}
	return cutDefs(out, size)
}

// isSimple reports whether a schema is of one value, a list of such, or a choice.
func isSimple(root, n *node.Node) bool {
	n = behind(root, n)
	for key := range n.Pairs() {
		switch key.Value {
		case "items":
			if !isSimple(root, n.Get("items")) {
				return false
			}
		case "allOf", "anyOf", "oneOf":
			for _, variant := range n.Get(key.Value).List() {
				if !isSimple(root, variant) {
					return false
				}
			}
		case "properties", "additionalProperties", "patternProperties", "prefixItems", "$ref":
			return false
		}
	}
	return true
}

// behind follows a reference, once: what it leads to has none at its root but
// where it is recursive.
func behind(root, n *node.Node) *node.Node {
	if ref := n.Get("$ref"); ref != nil {
		if target := schema.Definition(root, ref.Value); target != nil {
			return target
		}
	}
	return n
}

// marked is a schema with a marker in place of what is in it, or the schema where
// that takes no more.
func marked(root, n *node.Node) *node.Node {
	target := behind(root, n)
	marker := "[cut]"
	if properties := target.Get("properties"); properties != nil {
		marker = fmt.Sprintf("[%d properties cut]", len(properties.Items)/2)
		if len(properties.Items) == 2 {
			marker = "[1 property cut]"
		}
	}
	description := n.Get("description").Text()
	if description == "" {
		description = target.Get("description").Text()
	}
	if description != "" {
		marker = firstSentence(description) + " " + marker
	}
	out := node.Map(n)
	if t := target.Get("type"); t != nil {
		out = out.With("type", t)
		if t.Text() == "array" {
			out = out.With("items", node.Map(n))
		}
	}
	out = out.With("description", node.Str(n, marker))
	before := string(node.AppendJSON(nil, n))
	if !strings.Contains(before, `"$ref"`) && len(before) <= len(node.AppendJSON(nil, out)) {
		return n
	}
	return out
}

// cutDefs drops the definitions that nothing refers to any more.
func cutDefs(root *node.Node, _ int) *node.Node {
	defs := root.Get("$defs")
	if defs == nil {
		return root
	}
	reached := schema.Depths(root)
	var left []*node.Node
	for name, n := range defs.Pairs() {
		if _, ok := reached[n]; ok {
			left = append(left, name, n)
		}
	}
	switch len(left) {
	case len(defs.Items):
		return root
	case 0:
		return root.Without("$defs")
	}
	return root.With("$defs", node.Map(defs, left...))
}

// maxDescription is how many runes clients show of a tool's description.
const maxDescription = 1024

// withPointer is the description of a tool with where its whole schema stands. One
// that was not left longer by choice makes room for it: its end gives way, but for
// what the tool returns.
func withPointer(t *ir.Tool) string {
	pointer := "\n\n" + ir.WholeSchema(t.Name)
	text, returns, room := t.Description, "", maxDescription-utf8.RuneCountInString(pointer)
	if utf8.RuneCountInString(text) > maxDescription {
		return text + pointer
	}
	if i := strings.LastIndex(text, "\n\nReturns"); i > len(text)/2 {
		text, returns = text[:i], text[i:]
	}
	return prose.Cut(text, room-utf8.RuneCountInString(returns)) + returns + pointer
}
