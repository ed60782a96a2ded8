package runtime

import (
	"encoding/json"
	"strings"
	"testing"
)

// newCall returns a call of oneTool's tool.
func newCall(t testing.TB, def Definition, config Config) *Call {
	t.Helper()
	config.Log = quiet()
	s := NewServer(config, def)
	if _, err := s.start(); err != nil {
		t.Fatal(err)
	}
	return &Call{tool: s.tools.byName[def.Tools[0].Name], server: s}
}

// args writes what a handler would see, in the order that names give.
func (c *Call) given(names ...string) string {
	var parts []string
	for _, name := range names {
		if arg := c.Arg(name); arg.Value != nil {
			parts = append(parts, name+"="+string(arg.Value))
		}
	}
	return strings.Join(parts, " ")
}

const searchSchema = `{"type":"object","required":["author"],"additionalProperties":false,"properties":{
	"author":{"type":"string","description":"Who wrote\n it."},
	"limit":{"type":"integer","minimum":1,"maximum":100},
	"sort":{"enum":["asc","desc"]},
	"price":{"type":"number","multipleOf":0.01},
	"on":{"type":"boolean"},
	"tags":{"type":"array","items":{"type":"string","minLength":2},"maxItems":3,"uniqueItems":true},
	"either":{"type":["integer","string"],"pattern":"^[0-9]+$"},
	"maybe":{"type":["integer","null"]},
	"auto":{"anyOf":[{"type":"integer"},{"enum":["auto"]}]},
	"code":{"type":"string","pattern":"^(?!x)a$"},
	"body":{"$ref":"#/$defs/Body"}},
	"$defs":{"Body":{"type":"object","required":["fields"],"properties":{
		"fields":{"type":"object"},
		"raw":{"type":"string"},
		"count":{"type":"integer"},
		"kids":{"type":"array","items":{"$ref":"#/$defs/Body"}},
		"pet":{"oneOf":[
			{"type":"object","required":["kind","bark"],"properties":{"kind":{"const":"dog"},"bark":{"type":"boolean"}}},
			{"type":"object","required":["kind","lives"],"properties":{"kind":{"const":"cat"},"lives":{"type":"integer"}}}]}}}}}`

