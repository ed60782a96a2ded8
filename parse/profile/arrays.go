package profile

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// withProperties gives the root properties, though it has none.
func withProperties(root *node.Node) *node.Node {
	if root.Has("properties") {
		return root
	}
	return root.With("properties", node.Map(root))
}

// typedItems says of items that may be anything what anything is: hosts refuse
// an array whose items say nothing.
func typedItems(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		items := n.Get("items")
		if items == nil && hasType(n, "array") && !n.Has("prefixItems") {
			items = node.Map(n)
		}
		if items == nil || !isOpen(items) {
			return n
		}
		return n.With("items", anything(items))
	})
}

// isOpen reports whether a schema says of no value that it is wrong by its type.
func isOpen(n *node.Node) bool {
	for _, key := range []string{"type", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"} {
		if n.Has(key) {
			return false
		}
	}
	return true
}

// anything is an open schema with all types listed.
func anything(n *node.Node) *node.Node {
	var types []*node.Node
	for _, name := range []string{"string", "number", "boolean", "object"} {
		types = append(types, ofType(n, name))
	}
	list := ofType(n, "array").With("items", ofType(n, "string"))
	return n.With("anyOf", node.Seq(n, append(types, list)...))
}

func ofType(at *node.Node, name string) *node.Node {
	return node.Map(at, node.Str(at, "type"), node.Str(at, name))
}

// typeNames are the types that a schema lists; none: any.
func typeNames(n *node.Node) []string {
	t := n.Get("type")
	if t == nil {
		return nil
	}
	if t.Kind == node.String {
		return []string{t.Value}
	}
	var names []string
	for _, item := range t.List() {
		names = append(names, item.Value)
	}
	return names
}

func hasType(n *node.Node, name string) bool { return slices.Contains(typeNames(n), name) }
