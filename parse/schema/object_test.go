package schema

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// conversionCase is what becomes of the argument x in a document of the dialect.
type conversionCase struct {
	name    string
	dialect string // 3.0 when empty
	x       string // YAML of the schema
	schemas string // YAML of components.schemas, in flow style
	want    string // JSON of x
	defs    string // JSON of $defs
	valid   string // JSON values, one a line
	invalid string
}

// text is the whole document.
func (c conversionCase) text() string {
	return "openapi: " + cmp.Or(c.dialect, "3.0") + ".0\nargs: {x: " + c.x + "}\n" +
		"components: {schemas: " + cmp.Or(c.schemas, "{}") + "}\n"
}

func (c conversionCase) run(t *testing.T) {
	t.Helper()
	out, _, err := convert(t, c.text())
	if err != nil {
		t.Fatal(err)
	}
	compiled := mustHold(t, c.name, []byte(out))
	var got struct {
		Properties map[string]json.RawMessage
		Defs       json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if x := string(got.Properties["x"]); x != c.want {
		t.Errorf("got  %s\nwant %s", x, c.want)
	}
	if string(got.Defs) != c.defs {
		t.Errorf("$defs: got  %s\nwant %s", got.Defs, c.defs)
	}
	for _, v := range lines(c.valid) {
		if err := validate(compiled, v); err != nil {
			t.Errorf("%s is refused: %v", v, err)
		}
	}
	for _, v := range lines(c.invalid) {
		if validate(compiled, v) == nil {
			t.Errorf("%s is accepted", v)
		}
	}
}

func lines(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '\n' })
}

