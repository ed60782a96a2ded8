package profile

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// compose writes oneOf and allOf in the form that all hosts know: anyOf, and the
// keywords themselves. The model is told more than is allowed, never less.
func compose(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node { return composed(n) })
}

func composed(n *node.Node) *node.Node {
	if !n.Has("oneOf") && !n.Has("allOf") && !(n.Has("anyOf") && n.Has("properties")) {
		return n
	}
	if !n.Has("anyOf") {
		n = n.With("anyOf", n.Get("oneOf"))
	}
	parts := n.Get("allOf").List()
	n = n.Without("oneOf", "allOf")
	for _, part := range parts {
		n = merged(n, composed(part))
	}
	if n.Has("properties") {
		n = n.Without("anyOf") // as a rule, which properties go together
	}
	switch {
	case n.Has("type"):
	case n.Has("properties"):
		n = n.With("type", node.Str(n, "object"))
	case n.Has("items"):
		n = n.With("type", node.Str(n, "array"))
	}
	return n
}

// merged adds to n what only part says.
func merged(n, part *node.Node) *node.Node {
	for key, v := range part.Pairs() {
		own := n.Get(key.Value)
		switch {
		case own == nil:
			n = n.With(key.Value, v)
		case key.Value == "properties":
			n = n.With(key.Value, merged(own, v))
		case key.Value == "required":
			n = n.With(key.Value, node.Seq(own, union(own.List(), v.List())...))
		}
	}
	return n
}

// union adds to names those that are not among them.
func union(names, more []*node.Node) []*node.Node {
	names = slices.Clone(names)
	for _, name := range more {
		if !slices.ContainsFunc(names, func(n *node.Node) bool { return n.Value == name.Value }) {
			names = append(names, name)
		}
	}
	return names
}
