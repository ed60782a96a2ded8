package openapi

import (
	"strings"
	"testing"
)

func TestBindings(t *testing.T) {
	tests := []struct{ name, parameter, want, diags string }{
		{"query default", `{name: x, in: query}`, "query x form explode", ""},
		{"query explode false", `{name: x, in: query, explode: false}`, "query x form", ""},
		{"pipes", `{name: x, in: query, style: pipeDelimited}`, "query x pipeDelimited", ""},
		{"pipes exploded", `{name: x, in: query, style: pipeDelimited, explode: true}`, "query x pipeDelimited explode", ""},
		{"spaces", `{name: x, in: query, style: spaceDelimited}`, "query x spaceDelimited", ""},
		{"deepObject has one form", `{name: x, in: query, style: deepObject, explode: true}`, "query x deepObject", ""},
		{"reserved", `{name: x, in: query, allowReserved: true}`, "query x form explode reserved", ""},
		{"header default", `{name: x, in: header}`, "header x simple", ""},
		{"header exploded", `{name: x, in: header, explode: true}`, "header x simple explode", ""},
		{"cookie default", `{name: x, in: cookie}`, "cookie x form explode", ""},
		{"path default", `{name: x, in: path, required: true}`, "path x simple required", ""},
		{"path label", `{name: x, in: path, required: true, style: label}`, "path x label required", ""},
		{"path matrix exploded", `{name: x, in: path, required: true, style: matrix, explode: true}`, "path x matrix explode required", ""},
		{"content", `{name: x, in: query, content: {application/json: {schema: {type: object}}}}`, "query x application/json", ""},
		{
			"a style that the place lacks", `{name: x, in: header, style: form}`, "header x simple",
			`style-not-allowed: operation op: parameter "x" in header has the style "form", which that place does not allow; simple is used
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parameter := tt.parameter
			if !strings.Contains(parameter, "content:") {
				parameter = strings.TrimSuffix(parameter, "}") + ", schema: {type: array, items: {type: string}}}"
			}
			path := "/a"
			if strings.Contains(parameter, "in: path") {
				path = "/a/{x}"
			}
			s, diags := mustParse(t, get(path, "["+parameter+"]", ""), Options{})
			if got, want := show(s.Tools()[0].Request), "GET "+path+"\nx: "+tt.want+"\n"; got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			if got := codes(diags); got != tt.diags {
				t.Errorf("diagnostics %q, want %q", got, tt.diags)
			}
		})
	}
}

func TestOpenAPI32Bindings(t *testing.T) {
	s, _ := mustParse(t, `
openapi: 3.2.0
info: {title: T, version: '1'}
servers: [{url: 'https://api.test'}]
paths:
  /a:
    query:
      operationId: q
      parameters:
        - {name: sid, in: cookie, style: cookie, schema: {type: string}}
        - {name: all, in: querystring, content: {application/x-www-form-urlencoded: {schema: {type: object}}}}
      responses: {'200': {description: ok}}
`, Options{})
	op := tool(t, s, "q")
	want := `QUERY /a
sid: cookie sid cookie explode
all: querystring all application/x-www-form-urlencoded
`
	if got := show(op.Request); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if !op.Hints.ReadOnly {
		t.Error("QUERY is read only")
	}
}

func TestSwagger2Bindings(t *testing.T) {
	s, _ := mustParse(t, `
swagger: '2.0'
info: {title: T, version: '1'}
host: api.test
basePath: /v2/
schemes: [http, https]
consumes: [application/json]
paths:
  /pets/{id}:
    post:
      operationId: editPet
      consumes: [application/x-www-form-urlencoded]
      parameters:
        - {name: id, in: path, required: true, type: integer, format: int64}
        - {name: name, in: formData, type: string}
        - {name: tags, in: query, type: array, items: {type: string}}
        - {name: ids, in: query, type: array, items: {type: integer}, collectionFormat: multi}
        - {name: tabs, in: query, type: array, items: {type: integer}, collectionFormat: tsv}
      responses: {'200': {description: ok}}
`, Options{})
	want := `POST /pets/{id}
id: path id simple required
tags: query tags form
ids: query ids form explode
tabs: query tabs tabDelimited
body: form "application/x-www-form-urlencoded"
`
	if got := show(tool(t, s, "editPet").Request); got != want {
		t.Errorf("P73: got\n%swant\n%s", got, want)
	}
	if len(s.Upstreams) == 0 || s.Upstreams[0].URL != "https://api.test/v2/" {
		t.Errorf("P73: upstreams %+v", s.Upstreams)
	}
}

// A parameter whose content is not JSON is a text that the model writes.
func TestContentAsText(t *testing.T) {
	for _, tt := range []struct{ name, parameter, schema, diags string }{
		{"XML", "{name: x, in: query, description: What to find., content: {application/xml: {schema: {type: object}}}}",
			`{"type":"string","description":"What to find.\nThe value as application/xml text."}`,
			"content-as-text: parameter \"x\": the model has to write application/xml as text, as only JSON is made of a value here\n"},
		{"XML text", "{name: x, in: query, content: {application/xml: {schema: {type: string}}}}", `{"type":"string"}`, ""},
		{"JSON", "{name: x, in: query, content: {application/json: {schema: {type: integer}}}}", `{"type":"integer"}`, ""},
	} {
		s, diags := mustParse(t, get("/a", "["+tt.parameter+"]", ""), Options{})
		if got := string(s.Tools()[0].Input); !strings.Contains(got, `"x":`+tt.schema+`}`) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.schema)
		}
		if got := codes(diags); got != tt.diags {
			t.Errorf("%s: diagnostics %q, want %q", tt.name, got, tt.diags)
		}
	}
}

// Swagger 2.0 has its collectionFormat in every place, and between parts.
func TestCollectionFormats(t *testing.T) {
	for _, tt := range []struct{ name, parameter, want string }{
		{"header pipes", "{name: x, in: header, type: array, items: {type: string}, collectionFormat: pipes}", "x: header x pipeDelimited\n"},
		{"header ssv", "{name: x, in: header, type: array, items: {type: string}, collectionFormat: ssv}", "x: header x spaceDelimited\n"},
		{"header tsv", "{name: x, in: header, type: array, items: {type: string}, collectionFormat: tsv}", "x: header x tabDelimited\n"},
		{"header default", "{name: x, in: header, type: array, items: {type: string}}", "x: header x simple\n"},
		{"path pipes", "{name: x, in: path, required: true, type: array, items: {type: string}, collectionFormat: pipes}", "x: path x pipeDelimited required\n"},
		{"part default", "{name: x, in: formData, type: array, items: {type: string}}",
			"body: multipart \"multipart/form-data\"\n  {Name:x ContentType: Style:form Explode:false AllowReserved:false File:false}\n"},
		{"part pipes", "{name: x, in: formData, type: array, items: {type: string}, collectionFormat: pipes}",
			"body: multipart \"multipart/form-data\"\n  {Name:x ContentType: Style:pipeDelimited Explode:false AllowReserved:false File:false}\n"},
		{"part multi", "{name: x, in: formData, type: array, items: {type: string}, collectionFormat: multi}",
			"body: multipart \"multipart/form-data\"\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := "/a"
			if strings.Contains(tt.parameter, "in: path") {
				path = "/a/{x}"
			}
			s, diags := mustParse(t, "swagger: '2.0'\ninfo: {title: T, version: '1'}\nhost: api.test\npaths:\n  "+path+
				":\n    post:\n      operationId: op\n      consumes: [multipart/form-data]\n      parameters: ["+tt.parameter+
				"]\n      responses: {'200': {description: ok}}\n", Options{})
			if got := show(s.Tools()[0].Request); got != "POST "+path+"\n"+tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			if got := codes(diags); got != "" {
				t.Error(got)
			}
		})
	}
}

// An array without items is not sent, so one that must be has an item.
func TestRequiredArrays(t *testing.T) {
	const array = "{type: array, items: {type: string}}"
	tests := []struct{ name, parameter, want string }{
		{"query", "{name: x, in: query, required: true, schema: " + array + "}", `{"type":"array","items":{"type":"string"},"minItems":1}`},
		{"optional", "{name: x, in: query, schema: " + array + "}", `{"type":"array","items":{"type":"string"}}`},
		{"path", "{name: x, in: path, required: true, schema: " + array + "}", `{"type":"array","items":{"type":"string"},"minItems":1}`},
		{"header", "{name: x, in: header, required: true, schema: " + array + "}", `{"type":"array","items":{"type":"string"},"minItems":1}`},
		{"pipes", "{name: x, in: query, required: true, style: pipeDelimited, schema: " + array + "}", `{"type":"array","items":{"type":"string"},"minItems":1}`},
		{"JSON can say it", "{name: x, in: query, required: true, content: {application/json: {schema: " + array + "}}}", `{"type":"array","items":{"type":"string"}}`},
		{"more is wanted", "{name: x, in: query, required: true, schema: {type: array, minItems: 3, items: {}}}", `{"type":"array","minItems":3,"items":{}}`},
		{"none is allowed", "{name: x, in: query, required: true, schema: {type: array, minItems: 0, items: {}}}", `{"type":"array","minItems":1,"items":{}}`},
		{"reference", "{name: x, in: query, required: true, schema: {$ref: '#/components/schemas/L', description: Own.}}", `{"type":"array","description":"Own.","items":{"type":"string"},"minItems":1}`},
		{"no array", "{name: x, in: query, required: true, schema: {type: object}}", `{"type":"object"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := "/a"
			if strings.Contains(tt.parameter, "in: path") {
				path = "/a/{x}"
			}
			s, _ := mustParse(t, get(path, "["+tt.parameter+"]", "components: {schemas: {L: "+array+"}}\n"), Options{})
			if got := string(s.Tools()[0].Input); !strings.Contains(got, `"x":`+tt.want+`}`) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}
