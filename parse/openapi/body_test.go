package openapi

import (
	"encoding/json"
	"strings"
	"testing"
)

// post is a document with one POST whose request body is given in flow style.
func post(body, rest string) string {
	return head + "paths:\n  /a:\n    post:\n      operationId: op\n      requestBody: " + body +
		"\n      responses: {'200': {description: ok}}\n" + rest
}

func TestEncodingOf(t *testing.T) {
	tests := []struct{ mediaType, kind, send string }{
		{"application/json", "json", "application/json"},
		{"Application/JSON; charset=utf-8", "json", "Application/JSON; charset=utf-8"},
		{"application/vnd.api+json;version=2", "json", "application/vnd.api+json;version=2"},
		{"application/merge-patch+json", "json", "application/merge-patch+json"},
		{"application/json-patch+json", "json", "application/json-patch+json"},
		{"text/json", "json", "text/json"},
		{"*/*", "json", "application/json"},
		{"application/*+json", "json", "application/json"},
		{"applicationjson;version=2018", "json", "application/json"},
		{"application/x-www-form-urlencoded", "form", "application/x-www-form-urlencoded"},
		{"multipart/form-data", "multipart", "multipart/form-data"},
		{"multipart/mixed; boundary=x", "multipart", "multipart/mixed; boundary=x"},
		{"text/plain", "text", "text/plain"},
		{"text/*", "text", "text/plain"},
		{"text/csv", "text", "text/csv"},
		{"application/x-ndjson", "text", "application/x-ndjson"},
		{"application/apply-patch+yaml", "text", "application/apply-patch+yaml"},
		{"application/xml", "xml", "application/xml"},
		{"text/xml", "xml", "text/xml"},
		{"application/soap+xml", "xml", "application/soap+xml"},
		{"application/octet-stream", "bytes", "application/octet-stream"},
		{"image/png", "bytes", "image/png"},
		{"image/*", "bytes", "application/octet-stream"},
		{"application/pdf", "bytes", "application/pdf"},
	}
	for _, tt := range tests {
		if e := encodingOf(tt.mediaType); string(e.kind) != tt.kind || e.send != tt.send {
			t.Errorf("%s: %s as %q, want %s as %q", tt.mediaType, e.kind, e.send, tt.kind, tt.send)
		}
	}
}

