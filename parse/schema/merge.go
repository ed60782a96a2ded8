package schema

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// conj returns one flat schema for both a and b, which have no notes; false
// when that would change what is valid.
//
// One leniency: additionalProperties false speaks of the properties of both
// sides. Read literally it would forbid what the other side declares, and no
// author means that.
func (c *Converter) conj(a, b *node.Node) (*node.Node, bool) {
	if len(a.Items) == 0 {
		return b, !has(b, "unevaluatedProperties", "unevaluatedItems")
	}
	if !independent(a, b) {
		return nil, false
	}
	out := a
	for key, bv := range b.Pairs() {
		av := a.Get(key.Value)
		if av == nil {
			out = out.With(key.Value, bv)
			continue
		}
		v, ok := c.both(key.Value, av, bv)
		if !ok {
			return nil, false
		}
		out = out.With(key.Value, v)
	}
	return out, true
}

// groups are keywords that only mean something together; two sides that use
// one cannot share a level.
var groups = [][]string{
	{"if", "then", "else"},
	{"contains", "minContains", "maxContains"},
	{"contentEncoding", "contentMediaType", "contentSchema"},
	{"unevaluatedProperties"}, {"unevaluatedItems"},
	{"discriminator"},
}

// independent reports whether the keywords of a and b that look at their
// neighbours find the same ones when they stand together.
func independent(a, b *node.Node) bool {
	if has(b, "unevaluatedProperties", "unevaluatedItems") || has(a, "unevaluatedProperties", "unevaluatedItems") {
		return false
	}
	for _, group := range groups {
		if has(a, group...) && has(b, group...) {
			return false
		}
	}
	if a.Has("prefixItems") && has(b, "prefixItems", "items") || b.Has("prefixItems") && a.Has("items") {
		return false
	}
	return closedOver(a, b) && closedOver(b, a)
}

// closedOver reports whether a's additionalProperties stay right when the
// properties of b stand beside them.
func closedOver(a, b *node.Node) bool {
	closed := a.Get("additionalProperties")
	if closed == nil || isAny(closed) {
		return true
	}
	if b.Has("patternProperties") {
		return false
	}
	if closed.Is(false) {
		return true
	}
	for name := range b.Get("properties").Pairs() {
		if !a.Get("properties").Has(name.Value) {
			return false
		}
	}
	return true
}

// isAny reports whether a schema of the document accepts everything by its
// look.
func isAny(n *node.Node) bool {
	return n.Is(true) || n.Kind == node.Null || n.Kind == node.Mapping && len(n.Items) == 0
}

// both combines the values of one keyword that two schemas have.
func (c *Converter) both(key string, a, b *node.Node) (*node.Node, bool) {
	if same(a, b) {
		return a, true
	}
	switch key {
	case "type":
		return bothTypes(a, b)
	case "properties", "patternProperties":
		for name, schema := range b.Pairs() {
			if first := a.Get(name.Value); first != nil {
				schema = c.conjChild(first, schema)
			}
			a = a.With(name.Value, schema)
		}
		return a, true
	case "required":
		return node.Seq(a, distinct(slices.Concat(a.Items, b.Items))...), true
	case "allOf":
		return node.Seq(a, slices.Concat(a.Items, b.Items)...), true
	case "enum":
		common := slices.DeleteFunc(slices.Clone(a.Items), func(v *node.Node) bool {
			return !slices.ContainsFunc(b.Items, func(w *node.Node) bool { return identity(v) == identity(w) })
		})
		return node.Seq(a, common...), len(common) > 0
	case namedValues:
		return b, true
	case "items":
		return c.conjChild(a, b), true
	case "additionalProperties":
		switch {
		case a.Is(false), isAny(b):
			return a, true
		case b.Is(false), isAny(a):
			return b, true
		}
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		return larger(a, b, 1), true
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		return larger(a, b, -1), true
	case "uniqueItems":
		return node.Boolean(a, true), true
	}
	return nil, false
}

// larger returns the larger of two numbers, the smaller for sign -1.
func larger(a, b *node.Node, sign int) *node.Node {
	if rational(a).Cmp(rational(b)) == sign {
		return a
	}
	return b
}

// bothTypes intersects two type keywords.
func bothTypes(a, b *node.Node) (*node.Node, bool) {
	var common []*node.Node
	for _, t := range typeList(a) {
		switch {
		case hasType(b, t.Value) || t.Value == "integer" && hasType(b, "number"):
			common = append(common, t)
		case t.Value == "number" && hasType(b, "integer"):
			common = append(common, node.Str(t, "integer"))
		}
	}
	switch common = distinct(common); len(common) {
	case 0:
		return nil, false
	case 1:
		return common[0], true
	}
	return node.Seq(a, common...), true
}

// conjChild returns one schema for a place that two schemas describe, the same
// one each time: recursion ends only where it comes to a schema it knows. It is
// merged when it is reached, as other schemas are.
func (c *Converter) conjChild(a, b *node.Node) *node.Node {
	if same(a, b) {
		return a
	}
	key := pair{a, b}
	n, ok := c.pairs[key]
	if !ok {
		n = c.adopt(node.Map(b, node.Str(b, "allOf"), node.Seq(b, a, b)))
		c.pairs[key] = n
		c.parts[n] = key
	}
	return n
}

// pair are two schemas of one place; the second is nearer to the use.
type pair [2]*node.Node

// mergePair flattens the schema of a pair. Only what is written in place is
// merged deeply, else recursive types would be unrolled without end.
func (c *Converter) mergePair(p pair) flat {
	if x, y := c.plain(p[0]), c.plain(p[1]); x != nil && y != nil {
		if merged, ok := c.conj(withoutNotes(x), withoutNotes(y)); ok {
			return flat{level: withNotes(withNotes(merged, x), y)}
		}
	}
	for i, n := range p {
		other := p[1-i]
		if over := c.normalise(n); onlyNotes(over) {
			level, err := c.flatten(other)
			if err != nil {
				return flat{err: err}
			}
			if i == 0 {
				over = withNotes(over, level)
			}
			return flat{level: withNotes(level, over), joined: c.flats[other].joined}
		}
	}
	n := c.pairs[p]
	return flat{level: node.Map(n, n.Items...)}
}

// plain returns the flat schema of a place whose keywords may be merged with
// others: written in place and no composition, or without schemas below. Else
// nil.
func (c *Converter) plain(n *node.Node) *node.Node {
	level := c.normalise(n)
	if !has(level, composition...) && !isLink(level) {
		return level
	}
	_, level, linkNotes, err := c.behind(n)
	if err != nil {
		return nil
	}
	level = c.under(level, linkNotes)
	if has(level, composition...) || has(level, "discriminator", "items", "prefixItems", "properties",
		"patternProperties", "additionalProperties", "propertyNames", "contains", "contentSchema") {
		return nil
	}
	return level
}
