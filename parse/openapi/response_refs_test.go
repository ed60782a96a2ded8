package openapi

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestResponseRefs(t *testing.T) {
	const components = "components:\n  schemas:\n    Pet: {type: object, properties: {owner: {$ref: '#/components/schemas/Onwer'}, next: {$ref: '#/components/schemas/Pet'}}}\n    Owner: {type: object}\n"
	const owner = `$ref "#/components/schemas/Onwer" points to nothing [dangling-ref]` + "\n\thint: did you mean #/components/schemas/Owner?\n"
	schema := func(s string) string { return "{description: ok, content: {application/json: {schema: " + s + "}}}" }
	tests := []struct{ name, responses, want string }{
		{"in the schema itself", "{'200': " + schema("{$ref: '#/components/schemas/Onwer'}") + "}", "operation a: response 200: " + owner},
		{"below another", "{'201': " + schema("{type: array, items: {$ref: '#/components/schemas/Pet'}}") + "}", "operation a: response 201: " + owner},
		{"once for a target", "{'200': " + schema("{anyOf: [{$ref: '#/components/schemas/Onwer'}, {$ref: '#/components/schemas/Pet'}]}") + "}", "operation a: response 200: " + owner},
		{"default alone", "{default: " + schema("{$ref: '#/components/schemas/Onwer'}") + "}", "operation a: response default: " + owner},
		{"of an error", "{'200': {description: ok}, default: " + schema("{$ref: '#/components/schemas/Pet'}") + "}", ""},
		{"in a file", "{'200': " + schema("{$ref: 'gone.yaml#/Pet'}") + "}", "operation a: response 200: $ref \"gone.yaml#/Pet\": gone.yaml: there is no such file [unreadable-ref]\n\thint: the path starts at the folder of api.yaml, where the $ref stands\n"},
		{"of the network", "{'200': " + schema("{$ref: 'https://schemas.test/pet.yaml'}") + "}", ""},
		{"a property called $ref", "{'200': " + schema("{properties: {$ref: {type: string}, example: {$ref: '#/components/schemas/Owner'}}}") + "}", ""},
		{"in a property called default", "{'200': " + schema("{properties: {default: {$ref: '#/components/schemas/Onwer'}}}") + "}", "operation a: response 200: " + owner},
		{"text in an example", "{'200': " + schema("{type: object, example: {$ref: '#/nowhere'}, x-more: {$ref: '#/nowhere'}}") + "}", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, diags := mustParse(t, head+"paths:\n  /a:\n    get: {operationId: a, responses: "+tt.responses+"}\n    put: {operationId: b, responses: "+tt.responses+"}\n"+components, Options{})
			var got strings.Builder
			for _, d := range diags.All() {
				_, text, _ := strings.Cut(d.String(), "warning: ")
				got.WriteString(strings.ReplaceAll(text, filepath.Dir(d.File)+"/", "") + "\n")
			}
			if got.String() != tt.want {
				t.Errorf("got\n%swant\n%s", got.String(), tt.want)
			}
		})
	}
}
