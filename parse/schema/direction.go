package schema

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// hides is the keyword that keeps a property out of a direction.
func (d Direction) hides() string {
	if d == Input {
		return "readOnly"
	}
	return "writeOnly"
}

// dropHidden takes the properties out that do not travel in this direction; no
// list of required names mentions them any more (OpenAPI 3.1, Schema Object,
// readOnly and writeOnly).
func (v *conversion) dropHidden(level *node.Node) *node.Node {
	properties := level.Get("properties")
	var hidden []string
	for name, schema := range properties.Pairs() {
		if v.marked(schema, v.dir.hides(), 0) {
			hidden = append(hidden, name.Value)
		}
	}
	if hidden == nil {
		return level
	}
	if properties = properties.Without(hidden...); len(properties.Items) > 0 {
		level = level.With("properties", properties)
	} else {
		level = level.Without("properties")
		if t := level.Get("type"); t == nil {
			level = level.With("type", node.Str(properties, "object"))
		}
	}
	return v.dropRequired(level, hidden)
}

// dropRequired takes names out of the required lists of a schema and of what
// stands in place in its compositions.
func (v *conversion) dropRequired(level *node.Node, hidden []string) *node.Node {
	if required := level.Get("required"); required != nil {
		left := slices.DeleteFunc(slices.Clone(required.Items), func(n *node.Node) bool {
			return slices.Contains(hidden, n.Value)
		})
		if len(left) > 0 {
			level = level.With("required", node.Seq(required, left...))
		} else {
			level = level.Without("required")
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list := level.Get(key)
		if list == nil {
			continue
		}
		members := slices.Clone(list.Items)
		for i, m := range members {
			if inner, err := v.flatten(m); err == nil && !isLink(inner) {
				members[i] = v.strip(m, inner, hidden)
			}
		}
		level = level.With(key, node.Seq(list, members...))
	}
	return level
}

// strip is dropRequired for a schema m in place, whose flat schema is level. It
// makes one schema each time it is asked for the same, as recursion ends only
// where it comes to one it knows.
func (v *conversion) strip(m, level *node.Node, hidden []string) *node.Node {
	key := stripKey{m, strings.Join(hidden, "\x00")}
	made, ok := v.stripped[key]
	if !ok {
		v.stripped[key] = m // for a composition that comes round to itself
		made = v.keepLike(m, v.dropRequired(level, hidden))
		v.stripped[key] = made
		v.origins[made] = v.origin(m)
	}
	return made
}

type stripKey struct {
	schema *node.Node
	hidden string
}

// origin is the schema that n was stripped from, else n.
func (v *conversion) origin(n *node.Node) *node.Node {
	if from, ok := v.origins[n]; ok {
		return from
	}
	return n
}

// marked reports whether a schema of the document carries readOnly or
// writeOnly: itself, behind its reference or in its allOf.
func (v *conversion) marked(n *node.Node, key string, depth int) bool {
	if !n.IsMap() || depth > 32 {
		return false
	}
	ref := n.Get("$ref")
	if ref != nil && ref.Kind == node.String {
		if target, err := v.step(ref); err == nil && v.marked(target, key, depth+1) {
			return true
		}
		if v.src.Dialect(n.File) == OpenAPI30 {
			return false
		}
	}
	if own := n.Get(key); own != nil && v.repairFlag(key, own).Is(true) {
		return true
	}
	return slices.ContainsFunc(n.Get("allOf").List(), func(m *node.Node) bool { return v.marked(m, key, depth+1) })
}