// validate checks a JSON value as the argument x.
func validate(s *jsonschema.Schema, value string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"x":` + value + `}`))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

func runAll(t *testing.T, cases []conversionCase) {
	for _, c := range cases {
		t.Run(c.name, c.run)
	}
}

func TestDialect(t *testing.T) { runAll(t, dialectCases) }

var dialectCases = []conversionCase{
	{name: "nullable", x: `{type: string, nullable: true}`,
		want: `{"type":["string","null"]}`, valid: "null\n\"a\"", invalid: "1"},
	{name: "nullable false", x: `{type: string, nullable: false}`,
		want: `{"type":"string"}`, invalid: "null"},
	{name: "nullable in quotes", x: `{type: string, nullable: 'true'}`,
		want: `{"type":["string","null"]}`},
	{name: "nullable without type says nothing", x: `{nullable: true, minLength: 1}`,
		want: `{"minLength":1}`, valid: "null\n1"},
	{name: "nullable in 3.1", dialect: "3.1", x: `{type: [string, integer], nullable: true}`,
		want: `{"type":["string","integer","null"]}`},
	{name: "x-nullable", x: `{type: string, x-nullable: true}`,
		want: `{"type":["string","null"]}`},
	{name: "nullable enum", x: `{type: string, nullable: true, enum: [a, b]}`,
		want: `{"type":["string","null"],"enum":["a","b",null]}`, valid: "null", invalid: "\"c\""},
	{name: "null is in the enum already", x: `{type: string, nullable: true, enum: [a, null]}`,
		want: `{"type":["string","null"],"enum":["a",null]}`},
	{name: "null in an enum whose type excludes it", x: `{type: string, enum: [a, null]}`,
		want: `{"type":"string","enum":["a"]}`},
	{name: "nullable reference", x: `{allOf: [{$ref: '#/components/schemas/P'}], nullable: true, description: d}`,
		schemas: `{P: {type: object, description: p, properties: {a: {type: string}}}}`,
		want:    `{"type":["object","null"],"description":"d","properties":{"a":{"type":"string"}}}`,
		valid:   "null\n{}", invalid: "1"},
	{name: "nullable reference to an enum", x: `{allOf: [{$ref: '#/components/schemas/P'}], nullable: true, description: d}`,
		schemas: `{P: {type: string, enum: [a]}}`,
		want:    `{"description":"d","anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}`,
		valid:   "null\n\"a\"", invalid: "\"b\""},
	{name: "nullable union", x: `{oneOf: [{type: string}, {type: integer}], nullable: true}`,
		want:  `{"anyOf":[{"oneOf":[{"type":"string"},{"type":"integer"}]},{"type":"null"}]}`,
		valid: "null\n1\n\"a\"", invalid: "true"},
	{name: "nullable anyOf", x: `{anyOf: [{type: string}, {type: integer}], nullable: true}`,
		want: `{"anyOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}`, valid: "null"},
	{name: "exclusive bounds", x: `{type: number, minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false}`,
		want: `{"type":"number","maximum":2,"exclusiveMinimum":1}`, valid: "1.5\n2", invalid: "1\n2.1"},
	{name: "exclusive without a bound", x: `{type: number, exclusiveMinimum: true}`,
		want: `{"type":"number"}`},
	{name: "exclusive bounds in 3.1", dialect: "3.1", x: `{type: number, exclusiveMinimum: 1}`,
		want: `{"type":"number","exclusiveMinimum":1}`},
	{name: "boolean exclusive bound in 3.1", dialect: "3.1", x: `{type: number, minimum: 0, exclusiveMinimum: true}`,
		want: `{"type":"number","exclusiveMinimum":0}`},
	{name: "type list", dialect: "3.1", x: `{type: [string, 'null']}`,
		want: `{"type":["string","null"]}`},
	{name: "type list of one", dialect: "3.1", x: `{type: [string]}`, want: `{"type":"string"}`},
	{name: "type list of none", dialect: "3.1", x: `{type: []}`, want: `{}`},
	{name: "null without quotes", dialect: "3.1", x: `{type: [string, null]}`,
		want: `{"type":["string","null"]}`},
	{name: "const null", dialect: "3.1", x: `{const: null}`,
		want: `{"type":"null","const":null}`, valid: "null", invalid: "0"},
	{name: "boolean schemas", dialect: "3.1", x: `{type: object, properties: {a: true, b: false}, additionalProperties: true}`,
		want:  `{"type":"object","properties":{"a":{},"b":{"not":{}}},"additionalProperties":{}}`,
		valid: `{"a":1}`, invalid: `{"b":1}`},
	{name: "closed object", x: `{type: object, properties: {a: {}}, additionalProperties: false}`,
		want: `{"type":"object","properties":{"a":{}},"additionalProperties":false}`, invalid: `{"b":1}`},
	{name: "tuple in 3.0 means any of", x: `{type: array, items: [{type: string}, {type: integer}]}`,
		want: `{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"integer"}]}}`, valid: `[1,"a",2]`, invalid: `[true]`},
	{name: "tuple of one in 3.0", x: `{type: array, items: [{type: string}]}`,
		want: `{"type":"array","items":{"type":"string"}}`},
	{name: "tuple of none", x: `{type: array, items: []}`, want: `{"type":"array","items":{}}`},
	{name: "tuple in 3.1", dialect: "3.1", x: `{type: array, items: [{type: string}, {type: integer}], additionalItems: false}`,
		want: `{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"not":{}}}`, valid: `["a",1]`, invalid: "[1]\n[\"a\",1,2]"},
	{name: "prefixItems", dialect: "3.1", x: `{type: array, prefixItems: [{type: string}]}`,
		want: `{"type":"array","prefixItems":[{"type":"string"}],"items":{}}`},
	{name: "array without items", x: `{type: array}`, want: `{"type":"array","items":{}}`, valid: `[1,"a"]`},
	{name: "example", x: `{type: string, example: a}`, want: `{"type":"string","examples":["a"]}`},
	{name: "examples map", dialect: "3.1", x: `{type: string, example: a, examples: {one: {value: a}, two: {value: b}, three: c}}`,
		want: `{"type":"string","examples":["a","b","c"]}`},
	{name: "example null", x: `{type: string, example: null}`, want: `{"type":"string"}`},
	{name: "dependencies", dialect: "3.1", x: `{type: object, dependencies: {a: [b], c: {required: [d]}}}`,
		want:  `{"type":"object","dependentRequired":{"a":["b"]},"dependentSchemas":{"c":{"required":["d"]}}}`,
		valid: `{"a":1,"b":1}`, invalid: "{\"a\":1}\n{\"c\":1}"},
	{name: "all of 2020-12", dialect: "3.1", x: `{type: object, propertyNames: {pattern: '^[a-z]+$'}, patternProperties: {'^n': {type: integer}},
		dependentRequired: {a: [b]}, minProperties: 1, if: {required: [a]}, then: {required: [c]}, else: {not: {required: [z]}}}`,
		want: `{"type":"object","propertyNames":{"pattern":"^[a-z]+$"},"patternProperties":{"^n":{"type":"integer"}},` +
			`"dependentRequired":{"a":["b"]},"minProperties":1,"if":{"required":["a"]},"then":{"required":["c"]},"else":{"not":{"required":["z"]}}}`},
	{name: "contains", dialect: "3.1", x: `{type: array, contains: {const: 1}, minContains: 2, maxContains: 3, unevaluatedItems: false}`,
		want: `{"type":"array","contains":{"type":"integer","const":1},"minContains":2,"maxContains":3,"unevaluatedItems":{"not":{}},"items":{}}`},
	{name: "unevaluatedItems with nothing beside", dialect: "3.1", x: `{type: array, prefixItems: [{type: string}], unevaluatedItems: false}`,
		want: `{"type":"array","prefixItems":[{"type":"string"}],"items":{"not":{}}}`, valid: `["a"]`, invalid: `["a",1]`},
	{name: "content keywords", dialect: "3.1", x: `{type: string, contentEncoding: base64, contentMediaType: image/png, contentSchema: {type: string}}`,
		want: `{"type":"string","contentEncoding":"base64","contentMediaType":"image/png","contentSchema":{"type":"string"}}`},
	{name: "bytes in 3.0", x: `{type: object, properties: {a: {type: string, format: byte}, b: {type: string, format: binary}}}`,
		want: `{"type":"object","properties":{"a":{"type":"string","contentEncoding":"base64"},"b":{"type":"string","contentEncoding":"base64"}}}`},
	{name: "bytes in 3.1", dialect: "3.1", x: `{type: string, contentMediaType: application/pdf}`,
		want: `{"type":"string","contentMediaType":"application/pdf","contentEncoding":"base64"}`},
	{name: "text in a string", dialect: "3.1", x: `{type: string, contentMediaType: application/json}`,
		want: `{"type":"string","contentMediaType":"application/json"}`},
	{name: "type file", x: `{type: file}`, want: `{"type":"string","contentEncoding":"base64"}`},
	{name: "nothing foreign is written", x: `{type: string, xml: {name: a}, externalDocs: {url: u}, x-mcp-header: A, x-go-name: B, readOnly: false, collectionFormat: csv, $comment: c, $id: i, $schema: s}`,
		want: `{"type":"string"}`},
	{name: "deprecated", x: `{type: object, properties: {a: {deprecated: true}, b: {deprecated: false}}}`,
		want: `{"type":"object","properties":{"a":{"deprecated":true},"b":{}}}`},
	{name: "title that repeats the name", x: `{type: object, title: X, properties: {user_id: {title: User Id}, b: {title: Something else}}}`,
		want: `{"type":"object","properties":{"user_id":{},"b":{"title":"Something else"}}}`},
	{name: "exact numbers", x: `{type: integer, maximum: 18446744073709551615, default: 9007199254740993, enum: [9007199254740992, 9007199254740993]}`,
		want: `{"type":"integer","default":9007199254740993,"maximum":18446744073709551615,"enum":[9007199254740992,9007199254740993]}`, invalid: "9007199254740994"},
	{name: "format is kept", x: `{type: string, format: phone-number}`, want: `{"type":"string","format":"phone-number"}`, valid: `"anything"`},
	{name: "document order", x: `{type: object, properties: {z: {}, a: {}, m: {}}, required: [z, a]}`,
		want: `{"type":"object","properties":{"z":{},"a":{},"m":{}},"required":["z","a"]}`},
	{name: "type from the keywords", x: `{properties: {a: {items: {type: string}}}}`,
		want: `{"type":"object","properties":{"a":{"type":"array","items":{"type":"string"}}}}`},
	{name: "no type is added below not and if", dialect: "3.1", x: `{type: object, not: {properties: {a: {const: 1}}}, if: {properties: {b: {enum: [1]}}}, then: {properties: {c: {const: 1}}}}`,
		want: `{"type":"object","not":{"properties":{"a":{"const":1}}},"if":{"properties":{"b":{"enum":[1]}}},"then":{"type":"object","properties":{"c":{"type":"integer","const":1}}}}`},
	{name: "unevaluatedProperties with nothing beside", dialect: "3.1", x: `{type: object, properties: {a: {}}, unevaluatedProperties: false}`,
		want: `{"type":"object","properties":{"a":{}},"additionalProperties":false}`},
	{name: "a property called $ref", x: `{type: object, properties: {$ref: {type: string}, default: {type: string}}}`,
		want: `{"type":"object","properties":{"$ref":{"type":"string"},"default":{"type":"string"}}}`, valid: `{"$ref":"a"}`},
	{name: "data that looks like a schema", dialect: "3.1", x: `{type: object, default: {$ref: '#/nowhere', nullable: true}}`,
		want: `{"type":"object","default":{"$ref":"#/nowhere","nullable":true}}`},
}

