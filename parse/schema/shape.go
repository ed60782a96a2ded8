package schema

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Target follows $ref, and allOf of a single member with at most notes beside
// it, to the node that says something.
func (c *Converter) Target(n *node.Node) (*node.Node, error) {
	target, _, _, err := c.behind(n)
	return target, err
}

// Shape is what the binding of an argument needs to know about its schema. The
// zero Shape is a schema that says nothing, or different things.
type Shape struct {
	Type       string // "string", "number", "integer", "boolean", "object", "array" or empty
	Format     string
	Binary     bool // the value is bytes: format binary, type file, contentMediaType of no text
	Nullable   bool
	Items      *Shape          // of an array
	Properties []ShapeProperty // of an object in document order, allOf merged; of a union all that its variants have
}

// ShapeProperty is one property of an object's Shape. Schema is the property's
// node as the document has it.
type ShapeProperty struct {
	Name     string
	Schema   *node.Node
	Required bool
}

// Shape describes n. It never fails: what cannot be resolved has no shape.
func (c *Converter) Shape(n *node.Node) Shape { return c.shape(n, map[*node.Node]*Shape{}) }

// shape is Shape; done holds the schemas that were described on the way, empty
// while they are being.
func (c *Converter) shape(n *node.Node, done map[*node.Node]*Shape) Shape {
	target, level, notes, err := c.behind(n)
	if err != nil {
		return Shape{}
	}
	s, ok := done[target]
	if !ok {
		s = &Shape{}
		done[target] = s
		*s = c.levelShape(level, done)
	}
	out := *s
	out.Nullable = out.Nullable || notes.Has("nullable")
	return out
}

func (c *Converter) levelShape(level *node.Node, done map[*node.Node]*Shape) Shape {
	s := Shape{Format: level.Get("format").Text(), Binary: isBinary(level)}
	s.setType(level)
	required := level.Get("required")
	for name, schema := range level.Get("properties").Pairs() {
		s.Properties = append(s.Properties, ShapeProperty{name.Value, schema, listed(required, name.Value)})
	}
	if items := level.Get("items"); s.Type == "array" && items != nil {
		inner := c.shape(items, done)
		s.Items = &inner
	}
	for _, m := range level.Get("allOf").List() {
		s.include(c.shape(m, done))
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		var variants []Shape
		for _, m := range level.Get(key).List() {
			variants = append(variants, c.shape(m, done))
		}
		s.choose(variants)
	}
	return s
}

// setType reads the type of a level.
func (s *Shape) setType(level *node.Node) {
	for _, t := range typeList(inferredType(level)) {
		switch {
		case t.Value == "null":
			s.Nullable = true
		case s.Type == "":
			s.Type = t.Value
		default:
			s.Type = ""
			return
		}
	}
	if s.Type == "file" {
		s.Type = "string"
	}
}

// include adds what another schema says about the same value.
func (s *Shape) include(o Shape) {
	if s.Type == "" {
		s.Type, s.Items = o.Type, o.Items
	}
	if s.Format == "" {
		s.Format = o.Format
	}
	s.Binary = s.Binary || o.Binary
	s.addProperties(o, true)
}

// addProperties adds the properties of o that s does not have.
func (s *Shape) addProperties(o Shape, sure bool) {
	for _, p := range o.Properties {
		p.Required = p.Required && sure
		i := slices.IndexFunc(s.Properties, func(q ShapeProperty) bool { return q.Name == p.Name })
		if i < 0 {
			s.Properties = append(s.Properties, p)
		} else if p.Required {
			s.Properties[i].Required = true
		}
	}
}

// choose adds what is common to all variants, and every property any of them
// has.
func (s *Shape) choose(variants []Shape) {
	var common *Shape
	for _, v := range variants {
		s.Nullable = s.Nullable || v.Nullable
		s.addProperties(v, false)
		if v.Nullable && v.Type == "" && v.Properties == nil {
			continue // null
		}
		if common == nil {
			common = &v
			continue
		}
		if common.Type != v.Type {
			common.Type = ""
		}
		if common.Format != v.Format {
			common.Format = ""
		}
		common.Binary = common.Binary && v.Binary
	}
	if common != nil && (s.Type == "" || s.Type == common.Type) {
		common.Properties = nil
		s.include(*common)
	}
}
