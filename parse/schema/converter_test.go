package schema

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// get returns the node at a pointer like /components/schemas/A.
func (d document) get(t testing.TB, pointer string) *node.Node {
	t.Helper()
	n, err := d.Resolve(node.Str(nil, "#"+pointer))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestObject(t *testing.T) {
	d := parse(t, "test.yaml", `
openapi: 3.0.0
plate: {type: string, description: of the schema, example: AB}
old: {$ref: '#/ref'}
ref: {type: integer, description: of the target}
`)
	c := New(d, &diag.List{})
	text := func(s string) *node.Node { return node.Str(nil, s) }
	tests := []struct {
		name  string
		props []Property
		want  string
	}{
		{"no arguments", nil, `{"type":"object","additionalProperties":false}`},
		{"required in order", []Property{{Name: "b", Required: true}, {Name: "a"}, {Name: "c", Required: true}},
			`{"type":"object","properties":{"b":{},"a":{},"c":{}},"required":["b","c"],"additionalProperties":false}`},
		{"the parameter's description wins", []Property{{Name: "p", Schema: d.get(t, "/plate"), Description: "of the parameter"}},
			`{"type":"object","properties":{"p":{"type":"string","description":"of the parameter","examples":["AB"]}},"additionalProperties":false}`},
		{"the schema's stays", []Property{{Name: "p", Schema: d.get(t, "/plate")}},
			`{"type":"object","properties":{"p":{"type":"string","description":"of the schema","examples":["AB"]}},"additionalProperties":false}`},
		{"examples of the parameter come first", []Property{{Name: "p", Schema: d.get(t, "/plate"), Examples: []*node.Node{text("CD"), text("AB"), node.Num(nil, "1")}}},
			`{"type":"object","properties":{"p":{"type":"string","description":"of the schema","examples":["CD","AB","1"]}},"additionalProperties":false}`},
		{"notes on a reference", []Property{{Name: "p", Schema: d.get(t, "/old"), Deprecated: true, Description: "d", Examples: []*node.Node{text("1")}}},
			`{"type":"object","properties":{"p":{"type":"integer","description":"d","deprecated":true,"examples":[1]}},"additionalProperties":false}`},
		{"an override as it is", []Property{{Name: "p", Schema: d.get(t, "/plate"), Override: node.Map(nil, text("x"), text("y"))}},
			`{"type":"object","properties":{"p":{"x":"y"}},"additionalProperties":false}`},
		{"names need escaping", []Property{{Name: `a"b`}}, `{"type":"object","properties":{"a\"b":{}},"additionalProperties":false}`},
	}
	for _, test := range tests {
		got, err := c.Object(test.props)
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %s, %v\nwant %s", test.name, got, err, test.want)
		}
	}
}

func TestErrors(t *testing.T) {
	tests := []struct {
		name, x, schemas string
		code, message    string
		line             int
	}{
		{"dangling", "{$ref: '#/components/schemas/None'}", "{}", "dangling-ref", "leads nowhere", 2},
		{"dangling below", "{$ref: '#/components/schemas/A'}", "{A: {properties: {a: {$ref: '#/components/schemas/None'}}}}", "dangling-ref", "None", 3},
		{"dangling in allOf", "{allOf: [{$ref: '#/components/schemas/None'}, {type: object}]}", "{}", "dangling-ref", "None", 2},
		{"alias loop", "{$ref: '#/components/schemas/A'}", "{A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'}}", "alias-loop", "A -> B -> A", 2},
		{"alias loop entered from outside", "{$ref: '#/components/schemas/X'}", "{X: {$ref: '#/components/schemas/A'}, A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'}}", "alias-loop", "A -> B -> A", 2},
		{"alias of itself", "{$ref: '#/components/schemas/A'}", "{A: {$ref: '#/components/schemas/A'}}", "alias-loop", "A -> A", 2},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			text := "openapi: 3.0.0\nargs: {good: {type: string}, x: " + test.x + "}\ncomponents: {schemas: " + test.schemas + "}\n"
			for range 2 { // the second time from memory
				_, _, err := convert(t, text)
				var e *Error
				if !errors.As(err, &e) {
					t.Fatalf("got %v, want *Error", err)
				}
				if e.Code != test.code || !strings.Contains(e.Message, test.message) || e.Pos.Line != test.line {
					t.Errorf("got %s: %s [%s]", e.Pos, e.Message, e.Code)
				}
			}
		})
	}
}