// What a model is told about arguments that do not fit, word for word.
func TestExplain(t *testing.T) {
	cases := []struct{ name, arguments, want string }{
		{"nothing given", ``, "author: required argument is missing (a string; Who wrote it.)"},
		{"null given", `null`, "author: required argument is missing (a string; Who wrote it.)"},
		{"an array", `[1]`, "the arguments must be one JSON object that holds each argument by its name, got an array"},
		{"a string", `"x"`, `the arguments must be one JSON object that holds each argument by its name, got the string "x"`},
		{"misspelt", `{"author":"K","limt":5}`, "limt: unknown argument; did you mean limit? (allowed: author, auto, body, code, either, limit, maybe, on, price, sort, tags)"},
		{"other spelling", `{"Author":"K"}`, "Author: unknown argument; did you mean author? (allowed: author, auto, body, code, either, limit, maybe, on, price, sort, tags)\n" +
			"author: required argument is missing (a string; Who wrote it.)"},
		{"belongs in the body", `{"author":"K","count":5}`, "count: unknown argument; it belongs inside body (allowed: author, auto, body, code, either, limit, maybe, on, price, sort, tags)"},
		{"null for a required argument", `{"author":null}`, "author: must be a string, not null (the argument is required)"},
		{"another type", `{"author":"K","limit":"x"}`, `limit: must be an integer, got the string "x"`},
		{"a fraction", `{"author":"K","limit":1.5}`, `limit: must be an integer, got the number 1.5`},
		{"too small, too big", `{"author":"K","limit":0,"price":0.001}`, "limit: must be at least 1, got 0\nprice: must be a multiple of 0.01, got 0.001"},
		{"a great number", `{"author":"K","limit":9007199254740993}`, "limit: must be at most 100, got 9007199254740993"},
		{"out of range", `{"author":"K","limit":1e999999999}`, errNumber.Error()},
		{"not one of", `{"author":"K","sort":"ASC"}`, `sort: must be one of "asc", "desc", got the string "ASC"; did you mean "asc"?`},
		{"type or value", `{"author":"K","auto":"no"}`, `auto: must be an integer, or "auto", got the string "no"`},
		{"items", `{"author":"K","tags":["ab","c",5,"ab"]}`, "tags: items 0 and 3 are equal, all must differ\ntags: must have at most 3 items, has 4\n" +
			"tags[1]: must have at least 2 characters, has 1\ntags[2]: must be a string, got the number 5"},
		{"pattern", `{"author":"K","either":"abc"}`, `either: must match the pattern ^[0-9]+$, got the string "abc"`},
		{"pattern that Go cannot read", `{"author":"K","code":"anything"}`, ``},
		{"deep", `{"author":"K","body":{"fields":{},"kids":[{"fields":{}},{"fields":5}]}}`, "body.kids[1].fields: must be an object, got the number 5"},
		{"missing deep", `{"author":"K","body":{"kids":[{}],"fields":{}}}`, "body.kids[0].fields: required property is missing (an object)"},
		{"no alternative by kind", `{"author":"K","body":{"fields":{},"pet":{"kind":"cow"}}}`, `body.pet.kind: must be one of "dog", "cat", got the string "cow"`},
		{"alternative by kind", `{"author":"K","body":{"fields":{},"pet":{"kind":"cat","lives":true}}}`, `body.pet.lives: must be an integer, got true (nearest of 2 forms that body.pet can have)`},
		{"no alternative by type", `{"author":"K","body":{"fields":{},"pet":[]}}`, `body.pet: must be an object, got an array`},
	}
	for _, tc := range cases {
		c := newCall(t, oneTool(searchSchema), Config{})
		got := ""
		if refusal := c.accept(json.RawMessage(tc.arguments)); refusal != nil {
			if !refusal.IsError {
				t.Errorf("%s: not an error", tc.name)
			}
			got = textContent(refusal)
		}
		want := ""
		if tc.want != "" {
			want = "tool was not called, because its arguments do not fit:\n- " + strings.ReplaceAll(tc.want, "\n", "\n- ")
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, want)
		}
	}
}

// The same arguments are explained in the same words: the validator's own order
// is random.
func TestExplainIsStable(t *testing.T) {
	c := newCall(t, oneTool(searchSchema), Config{})
	bad := json.RawMessage(`{"limit":0,"sort":1,"tags":[1,2,3,4,4],"z":1,"y":2,"x":3,"on":5,"price":"x","body":{"count":"x","pet":{}}}`)
	first := textContent(c.accept(bad))
	if !strings.HasSuffix(first, "- and 9 more") || strings.Count(first, "\n") != maxProblems+1 {
		t.Errorf("cut: %s", first)
	}
	for range 50 {
		if again := textContent(c.accept(bad)); again != first {
			t.Fatalf("first %s\nthen %s", first, again)
		}
	}
}

