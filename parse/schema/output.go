package schema

import (
	"encoding/json"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Output returns the outputSchema for a result described by n, relaxed because
// clients refuse a result that breaks it: nothing is required, everything may
// be null, no value is excluded. The root is an object; other results stand
// under "result". It returns nil when the schema says nothing.
func (c *Converter) Output(n *node.Node) (json.RawMessage, error) {
	w := writer{conversion: c.ways[Output]}
	level, err := w.resultLevel(n)
	if err != nil || onlyNotes(level) {
		return nil, err
	}
	w.buf = append(w.buf, `{"type":"object"`...)
	if object := w.asObject(level, map[*node.Node]bool{}); object != nil {
		for _, note := range writeNotes(object, "") {
			w.buf = append(w.buf, note...)
		}
		err = w.keywords(object)
	} else {
		w.buf = append(w.buf, `,"properties":{"result":`...)
		err = w.schema(n, "", nil)
		w.buf = append(w.buf, '}')
	}
	if err != nil {
		return nil, err
	}
	return w.layOut()
}

// resultLevel is the finished level of n, behind its references.
func (v *conversion) resultLevel(n *node.Node) (*node.Node, error) {
	target, _, notes, err := v.behind(n)
	if err != nil {
		return nil, err
	}
	level, err := v.finish(target)
	if err != nil {
		return nil, err
	}
	return withNotes(level, relax(notes)), nil
}

// asObject returns a level that may stand at the root: an object without
// composition. The variants of a union show all their properties. It returns
// nil for what is no object, or not always. Seen are the members on the way.
func (v *conversion) asObject(level *node.Node, seen map[*node.Node]bool) *node.Node {
	t := inferredType(level)
	if t != nil && !isType(node.Map(t, node.Str(t, "type"), t), "object") {
		return nil
	}
	properties := level.Get("properties")
	if properties == nil {
		properties = node.Map(level)
	}
	for _, key := range []string{"allOf", "anyOf"} {
		for _, m := range level.Get(key).List() {
			inner, err := v.resultLevel(m)
			if err != nil || seen[m] {
				return nil
			}
			seen[m] = true
			if inner = v.asObject(inner, seen); inner == nil {
				return nil
			}
			for name, schema := range inner.Get("properties").Pairs() {
				if first := properties.Get(name.Value); first == nil {
					properties = properties.With(name.Value, schema)
				} else if !same(first, schema) {
					properties = properties.With(name.Value, node.Map(first))
				}
			}
		}
	}
	if t == nil && len(properties.Items) == 0 {
		return nil
	}
	level = level.Without("type", "allOf", "anyOf", "properties")
	if len(properties.Items) > 0 {
		level = level.With("properties", properties)
	}
	return level
}
