package openapi

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

func TestDescriptions(t *testing.T) {
	const object = "{application/json: {schema: {$ref: '#/components/schemas/Pet'}}}"
	tests := []struct{ name, operation, title, want string }{
		{"nothing said", "{responses: {'200': {description: ok}}}", "", "Sends GET /a."},
		{"summary", "{summary: Find a pet, responses: {'200': {description: ok}}}", "Find a pet", "Find a pet"},
		{
			"summary and description", "{summary: Find a pet, description: By its *id*., responses: {'200': {description: ok}}}",
			"Find a pet", "Find a pet\n\nBy its *id*.",
		},
		{
			"the description repeats the summary", "{summary: Find a pet., description: Find a pet by its id., responses: {'200': {description: ok}}}",
			"Find a pet.", "Find a pet by its id.",
		},
		{
			"the description repeats the summary in another form", "{summary: Get a pet, description: Gets a pet by its id., responses: {'200': {description: ok}}}",
			"Get a pet", "Gets a pet by its id.",
		},
		{
			"more properties than fit", "{summary: S, responses: {'200': {description: '200 response for op', content: {application/json: {schema: {type: object, properties: {a: {}, b: {}, c: {}, d: {}, e: {}, f: {}, g: {}, h: {}, i: {}}}}}}}, operationId: op}",
			"S", "S\n\nReturns object: a, b, c, d, e, f, g, h, …",
		},
		{"an object", "{summary: S, responses: {'200': {description: A pet., content: " + object + "}}}", "S", "S\n\nReturns: A pet (object: id, name)."},
		{"an object without words", "{summary: S, responses: {'200': {description: OK, content: " + object + "}}}", "S", "S\n\nReturns object: id, name."},
		{
			"a list", "{summary: S, responses: {'200': {description: successful operation, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Pet'}}}}}}}",
			"S", "S\n\nReturns array of objects: id, name.",
		},
		{"a scalar list", "{summary: S, responses: {'200': {description: ok, content: {application/json: {schema: {type: array, items: {type: string}}}}}}}", "S", "S\n\nReturns array of strings."},
		{
			"a sequence of objects", "{summary: S, responses: {'200': {description: ok, content: {application/jsonl: {itemSchema: {$ref: '#/components/schemas/Pet'}}}}}}",
			"S", "S\n\nReturns application/jsonl sequence of objects: id, name.",
		},
		{"a sequence of scalars", "{summary: S, responses: {'200': {description: ok, content: {application/jsonl: {itemSchema: {type: integer}}}}}}", "S", "S\n\nReturns application/jsonl sequence of integers."},
		{"a sequence of anything", "{summary: S, responses: {'200': {description: Events, content: {text/event-stream: {itemSchema: {}}}}}}", "S", "S\n\nReturns: Events (text/event-stream sequence of items)."},
		{
			"hidden characters in names", `{summary: S, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {"a\u202eb": {}, "c\u0000\nd": {}}}}}}}}`,
			"S", "S\n\nReturns object: ab, c d.",
		},
		{
			"hidden characters in the operationId", `{summary: S, operationId: "` + strings.Repeat("x", 64) + `\u202e\u0000y", responses: {'200': {description: ok}}}`,
			"S", "S\n\nOperation " + strings.Repeat("x", 64) + "y.",
		},
		{"an object that says nothing", "{summary: S, responses: {'200': {description: ok, content: {application/json: {schema: {type: object}}}}}}", "S", "S"},
		{"no schema", "{summary: S, responses: {'200': {description: ok, content: {application/json: {}}}}}", "S", "S"},
		{
			"P33: what is only written is not returned", "{summary: S, responses: {'200': {description: ok, content: {application/json: {schema: {type: object, properties: {id: {type: string}, pin: {type: string, writeOnly: true}}}}}}}}",
			"S", "S\n\nReturns object: id.",
		},
		{"bytes", "{summary: S, responses: {'200': {description: The image, content: {image/png: {schema: {type: string, format: binary}}}}}}", "S", "S\n\nReturns: The image (image/png)."},
		{"nothing", "{summary: S, responses: {'204': {description: No content}}}", "S", "S\n\nReturns nothing."},
		{"the first 2xx counts", "{summary: S, responses: {'404': {description: Gone}, '201': {description: Made it}, '200': {description: Found it}}}", "S", "S\n\nReturns: Made it."},
		{"only a default", "{summary: S, responses: {default: {description: The pet}}}", "S", "S\n\nReturns: The pet."},
		{"deprecated", "{summary: S, deprecated: true, responses: {'200': {description: ok}}}", "S", "S\n\nDeprecated."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := mustParse(t, head+"paths: {/a: {get: "+tt.operation+"}}\ncomponents: {schemas: {Pet: {type: object, properties: {id: {type: integer}, name: {type: string}}}}}\n", Options{})
			op := s.Tools()[0]
			if op.Title != tt.title || op.Description != tt.want {
				t.Errorf("got  %q: %q\nwant %q: %q", op.Title, op.Description, tt.title, tt.want)
			}
		})
	}
}

