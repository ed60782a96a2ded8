package schema

import (
	"fmt"
	"strings"
)

// maker turns bytes into schemas and values.
type maker struct {
	data []byte
	at   int
	wild bool // anything that documents may hold, right or wrong
}

// below returns a number below n.
func (m *maker) below(n int) int {
	if len(m.data) == 0 {
		return 0
	}
	b := m.data[m.at%len(m.data)]
	m.at++
	return (int(b) + m.at/len(m.data)*5) % n
}

func (m *maker) pick(list ...string) string { return list[m.below(len(list))] }

const components = 4

func (m *maker) document() string {
	var b strings.Builder
	version := "3.1.0"
	if m.wild {
		version = m.pick("3.0.3", "3.1.0")
	}
	fmt.Fprintf(&b, `{"openapi":"%s","x":%s,"components":{"schemas":{`, version, m.schema(3, 0))
	for i := range components {
		fmt.Fprintf(&b, `%s"S%d":%s`, strings.Repeat(",", min(i, 1)), i, m.schema(3, i+1))
	}
	return b.String() + "}}}"
}

// schema makes a schema. In place it refers only to components from first on,
// so that none applies itself to the same value.
func (m *maker) schema(depth, first int) string {
	if m.wild {
		first = 0
	}
	if depth == 0 {
		return m.pick("{}", "true", `{"type":"string"}`, `{"type":"integer"}`, `{"type":["string","null"]}`, `{"enum":["a",1,null]}`)
	}
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	switch m.below(8) {
	case 0, 1, 2:
		m.object(depth, add)
	case 3:
		m.array(depth, add)
	case 4:
		add(`"type":%s`, m.pick(`"integer"`, `"number"`, `["integer","null"]`))
		if m.below(2) == 0 {
			add(`"%s":%d`, m.pick("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "multipleOf"), 1+m.below(3))
		}
	case 5:
		add(`"type":%s`, m.pick(`"string"`, `["string","null"]`, `["string","integer"]`))
		if m.below(2) == 0 {
			add("%s", m.pick(`"minLength":1`, `"maxLength":1`, `"pattern":"^a"`, `"pattern":"b$"`))
		}
	case 6:
		add("%s", m.pick(`"enum":["a","b"]`, `"enum":[1,2,null]`, `"const":"a"`, `"const":1`, `"enum":[{"a":1},[]]`))
	}
	if m.below(3) == 0 {
		m.compose(depth, first, add)
	}
	if m.below(4) == 0 && first < components && !strings.Contains(strings.Join(parts, ""), "$ref") {
		add(`"$ref":"#/components/schemas/S%d"`, first+m.below(components-first))
	}
	if m.below(4) == 0 {
		add(`"description":"d%d"`, m.below(3))
	}
	if m.wild {
		m.run(depth, add)
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// run adds what a document may hold without being JSON Schema, or at all. Keys
// must differ, so that each is one of a kind of its own.
func (m *maker) run(depth int, add func(string, ...any)) {
	ref := func() string { return fmt.Sprintf(`{"$ref":"#/components/schemas/S%d"}`, m.below(components)) }
	if m.below(3) == 0 {
		add(`"oneOf":[%s,%s]`, ref(), m.pick(ref(), m.schema(depth-1, 0), `{"type":"null"}`, `{"const":1,"title":"ONE"}`))
	}
	if m.below(5) == 0 {
		add(`"discriminator":%s`, m.pick(`"a"`, `{"propertyName":"a"}`, `{"propertyName":"a","mapping":{"s":"S0","t":"#/components/schemas/S1","u":"none"}}`))
	}
	switch m.below(12) {
	case 0:
		add(`"nullable":%s`, m.pick("true", `"true"`, "1"))
	case 1:
		add(`"readOnly":true`)
	case 2:
		add(`"writeOnly":true`)
	case 3:
		add(`"$recursiveAnchor":true`)
	case 4:
		add(`"$recursiveRef":"#"`)
	case 5:
		add(`"dependencies":{"a":["b"],"b":%s}`, m.schema(depth-1, 0))
	case 6:
		add(`"default":%s,"example":%s`, m.value(2), m.value(1))
	case 7:
		add(`"title":%s,"format":%s`, m.value(1), m.pick(`"byte"`, `"binary"`, `"date"`, "1"))
	case 8:
		add(`"additionalItems":%s,"x-any":1`, m.schema(depth-1, 0))
	}
}

// child makes a schema for another value: it may refer to any component.
func (m *maker) child(depth int) string {
	if m.below(3) == 0 {
		return fmt.Sprintf(`{"$ref":"#/components/schemas/S%d"}`, m.below(components))
	}
	return m.schema(depth-1, 0)
}

func (m *maker) object(depth int, add func(string, ...any)) {
	add(`"type":%s`, m.pick(`"object"`, `["object","null"]`))
	var properties []string
	for _, name := range []string{"a", "b", "c"} {
		if m.below(2) == 0 {
			properties = append(properties, fmt.Sprintf(`"%s":%s`, name, m.child(depth)))
		}
	}
	add(`"properties":{%s}`, strings.Join(properties, ","))
	if m.wild && m.below(4) == 0 {
		add(`"required":%s,"additionalProperties":false`, m.pick("true", `"a"`, `["a","b"]`, "null"))
		return
	}
	if m.below(6) == 0 {
		add(`"unevaluatedProperties":%s`, m.pick("false", `{"type":"string"}`))
	}
	switch m.below(8) {
	case 0, 1:
		add(`"required":["%s"]`, m.pick("a", "b", "c"))
	case 2:
		add(`"additionalProperties":%s`, m.child(depth))
	case 3:
		add(`"patternProperties":{"^[ab]$":%s}`, m.child(depth))
	case 4:
		add(`"%s":1`, m.pick("minProperties", "maxProperties"))
	case 5:
		add(`"dependentRequired":{"a":["b"]}`)
	case 6:
		add(`"propertyNames":{"pattern":"^[ab]"}`)
	}
}

func (m *maker) array(depth int, add func(string, ...any)) {
	add(`"type":"array"`)
	if m.wild && m.below(4) == 0 {
		add(`"items":[%s,%s]`, m.child(depth), m.child(depth))
	} else if m.below(3) > 0 {
		add(`"items":%s`, m.child(depth))
	}
	switch m.below(5) {
	case 0:
		add(`"prefixItems":[%s]`, m.child(depth))
	case 1:
		add(`"contains":%s`, m.child(depth))
	case 2:
		add(`"%s":1`, m.pick("minItems", "maxItems"))
	case 3:
		add(`"uniqueItems":true`)
	}
}

func (m *maker) compose(depth, first int, add func(string, ...any)) {
	referred := false // more than one would have validators take exponential time
	inner := func() string {
		if m.below(2) == 0 && first < components && !referred {
			referred = true
			return fmt.Sprintf(`{"$ref":"#/components/schemas/S%d"}`, first+m.below(components-first))
		}
		return m.schema(depth-1, components)
	}
	switch m.below(7) {
	case 0, 1, 2:
		add(`"allOf":[%s,%s]`, inner(), inner())
	case 3:
		add(`"allOf":[%s]`, inner())
	case 4:
		add(`"anyOf":[%s,%s]`, inner(), inner())
	case 5:
		add(`"not":%s`, inner())
	case 6:
		add(`"if":%s,"then":%s,"else":%s`, inner(), inner(), inner())
	}
}

// value makes a JSON value.
func (m *maker) value(depth int) string {
	if depth == 0 || m.below(3) == 0 {
		return m.pick("null", "true", "1", "2", "0", "1.5", `"a"`, `"b"`, `"ab"`, `""`)
	}
	if m.below(3) == 0 {
		return "[" + m.pick("", m.value(depth-1), m.value(depth-1)+","+m.value(depth-1)) + "]"
	}
	var parts []string
	for _, name := range []string{"a", "b", "c"} {
		if m.below(2) == 0 {
			parts = append(parts, fmt.Sprintf(`"%s":%s`, name, m.value(depth-1)))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}
