package profile

import (
	"math"

	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// inline writes every definition where it is referred to. What is recursive, and
// what lies so deep that the whole would become too large, is marked instead.
func inline(root *node.Node) *node.Node {
	if !root.Has("$defs") {
		return root
	}
	plain := root.Without("$defs")
	for depth := mostLevels; ; depth-- {
		in := inliner{root: root, left: diet.Large, open: map[*node.Node]bool{}}
		if depth == fewestLevels {
			in.left = math.MaxInt
		}
		if out := in.schema(plain, depth); in.left > 0 {
			return out
		}
	}
}

// Levels that are written in place.
const (
	mostLevels   = 12
	fewestLevels = 3
)

// inliner writes one schema.
type inliner struct {
	root *node.Node
	left int // bytes that it may still take, roughly
	open map[*node.Node]bool
}

// schema writes n with at most depth levels below it.
func (in *inliner) schema(n *node.Node, depth int) *node.Node {
	if in.left <= 0 {
		return n // given up: the caller tries again with fewer levels
	}
	if ref := n.Get("$ref"); ref != nil {
		return in.reference(n, schema.Definition(in.root, ref.Value), depth)
	}
	if depth == 0 && schema.IsNested(n) {
		n = marked(n)
	}
	in.left -= ownSize(n)
	return schema.Each(n, func(_ string, below *node.Node) *node.Node { return in.schema(below, depth-1) })
}

// reference writes target in place of the reference n; what stands beside the
// reference wins.
func (in *inliner) reference(n, target *node.Node, depth int) *node.Node {
	switch {
	case target == nil:
		return n.Without("$ref")
	case in.open[target]:
		return beside(n, marked(target))
	}
	in.open[target] = true
	defer delete(in.open, target)
	return in.schema(beside(n, target), depth)
}

// beside returns target with what stands beside the reference n.
func beside(n, target *node.Node) *node.Node {
	for key, v := range n.Pairs() {
		if key.Value != "$ref" {
			target = target.With(key.Value, v)
		}
	}
	return target
}

// marked is a schema without what is in it.
func marked(n *node.Node) *node.Node {
	out := node.Map(n)
	if t := n.Get("type"); t != nil {
		out = out.With("type", t)
	}
	text := n.Get("description").Text()
	if text != "" {
		text += " "
	}
	return out.With("description", node.Str(n, text+"[cut]"))
}

// ownSize is about how many bytes a schema takes, less those of schemas in it.
func ownSize(n *node.Node) int {
	size := 2
	for key, v := range n.Pairs() {
		size += len(key.Value) + 4
		if v.Kind == node.Mapping {
			for name := range v.Pairs() {
				size += len(name.Value) + 4
			}
			continue
		}
		size += len(v.Value)
		for _, item := range v.List() {
			size += len(item.Value) + 3
		}
	}
	return size
}
