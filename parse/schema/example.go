package schema

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Example makes a value that n describes: its example, default, constant or
// first enum value, else one made up from its type. Properties that do not
// travel in the direction are left out, as are optional ones where a schema
// comes round to itself. The same schema gives the same value.
func (c *Converter) Example(n *node.Node, dir Direction) *node.Node {
	way := c.ways[dir]
	s := sampler{conversion: way, open: map[*node.Node]bool{}, left: maxSample}
	return s.value(n)
}

// maxSample bounds the number of schemas that go into an example: written out,
// a schema can be exponentially larger than the document.
const maxSample = 2000

// sampler makes one example.
type sampler struct {
	*conversion
	open map[*node.Node]bool // schemas around the value at hand
	left int
}

func (s *sampler) value(n *node.Node) *node.Node {
	target, level, notes, err := s.behind(n)
	if s.left--; err != nil || s.open[target] || s.left < 0 {
		return node.NewNull(n)
	}
	level = withNotes(s.enumerate(s.settle(target, level)), notes)
	if given := givenValue(level); given != nil {
		return given
	}
	s.open[target] = true
	defer delete(s.open, target)
	switch t := exampleType(level); {
	case t == "object", t == "" && has(level, "properties", "allOf"):
		return s.object(level)
	case t == "array":
		return s.array(level)
	case t == "":
		return s.choice(level)
	default:
		return exampleScalar(level, t)
	}
}

// choice is a value of the first member of a union that gives one.
func (s *sampler) choice(level *node.Node) *node.Node {
	for _, key := range []string{"oneOf", "anyOf"} {
		for _, m := range level.Get(key).List() {
			if value := s.value(m); value.Kind != node.Null {
				return value
			}
		}
	}
	return node.NewNull(level)
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

func (s *sampler) object(level *node.Node) *node.Node {
	out := node.Map(level)
	for name, schema := range level.Get("properties").Pairs() {
		value := s.value(schema)
		if value.Kind == node.Null && !listed(level.Get("required"), name.Value) {
			continue
		}
		out = out.With(name.Value, value)
	}
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		for _, m := range level.Get(key).List() {
			for name, value := range s.value(m).Pairs() {
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

func (s *sampler) array(level *node.Node) *node.Node {
	var items []*node.Node
	for _, schema := range level.Get("prefixItems").List() {
		items = append(items, s.value(schema))
	}
	if items == nil {
		if item := s.value(level.Get("items")); item.Kind != node.Null {
			for range max(1, exampleCount(level, "minItems")) {
				items = append(items, item)
			}
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
		text += strings.Repeat("x", max(0, exampleCount(level, "minLength")-len(text)))
		if level.Has("maxLength") {
			text = text[:min(len(text), exampleCount(level, "maxLength"))]
		}
	}
	return node.Str(level, text)
}

// exampleCount reads a count, within reason.
func exampleCount(level *node.Node, key string) int {
	n := level.Get(key)
	if n == nil {
		return 0
	}
	count, err := strconv.Atoi(n.Value)
	if err != nil {
		return 100
	}
	return min(count, 100)
}

// exampleNumber is 1, or the whole number nearest to it within the bounds.
func exampleNumber(level *node.Node) string {
	r := big.NewRat(1, 1)
	one := big.NewRat(1, 1)
	if low := level.Get("minimum"); low != nil && rational(low).Cmp(r) > 0 {
		return low.Literal()
	}
	if low := level.Get("exclusiveMinimum"); low != nil && rational(low).Cmp(r) >= 0 {
		return decimal(r.Add(rational(low), one))
	}
	if high := level.Get("maximum"); high != nil && rational(high).Cmp(r) < 0 {
		return high.Literal()
	}
	if high := level.Get("exclusiveMaximum"); high != nil && rational(high).Cmp(r) <= 0 {
		r.Sub(rational(high), one)
	}
	return decimal(r)
}

// decimal writes a number that came from decimal literals.
func decimal(r *big.Rat) string {
	if r.IsInt() {
		return r.RatString()
	}
	return strings.TrimRight(r.FloatString(30), "0")
}
