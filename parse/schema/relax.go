package schema

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// relax leaves of a flat schema what tells a reader about results and refuses
// none that a real API sends: types, names and texts.
func relax(level *node.Node) *node.Node {
	var items []*node.Node
	for key, v := range level.Pairs() {
		switch key.Value {
		case "title", "description", "deprecated", "properties", "items", "allOf", "anyOf":
		case "type":
			v = relaxType(v)
		case "oneOf":
			if key = node.Str(key, "anyOf"); level.Has("anyOf") {
				continue
			}
		case "additionalProperties":
			if v.Kind != node.Mapping {
				continue
			}
		default:
			continue
		}
		items = append(items, key, v)
	}
	return node.Map(level, items...)
}

// relaxType adds null, and lets numbers be numbers.
func relaxType(t *node.Node) *node.Node {
	list := typeList(t)
	for i := range list {
		switch list[i].Value {
		case "file":
			list[i] = node.Str(t, "string")
		}
	}
	if !slices.ContainsFunc(list, func(n *node.Node) bool { return n.Value == "null" }) {
		list = append(list, node.Str(t, "null"))
	}
	return node.Seq(t, distinct(list)...)
}