func TestPathInDescription(t *testing.T) {
	s, _ := mustParse(t, head+`paths: {"/a\u202eb\u0000\nc": {get: {operationId: op, responses: {'200': {description: ok}}}}}`+"\n", Options{})
	if got := s.Tools()[0].Description; got != "Sends GET /ab c." {
		t.Errorf("%q", got)
	}
}

func TestLongDescription(t *testing.T) {
	document := head + `paths: {/a: {get: {operationId: longText, summary: Short summary., deprecated: true, description: "` +
		strings.Repeat("日本語テキスト ", 400) + `", responses: {'200': {description: A list}}}}}` + "\n"
	s, _ := mustParse(t, document, Options{})
	d := s.Tools()[0].Description
	if n := utf8.RuneCountInString(d); n > 1024 || n < 900 || !utf8.ValidString(d) {
		t.Errorf("P38: %d runes", n)
	}
	if !strings.HasPrefix(d, "Short summary.\n\n日本語") || !strings.HasSuffix(d, "…\n\nReturns: A list.\nDeprecated.") {
		t.Errorf("P38: %q", d)
	}
	s, _ = mustParse(t, document, Options{FullDescriptions: true})
	if d := s.Tools()[0].Description; utf8.RuneCountInString(d) < 3000 || strings.Contains(d, "…") {
		t.Errorf("P38: full text has %d runes", utf8.RuneCountInString(d))
	}
}

func TestHints(t *testing.T) {
	tests := []struct {
		method string
		want   ir.Hints
	}{
		{"GET", ir.Hints{ReadOnly: true, Idempotent: true, OpenWorld: true}},
		{"QUERY", ir.Hints{ReadOnly: true, Idempotent: true, OpenWorld: true}},
		{"PUT", ir.Hints{Destructive: true, Idempotent: true, OpenWorld: true}},
		{"DELETE", ir.Hints{Destructive: true, Idempotent: true, OpenWorld: true}},
		{"POST", ir.Hints{OpenWorld: true}},
		{"PATCH", ir.Hints{OpenWorld: true}},
		{"LINK", ir.Hints{Destructive: true, OpenWorld: true}},
	}
	for _, tt := range tests {
		if got := hints(tt.method); got != tt.want {
			t.Errorf("P105: %s: %+v, want %+v", tt.method, got, tt.want)
		}
	}
}

func TestAccept(t *testing.T) {
	tests := []struct{ name, responses, want string }{
		{"JSON first", "{'200': {description: ok, content: {application/xml: {}, application/json: {}, text/csv: {}}}}", "accept application/json application/xml text/csv\n"},
		{"all 2xx, no repeats", "{'200': {description: ok, content: {application/json: {}}}, '202': {description: ok, content: {application/json: {}, text/plain: {}}}}", "accept application/json text/plain\n"},
		{"P77", "{'200': {description: ok, content: {image/png: {}, application/pdf: {}}}}", "accept image/png application/pdf\n"},
		{"errors do not count", "{'200': {description: ok}, '400': {description: bad, content: {application/problem+json: {}}}}", ""},
		{"default alone", "{default: {description: ok, content: {application/json: {}}}}", "accept application/json\n"},
		{"no media type", "{'200': {description: ok, content: {meta: {}}}}", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := mustParse(t, head+"paths: {/a: {get: {operationId: op, responses: "+tt.responses+"}}}\n", Options{})
			if got := strings.TrimPrefix(show(s.Tools()[0].Request), "GET /a\n"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestMarkupOfDescriptions(t *testing.T) {
	document := head + `
paths:
  /pets:
    get:
      summary: List pets
      description: "Lists **pets**, see [kinds](#kinds)."
      responses: {'204': {description: ''}}
`
	for _, test := range []struct {
		opts Options
		want string
	}{
		{Options{}, "Lists pets, see kinds.\n\nReturns nothing."},
		{Options{Markup: true}, "List pets\n\nLists **pets**, see [kinds](#kinds).\n\nReturns nothing."},
		{Options{FullDescriptions: true}, "List pets\n\nLists **pets**, see [kinds](#kinds).\n\nReturns nothing."},
	} {
		s, _ := mustParse(t, document, test.opts)
		if got := s.Tools()[0].Description; got != test.want {
			t.Errorf("%+v: got %q", test.opts, got)
		}
	}
}
