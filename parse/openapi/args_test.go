package openapi

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// get is a document with one GET.
func get(path, parameters, rest string) string {
	return head + "paths:\n  " + path + ":\n    get:\n      operationId: op\n      parameters: " + parameters +
		"\n      responses: {'200': {description: ok}}\n" + rest
}

// input decodes the properties and required names of a tool's schema.
func input(t *testing.T, tool *ir.Tool) (properties map[string]map[string]any, required []string) {
	t.Helper()
	var root struct {
		Properties map[string]map[string]any
		Required   []string
	}
	if err := json.Unmarshal(tool.Input, &root); err != nil {
		t.Fatal(err)
	}
	return root.Properties, root.Required
}

func TestArguments(t *testing.T) {
	tests := []struct{ name, document, want, diags string }{
		{
			"P49: one name in four places",
			get("/t/{id}", `[{name: id, in: path, required: true, schema: {type: integer}}, {name: id, in: query, required: true, schema: {type: integer}},
        {name: id, in: header, schema: {type: string}}, {name: id, in: cookie, schema: {type: string}}]`, ""),
			`GET /t/{id}
id__path: path id simple required
id__query: query id form explode required
id__header: header id simple
id__cookie: cookie id form explode
`, "",
		},
		{
			"P30: names that clients refuse",
			get("/a", `[{name: 'filter[bundleId]', in: query, schema: {type: string}}, {name: 'ids[]', in: query, schema: {type: array, items: {type: integer}}},
        {name: $top, in: query, schema: {type: integer}}, {name: filter_bundleId, in: query, schema: {type: string}}]`, ""),
			`GET /a
filter_bundleId_2: query filter[bundleId] form explode
ids: query ids[] form explode
top: query $top form explode
filter_bundleId: query filter_bundleId form explode
`, `argument-clash: operation op: parameter "filter[bundleId]": the argument name filter_bundleId is taken; it is filter_bundleId_2
`,
		},
		{
			"P62: headers that mean nothing",
			get("/a", `[{name: Accept, in: header, required: true, schema: {type: string}}, {name: content-type, in: header, schema: {type: string}},
        {name: AUTHORIZATION, in: header, required: true, schema: {type: string}}, {name: Api-Version, in: header, required: true, schema: {type: string}},
        {name: accept, in: query, schema: {type: string}}]`, ""),
			`GET /a
Api-Version: header Api-Version simple required
accept: query accept form explode
`, "",
		},
		{
			"P84: credentials are no arguments",
			get("/q", `[{name: x-api-key, in: header, required: true, schema: {type: string}}, {name: token, in: query, schema: {type: string}},
        {name: symbol, in: query, required: true, schema: {type: string}}]
      security: [{k: []}, {q: []}]`, schemes),
			`GET /q
symbol: query symbol form explode required
auth k
auth q
`, "",
		},
		{
			"a required credential without a security requirement",
			get("/q", `[{name: X-API-Key, in: header, required: true, schema: {type: string}}]`, schemes),
			"GET /q\nauth k\n", "",
		},
		{
			"an optional one",
			get("/q", `[{name: token, in: query, schema: {type: string}}]`, schemes),
			"GET /q\nauth q\nauth \n", "",
		},
		{
			"one beside another requirement",
			get("/q", `[{name: token, in: query, required: true, schema: {type: string}}]
      security: [{k: []}, {}]`, schemes),
			"GET /q\nauth k+q\nauth q\n", "",
		},
		{
			"P56: repeated and undeclared path variables",
			get("/{tenant}/{tenant}/devices/{device}/{region}", `[{name: tenant, in: path, required: true, schema: {type: string}}, {name: device, in: path, required: true, schema: {type: string}}]`, ""),
			`GET /{tenant}/{tenant}/devices/{device}/{region}
tenant: path tenant simple required
device: path device simple required
region: path region simple required
`, `path-parameter-undeclared: operation op: no parameter describes {region} of the path; it takes a string
`,
		},
		{
			"a path parameter that the path lacks",
			get("/a", `[{name: gone, in: path, required: true, schema: {type: string}}]`, ""),
			"GET /a\n",
			`path-parameter-unused: operation op: parameter "gone" in path does not stand in the path /a; it is left out
`,
		},
		{
			"P132: a path parameter that is not required",
			get("/docks/{id}", `[{name: id, in: path, schema: {type: string}}, {name: full, in: query, schema: {type: boolean}}]`, ""),
			`GET /docks/{id}
id: path id simple required
full: query full form explode
`, `path-parameter-optional: operation op: parameter "id" in path is always required
`,
		},
		{
			"path-level and referenced parameters",
			head + `
paths:
  /p/{slug}:
    parameters: [{$ref: '#/components/parameters/Slug'}, {name: dry, in: query, schema: {type: string}}]
    put:
      operationId: op
      parameters: [{$ref: '#/components/parameters/Dry'}]
      responses: {'200': {description: ok}}
components:
  parameters:
    Slug: {name: slug, in: path, required: true, schema: {type: string}}
    Dry: {$ref: '#/components/parameters/DryRun'}
    DryRun: {name: dry, in: query, required: true, schema: {type: boolean}}
`,
			`PUT /p/{slug}
slug: path slug simple required
dry: query dry form explode required
`, "",
		},
		{
			"P50: a parameter called body",
			head + `
paths:
  /i/{id}:
    post:
      operationId: op
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}, {name: body, in: query, schema: {type: string}}, {name: $body, in: query, schema: {type: string}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}
      responses: {'200': {description: ok}}
`,
			`POST /i/{id}
id: path id simple required
body__query: query body form explode
body_2: query $body form explode
body: json "application/json" required
`, `argument-clash: operation op: parameter "$body": the argument name body is taken; it is body_2
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := mustParse(t, tt.document, Options{})
			op := s.Tools()[0]
			if got := show(op.Request); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			if got := codes(diags); got != tt.diags {
				t.Errorf("diagnostics\n%swant\n%s", got, tt.diags)
			}
			properties, required := input(t, op)
			for _, x := range op.Request.Bindings {
				if properties[x.Arg] == nil || slices.Contains(required, x.Arg) != x.Required {
					t.Errorf("argument %s in %s", x.Arg, op.Input)
				}
			}
		})
	}
}

const schemes = `
components:
  securitySchemes:
    k: {type: apiKey, in: header, name: X-API-Key}
    q: {type: apiKey, in: query, name: token}
`

func TestArgumentText(t *testing.T) {
	s, _ := mustParse(t, get("/talks/{confId}", `
        - {name: confId, in: path, required: true, description: "Conference id in kebab-case, for example agile-2025.", example: agile-2025, schema: {type: string, description: an id}}
        - {name: old, in: query, deprecated: true, schema: {type: boolean}}
        - {name: many, in: query, examples: {a: {value: 1}, b: {summary: no value}, c: {value: 2}}, schema: {type: integer}}`, ""), Options{})
	properties, _ := input(t, s.Tools()[0])
	if got := properties["confId"]["description"]; got != "Conference id in kebab-case, for example agile-2025." {
		t.Errorf("P37: description %q", got)
	}
	raw := string(s.Tools()[0].Input)
	for _, want := range []string{`"examples":["agile-2025"]`, `"deprecated":true`, `"examples":[1,2]`} {
		if !strings.Contains(raw, want) {
			t.Errorf("no %s in %s", want, raw)
		}
	}
}

// A model that sees little of a name is told it.
func TestLostNames(t *testing.T) {
	for _, tt := range []struct{ name, parameter, arg, want string }{
		{"no ASCII letter", "名前", "arg", "About.\nThe API calls it 名前."},
		{"no letter at all", "$", "arg", "About.\nThe API calls it $."},
		{"much of it", "größe名前テ", "gr_e", "About.\nThe API calls it größe名前テ."},
		{"little of it", "größe", "gr_e", "About."},
		{"punctuation", "filter[name]", "filter_name", "About."},
		{"hidden characters", "名\u202e前", "arg", "About.\nThe API calls it 名前."},
	} {
		s, _ := mustParse(t, get("/a", `[{name: "`+tt.parameter+`", in: query, description: About., schema: {type: string}}]`, ""), Options{})
		properties, _ := input(t, s.Tools()[0])
		if got := properties[tt.arg]["description"]; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