func TestBodies(t *testing.T) {
	const object = "{schema: {type: object, properties: {n: {type: integer}}}}"
	tests := []struct {
		name, body string
		opts       Options
		want       string
	}{
		{"none", "{content: {}}", Options{}, ""},
		{"optional JSON", "{content: {application/json: " + object + "}}", Options{}, `body: json "application/json"`},
		{
			"P72: JSON first", "{required: true, content: {application/xml: " + object + ", application/x-www-form-urlencoded: " + object + ", application/json: " + object + "}}", Options{},
			"body: json \"application/json\" required\n  others [\"application/xml\" \"application/x-www-form-urlencoded\"]",
		},
		{
			"the choice can be made by the user", "{content: {application/json: " + object + ", application/x-www-form-urlencoded: " + object + "}}",
			Options{MediaTypes: []string{"text/plain", "application/x-www-form-urlencoded"}},
			"body: form \"application/x-www-form-urlencoded\"\n  others [\"application/json\"]",
		},
		{
			"merge patch before JSON patch", "{content: {application/json-patch+json: " + object + ", application/merge-patch+json: " + object + "}}", Options{},
			"body: json \"application/merge-patch+json\"\n  others [\"application/json-patch+json\"]",
		},
		{"P69: vendor JSON with charset", "{content: {'application/vnd.api+json; charset=utf-8': " + object + "}}", Options{}, `body: json "application/vnd.api+json; charset=utf-8"`},
		{"any type of object", "{content: {'*/*': " + object + "}}", Options{}, `body: json "application/json"`},
		{"any type of text", "{content: {'*/*': {schema: {type: string}}}}", Options{}, `body: text "text/plain"`},
		{"any type of bytes", "{content: {'*/*': {schema: {type: string, format: binary}}}}", Options{}, `body: bytes "application/octet-stream"`},
		{"P70: bytes", "{content: {application/octet-stream: {schema: {type: string, format: binary}}}}", Options{}, `body: bytes "application/octet-stream"`},
		{"P70: text", "{content: {text/plain: {schema: {type: string}}}}", Options{}, `body: text "text/plain"`},
		{"P72: XML without names", "{content: {application/xml: " + object + "}}", Options{}, `body: xml "application/xml"`},
		{
			"P67: form with deepObject", `{required: true, content: {application/x-www-form-urlencoded: {
        encoding: {metadata: {style: deepObject, explode: true}, csv: {explode: false}, doc: {contentType: application/json}, raw: {allowReserved: true}},
        schema: {type: object, properties: {amount: {type: integer}, csv: {type: array, items: {type: string}}, doc: {type: object}, metadata: {type: object}, raw: {type: string}}}}}}`, Options{},
			`body: form "application/x-www-form-urlencoded" required
  {Name:csv ContentType: Style:form Explode:false AllowReserved:false File:false}
  {Name:doc ContentType:application/json Style: Explode:false AllowReserved:false File:false}
  {Name:metadata ContentType: Style:deepObject Explode:false AllowReserved:false File:false}
  {Name:raw ContentType: Style:form Explode:true AllowReserved:true File:false}`,
		},
		{
			"P68: multipart", `{required: true, content: {multipart/form-data: {encoding: {meta: {contentType: application/json}, file: {contentType: application/pdf}},
        schema: {type: object, properties: {file: {type: string, format: binary}, title: {type: string}, meta: {type: object}, more: {type: array, items: {type: string, format: binary}}}}}}}`, Options{},
			`body: multipart "multipart/form-data" required
  {Name:file ContentType:application/pdf Style: Explode:false AllowReserved:false File:true}
  {Name:meta ContentType:application/json Style: Explode:false AllowReserved:false File:false}
  {Name:more ContentType: Style: Explode:false AllowReserved:false File:true}`,
		},
		{"a form that is a text", "{content: {application/x-www-form-urlencoded: {schema: {type: string}}}}", Options{}, `body: text "application/x-www-form-urlencoded"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := mustParse(t, post(tt.body, ""), tt.opts)
			want := "POST /a\n"
			if tt.want != "" {
				want += tt.want + "\n"
			}
			if got := show(s.Tools()[0].Request); got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

// body returns the schema of the body argument as JSON.
func bodySchema(t *testing.T, document string) string {
	t.Helper()
	s, _ := mustParse(t, document, Options{})
	var root struct {
		Properties struct{ Body json.RawMessage }
	}
	if err := json.Unmarshal(s.Tools()[0].Input, &root); err != nil {
		t.Fatal(err)
	}
	return string(root.Properties.Body)
}

func TestBodySchemas(t *testing.T) {
	tests := []struct {
		name, body string
		want, not  []string
	}{
		{
			"P70: bytes are base64", "{description: The blob., content: {application/octet-stream: {schema: {type: string, format: binary}}}}",
			[]string{`"contentEncoding":"base64"`, `"path":{"type":"string"}`, "The blob."}, []string{"binary"},
		},
		{
			"P68: files are base64", `{content: {multipart/form-data: {schema: {type: object, required: [file], properties: {file: {type: string, format: binary, description: A scan.}, title: {type: string, description: Its title.}}}}}}`,
			[]string{`"contentEncoding":"base64"`, "A scan.", `"title":{"type":"string"`, `"required":["file"]`}, []string{`"binary"`},
		},
		{
			"files behind references, alternatives and lists", `{content: {multipart/form-data: {schema: {$ref: '#/components/schemas/Upload'}}}}`,
			[]string{`"one":{"description":"A file`, `"many":{"type":"array","items":{"description":"A file`, `"maybe":{"description":"A file`}, []string{`"binary"`},
		},
		{
			"P72: XML without names is text", "{content: {application/xml: {schema: {type: object, properties: {n: {type: integer}}}}}}",
			[]string{`"type":"string"`, "XML"}, []string{`"n"`},
		},
		{
			"lines of JSON are text", "{content: {application/x-ndjson: {schema: {type: array, items: {type: object}}}}}",
			[]string{`"type":"string"`, "application/x-ndjson"}, []string{"array"},
		},
		{"P18: a scalar", "{content: {application/json: {schema: {type: integer}}}}", []string{`"type":"integer"`}, nil},
	}
	const components = `
components:
  schemas:
    Blob: {type: string, contentMediaType: application/octet-stream}
    Upload:
      allOf:
        - type: object
          properties: {one: {$ref: '#/components/schemas/Blob'}, many: {type: array, items: {$ref: '#/components/schemas/Blob'}}}
        - type: object
          properties: {maybe: {anyOf: [{$ref: '#/components/schemas/Blob'}, {type: 'null'}]}}
`
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := bodySchema(t, post(tt.body, components))
			for _, want := range tt.want {
				if !strings.Contains(got, want) {
					t.Errorf("no %s in %s", want, got)
				}
			}
			for _, not := range tt.not {
				if strings.Contains(got, not) {
					t.Errorf("%s in %s", not, got)
				}
			}
		})
	}
}

