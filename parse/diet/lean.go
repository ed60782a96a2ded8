package diet

import (
	"fmt"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

func cutSentences(_ *ir.Tool, root *node.Node) *node.Node { return texts(root, firstSentence) }

// maxDepth is the deepest level that a lean tool shows: an argument is the first,
// a property of the body the second.
const maxDepth = 3

// cutDepth puts what lies below maxDepth behind a marker.
func cutDepth(_ *ir.Tool, root *node.Node) *node.Node {
	depths := schema.Depths(root)
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		if depths[n] != maxDepth || isSimple(root, n) {
			return n
		}
		return marked(root, n)
	})
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

// marked is a schema with a marker in place of what is in it.
func marked(root, n *node.Node) *node.Node {
	target := behind(root, n)
	marker := "[cut]"
	if properties := target.Get("properties"); properties != nil {
		marker = fmt.Sprintf("[%d properties cut]", len(properties.Items)/2)
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
	return out.With("description", node.Str(n, marker))
}

// cutDefs drops the definitions that nothing refers to any more.
func cutDefs(_ *ir.Tool, root *node.Node) *node.Node {
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

// withPointer is the description of a tool with where its whole schema stands.
func withPointer(t *ir.Tool) string {
	pointer := "\n\n" + ir.WholeSchema(t.Name)
	if utf8.RuneCountInString(t.Description)+len(pointer) > maxDescription {
		return t.Description
	}
	return t.Description + pointer
}