// What is repaired, what is said about it, and what is not touched.
func TestRepair(t *testing.T) {
	cases := []struct {
		name, arguments string
		want            string // arguments after repair
		note            string
		strict          string // what strict mode refuses; empty: it accepts too
	}{
		{"object in a string", `{"author":"K","body":{"fields":"{\"n\":1.0}","raw":"{\"keep\":true}"}}`,
			`body={"fields":{"n":1.0},"raw":"{\"keep\":true}"}`, "the string in body.fields was read as the object in it.", "body.fields: must be an object"},
		{"body in a string, and a string in it", `{"author":"K","body":"{\"fields\": \"{}\", \"count\":\"7\"}"}`,
			`body={"fields": {}, "count":7}`, "the string in body was read as", "body: must be an object"},
		{"array in a string", `{"author":"K","tags":"[\"ab\"]"}`, `tags=["ab"]`, "the string in tags was read as the array in it.", "tags: must be an array"},
		{"int64 in a string", `{"author":"K","body":{"fields":{},"count":"9007199254740993"}}`, `body={"fields":{},"count":9007199254740993}`, "read as a number", "body.count: must be an integer"},
		{"number in a string", `{"author":"K","limit":" 5 "}`, `limit=5`, "the string in limit was read as a number.", "limit: must be an integer"},
		{"boolean in a string", `{"author":"K","on":"true"}`, `on=true`, "the string in on was read as a boolean.", "on: must be a boolean"},
		{"number beside a value", `{"author":"K","auto":"5"}`, `auto=5`, "the string in auto was read as", "auto: must be an integer"},
		{"a string where a string may stand", `{"author":"5","either":"5"}`, `author="5" either="5"`, "", ""},
		{"a string in items", `{"author":"K","body":{"fields":{},"kids":[{"fields":{}}, {"fields":"{}"}]}}`,
			`body={"fields":{},"kids":[{"fields":{}}, {"fields":{}}]}`, "the string in body.kids[1].fields was read as", "body.kids[1].fields: must be an object"},
		{"all arguments in a string", `"{\"author\":\"K\"}"`, `author="K"`, "The arguments were a JSON string", "the arguments must be one JSON object"},
		{"null for an optional argument", `{"author":"K","limit":null,"body":null,"on":null}`, `author="K"`, "", ""},
		{"null that may be null", `{"author":"K","maybe":null}`, `maybe=null`, "", ""},
		{"exact bytes", `{"author":"K", "price":1.10, "body":{"fields" : {"b":1,"a":[ ]}}}`, `price=1.10 body={"fields" : {"b":1,"a":[ ]}}`, "", ""},
	}
	names := []string{"author", "auto", "either", "limit", "maybe", "on", "price", "tags", "body"}
	for _, tc := range cases {
		c := newCall(t, oneTool(searchSchema), Config{})
		if refusal := c.accept(json.RawMessage(tc.arguments)); refusal != nil {
			t.Errorf("%s: %s", tc.name, textContent(refusal))
			continue
		}
		if got := c.given(names...); got != tc.want && got != `author="K" `+tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
		if notes := strings.Join(c.notes, " "); !strings.Contains(notes, tc.note) || (tc.note == "") != (notes == "") {
			t.Errorf("%s: notes %q, want %q", tc.name, notes, tc.note)
		}
		c = newCall(t, oneTool(searchSchema), Config{StrictArguments: true})
		refusal := c.accept(json.RawMessage(tc.arguments))
		switch {
		case tc.strict == "" && refusal != nil:
			t.Errorf("%s, strict: %s", tc.name, textContent(refusal))
		case tc.strict != "" && (refusal == nil || !strings.Contains(textContent(refusal), "- "+tc.strict)):
			t.Errorf("%s, strict: got %v, want %s", tc.name, refusal, tc.strict)
		}
	}
}

// A string that cannot be repaired is explained, as far as its JSON goes.
func TestRepairFails(t *testing.T) {
	cases := []struct{ name, arguments, want string }{
		{"broken JSON", `{"author":"K","body":"{\"fields\":"}`, `body: must be an object, got the string "{\"fields\":"`},
		{"JSON of another type", `{"author":"K","body":"5"}`, `body: must be an object, got the string "5"`},
		{"not a number", `{"author":"K","limit":"five"}`, `limit: must be an integer, got the string "five"`},
		{"an object that does not fit", `{"author":"K","body":"{\"fields\":5}"}`, `body.fields: must be an object, got the number 5`},
		{"a fraction for an integer", `{"author":"K","limit":"1.5"}`, `limit: must be an integer, got the number 1.5`},
		{"null for a required argument", `{"author":null,"limit":null}`, `author: must be a string, not null`},
		{"null inside the body", `{"author":"K","body":{"fields":null}}`, `body.fields: must be an object, not null`},
		{"alternative that may be a string", `{"author":"K","either":"x5"}`, `either: must match the pattern`},
	}
	for _, tc := range cases {
		c := newCall(t, oneTool(searchSchema), Config{})
		if refusal := c.accept(json.RawMessage(tc.arguments)); refusal == nil || !strings.Contains(textContent(refusal), "- "+tc.want) {
			t.Errorf("%s: got %v, want %s", tc.name, refusal, tc.want)
		}
	}
}

