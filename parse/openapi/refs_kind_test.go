package openapi

import (
	"strings"
	"testing"
)

// TestReferenceToAnotherKind holds that what a reference leads to is what its
// place wants, and that the message stands at the reference.
func TestReferenceToAnotherKind(t *testing.T) {
	const components = `components:
  schemas: {S: {type: object, properties: {a: {type: string}}}}
  requestBodies: {B: {content: {application/json: {schema: {type: object}}}}}
  responses: {R: {description: ok, content: {text/plain: {schema: {type: string}}}}}
  parameters: {P: {name: p, in: query, schema: {type: string}}, S: {name: s, in: query, schema: {type: string}}}
  securitySchemes: {K: {type: apiKey, in: header, name: k}}
x-more:
  param: {name: p, in: query, schema: {type: string}}
  body: {content: {application/json: {schema: {type: object}}}}
  media: {schema: {type: object}, example: {}}
  op: {responses: {'200': {description: ok}}}
  item: {get: {responses: {'200': {description: ok}}}}
  schema: {type: object}
`
	body := func(ref string) string {
		return "requestBody: {content: {application/json: {schema: {$ref: '" + ref + "'}}}}"
	}
	for _, test := range []struct{ name, part, want, hint string }{
		{"schema: request body", body("#/components/requestBodies/B"), "points to a request body, and a schema must stand here", "#/components/requestBodies/B/content/application~1json/schema"},
		{"schema: parameter", body("#/components/parameters/P"), "points to a parameter, and a schema must", "its schema stands at #/components/parameters/P/schema"},
		{"schema: parameter with the name of a schema", body("#/components/parameters/S"), "points to a parameter, and a schema must", "did you mean #/components/schemas/S?"},
		{"schema: info", body("#/info"), "points to the document's info", "schemas stand below"},
		{"schema: the document", body("#/"), "points to a whole document", ""},
		{"schema: operation", body("#/paths/~1a/post"), "points to an operation", ""},
		{"schema: path item", body("#/paths/~1a"), "points to a path item", ""},
		{"schema: response", body("#/components/responses/R"), "points to a response", "content/text~1plain/schema"},
		{"schema: security scheme", body("#/components/securitySchemes/K"), "points to a security scheme", ""},
		{"schema: looks like a parameter", body("#/x-more/param"), "points to a parameter", ""},
		{"schema: looks like a body", body("#/x-more/body"), "points to a request body or response", ""},
		{"schema: looks like a media type", body("#/x-more/media"), "points to a media type", ""},
		{"schema: looks like an operation", body("#/x-more/op"), "points to an operation", ""},
		{"schema: looks like a path item", body("#/x-more/item"), "points to a path item", ""},
		{"schema below", "requestBody: {content: {application/json: {schema: {type: array, items: {$ref: '#/components/parameters/P'}}}}}", "points to a parameter", ""},
		{"parameter: schema", "parameters: [{$ref: '#/components/schemas/S'}]", "points to a schema, and a parameter must stand here", "did you mean #/components/parameters/S?"},
		{"parameter: looks like a schema", "parameters: [{$ref: '#/x-more/schema'}]", "points to a schema, and a parameter must", "give the parameter a name"},
		{"body: schema", "requestBody: {$ref: '#/components/schemas/S'}", "points to a schema, and a request body must", "under content"},
		{"body: looks like a schema", "requestBody: {$ref: '#/x-more/schema'}", "points to a schema, and a request body must", "under content"},
		{"body: parameter", "requestBody: {$ref: '#/x-more/param'}", "points to a parameter, and a request body must", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			good := "  /good:\n    get: {operationId: good, responses: {'200': {description: ok}}}\n"
			s, diags := mustParse(t, head+"paths:\n"+good+"  /a:\n    post:\n      operationId: op\n      "+test.part+
				"\n      responses: {'200': {description: ok}}\n"+components, Options{})
			if len(s.Skips) != 1 || s.Skips[0].Code != codeRefKind || !strings.Contains(s.Skips[0].Reason, test.want) {
				t.Fatalf("%+v", s.Skips)
			}
			if col := 7 + strings.Index(test.part, "$ref: ") + len("$ref: "); s.Skips[0].Pos.Line != 10 || s.Skips[0].Pos.Col != col {
				t.Errorf("reported at %v, the reference stands at 10:%d", s.Skips[0].Pos, col)
			}
			if text := printed(diags); !strings.Contains(text, test.hint) {
				t.Errorf("no hint %q in\n%s", test.hint, text)
			}
		})
	}
}

// TestReferenceToTheRightKind holds that unusual places are no mistake.
func TestReferenceToTheRightKind(t *testing.T) {
	for _, ref := range []string{
		"#/components/parameters/P/schema", "#/components/requestBodies/B/content/application~1json/schema", "#/components/schemas/S/properties/a",
		"#/components/x-schemas/X", "#/paths/~1b/get/parameters/0/schema", "#/components/headers/x-h/schema", "#/components/schemas/content",
	} {
		_, diags := mustParse(t, post("{content: {application/json: {schema: {$ref: '"+ref+"'}}}}", `  /b:
    get: {operationId: b, parameters: [{name: q, in: query, schema: {type: string}}], responses: {'200': {description: ok}}}
components:
  schemas: {S: {type: object, properties: {a: {type: string}}}, content: {properties: {$ref: '#/x-properties'}}}
  x-schemas: {X: {type: string}}
  requestBodies: {B: {content: {application/json: {schema: {type: object}}}}}
  headers: {x-h: {schema: {type: string}}}
  parameters: {P: {name: p, in: query, schema: {type: string}}}
x-properties: {schema: {type: string}, name: {type: string}, responses: {type: array}, content: {type: string}}
`), Options{})
		if strings.Contains(printed(diags), "ref") {
			t.Errorf("%s: %s", ref, printed(diags))
		}
	}
}
