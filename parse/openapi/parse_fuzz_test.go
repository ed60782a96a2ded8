package openapi

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// FuzzParse reads any text as a document: it never panics, and what comes out
// keeps the promises of the model.
func FuzzParse(f *testing.F) {
	f.Add(operations("a", "a", "b/c"))
	f.Add(get("/a/{x}/{y}", "[{name: x, in: path, required: true, schema: {type: array}}, {name: body, in: query, style: deepObject}]", schemes))
	f.Add(post("{content: {multipart/form-data: {encoding: {f: {style: form}}, schema: {$ref: '#/components/schemas/S'}}}}", "components: {schemas: {S: {allOf: [{properties: {f: {format: binary}}}, {$ref: '#/components/schemas/S'}]}}}\n"))
	f.Add(post("{content: {application/xml: {schema: {xml: {name: a}, type: array, items: {xml: {wrapped: true}}}}}}", "servers: [{url: '{a}/b'}, null, {}]\nsecurity: [{x: null}, null]\n"))
	f.Add("swagger: '2.0'\ninfo: {}\npaths: {/a: {post: {parameters: [{in: formData, name: f, type: file}, {in: body, name: b}], responses: {200: {schema: {}}}}}}\n")
	f.Add("openapi: 3.1.0\npaths: {'': {get: {}}, '/ä/{': {put: null}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(t.TempDir(), "api.yaml")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var diags diag.List
		s := Parse(context.Background(), file, Options{OutputSchema: true}, &diags)
		if (s == nil) != diags.HasErrors() {
			t.Errorf("server %v, errors %v", s != nil, diags.HasErrors())
		}
		for _, d := range diags.All() {
			if d.Code == "internal" {
				t.Error(d)
			}
		}
		if s == nil {
			return
		}
		for _, tool := range s.Tools() {
			if !json.Valid(tool.AppendJSON(nil)) {
				t.Errorf("tool %s: %s", tool.Name, tool.AppendJSON(nil))
			}
		}
	})
}