// A schema that cannot be compiled must not make its tool unusable.
func TestUncompilableSchema(t *testing.T) {
	for name, schema := range map[string]string{
		"dangling reference": `{"type":"object","properties":{"id":{"$ref":"#/$defs/none"}}}`,
		"remote reference":   `{"type":"object","properties":{"id":{"$ref":"https://example.test/x.json"}}}`,
		"bad keyword":        `{"type":"object","minProperties":"x"}`,
	} {
		c := newCall(t, oneTool(schema), Config{})
		if refusal := c.accept(json.RawMessage(`{"id":[],"text":null}`)); refusal != nil {
			t.Errorf("%s: %s", name, textContent(refusal))
		}
		if got := c.given("id", "text"); got != "id=[] text=null" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// Whatever arguments come, there is an answer: never a panic, never arguments
// that break the schema, the same words each time.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `"{\"author\":\"K\"}"`, `{"author":"K","limt":5}`, `{"author":null,"body":"{\"fields\":\"{}\"}"}`,
		`{"author":"K","body":{"pet":{"kind":"cow"}}}`, `{"author":"K","limit":1e999}`, `{"author":"K","author":"L"}`,
		`{"author":"\ud800","tags":["aa","aa"]}`, `{"":1}`, `{"a~1b/c":{"x":[1,[2]]}}`, `[`, "{\"author\":\"\xff\"}",
	} {
		f.Add(seed)
	}
	c := newCall(f, oneTool(searchSchema), Config{})
	sc := c.tool.check()
	f.Fuzz(func(t *testing.T, arguments string) {
		first := c.accept(json.RawMessage(arguments))
		if first == nil {
			for name, value := range c.args {
				if !json.Valid(value) {
					t.Fatalf("%s became %s", name, value)
				}
			}
			raw, _ := json.Marshal(c.args)
			value, err := decode(raw)
			if err != nil {
				t.Fatal(err)
			}
			if wrong := sc.validate(value); len(wrong) > 0 {
				t.Fatalf("accepted %s: %s", raw, explain(sc, value, wrong))
			}
			return
		}
		if again := c.accept(json.RawMessage(arguments)); again == nil || textContent(again) != textContent(first) {
			t.Fatalf("first %s, then %v", textContent(first), again)
		}
	})
}

// Any two schemas and values: explaining them must not panic.
func FuzzSchema(f *testing.F) {
	f.Add(searchSchema, `{"author":1,"body":"{}"}`)
	f.Add(`{"type":"object","properties":{"a":{"oneOf":[]}}}`, `{"a":1}`)
	f.Add(`{"type":"object","allOf":[{"$ref":"#"}]}`, `{}`)
	f.Add(`{"type":"object","properties":{"a":{"not":{}},"b":{"contains":{"type":"null"}},"c":false}}`, `{"a":1,"b":[1],"c":2}`)
	f.Add(`{"type":"object","propertyNames":{"maxLength":1},"unevaluatedProperties":false,"if":{},"then":{"required":["q"]}}`, `{"aa":{"bb":1}}`)
	f.Add(`{"type":"object","patternProperties":{"^a~/%":{"minimum":1e3}},"dependentRequired":{"a~/%":["z"]}}`, `{"a~/%":1}`)
	f.Fuzz(func(t *testing.T, schema, arguments string) {
		if !json.Valid([]byte(schema)) || len(schema) > 10_000 {
			return
		}
		c := newCall(t, oneTool(schema), Config{})
		c.accept(json.RawMessage(arguments))
	})
}
