package runtime

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// explained returns the words for a value by a schema, one problem a line.
func explained(t testing.TB, schema, value string) string {
	t.Helper()
	doc, err := decode(json.RawMessage(schema))
	if err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	sc, err := newSchema(doc)
	if err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	arguments, err := decode(json.RawMessage(value))
	if err != nil {
		t.Fatalf("%v in %s", err, value)
	}
	return strings.Join(explain(sc, arguments, sc.validate(arguments)), "\n")
}

// Every keyword has words of its own.
func TestExplainKeywords(t *testing.T) {
	cases := []struct{ name, schema, value, want string }{
		{"types in the schema's order", `{"type":["string","null"]}`, `{"a":1}`, "a: must be a string or null, got the number 1"},
		{"exclusive bounds", `{"exclusiveMinimum":1.50,"exclusiveMaximum":1.5}`, `{"a":1.5}`, "a: must be greater than 1.50, got 1.5\na: must be less than 1.5, got 1.5"},
		{"maximum", `{"maximum":9007199254740992}`, `{"a":9007199254740993}`, "a: must be at most 9007199254740992, got 9007199254740993"},
		{"minLength counts runes", `{"minLength":3}`, `{"a":"éé"}`, "a: must have at least 3 characters, has 2"},
		{"minLength of one", `{"minLength":1}`, `{"a":""}`, "a: must have at least 1 character, has 0"},
		{"minItems", `{"minItems":2}`, `{"a":[1]}`, "a: must have at least 2 items, has 1"},
		{"properties counted", `{"minProperties":2,"maxProperties":0}`, `{"a":{"b":1}}`, "a: must have at least 2 properties, has 1\na: must have at most 0 properties, has 1"},
		{"contains", `{"contains":{"type":"string"}}`, `{"a":[1]}`, "a: must contain at least one item of the kind it is for, has none"},
		{"minContains", `{"contains":{"type":"string"},"minContains":2}`, `{"a":["x"]}`, "a: must contain at least 2 items of the kind it is for, has 1"},
		{"maxContains", `{"contains":{"type":"string"},"maxContains":1}`, `{"a":["x","y"]}`, "a: must contain at most 1 item of one kind, has 2"},
		{"const", `{"const":{"b":1}}`, `{"a":{"b":2}}`, `a: must be {"b":1}, got an object`},
		{"enum of numbers", `{"enum":[1.0,2]}`, `{"a":3}`, "a: must be one of 1.0, 2, got the number 3"},
		{"not", `{"not":{"const":1}}`, `{"a":1}`, "a: has a value that is excluded"},
		{"false", `false`, `{"a":1}`, "a: is not allowed here"},
		{"the form that false is written in", `{"not":{}}`, `{"a":1}`, "a: is not allowed here"},
		{"if and then", `{"if":{"required":["b"]},"then":{"required":["c"]}}`, `{"a":{"b":1}}`, "a.c: required property is missing"},
		{"dependentRequired", `{"dependentRequired":{"b":["d","c"],"e":["f"]}}`, `{"a":{"b":1,"e":1}}`, "a: needs c, because it has b\na: needs d, because it has b\na: needs f, because it has e"},
		{"more than one form", `{"oneOf":[{"type":"integer"},{"type":"string"},{"minimum":1}]}`, `{"a":1}`, "a: fits more than one of its 3 forms, must fit exactly one"},
		{"tuple", `{"prefixItems":[{"type":"integer"}],"items":{"not":{}}}`, `{"a":["x",2]}`, "a[0]: must be an integer, got the string \"x\"\na[1]: is not allowed here"},
		{"closed, and more", `{"properties":{"name":{}},"additionalProperties":false}`, `{"a":{"nmae":1,"y":1}}`, "a.nmae: unknown property; did you mean name? (allowed: name)\na.y: unknown property"},
		{"closed to all", `{"additionalProperties":false}`, `{"a":{"b":1}}`, "a.b: unknown property (none is allowed)"},
		{"closed but for a pattern", `{"patternProperties":{"^x-":{}},"additionalProperties":false}`, `{"a":{"b":1}}`, "a.b: unknown property"},
		{"unevaluated", `{"$ref":"#/$defs/Named","allOf":[{"properties":{"size":{}}}],"unevaluatedProperties":{"not":{}}}`, `{"a":{"nmae":1}}`, "a.nmae: unknown property; did you mean name? (allowed: name, size)"},
		{"a property of the keyword's name", `{"properties":{"unevaluatedProperties":false}}`, `{"a":{"unevaluatedProperties":1}}`, "a.unevaluatedProperties: is not allowed here"},
		{"unevaluated items", `{"prefixItems":[{}],"unevaluatedItems":false}`, `{"a":[1,2]}`, "a[1]: is not allowed here"},
		{"missing in two places", `{"allOf":[{"required":["b"]},{"required":["b","c"]}]}`, `{"a":{}}`, "a.b: required property is missing\na.c: required property is missing"},
		{"names", `{"additionalProperties":{"propertyNames":{"maxLength":1}}}`, `{"a":{"p":{"xx":1},"q":{"y":1},"r":{"z":1},"s":{"ww":1}}}`,
			"a.p: has a property whose name is not allowed: xx\na.s: has a property whose name is not allowed: ww"},
		{"reference in a circle", `{"allOf":[{"$ref":"#/properties/a"}],"type":"integer"}`, `{"a":"x"}`, "a: must be an integer, got the string \"x\""},
		{"nothing but a circle", `{"allOf":[{"$ref":"#/properties/a"}]}`, `{"a":"x"}`, ""},
		{"a circle among the forms", `{"anyOf":[{"$ref":"#/properties/a"},{"type":"integer"}]}`, `{"a":"x"}`, ""},
		{"pattern that Go cannot read, for names", `{"patternProperties":{"^(?!x-)":{"type":"integer"}},"additionalProperties":false}`, `{"a":{"b":"x"}}`, ""},
		{"a name with escapes", `{"properties":{"x/y~z %":{"minimum":1}}}`, `{"a":{"x/y~z %":0}}`, `a["x/y~z %"]: must be at least 1, got 0`},
		{"formats are not asserted", `{"type":"string","format":"date","contentEncoding":"base64"}`, `{"a":"%"}`, ""},
	}
	for _, tc := range cases {
		document := `{"type":"object","properties":{"a":` + tc.schema + `},"$defs":{"Named":{"properties":{"name":{}}}}}`
		if got := explained(t, document, tc.value); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

// Schemas and values grown from a few bytes: what the validator refuses is
// explained, in the same words each time, and what it accepts is not.
func FuzzViolations(f *testing.F) {
	for i := range 64 {
		f.Add([]byte(strings.Repeat(fmt.Sprintf("%c%c%c", i*7, i*13, i*29), 12)))
	}
	f.Fuzz(func(t *testing.T, seed []byte) {
		g := &grower{seed: seed}
		a, b := g.schema(2), g.schema(1)
		g.refs = true
		document := fmt.Sprintf(`{"$defs":{"A":%s,"B":%s},"allOf":[%s]}`, a, b, g.schema(4))
		doc, err := decode(json.RawMessage(document))
		if err != nil {
			t.Fatalf("%v in %s", err, document)
		}
		sc, err := newSchema(doc)
		if err != nil {
			t.Fatalf("%v in %s", err, document)
		}
		for range 4 {
			text := g.value(3)
			value, err := decode(json.RawMessage(text))
			if err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			lines := explain(sc, value, sc.validate(value))
			if valid := sc.compiled.Validate(value) == nil; valid != (len(lines) == 0) {
				t.Fatalf("%s\nby %s\nis valid: %t, explained %q", text, document, valid, lines)
			}
			for _, line := range lines {
				if line == "" || strings.HasSuffix(line, "must be ") {
					t.Fatalf("%s by %s: a violation without words: %q", text, document, line)
				}
			}
			if again := explain(sc, value, sc.validate(value)); !slices.Equal(again, lines) {
				t.Fatalf("%s by %s: first %q, then %q", text, document, lines, again)
			}
		}
	})
}

// grower makes JSON of few names and values, so that they meet.
type grower struct {
	seed []byte
	refs bool // a reference here makes no schema part of itself, which is undefined
}

func (g *grower) pick(n int) int {
	if len(g.seed) == 0 {
		return 0
	}
	b := g.seed[0]
	g.seed = g.seed[1:]
	return int(b) % n
}

func (g *grower) scalar() string {
	return []string{`null`, `true`, `0`, `1`, `1.0`, `1.5`, `"a"`, `"ab"`, `9007199254740993`, `-2e1`}[g.pick(10)]
}

func (g *grower) value(depth int) string {
	switch kind := g.pick(3); {
	case depth == 0 || kind == 0:
		return g.scalar()
	case kind == 1:
		var items []string
		for range g.pick(4) {
			items = append(items, g.value(depth-1))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return g.object(func() string { return g.value(depth - 1) })
}

func (g *grower) object(member func() string) string {
	var members []string
	for _, name := range []string{"a", "b", "ab"} {
		if g.pick(2) == 1 {
			members = append(members, fmt.Sprintf("%q:%s", name, member()))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (g *grower) list(member func() string) string {
	members := []string{member()}
	for range g.pick(3) {
		members = append(members, member())
	}
	return "[" + strings.Join(members, ",") + "]"
}

func (g *grower) name() string { return []string{`"a"`, `"b"`, `"ab"`}[g.pick(3)] }

func (g *grower) schema(depth int) string {
	if depth == 0 {
		return []string{"true", "false", `{"type":"string"}`, `{"type":"integer"}`, `{"const":1}`}[g.pick(5)]
	}
	inner := func() string { return g.schema(depth - 1) }
	child := func() string {
		before := g.refs
		g.refs = true
		defer func() { g.refs = before }()
		return inner()
	}
	keywords := []func() string{
		func() string {
			return `"type":` + []string{`"object"`, `"array"`, `"integer"`, `["string","null"]`}[g.pick(4)]
		},
		func() string { return `"enum":` + g.list(func() string { return g.value(1) }) },
		func() string { return `"const":` + g.value(1) },
		func() string { return `"minimum":1` },
		func() string { return `"exclusiveMaximum":1.5` },
		func() string { return `"multipleOf":0.5` },
		func() string { return `"maxLength":1` },
		func() string { return `"pattern":"^a"` },
		func() string { return `"minItems":2` },
		func() string { return `"uniqueItems":true` },
		func() string { return `"items":` + child() },
		func() string { return `"prefixItems":` + g.list(child) },
		func() string { return `"contains":` + child() + `,"maxContains":1` },
		func() string { return `"contains":` + child() + `,"minContains":0` },
		func() string { return `"properties":` + g.object(child) },
		func() string { return `"patternProperties":{"b$":` + child() + `}` },
		func() string { return `"additionalProperties":` + child() },
		func() string { return `"propertyNames":{"maxLength":1}` },
		func() string { return `"required":[` + g.name() + `]` },
		func() string { return `"minProperties":1` },
		func() string { return `"dependentRequired":{"a":[` + g.name() + `]}` },
		func() string { return `"dependentSchemas":{"a":` + inner() + `}` },
		func() string {
			if !g.refs {
				return `"type":"object"`
			}
			return `"$ref":"#/$defs/` + []string{"A", "B"}[g.pick(2)] + `"`
		},
		func() string { return `"allOf":` + g.list(inner) },
		func() string { return `"anyOf":` + g.list(inner) },
		func() string { return `"oneOf":` + g.list(inner) },
		func() string { return `"not":` + inner() },
		func() string { return `"if":` + inner() + `,"then":` + inner() + `,"else":` + inner() },
		func() string { return `"unevaluatedProperties":` + child() },
		func() string { return `"unevaluatedItems":` + child() },
	}
	var members []string
	used := map[int]bool{}
	for range 1 + g.pick(4) {
		i := g.pick(len(keywords))
		if text := keywords[i](); !used[i] && !strings.Contains(strings.Join(members, ","), text[:strings.Index(text, ":")]) {
			used[i] = true
			members = append(members, text)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}
