package schema

import (
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Edit returns a finished schema with f applied to it and to every schema in it,
// the outer first; name is that of the property or definition, or empty. What f
// returns unchanged is shared with n, which is never changed itself.
func Edit(n *node.Node, f func(name string, n *node.Node) *node.Node) *node.Node {
	return edit("", n, f)
}

func edit(name string, n *node.Node, f func(string, *node.Node) *node.Node) *node.Node {
	return Each(f(name, n), func(name string, below *node.Node) *node.Node { return edit(name, below, f) })
}

// Each returns a finished schema with f applied to the schemas that stand directly
// in it, and to its definitions; as [Edit] otherwise.
func Each(n *node.Node, f func(name string, n *node.Node) *node.Node) *node.Node {
	out := n
	for key, v := range n.Pairs() {
		if w := eachUnder(key.Value, v, f); w != v {
			out = out.With(key.Value, w)
		}
	}
	return out
}

// eachUnder applies f to the schemas in the value of a keyword.
func eachUnder(keyword string, v *node.Node, f func(string, *node.Node) *node.Node) *node.Node {
	first, step := 0, 1
	switch applies(keyword) {
	case oneSchema, itemSchemas:
		if v.Kind != node.Mapping {
			return v // additionalProperties: false
		}
		return f("", v)
	case schemaList:
		if v.Kind != node.Sequence {
			return v
		}
	case schemaMap:
		if first, step = 1, 2; v.Kind != node.Mapping {
			return v
		}
	default:
		return v
	}
	out := v
	for i := first; i < len(v.Items); i += step {
		name := ""
		if step == 2 {
			name = v.Items[i-1].Value
		}
		w := f(name, v.Items[i])
		if w == v.Items[i] {
			continue
		}
		if out == v {
			copied := *v
			copied.Items = append([]*node.Node(nil), v.Items...)
			out = &copied
		}
		out.Items[i] = w
	}
	return out
}

// IsNested reports whether schemas stand in one.
func IsNested(n *node.Node) bool { return len(inside(n)) > 0 }

// applies is the form of a keyword's value in a finished schema.
func applies(keyword string) form {
	if keyword == "$defs" {
		return schemaMap
	}
	return keywords[keyword]
}

// Depths returns how deep each schema below root lies: how many schemas stand
// around it by the shortest way, where a reference is what it refers to. Those
// that nothing leads to are not in it.
func Depths(root *node.Node) map[*node.Node]int {
	depths := make(map[*node.Node]int)
	for level, depth := []*node.Node{root}, 0; len(level) > 0; depth++ {
		var next []*node.Node
		for i := 0; i < len(level); i++ {
			n := level[i]
			if _, seen := depths[n]; seen {
				continue
			}
			depths[n] = depth
			if ref := n.Get("$ref"); ref != nil {
				if target := Definition(root, ref.Value); target != nil {
					level = append(level, target)
				}
			}
			next = append(next, inside(n)...)
		}
		level = next
	}
	return depths
}

// inside returns the schemas that stand directly in one, but for definitions.
func inside(n *node.Node) []*node.Node {
	var out []*node.Node
	for key, v := range n.Pairs() {
		switch keywords[key.Value] {
		case oneSchema, itemSchemas:
			if v.Kind == node.Mapping {
				out = append(out, v)
			}
		case schemaList:
			out = append(out, v.List()...)
		case schemaMap:
			for _, below := range v.Pairs() {
				out = append(out, below)
			}
		}
	}
	return out
}

// Definition returns what a reference of a finished schema points to, or nil.
func Definition(root *node.Node, ref string) *node.Node {
	name, ok := strings.CutPrefix(ref, refPrefix)
	if !ok {
		return nil
	}
	return root.Get("$defs").Get(name)
}

const refPrefix = "#/$defs/"