// A tool that cannot be converted leaves the others alone.
func TestErrorThenGood(t *testing.T) {
	d := parse(t, "test.yaml", `
openapi: 3.0.0
components:
  schemas:
    Bad: {type: object, properties: {good: {$ref: '#/components/schemas/Good'}, none: {$ref: '#/components/schemas/None'}}}
    Good: {type: object, properties: {a: {$ref: '#/components/schemas/Good'}}}
`)
	c := New(d, &diag.List{})
	bad := []Property{{Name: "x", Schema: d.get(t, "/components/schemas/Bad")}}
	ref := []Property{{Name: "x", Schema: node.Map(nil, node.Str(nil, "$ref"), node.Str(nil, "#/components/schemas/Good"))}}
	for range 2 {
		if _, err := c.Object(bad); err == nil {
			t.Error("no error for the dangling reference")
		}
		out, err := c.Object(ref)
		if err != nil {
			t.Fatal(err)
		}
		mustHold(t, "good", out)
	}
}

func TestWarnings(t *testing.T) {
	text := `openapi: 3.0.0
args:
  a: {type: string, pattern: '^(?!x)'}
  b: {type: string, pattern: '^(?!x)', minLength: -1}
  c: {type: integer, enum: [asc]}
  d: {allOf: [{$ref: '#/components/schemas/Self'}]}
  e: {oneOf: [{$ref: '#/components/schemas/Self'}], discriminator: {propertyName: t, mapping: {n: Nowhere}}}
components:
  schemas:
    Self: {allOf: [{$ref: '#/components/schemas/Self'}, {type: object, properties: {a: {}}}]}
`
	_, diags, err := convert(t, text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range diags.All() {
		got = append(got, d.Pos.String()+" "+d.Code)
	}
	want := []string{
		"test.yaml:3:30 ecma-pattern", // once
		"test.yaml:4:51 bad-keyword",
		"test.yaml:5:28 enum-type",
		"test.yaml:7:99 dangling-mapping",
		"test.yaml:10:20 self-include",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestOutput(t *testing.T) {
	tests := []struct{ name, x, schemas, want string }{
		{"nothing is required, everything may be null", "{type: object, required: [a], additionalProperties: false, properties: {a: {type: string, format: uri, enum: [x], pattern: p, maxLength: 3, example: x, default: x, description: d}, n: {type: integer, minimum: 1}}}", "{}",
			`{"type":"object","properties":{"a":{"type":["string","null"],"description":"d"},"n":{"type":["integer","null"]}}}`},
		{"write-only leaves", "{type: object, properties: {id: {type: integer, readOnly: true}, pin: {type: string, writeOnly: true}}}", "{}",
			`{"type":"object","properties":{"id":{"type":["integer","null"]}}}`},
		{"a list", "{type: array, description: d, items: {type: string}}", "{}",
			`{"type":"object","properties":{"result":{"type":["array","null"],"description":"d","items":{"type":["string","null"]}}}}`},
		{"a reference to a list", "{$ref: '#/components/schemas/L'}", "{L: {type: array}}",
			`{"type":"object","properties":{"result":{"type":["array","null"],"items":{}}}}`},
		{"a value", "{type: integer, format: int64}", "{}", `{"type":"object","properties":{"result":{"type":["integer","null"]}}}`},
		{"nothing said", "{description: d}", "{}", ""},
		{"a map", "{type: object, additionalProperties: {type: integer}}", "{}", `{"type":"object","additionalProperties":{"type":["integer","null"]}}`},
		{"recursion", "{$ref: '#/components/schemas/N'}", "{N: {type: object, description: d, properties: {next: {$ref: '#/components/schemas/N'}}}}",
			`{"type":"object","description":"d","properties":{"next":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":["object","null"],"description":"d","properties":{"next":{"$ref":"#/$defs/N"}}}}}`},
		{"a union at the root shows all properties", "{oneOf: [{type: object, properties: {a: {type: string}, c: {type: string}}}, {type: object, properties: {b: {type: string}, c: {type: integer}}}], discriminator: {propertyName: c}}", "{}",
			`{"type":"object","properties":{"a":{"type":["string","null"]},"c":{},"b":{"type":["string","null"]}}}`},
		{"a union of other things", "{oneOf: [{type: string}, {type: object, properties: {b: {type: string}}}]}", "{}",
			`{"type":"object","properties":{"result":{"anyOf":[{"type":["string","null"]},{"type":["object","null"],"properties":{"b":{"type":["string","null"]}}}]}}}`},
		{"however large", "{type: object, properties: {a: {description: " + strings.Repeat("x", 9000) + "}}}", "{}",
			`{"type":"object","properties":{"a":{"description":"` + strings.Repeat("x", 9000) + `"}}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := parse(t, "test.yaml", "openapi: 3.0.0\nx: "+test.x+"\ncomponents: {schemas: "+test.schemas+"}\n")
			got, err := New(d, &diag.List{}).Output(d.root().Get("x"))
			if err != nil || string(got) != test.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, test.want)
			}
			if got != nil {
				mustHold(t, test.name, got)
			}
		})
	}
	d := parse(t, "test.yaml", "openapi: 3.0.0\nx: {$ref: '#/none'}\n")
	if _, err := New(d, &diag.List{}).Output(d.root().Get("x")); err == nil {
		t.Error("no error for a dangling reference")
	}
}

func TestTarget(t *testing.T) {
	d := parse(t, "test.yaml", `
openapi: 3.0.0
direct: {type: string}
ref: {$ref: '#/alias'}
alias: {$ref: '#/direct'}
wrapped: {allOf: [{$ref: '#/alias'}], description: d}
more: {allOf: [{$ref: '#/alias'}], maxLength: 1}
bad: {$ref: '#/none'}
`)
	c := New(d, &diag.List{})
	for _, test := range [][2]string{{"direct", "direct"}, {"ref", "direct"}, {"wrapped", "direct"}, {"more", "more"}} {
		got, err := c.Target(d.root().Get(test[0]))
		if err != nil || got != d.root().Get(test[1]) {
			t.Errorf("%s: got %v, %v", test[0], got, err)
		}
	}
	if _, err := c.Target(d.root().Get("bad")); err == nil {
		t.Error("no error for a dangling reference")
	}
}

func TestShape(t *testing.T) {
	tests := []struct{ name, x, want string }{
		{"string", "{type: string, format: date}", `{"Type":"string","Format":"date"}`},
		{"any", "{}", `{}`},
		{"nil", "", `{}`},
		{"several types", "{type: [string, integer]}", `{}`},
		{"nullable", "{type: string, nullable: true}", `{"Type":"string","Nullable":true}`},
		{"from values", "{enum: [1, 2]}", `{"Type":"integer"}`},
		{"binary", "{type: string, format: binary}", `{"Type":"string","Format":"binary","Binary":true}`},
		{"byte is text", "{type: string, format: byte}", `{"Type":"string","Format":"byte"}`},
		{"file", "{type: file}", `{"Type":"string","Binary":true}`},
		{"an image", "{type: string, contentMediaType: image/png}", `{"Type":"string","Binary":true}`},
		{"an image in no encoding", "{type: string, contentMediaType: image/png, contentEncoding: binary}", `{"Type":"string","Binary":true}`},
		{"an image as text", "{type: string, contentMediaType: image/png, contentEncoding: base64}", `{"Type":"string"}`},
		{"text in no encoding", "{type: string, contentEncoding: 8bit}", `{"Type":"string"}`},
		{"an image in base64", "{type: string, contentMediaType: image/png, contentEncoding: base64}", `{"Type":"string"}`},
		{"an svg", "{type: string, contentMediaType: image/svg+xml}", `{"Type":"string"}`},
		{"array", "{type: array, items: {type: integer}}", `{"Type":"array","Items":{"Type":"integer"}}`},
		{"array of itself", "{$ref: '#/list'}", `{"Type":"array","Items":{}}`},
		{"object", "{properties: {b: {}, a: {}}, required: [a]}", `{"Type":"object","Properties":["b","a!"]}`},
		{"allOf", "{allOf: [{$ref: '#/pet'}, {required: [b], properties: {b: {}}}]}", `{"Type":"object","Properties":["a!","b!"]}`},
		{"union of objects", "{oneOf: [{$ref: '#/pet'}, {required: [b], properties: {b: {}}}]}", `{"Type":"object","Properties":["a","b"]}`},
		{"union with null", "{anyOf: [{type: string}, {type: integer}, {type: 'null'}]}", `{"Nullable":true}`},
		{"optional reference", "{anyOf: [{$ref: '#/pet'}, {type: 'null'}]}", `{"Type":"object","Nullable":true,"Properties":["a!"]}`},
		{"union of dates", "{oneOf: [{type: string, format: date}, {type: string, format: date-time}]}", `{"Type":"string"}`},
		{"dangling", "{$ref: '#/none'}", `{}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := parse(t, "test.yaml", "openapi: 3.1.0\nx: "+test.x+"\npet: {type: object, required: [a], properties: {a: {}}}\nlist: {type: array, items: {$ref: '#/list'}}\n")
			x := d.root().Get("x")
			if test.x == "" {
				x = nil
			}
			if got := shapeText(New(d, &diag.List{}).Shape(x)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// shapeText writes what a shape says, properties by name with ! for required.
func shapeText(s Shape) string {
	type view struct {
		Type       string          `json:",omitempty"`
		Format     string          `json:",omitempty"`
		Binary     bool            `json:",omitempty"`
		Nullable   bool            `json:",omitempty"`
		Items      json.RawMessage `json:",omitempty"`
		Properties []string        `json:",omitempty"`
	}
	v := view{Type: s.Type, Format: s.Format, Binary: s.Binary, Nullable: s.Nullable}
	if s.Items != nil {
		v.Items = json.RawMessage(shapeText(*s.Items))
	}
	for _, p := range s.Properties {
		if p.Required {
			p.Name += "!"
		}
		v.Properties = append(v.Properties, p.Name)
	}
	text, _ := json.Marshal(v)
	return string(text)
}

func TestExample(t *testing.T) {
	tests := []struct{ name, x, want string }{
		{"given", "{type: string, example: a, default: b}", `"a"`},
		{"default", "{type: string, default: b}", `"b"`},
		{"enum", "{type: string, enum: [c, d]}", `"c"`},
		{"const", "{const: 5}", `5`},
		{"format", "{type: string, format: date}", `"2026-01-31"`},
		{"length", "{type: string, minLength: 6, maxLength: 6}", `"textxx"`},
		{"short", "{type: string, maxLength: 2}", `"te"`},
		{"bounds", "{type: array, items: {type: number, exclusiveMinimum: 1.5}, minItems: 2}", `[2.5,2.5]`},
		{"below one", "{type: integer, maximum: -3}", `-3`},
		{"object", "{type: object, required: [b], properties: {a: {type: integer, minimum: 7}, b: {}, id: {type: string, readOnly: true}}}", `{"a":7,"b":null}`},
		{"recursion", "{$ref: '#/node'}", `{"v":true,"next":null,"all":[]}`},
		{"union", "{oneOf: [{type: 'null'}, {type: boolean}]}", `true`},
		{"merged", "{allOf: [{$ref: '#/node'}, {properties: {w: {const: 1}}}], properties: {v: {const: false}}}", `{"v":false,"next":{"v":true,"next":null,"all":[]},"o":{"v":true,"next":null,"all":[]},"all":[{"v":true,"next":null}],"w":1}`},
		{"dangling", "{$ref: '#/none'}", `null`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := parse(t, "test.yaml", "openapi: 3.1.0\nx: "+test.x+"\nnode: {type: object, required: [next], properties: {v: {type: boolean}, next: {$ref: '#/node'}, o: {$ref: '#/node'}, all: {type: array, items: {$ref: '#/node'}}}}\n")
			got := string(node.AppendJSON(nil, New(d, &diag.List{}).Example(d.root().Get("x"), Input)))
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}