func TestFormBodyBehindReference(t *testing.T) {
	s, _ := mustParse(t, post("{required: true, content: {application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Login'}}}}", `
components:
  schemas:
    Grant: {type: string, enum: [password, refresh]}
    Login: {type: object, required: [username], properties: {username: {type: string}, grant: {allOf: [{$ref: '#/components/schemas/Grant'}], default: password}}}
`), Options{})
	op := s.Tools()[0]
	for _, want := range []string{`"required":["username"]`, `"enum":["password","refresh"]`} {
		if !strings.Contains(string(op.Input), want) {
			t.Errorf("P134: no %s in %s", want, op.Input)
		}
	}
	if got := show(op.Request); got != "POST /a\nbody: form \"application/x-www-form-urlencoded\" required\n" {
		t.Errorf("P134: %s", got)
	}
}

// A body that must be sent is missed, however little could be said in it.
func TestRequiredBodyOnGet(t *testing.T) {
	for body, want := range map[string]bool{
		"{required: true, content: {application/json: {schema: {type: object}}}}": true,
		"{required: true, content: {application/json: {}}}":                       true,
		"{content: {application/json: {schema: {type: object}}}}":                 false,
		"{content: {application/json: {schema: {type: array}}}}":                  true,
	} {
		_, diags := mustParse(t, strings.Replace(post(body, ""), "post:", "get:", 1), Options{})
		if got := strings.Contains(codes(diags), "body-dropped"); got != want {
			t.Errorf("P133: %s: reported %t", body, got)
		}
	}
}

func TestBodyOnGet(t *testing.T) {
	document := head + `
paths:
  /logs:
    get:
      operationId: searchLogs
      parameters: [{name: n, in: query, schema: {type: integer}}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {q: {type: string}}}}}}
      responses: {'200': {description: ok}}
    delete:
      operationId: purgeLogs
      requestBody: {required: true, content: {application/json: {schema: {type: object}}}}
      responses: {'204': {description: done}}
`
	s, diags := mustParse(t, document, Options{})
	if got := show(tool(t, s, "searchLogs").Request); got != "GET /logs\nn: query n form explode\n" {
		t.Errorf("P133: %s", got)
	}
	if got := show(tool(t, s, "purgeLogs").Request); got != "DELETE /logs\nbody: json \"application/json\" required\n" {
		t.Errorf("P133: %s", got)
	}
	if out := codes(diags); !strings.HasPrefix(out, "body-dropped: operation searchLogs: ") || strings.Count(out, "\n") != 1 {
		t.Errorf("P133: %s", out)
	}
	s, _ = mustParse(t, document, Options{GetBody: true})
	if got := tool(t, s, "searchLogs").Request.Body; got == nil {
		t.Error("P133: no body in spite of GetBody")
	}
}