func TestRepair(t *testing.T) { runAll(t, repairCases) }

var repairCases = []conversionCase{
	{name: "null schemas", x: `{type: object, properties: {a: null}, allOf: [null]}`,
		want: `{"type":"object","properties":{"a":{}}}`},
	{name: "text for numbers", x: `{type: integer, minimum: '1', maximum: ' 10 '}`,
		want: `{"type":"integer","minimum":1,"maximum":10}`},
	{name: "counts that are none", x: `{type: string, minLength: -1, maxLength: 2.5}`, want: `{"type":"string"}`},
	{name: "a count beyond reason", x: `{type: string, maxLength: 99999999999999999999}`, want: `{"type":"string"}`},
	{name: "a count with a fraction of zero", x: `{type: string, maxLength: 2.0}`, want: `{"type":"string","maxLength":2}`},
	{name: "multipleOf zero", x: `{type: number, multipleOf: 0}`, want: `{"type":"number"}`},
	{name: "enum of one without a list", x: `{type: string, enum: a}`, want: `{"type":"string","enum":["a"]}`},
	{name: "empty lists", x: `{enum: [], required: [], allOf: [], anyOf: [], oneOf: [], properties: {}}`, want: `{}`},
	{name: "required in a property", x: `{type: object, required: [b], properties: {a: {type: string, required: true}, b: {type: string, required: 'true'}, c: {required: false}}}`,
		want: `{"type":"object","required":["b","a"],"properties":{"a":{"type":"string"},"b":{"type":"string"},"c":{}}}`},
	{name: "required twice", x: `{type: object, required: [a, a, 1]}`, want: `{"type":"object","required":["a","1"]}`},
	{name: "required null", x: `{type: object, required: null}`, want: `{"type":"object"}`},
	{name: "allOf without a list", x: `{allOf: {type: string}}`, want: `{"type":"string"}`},
	{name: "type names of other worlds", x: `{type: object, properties: {a: {type: String}, b: {type: int}, c: {type: any}, d: {type: float}, e: {type: Widget}}}`,
		want: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"},"c":{},"d":{"type":"number"},"e":{}}}`},
	{name: "strings in an integer enum", x: `{type: integer, enum: ['1', '2']}`, want: `{"type":"integer","enum":[1,2]}`},
	{name: "words in an integer enum", x: `{type: integer, enum: [asc, desc]}`, want: `{"type":"string","enum":["asc","desc"]}`},
	{name: "numbers in a string enum", x: `{type: string, enum: [1, 2.50, true]}`, want: `{"type":"string","enum":["1","2.50","true"]}`},
	{name: "enum twice", x: `{type: number, enum: [1, 1.0, 2]}`, want: `{"type":"number","enum":[1,2]}`},
	{name: "enum of the items", x: `{type: array, items: {type: string}, enum: [a, b]}`, want: `{"type":"array","items":{"type":"string","enum":["a","b"]}}`},
	{name: "enum gives the type", x: `{enum: [a, b, 1]}`, want: `{"type":["string","integer"],"enum":["a","b",1]}`},
	{name: "default of another type", x: `{type: object, properties: {a: {type: boolean, default: 'true'}, b: {type: string, default: 1.10}, c: {type: integer, default: none}}}`,
		want: `{"type":"object","properties":{"a":{"type":"boolean","default":true},"b":{"type":"string","default":"1.10"},"c":{"type":"integer"}}}`},
	{name: "null for a schema", x: `{type: string, not: null, propertyNames: null, items: null, additionalProperties: null}`, want: `{"type":"string"}`, valid: `"a"`},
	{name: "null for an enum", x: `{type: string, enum: null}`, want: `{"type":"string"}`, valid: `"a"`},
	{name: "no schema at all", x: `just text`, want: `{}`},
	{name: "description that is a number", x: `{description: 12, title: ' '}`, want: `{"description":"12"}`},
	{name: "unknown values of keywords", x: `{type: {a: 1}, properties: [1], pattern: [1], uniqueItems: maybe, minimum: low, discriminator: {a: b}, $ref: {a: 1}}`, want: `{}`},
}

func TestReferences(t *testing.T) { runAll(t, referenceCases) }

var referenceCases = []conversionCase{
	{name: "a reference is written in place", x: `{type: object, properties: {from: {$ref: '#/components/schemas/P'}, to: {$ref: '#/components/schemas/P'}}}`,
		schemas: `{P: {type: object, required: [a], properties: {a: {type: number}}}}`,
		want: `{"type":"object","properties":{"from":{"type":"object","required":["a"],"properties":{"a":{"type":"number"}}},` +
			`"to":{"type":"object","required":["a"],"properties":{"a":{"type":"number"}}}}}`},
	{name: "siblings in 3.0", x: `{$ref: '#/components/schemas/P', description: Number plate, maxLength: 8, default: AB}`,
		schemas: `{P: {type: string, description: Code, minLength: 2}}`,
		want:    `{"type":"string","description":"Number plate","minLength":2}`},
	{name: "siblings in 3.1", dialect: "3.1", x: `{$ref: '#/components/schemas/P', description: Number plate, maxLength: 8, default: AB}`,
		schemas: `{P: {type: string, description: Code, minLength: 2}}`,
		want:    `{"type":"string","description":"Number plate","default":"AB","minLength":2,"maxLength":8}`},
	{name: "siblings that cannot be merged", dialect: "3.1", x: `{$ref: '#/components/schemas/P', pattern: a}`,
		schemas: `{P: {type: string, pattern: b}}`,
		want:    `{"pattern":"a","allOf":[{"type":"string","pattern":"b"}]}`, valid: `"ab"`, invalid: `"a"`},
	{name: "re-export", x: `{$ref: '#/components/schemas/A'}`, schemas: `{A: {$ref: '#/components/schemas/B'}, B: {type: string}}`,
		want: `{"type":"string"}`},
	{name: "recursion", x: `{$ref: '#/components/schemas/Folder'}`,
		schemas: `{Folder: {type: object, properties: {children: {type: array, items: {$ref: '#/components/schemas/Folder'}}}}}`,
		want:    `{"$ref":"#/$defs/Folder"}`,
		defs:    `{"Folder":{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#/$defs/Folder"}}}}}`,
		valid:   `{"children":[{"children":[]}]}`, invalid: `{"children":[{"children":[1]}]}`},
	{name: "recursion of two, and a name for each", x: `{type: object, properties: {a: {$ref: '#/components/schemas/A B'}, b: {$ref: '#/components/schemas/A_B'}}}`,
		schemas: `{A B: {type: object, properties: {o: {$ref: '#/components/schemas/A_B'}}}, A_B: {type: object, properties: {x: {$ref: '#/components/schemas/A%20B'}}}}`,
		want:    `{"type":"object","properties":{"a":{"$ref":"#/$defs/A_B"},"b":{"$ref":"#/$defs/A_B_2"}}}`,
		defs:    `{"A_B":{"type":"object","properties":{"o":{"$ref":"#/$defs/A_B_2"}}},"A_B_2":{"type":"object","properties":{"x":{"$ref":"#/$defs/A_B"}}}}`},
	{name: "recursion with a note and null", x: `{$ref: '#/components/schemas/N'}`,
		schemas: `{N: {type: object, properties: {next: {nullable: true, description: The next one, allOf: [{$ref: '#/components/schemas/N'}]}}}}`,
		want:    `{"$ref":"#/$defs/N"}`,
		defs:    `{"N":{"type":"object","properties":{"next":{"description":"The next one","anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}}}}`,
		valid:   `{"next":{"next":null}}`, invalid: `{"next":{"next":1}}`},
	{name: "recursion into a property", x: `{type: object, properties: {tree: {type: object, properties: {left: {$ref: '#/args/x/properties/tree'}}}}}`,
		want: `{"type":"object","properties":{"tree":{"type":"object","properties":{"left":{"$ref":"#/$defs/args_x_tree"}}}}}`,
		defs: `{"args_x_tree":{"type":"object","properties":{"left":{"$ref":"#/$defs/args_x_tree"}}}}`},
	{name: "optional reference", dialect: "3.1", x: `{anyOf: [{$ref: '#/components/schemas/P'}, {type: 'null'}], description: d}`,
		schemas: `{P: {type: object, description: p, properties: {a: {}}}}`,
		want:    `{"type":["object","null"],"description":"d","properties":{"a":{}}}`, valid: "null\n{}", invalid: "1"},
	{name: "optional value", dialect: "3.1", x: `{anyOf: [{type: 'null'}, {type: string, title: Inner}], title: X, default: null}`,
		want: `{"type":["string","null"],"default":null}`},
	{name: "recursive anchor", dialect: "3.1", x: `{$ref: '#/components/schemas/F'}`,
		schemas: `{F: {$recursiveAnchor: true, type: object, properties: {all: {type: array, items: {anyOf: [{type: string}, {$recursiveRef: '#'}]}}}}}`,
		want:    `{"$ref":"#/$defs/F"}`,
		defs:    `{"F":{"type":"object","properties":{"all":{"type":"array","items":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/F"}]}}}}}`},
	{name: "dynamic anchor", dialect: "3.1", x: `{$ref: '#/components/schemas/F'}`,
		schemas: `{F: {$dynamicAnchor: node, type: object, properties: {next: {$dynamicRef: '#node'}}}}`,
		want:    `{"$ref":"#/$defs/F"}`,
		defs:    `{"F":{"type":"object","properties":{"next":{"$ref":"#/$defs/F"}}}}`},
	{name: "properties in another place", x: `{type: object, properties: {$ref: '#/components/schemas/P/properties', own: {type: integer}}}`,
		schemas: `{P: {properties: {a: {type: string}}}}`,
		want:    `{"type":"object","properties":{"a":{"type":"string"},"own":{"type":"integer"}}}`},
	{name: "a union that contains itself", x: `{$ref: '#/components/schemas/U'}`,
		schemas: `{U: {anyOf: [{$ref: '#/components/schemas/U'}, {type: string}]}}`,
		want:    `{"anyOf":[{"type":"string"}]}`, valid: `"a"`, invalid: `1`},
	{name: "a child that includes the union it is in", x: `{$ref: '#/components/schemas/Pet'}`,
		schemas: `{Pet: {type: object, required: [n], properties: {n: {type: string}}, oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]},
			Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {required: [m], properties: {m: {type: string}}}]},
			Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {required: [b], properties: {b: {type: string}}}]}}`,
		want: `{"type":"object","required":["n"],"properties":{"n":{"type":"string"}},"oneOf":[` +
			`{"type":"object","required":["n","m"],"properties":{"n":{"type":"string"},"m":{"type":"string"}}},` +
			`{"type":"object","required":["n","b"],"properties":{"n":{"type":"string"},"b":{"type":"string"}}}]}`,
		valid: `{"n":"a","m":"b"}`, invalid: "{\"n\":\"a\"}\n{\"m\":\"b\"}"},
	{name: "allOf that includes itself", x: `{$ref: '#/components/schemas/A'}`,
		schemas: `{A: {allOf: [{$ref: '#/components/schemas/A'}, {type: object, properties: {a: {type: string}}}]}}`,
		want:    `{"type":"object","properties":{"a":{"type":"string"}}}`},
}

func TestAllOf(t *testing.T) { runAll(t, allOfCases) }

var allOfCases = []conversionCase{
	{name: "objects become one", x: `{allOf: [{$ref: '#/components/schemas/Base'}, {type: object, title: Sub, properties: {b: {type: string}}, required: [b]}], description: d}`,
		schemas: `{Base: {type: object, title: Base, description: base, properties: {a: {type: string}}, required: [a]}}`,
		want:    `{"type":"object","title":"Sub","description":"d","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]}`,
		valid:   `{"a":"","b":""}`, invalid: "{\"a\":\"\"}\n{\"b\":\"\"}"},
	{name: "siblings count", x: `{allOf: [{type: object, properties: {a: {type: string}}}], required: [a]}`,
		want: `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`},
	{name: "one member is that member", x: `{allOf: [{$ref: '#/components/schemas/P'}], description: d}`,
		schemas: `{P: {type: string, description: p}}`, want: `{"type":"string","description":"d"}`},
	{name: "a property in both", x: `{allOf: [{properties: {a: {type: string, description: first, maxLength: 9}}}, {properties: {a: {description: second, minLength: 1, maxLength: 5}}}]}`,
		want: `{"type":"object","properties":{"a":{"type":"string","description":"second","maxLength":5,"minLength":1}}}`},
	{name: "a property narrowed", x: `{allOf: [{properties: {k: {$ref: '#/components/schemas/K'}}}, {properties: {k: {enum: [a, b]}}}]}`,
		schemas: `{K: {type: string, enum: [c, b, a]}}`,
		want:    `{"type":"object","properties":{"k":{"type":"string","enum":["b","a"]}}}`},
	{name: "a property that cannot be merged", x: `{allOf: [{properties: {a: {pattern: a}}}, {properties: {a: {pattern: b}}}]}`,
		want: `{"type":"object","properties":{"a":{"allOf":[{"pattern":"a"},{"pattern":"b"}]}}}`, valid: `{"a":"ab"}`, invalid: `{"a":"a"}`},
	{name: "members that contradict each other stay", x: `{allOf: [{type: string}, {type: integer}]}`,
		want: `{"type":"string","allOf":[{"type":"integer"}]}`, invalid: "1\n\"a\""},
	{name: "number and integer", x: `{allOf: [{type: number, minimum: 1}, {type: integer, minimum: 3}]}`,
		want: `{"type":"integer","minimum":3}`},
	{name: "closed objects mean their union", x: `{allOf: [{type: object, properties: {a: {}}, additionalProperties: false}, {type: object, properties: {b: {}}, additionalProperties: false}]}`,
		want:  `{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false}`,
		valid: `{"a":1,"b":2}`, invalid: `{"c":1}`},
	{name: "typed additional properties stay apart", x: `{allOf: [{type: object, additionalProperties: {type: string}}, {type: object, properties: {b: {type: integer}}}]}`,
		want: `{"type":"object","additionalProperties":{"type":"string"},"allOf":[{"type":"object","properties":{"b":{"type":"integer"}}}]}`},
	{name: "two unions stay apart", x: `{allOf: [{anyOf: [{required: [a]}, {required: [b]}]}, {anyOf: [{required: [c]}, {required: [d]}]}]}`,
		want:  `{"anyOf":[{"required":["a"]},{"required":["b"]}],"allOf":[{"anyOf":[{"required":["c"]},{"required":["d"]}]}]}`,
		valid: `{"a":1,"d":1}`, invalid: `{"a":1}`},
	{name: "nested", x: `{allOf: [{allOf: [{allOf: [{properties: {a: {}}}]}, {properties: {b: {}}}]}, {properties: {c: {}}}]}`,
		want: `{"type":"object","properties":{"a":{},"b":{},"c":{}}}`},
	{name: "unevaluatedProperties see the merged object", dialect: "3.1", x: `{allOf: [{$ref: '#/components/schemas/P'}], properties: {b: {}}, unevaluatedProperties: false}`,
		schemas: `{P: {type: object, properties: {a: {}}}}`,
		want:    `{"type":"object","properties":{"a":{},"b":{}},"additionalProperties":false}`, valid: `{"a":1,"b":1}`, invalid: `{"c":1}`},
	{name: "properties that recurse on both sides", x: `{allOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}]}`,
		schemas: `{A: {type: object, properties: {p: {$ref: '#/components/schemas/A'}}}, B: {type: object, properties: {p: {$ref: '#/components/schemas/B'}}}}`,
		want:    `{"type":"object","properties":{"p":{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}}}`,
		defs:    `{"A":{"type":"object","properties":{"p":{"$ref":"#/$defs/A"}}},"B":{"type":"object","properties":{"p":{"$ref":"#/$defs/B"}}}}`},
}

func TestDirection(t *testing.T) { runAll(t, directionCases) }

var directionCases = []conversionCase{
	{name: "read-only leaves, required follows", x: `{type: object, required: [id, a], properties: {id: {type: integer, readOnly: true}, a: {type: string}, secret: {type: string, writeOnly: true}}}`,
		want: `{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"secret":{"type":"string"}}}`, valid: `{"a":""}`},
	{name: "nothing left", x: `{type: object, required: [id], properties: {id: {readOnly: true}}}`, want: `{"type":"object"}`},
	{name: "behind a reference", x: `{properties: {id: {$ref: '#/components/schemas/Id'}, b: {allOf: [{$ref: '#/components/schemas/S'}], readOnly: true}, c: {}}}`,
		schemas: `{Id: {type: integer, readOnly: true}, S: {type: string}}`, want: `{"type":"object","properties":{"c":{}}}`},
	{name: "beside a reference it counts in 3.1 only", x: `{properties: {id: {$ref: '#/components/schemas/S', readOnly: true}}}`,
		schemas: `{S: {type: string}}`, want: `{"type":"object","properties":{"id":{"type":"string"}}}`},
	{name: "required in another member", x: `{allOf: [{properties: {id: {readOnly: true}, a: {}}}, {required: [id, a]}]}`,
		want: `{"type":"object","properties":{"a":{}},"required":["a"]}`},
	{name: "required in a union", x: `{properties: {id: {readOnly: true}, a: {}}, anyOf: [{required: [id]}, {required: [a]}]}`,
		want: `{"properties":{"a":{}},"anyOf":[{},{"required":["a"]}]}`},
	{name: "what told variants apart leaves", x: `{type: object, required: [a], properties: {a: {type: string}}, oneOf: [{required: [a, r], properties: {r: {type: string, readOnly: true}}}, {required: [w], properties: {w: {type: string}}}]}`,
		want: `{"type":"object","required":["a"],"properties":{"a":{"type":"string"}},"anyOf":[{"type":"object","required":["a"]},{"type":"object","required":["w"],"properties":{"w":{"type":"string"}}}]}`, valid: "{\"a\":\"\"}\n{\"a\":\"\",\"w\":\"\"}", invalid: `{"w":""}`},
	{name: "what told variants apart leaves the schema around", x: `{type: object, required: [a], properties: {a: {type: string}, w: {type: string}, r: {readOnly: true}}, oneOf: [{required: [a, r]}, {required: [w]}]}`,
		want: `{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"w":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["w"]}]}`, valid: "{\"a\":\"\"}\n{\"a\":\"\",\"w\":\"\"}", invalid: `{"w":""}`},
	{name: "variants stay apart by other properties", x: `{type: object, oneOf: [{required: [k], properties: {k: {type: string, enum: [a]}, r: {type: string, readOnly: true}}}, {required: [k], properties: {k: {type: string, enum: [b]}}}]}`,
		want: `{"type":"object","oneOf":[{"type":"object","required":["k"],"properties":{"k":{"type":"string","enum":["a"]}}},{"type":"object","required":["k"],"properties":{"k":{"type":"string","enum":["b"]}}}]}`, valid: `{"k":"a"}`},
	{name: "exactly one of two properties", x: `{type: object, properties: {a: {type: string}, b: {type: string}, r: {readOnly: true}}, oneOf: [{required: [a]}, {required: [b]}]}`,
		want: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, valid: `{"a":""}`, invalid: `{"a":"","b":""}`},
}

func TestUnions(t *testing.T) { runAll(t, unionCases) }

var unionCases = []conversionCase{
	{name: "kept", x: `{oneOf: [{type: object, required: [a], properties: {a: {}}}, {type: object, required: [b], properties: {b: {}}}]}`,
		want:  `{"oneOf":[{"type":"object","required":["a"],"properties":{"a":{}}},{"type":"object","required":["b"],"properties":{"b":{}}}]}`,
		valid: "{\"a\":1}\n{\"b\":1}", invalid: `{}`},
	{name: "of one", x: `{oneOf: [{type: string}], description: d}`, want: `{"type":"string","description":"d"}`},
	{name: "formats do not exclude each other", x: `{oneOf: [{type: string, format: date}, {type: string, format: date-time}]}`,
		want: `{"anyOf":[{"type":"string","format":"date"},{"type":"string","format":"date-time"}]}`, valid: `"2026-01-01"`},
	{name: "optional properties do not exclude each other", x: `{oneOf: [{type: object, properties: {a: {}}}, {type: object, properties: {b: {}}}]}`,
		want: `{"anyOf":[{"type":"object","properties":{"a":{}}},{"type":"object","properties":{"b":{}}}]}`, valid: `{"a":1}`},
	{name: "null in two variants", x: `{oneOf: [{type: string, nullable: true}, {type: integer, nullable: true}]}`,
		want: `{"anyOf":[{"type":["string","null"]},{"type":["integer","null"]}]}`, valid: "null\n1"},
	{name: "types, patterns and values do", x: `{oneOf: [{type: integer}, {type: string, pattern: '^a'}, {type: string, pattern: '^b'}]}`,
		want: `{"oneOf":[{"type":"integer"},{"type":"string","pattern":"^a"},{"type":"string","pattern":"^b"}]}`},
	{name: "a named string beside any string", x: `{oneOf: [{type: string, enum: [auto]}, {type: string}]}`,
		want: `{"anyOf":[{"type":"string","enum":["auto"]},{"type":"string"}]}`, valid: "\"auto\"\n\"b\""},
	{name: "closed objects do", x: `{oneOf: [{type: object, required: [a], properties: {a: {}, b: {}}, additionalProperties: false}, {type: object, required: [c, a], properties: {a: {}, c: {}}}]}`,
		want: `{"oneOf":[{"type":"object","required":["a"],"properties":{"a":{},"b":{}},"additionalProperties":false},{"type":"object","required":["c","a"],"properties":{"a":{},"c":{}}}]}`},
	{name: "named values become an enum", dialect: "3.1", x: `{type: integer, description: Level., oneOf: [{const: 1, title: LOW}, {const: 2, title: HIGH, description: more}, {const: 3}]}`,
		want: `{"type":"integer","description":"Level.\n1 LOW; 2 HIGH: more","enum":[1,2,3]}`, valid: "1\n3", invalid: "4"},
	{name: "named values with null", dialect: "3.1", x: `{anyOf: [{const: a}, {const: b}, {type: 'null'}]}`,
		want: `{"type":["string","null"],"enum":["a","b",null]}`, valid: "null", invalid: "\"c\""},
	{name: "one of the named values", dialect: "3.1", x: `{allOf: [{$ref: '#/components/schemas/L'}], enum: [2]}`,
		schemas: `{L: {type: integer, oneOf: [{const: 1, title: LOW}, {const: 2, title: HIGH}]}}`,
		want:    `{"type":"integer","description":"2 HIGH","enum":[2]}`},
}

func TestDiscriminator(t *testing.T) { runAll(t, discriminatorCases) }

var discriminatorCases = []conversionCase{
	{name: "implicit names", x: `{oneOf: [{$ref: '#/components/schemas/Circle'}, {$ref: '#/components/schemas/Square'}], discriminator: {propertyName: t}}`,
		schemas: `{Circle: {type: object, properties: {t: {type: string}, r: {type: number}}}, Square: {type: object, properties: {a: {type: number}}}}`,
		want: `{"oneOf":[{"type":"object","properties":{"t":{"type":"string","const":"Circle"},"r":{"type":"number"}},"required":["t"]},` +
			`{"type":"object","properties":{"a":{"type":"number"},"t":{"type":"string","const":"Square"}},"required":["t"]}]}`,
		valid: `{"t":"Circle","r":1}`, invalid: "{\"r\":1}\n{\"t\":\"circle\"}"},
	{name: "mapping, two values for one", x: `{oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: t, mapping: {a: A, x: '#/components/schemas/A', b: B}}}`,
		schemas: `{A: {type: object, properties: {t: {type: string}}}, B: {type: object, required: [t], properties: {t: {type: string, enum: [b, c]}}}}`,
		want: `{"oneOf":[{"type":"object","properties":{"t":{"type":"string","enum":["a","x"]}},"required":["t"]},` +
			`{"type":"object","required":["t"],"properties":{"t":{"type":"string","enum":["b","c"]}}}]}`},
	{name: "a variant that fixes its tag itself", x: `{anyOf: [{$ref: '#/components/schemas/A'}, {type: integer}], discriminator: {propertyName: t}}`,
		schemas: `{A: {type: object, required: [t], properties: {t: {type: string, enum: [other]}}}}`,
		want:    `{"anyOf":[{"type":"object","required":["t"],"properties":{"t":{"type":"string","enum":["other"]}}},{"type":"integer"}]}`},
	{name: "parent and children", dialect: "3.1", x: `{$ref: '#/components/schemas/V'}`,
		schemas: `{V: {type: object, description: A vehicle., required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {van: '#/components/schemas/Van', bike: Bike}}},
			Van: {allOf: [{$ref: '#/components/schemas/V'}, {type: object, properties: {kg: {type: integer}}}]},
			Bike: {allOf: [{$ref: '#/components/schemas/V'}, {type: object, description: A bike., properties: {gears: {type: integer}}}]}}`,
		want: `{"description":"A vehicle.","anyOf":[{"type":"object","description":"A vehicle.","required":["kind"],"properties":{"kind":{"type":"string","const":"van"},"kg":{"type":"integer"}}},` +
			`{"type":"object","description":"A bike.","required":["kind"],"properties":{"kind":{"type":"string","const":"bike"},"gears":{"type":"integer"}}}]}`,
		valid: `{"kind":"van","kg":1}`, invalid: "{\"kind\":\"car\"}\n{\"kg\":1}\n{\"kind\":\"van\",\"kg\":\"1\"}"},
	{name: "children that no mapping names", x: `{$ref: '#/components/schemas/V'}`,
		schemas: `{V: {type: object, properties: {kind: {type: string}}, discriminator: {propertyName: kind}},
			Van: {allOf: [{$ref: '#/components/schemas/V'}, {properties: {kg: {type: integer}}}]},
			BigVan: {allOf: [{$ref: '#/components/schemas/Van'}, {properties: {m: {type: integer}}}]}}`,
		want: `{"anyOf":[{"type":"object","properties":{"kind":{"type":"string","const":"Van"},"kg":{"type":"integer"}},"required":["kind"]},` +
			`{"type":"object","properties":{"kind":{"type":"string","const":"BigVan"},"kg":{"type":"integer"},"m":{"type":"integer"}},"required":["kind"]},` +
			`{"type":"object","properties":{"kind":{"type":"string","const":"V"}},"required":["kind"]}]}`},
	{name: "the child itself", x: `{$ref: '#/components/schemas/Van'}`,
		schemas: `{V: {type: object, properties: {kind: {type: string}}, discriminator: {propertyName: kind}}, Van: {allOf: [{$ref: '#/components/schemas/V'}, {properties: {kg: {type: integer}}}]}}`,
		want:    `{"type":"object","properties":{"kind":{"type":"string","const":"Van"},"kg":{"type":"integer"}},"required":["kind"]}`},
	{name: "children that do not include the parent", x: `{$ref: '#/components/schemas/V'}`,
		schemas: `{V: {type: object, required: [kind], properties: {kind: {type: string}, n: {type: string}}, discriminator: {propertyName: kind, mapping: {van: Van, self: V}}}, Van: {type: object, properties: {kg: {type: integer}}}}`,
		want: `{"anyOf":[{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","const":"van"},"n":{"type":"string"},"kg":{"type":"integer"}}},` +
			`{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","const":"self"},"n":{"type":"string"}}}]}`},
	{name: "a parent used with more", x: `{allOf: [{$ref: '#/components/schemas/V'}, {required: [n]}]}`,
		schemas: `{V: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind}}, Van: {allOf: [{$ref: '#/components/schemas/V'}, {properties: {kg: {type: integer}}}]}}`,
		want: `{"required":["n"],"allOf":[{"anyOf":[{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","const":"Van"},"kg":{"type":"integer"}}},` +
			`{"type":"object","required":["kind"],"properties":{"kind":{"type":"string","const":"V"}}}]}]}`},
	{name: "children cannot be found", x: `{type: object, description: A pet., properties: {kind: {type: string}}, discriminator: {propertyName: kind, mapping: {cat: 'cats.yaml#/Cat'}}}`,
		want: `{"type":"object","description":"A pet.\nkind says which kind it is: cat","properties":{"kind":{"type":"string"}}}`},
	{name: "swagger 2.0", x: `{$ref: '#/components/schemas/V'}`,
		schemas: `{V: {type: object, discriminator: kind, properties: {kind: {type: string}}}, Van: {allOf: [{$ref: '#/components/schemas/V'}, {properties: {kg: {type: integer}}}]}}`,
		want:    `{"anyOf":[{"type":"object","properties":{"kind":{"type":"string","const":"Van"},"kg":{"type":"integer"}},"required":["kind"]},{"type":"object","properties":{"kind":{"type":"string","const":"V"}},"required":["kind"]}]}`},
	{name: "a default variant need not have the tag", dialect: "3.2", x: `{anyOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: {propertyName: t, defaultMapping: B}}`,
		schemas: `{A: {type: object, properties: {t: {type: string}}}, B: {type: object, properties: {b: {type: string}}}}`,
		want:    `{"anyOf":[{"type":"object","properties":{"t":{"type":"string","const":"A"}},"required":["t"]},{"type":"object","properties":{"b":{"type":"string"}}}]}`},
	{name: "variants that contain their parent", x: `{$ref: '#/components/schemas/V'}`,
		schemas: `{V: {type: object, properties: {kind: {type: string}}, discriminator: {propertyName: kind}}, Tow: {allOf: [{$ref: '#/components/schemas/V'}, {properties: {towed: {$ref: '#/components/schemas/V'}}}]}}`,
		want:    `{"$ref":"#/$defs/V"}`,
		defs:    `{"Tow":{"type":"object","properties":{"kind":{"type":"string","const":"Tow"},"towed":{"$ref":"#/$defs/V"}},"required":["kind"]},"V":{"anyOf":[{"$ref":"#/$defs/Tow"},{"type":"object","properties":{"kind":{"type":"string","const":"V"}},"required":["kind"]}]}}`,
		valid:   `{"kind":"Tow","towed":{"kind":"Tow"}}`, invalid: `{"kind":"Tow","towed":{}}`},
	{name: "the base is a kind of its own", x: `{$ref: '#/components/schemas/Base'}`,
		schemas: `{Base: {type: object, required: [k], properties: {k: {type: string, enum: [Base, Sub, Other]}}, discriminator: {propertyName: k}},
			Sub: {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {s: {type: string}}}]}}`,
		want:  `{"anyOf":[{"type":"object","required":["k"],"properties":{"k":{"type":"string","const":"Sub"},"s":{"type":"string"}}},{"type":"object","required":["k"],"properties":{"k":{"type":"string","enum":["Base","Other"]}}}]}`,
		valid: "{\"k\":\"Base\"}\n{\"k\":\"Other\"}\n{\"k\":\"Sub\",\"s\":\"a\"}", invalid: "{\"k\":\"Sub\",\"s\":1}\n{\"k\":\"No\"}\n{}"},
	{name: "all values of the base have heirs", x: `{$ref: '#/components/schemas/Base'}`,
		schemas: `{Base: {type: object, required: [k], properties: {k: {type: string, enum: [Sub]}}, discriminator: {propertyName: k}},
			Sub: {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {s: {type: string}}}]}}`,
		want: `{"anyOf":[{"type":"object","required":["k"],"properties":{"k":{"type":"string","enum":["Sub"]},"s":{"type":"string"}}}]}`, invalid: `{"k":"Base"}`},
	{name: "values that are no names", x: `{$ref: '#/components/schemas/Pet'}`,
		schemas: `{Pet: {type: object, required: [k], properties: {k: {type: string, enum: [cat, dog]}}, discriminator: {propertyName: k}},
			Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {s: {type: string}}}]}}`,
		want: `{"anyOf":[{"type":"object","required":["k"],"properties":{"k":{"type":"string","enum":["cat","dog"]},"s":{"type":"string"}}}]}`, valid: "{\"k\":\"cat\"}\n{\"k\":\"dog\"}", invalid: `{"k":"Pet"}`},
	{name: "an heir that fixes its value itself", x: `{$ref: '#/components/schemas/Pet'}`,
		schemas: `{Pet: {type: object, required: [k], properties: {k: {type: string, enum: [cat, pet]}}, discriminator: {propertyName: k}},
			Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {required: [s], properties: {k: {type: string, enum: [cat]}, s: {type: string}}}]}}`,
		want: `{"anyOf":[{"type":"object","required":["k","s"],"properties":{"k":{"type":"string","enum":["cat"]},"s":{"type":"string"}}},{"type":"object","required":["k"],"properties":{"k":{"type":"string","const":"pet"}}}]}`, valid: "{\"k\":\"cat\",\"s\":\"a\"}\n{\"k\":\"pet\"}", invalid: `{"k":"cat"}`},
	{name: "an heir that the mapping does not have", x: `{$ref: '#/components/schemas/Pet'}`,
		schemas: `{Pet: {type: object, required: [k], properties: {k: {type: string}}, discriminator: {propertyName: k, mapping: {cat: Cat}}},
			Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {s: {type: string}}}]},
			Fish: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {fins: {type: integer}}}]}}`,
		want: `{"anyOf":[{"type":"object","required":["k"],"properties":{"k":{"type":"string","const":"cat"},"s":{"type":"string"}}},{"type":"object","required":["k"],"properties":{"k":{"type":"string","const":"Fish"},"fins":{"type":"integer"}}}]}`, valid: "{\"k\":\"cat\"}\n{\"k\":\"Fish\",\"fins\":2}", invalid: "{\"k\":\"Fish\",\"fins\":\"2\"}\n{\"k\":\"Pet\"}"},
	{name: "the values exclude the name of an heir", x: `{$ref: '#/components/schemas/Pet'}`,
		schemas: `{Pet: {type: object, required: [k], properties: {k: {type: string, enum: [cat, eel]}}, discriminator: {propertyName: k, mapping: {cat: Cat}}},
			Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {s: {type: string}}}]},
			PetAnswer: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {at: {type: string}}}]}}`,
		want: `{"anyOf":[{"type":"object","required":["k"],"properties":{"k":{"type":"string","const":"cat"},"s":{"type":"string"}}},{"type":"object","required":["k"],"properties":{"k":{"type":"string","const":"eel"}}}]}`, valid: "{\"k\":\"cat\"}\n{\"k\":\"eel\"}", invalid: "{\"k\":\"PetAnswer\"}\n{\"k\":\"cat\",\"s\":1}"},
}
