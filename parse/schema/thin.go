package schema

import (
	"encoding/json"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// kept is how many levels below the arguments keep their descriptions whatever
// they cost: the arguments, their properties, and those of these.
const kept = 2

// thin drops descriptions from the deepest level up until a finished schema
// takes at most [Large] bytes, or only the first levels have any: deep inside a
// Kubernetes object, a name says nearly all that its description does.
func thin(schema json.RawMessage) json.RawMessage {
	file := &node.File{}
	if len(schema) <= Large || node.Parse(file, schema) != nil {
		return schema
	}
	t := thinner{root: file.Root, depth: map[*node.Node]int{}}
	t.measure()
	last, size := len(t.cost)-1, len(schema)
	for ; last > kept && size > Large; last-- {
		size -= t.cost[last]
	}
	return node.AppendJSON(nil, t.cut(file.Root, last))
}

// thinner knows how deep each schema of a tool lies: how many schemas lead to it
// from the arguments by the shortest way, references followed.
type thinner struct {
	root  *node.Node
	depth map[*node.Node]int
	cost  []int // bytes of the descriptions, by depth
}

// measure visits the schemas level by level.
func (t *thinner) measure() {
	for level := []*node.Node{t.root}; len(level) > 0; {
		var below []*node.Node
		cost := 0
		for _, n := range level {
			if _, seen := t.depth[n]; seen {
				continue
			}
			t.depth[n] = len(t.cost)
			if text := n.Get("description"); text != nil {
				cost += len(`,"description":`) + len(node.AppendJSON(nil, text))
			}
			below = append(below, t.below(n)...)
		}
		t.cost = append(t.cost, cost)
		level = below
	}
}

// below returns the schemas that a schema leads to.
func (t *thinner) below(n *node.Node) []*node.Node {
	var out []*node.Node
	for key, v := range n.Pairs() {
		switch {
		case key.Value == "$ref":
			name := strings.TrimPrefix(v.Value, "#/$defs/")
			if target := t.root.Get("$defs").Get(name); target != nil {
				out = append(out, target)
			}
		default:
			out = append(out, subschemas(key.Value, v)...)
		}
	}
	return out
}

// subschemas returns the schemas in the value of a keyword.
func subschemas(keyword string, v *node.Node) []*node.Node {
	switch keywords[keyword] {
	case oneSchema, itemSchemas:
		return []*node.Node{v}
	case schemaList:
		return v.List()
	case schemaMap:
		var out []*node.Node
		for _, schema := range v.Pairs() {
			out = append(out, schema)
		}
		return out
	}
	return nil
}

// cut returns the tree without the descriptions of schemas deeper than last.
func (t *thinner) cut(n *node.Node, last int) *node.Node {
	if len(n.Items) == 0 {
		return n
	}
	depth, isSchema := t.depth[n]
	out := *n
	out.Items = nil
	for i, item := range n.Items {
		isValue := n.Kind == node.Mapping && i%2 == 1
		if isSchema && depth > last && isValue && n.Items[i-1].Value == "description" {
			out.Items = out.Items[:len(out.Items)-1]
			continue
		}
		out.Items = append(out.Items, t.cut(item, last))
	}
	return &out
}
