package schema

import (
	"math/big"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Example makes a value that n describes: its example, default, constant or
// first enum value, else one made up from its type. Properties that do not
// travel in the direction are left out, as are optional ones where a schema
// comes round to itself. The same schema gives the same value.
func (c *Converter) Example(n *node.Node, dir Direction) *node.Node {
	return c.conversion(dir).example(n, map[*node.Node]bool{})
}

func (v *conversion) example(n *node.Node, open map[*node.Node]bool) *node.Node {
	level, err := v.flatten(n)
	target := n
	if err == nil && isLink(level) {
		var notes *node.Node
		if target, notes, err = v.chase(level); err == nil {
			level, err = v.flatten(target)
			level = withNotes(level, notes)
		}
	}
	if err != nil || open[target] {
		return node.NewNull(n)
	}
	if given := givenValue(level); given != nil {
		return given
	}
	level = v.settle(target, level)
	open[target] = true
	defer delete(open, target)
	switch t := exampleType(level); t {
	case "object":
		return v.exampleObject(level, open)
	case "array":
		return v.exampleArray(level, open)
	case "":
		for _, key := range []string{"oneOf", "anyOf", "allOf"} {
			for _, m := range level.Get(key).List() {
				if value := v.example(m, open); value.Kind != node.Null {
					return value
				}
			}
		}
		return node.NewNull(level)
	default:
		return exampleScalar(level, t)
	}
}

// givenValue is a value that the document itself gives.
func givenValue(level *node.Node) *node.Node {
	if examples := level.Get("examples").List(); len(examples) > 0 {
		return examples[0]
	}
	if value := level.Get("default"); value != nil && value.Kind != node.Null {
		return value
	}
	if values := knownValues(level); len(values) > 0 {
		return values[0]
	}
	return nil
}

// exampleType is the first type that is not null.
func exampleType(level *node.Node) string {
	for _, t := range typeList(inferredType(level)) {
		if t.Value != "null" {
			return t.Value
		}
	}
	return ""
}

func (v *conversion) exampleObject(level *node.Node, open map[*node.Node]bool) *node.Node {
	out := node.Map(level)
	for name, schema := range level.Get("properties").Pairs() {
		value := v.example(schema, open)
		if value.Kind == node.Null && !listed(level.Get("required"), name.Value) {
			continue
		}
		out = out.With(name.Value, value)
	}
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		for _, m := range level.Get(key).List() {
			for name, value := range v.example(m, open).Pairs() {
				if !out.Has(name.Value) {
					out = out.With(name.Value, value)
				}
			}
			if key != "allOf" {
				break
			}
		}
	}
	return out
}

func (v *conversion) exampleArray(level *node.Node, open map[*node.Node]bool) *node.Node {
	var items []*node.Node
	for _, schema := range level.Get("prefixItems").List() {
		items = append(items, v.example(schema, open))
	}
	if items == nil {
		item := v.example(level.Get("items"), open)
		if item.Kind != node.Null {
			items = append(items, item)
		}
	}
	return node.Seq(level, items...)
}

// exampleTexts are strings of the usual formats.
var exampleTexts = map[string]string{
	"date-time": "2026-01-31T12:00:00Z", "date": "2026-01-31", "time": "12:00:00Z", "duration": "PT1H",
	"email": "ada@example.com", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
	"uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/", "uuid": "3f2b8f0e-6a1c-4c57-9d0a-2f4f6f1f7b11",
	"byte": "aGVsbG8=", "binary": "aGVsbG8=",
}

func exampleScalar(level *node.Node, t string) *node.Node {
	switch t {
	case "boolean":
		return node.Boolean(level, true)
	case "integer", "number":
		return node.Num(level, exampleNumber(level))
	}
	text := exampleTexts[level.Get("format").Text()]
	if text == "" {
		text = "text"
	}
	return node.Str(level, text)
}

// exampleNumber is 1, or the whole number nearest to it within the bounds.
func exampleNumber(level *node.Node) string {
	r := big.NewRat(1, 1)
	one := big.NewRat(1, 1)
	if low := level.Get("minimum"); low != nil && rational(low).Cmp(r) > 0 {
		return low.Literal()
	}
	if low := level.Get("exclusiveMinimum"); low != nil && rational(low).Cmp(r) >= 0 {
		r.Add(rational(low), one)
		return r.RatString()
	}
	if high := level.Get("maximum"); high != nil && rational(high).Cmp(r) < 0 {
		return high.Literal()
	}
	if high := level.Get("exclusiveMaximum"); high != nil && rational(high).Cmp(r) <= 0 {
		r.Sub(rational(high), one)
	}
	if !r.IsInt() {
		return r.FloatString(3)
	}
	return r.RatString()
}
