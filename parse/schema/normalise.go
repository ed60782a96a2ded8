package schema

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// normalise returns the schema n as 2020-12 with three keywords more that later
// stages resolve: $ref, nullable beside a composition, and discriminator. Each
// pass has one concern and sees one level; it leaves alone what is 2020-12
// already.
func (c *Converter) normalise(n *node.Node) *node.Node {
	if s, ok := c.normal[n]; ok {
		return s
	}
	s := c.repair(n)
	for _, pass := range []func(*Converter, *node.Node) *node.Node{
		exclusiveBounds,
		nullable,
		tupleItems,
		example,
		dependencies,
		singleUnion,
		optionalUnion,
		enumOfArray,
		namedEnum,
		fitValues,
		ecmaPatterns,
	} {
		s = pass(c, s)
	}
	c.adopt(s)
	c.normal[n] = s
	return s
}

// adopt marks a node of ours as normalised.
func (c *Converter) adopt(n *node.Node) *node.Node {
	c.normal[n] = n
	return n
}

// exclusiveBounds: OpenAPI 3.0 writes exclusiveMinimum: true beside minimum.
func exclusiveBounds(_ *Converter, n *node.Node) *node.Node {
	for _, pair := range [][2]string{{"minimum", "exclusiveMinimum"}, {"maximum", "exclusiveMaximum"}} {
		exclusive := n.Get(pair[1])
		if exclusive == nil || exclusive.Kind != node.Bool {
			continue
		}
		limit := n.Get(pair[0])
		n = n.Without(pair[1])
		if exclusive.Is(true) && limit != nil {
			n = n.Without(pair[0]).With(pair[1], limit)
		}
	}
	return n
}

// nullable: OpenAPI 3.0 and Swagger's x-nullable. Beside a composition or a
// reference the keyword stays, because the types are not known yet.
func nullable(_ *Converter, n *node.Node) *node.Node {
	if !has(n, "nullable", "x-nullable") {
		return n
	}
	wanted := n.Get("nullable").Is(true) || n.Get("x-nullable").Is(true)
	n = n.Without("nullable", "x-nullable")
	switch {
	case !wanted:
		return n
	case has(n, composition...) || n.Has("$ref"):
		return n.With("nullable", node.Boolean(n, true))
	}
	return admitNull(n)
}

// admitNull lets a schema without composition accept null as well.
func admitNull(n *node.Node) *node.Node {
	null := node.NewNull(n)
	if t := n.Get("type"); t != nil && !hasType(t, "null") {
		n = n.With("type", node.Seq(t, append(typeList(t), node.Str(t, "null"))...))
	}
	if enum := n.Get("enum"); enum != nil && !slices.ContainsFunc(enum.Items, isNull) {
		n = n.With("enum", node.Seq(enum, append(slices.Clone(enum.Items), null)...))
	}
	if v := n.Get("const"); v != nil && !isNull(v) {
		n = n.Without("const").With("enum", node.Seq(v, v, null))
	}
	return n
}

func isNull(n *node.Node) bool { return n.Kind == node.Null }

// typeList returns the names in a type keyword, which may be nil.
func typeList(t *node.Node) []*node.Node {
	switch {
	case t == nil:
		return nil
	case t.Kind == node.Sequence:
		return slices.Clone(t.Items)
	}
	return []*node.Node{t}
}

// hasType reports whether a type keyword, which may be nil, has the name.
func hasType(t *node.Node, name string) bool {
	return t != nil && (t.Kind == node.String && t.Value == name || listed(t, name))
}

// tupleItems: before 2020-12, items could be a list, one schema a place. In
// OpenAPI 3.0, where that is not allowed, documents mean "any of these".
func tupleItems(c *Converter, n *node.Node) *node.Node {
	additional := n.Get("additionalItems")
	n = n.Without("additionalItems")
	items := n.Get("items")
	if items == nil || items.Kind != node.Sequence {
		return n
	}
	if c.src.Dialect(items.File) == OpenAPI31 && !n.Has("prefixItems") {
		c.warn(items, "tuple-items", "schema keyword items is a list, read as prefixItems")
		n = n.Without("items").With("prefixItems", items)
		return n.With("items", additional)
	}
	c.warn(items, "tuple-items", "schema keyword items is a list, read as a schema for any of these")
	if len(items.Items) == 1 {
		return n.With("items", items.Items[0])
	}
	return n.With("items", c.adopt(node.Map(items, node.Str(items, "anyOf"), items)))
}

// example: 2020-12 has only examples.
func example(_ *Converter, n *node.Node) *node.Node {
	one := n.Get("example")
	if one == nil {
		return n
	}
	n = n.Without("example")
	if one.Kind == node.Null {
		return n
	}
	return n.With("examples", node.Seq(one, distinct(append([]*node.Node{one}, n.Get("examples").List()...))...))
}

// dependencies: split in two since draft 2019-09, by what depends: names of
// required properties, or a schema.
func dependencies(c *Converter, n *node.Node) *node.Node {
	if !has(n, "dependencies", "dependentRequired") {
		return n
	}
	required, schemas := node.Map(n), node.Map(n)
	for _, key := range []string{"dependencies", "dependentRequired", "dependentSchemas"} {
		for name, v := range n.Get(key).Pairs() {
			if v.Kind != node.Sequence {
				schemas = schemas.With(name.Value, v)
			} else if v = c.repairNames(key, v); v != nil {
				required = required.With(name.Value, v)
			}
		}
	}
	n = n.Without("dependencies")
	if n = n.With("dependentRequired", required); len(required.Items) == 0 {
		n = n.Without("dependentRequired")
	}
	if n = n.With("dependentSchemas", schemas); len(schemas.Items) == 0 {
		n = n.Without("dependentSchemas")
	}
	return n
}

// singleUnion: a choice of one is no choice, and can be merged as allOf can.
func singleUnion(_ *Converter, n *node.Node) *node.Node {
	for _, key := range []string{"oneOf", "anyOf"} {
		if only := n.Get(key); only != nil && len(only.Items) == 1 {
			all := append(slices.Clone(n.Get("allOf").List()), only.Items[0])
			n = n.Without(key).With("allOf", node.Seq(only, all...))
		}
	}
	return n
}

// optionalUnion: "this or null" is what a list of types says shorter, if "this"
// is no composition itself.
func optionalUnion(c *Converter, n *node.Node) *node.Node {
	for _, key := range []string{"oneOf", "anyOf"} {
		union := n.Get(key)
		if union == nil || len(union.Items) != 2 || !onlyNotes(n, key) {
			continue
		}
		for i, member := range union.Items {
			other := union.Items[1-i]
			if !isNullSchema(member) || isNullSchema(other) {
				continue
			}
			switch this := c.normalise(other); {
			case onlyNotes(this, "$ref", "nullable") && isLink(this):
				return withNotes(this.With("nullable", node.Boolean(n, true)), n)
			case !isLink(this) && !has(this, composition...):
				return withNotes(admitNull(this), n)
			}
		}
	}
	return n
}

// isNullSchema reports whether a schema of the document is just {type: "null"}.
func isNullSchema(n *node.Node) bool {
	t := n.Get("type")
	return t != nil && t.Value == "null" && len(n.Items) == 2
}