// TestPartHeaders has the headers that an Encoding Object gives to parts.
func TestPartHeaders(t *testing.T) {
	multipart := func(required, headers string) string {
		return "{required: true, content: {multipart/form-data: {encoding: {f: {headers: {" + headers + "}}}, " +
			"schema: {type: object, required: [" + required + "], properties: {f: {type: string, format: binary}}}}}}"
	}
	tests := []struct{ name, body, want, input, diags string }{
		{"an argument", multipart("f", "X-Note: {description: A note., schema: {type: string}}"),
			"f__X-Note: part X-Note of f simple\n",
			`"f__X-Note":{"type":"string","description":"A note.\nHeader X-Note of the body's part f."}},"required":["body"]`, ""},
		{"required with its part", multipart("f", "X-Note: {required: true, schema: {type: integer, default: 5}}"),
			"f__X-Note: part X-Note of f simple required\n",
			`"f__X-Note":{"type":"integer","description":"Header X-Note of the body's part f.","default":5}},"required":["body","f__X-Note"]`, ""},
		{"required of a part that is not", multipart("", "X-Note: {required: true, schema: {type: string, description: Own.}}"),
			"f__X-Note: part X-Note of f simple\n",
			`"f__X-Note":{"type":"string","description":"Own.\nHeader X-Note of the body's part f."}},"required":["body"]`, ""},
		{"one value", multipart("f", "X-Kind: {schema: {enum: [thumb]}}, X-Other: {required: true, schema: {const: 1.50}}"),
			"\"thumb\": part X-Kind of f simple\n1.50: part X-Other of f simple required\n", `},"required":["body"]`, ""},
		{"exploded, content", multipart("f", "X-Map: {explode: true, schema: {type: object}}, X-Json: {content: {application/json: {schema: {type: object}}}}"),
			"f__X-Map: part X-Map of f simple explode\nf__X-Json: part X-Json of f application/json\n", "", ""},
		{"a reference", multipart("f", "X-Note: {$ref: '#/components/headers/Note'}"),
			"f__X-Note: part X-Note of f simple\n", `"f__X-Note":{"type":"string","description":"Shared.`, ""},
		{"those with fields of their own", multipart("f", "content-type: {schema: {type: string}}, Content-Disposition: {schema: {type: string}}"), "", "", ""},
		{"what cannot be", multipart("f", "'X Y': {schema: {type: string}}, X-Gone: {$ref: '#/components/headers/Gone'}, X-Note: {schema: {type: string}}"),
			"f__X-Note: part X-Note of f simple\n", "",
			"header-name: operation op: the header \"X Y\" of \"f\" is left out: HTTP allows no such name\ndangling-ref: operation op: the header \"X-Gone\" of \"f\" is left out"},
		{"not multipart", "{content: {application/x-www-form-urlencoded: {encoding: {f: {headers: {X-Note: {schema: {type: string}}}}}, schema: {type: object}}}}", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := mustParse(t, post(tt.body, "components: {headers: {Note: {description: Shared., schema: {type: string}}}}\n"), Options{})
			tool := s.Tools()[0]
			got, _, _ := strings.Cut(strings.TrimPrefix(show(tool.Request), "POST /a\n"), "body: ")
			if got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			if !strings.Contains(string(tool.Input), tt.input) {
				t.Errorf("%s is not in %s", tt.input, tool.Input)
			}
			if out := codes(diags); out == "" != (tt.diags == "") || !strings.HasPrefix(out, tt.diags) {
				t.Errorf("diagnostics\n%s\nwant\n%s", out, tt.diags)
			}
		})
	}
}

func TestParametersBesideABody(t *testing.T) {
	s, diags := mustParse(t, `
swagger: '2.0'
info: {title: T, version: '1'}
host: api.test
paths:
  /a:
    post:
      operationId: op
      parameters:
        - {name: note, in: formData, type: string}
        - {name: pet, in: body, schema: {type: object}}
        - {name: other, in: body, schema: {type: object}}
      responses: {'200': {description: ok}}
`, Options{})
	if got, want := show(s.Tools()[0].Request), "POST /a\nbody: json \"application/json\"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want := `parameter-beside-body: operation op: parameter "note" in formData stands beside the body "pet"; it is left out
parameter-beside-body: operation op: parameter "other" in body stands beside the body "pet"; it is left out
`
	if got := codes(diags); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if at := diags.All()[0].Line; at != 10 {
		t.Errorf("line %d", at)
	}
}
