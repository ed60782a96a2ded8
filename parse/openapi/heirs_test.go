package openapi

import (
	"context"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// TestHeirsInFiles holds that what includes a schema with a discriminator is
// found where the root lists it among its components, in whatever file it stands.
func TestHeirsInFiles(t *testing.T) {
	const cat = "allOf: [{$ref: base.yaml}, {type: object, properties: {lives: {type: integer}}}]\n"
	for _, test := range []struct{ name, base, dog, want string }{
		{"by their names", "discriminator: {propertyName: kind}", "{$ref: dog.yaml}", `"const":"Cat" "const":"Dog" "const":"Pet"`},
		{"by a mapping", "discriminator: {propertyName: kind, mapping: {cat: cat.yaml, dog: Dog}}", "{$ref: dog.yaml}", `"const":"cat" "const":"dog"`},
		{"one beside the root", "discriminator: {propertyName: kind, mapping: {cat: cat.yaml}}",
			"{allOf: [{$ref: base.yaml}, {type: object, properties: {barks: {type: boolean}}}]}", `"const":"cat" "const":"Dog"`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write(t, "base.yaml", "type: object\nrequired: [kind]\nproperties: {kind: {type: string}}\n"+test.base+"\n")
			write(t, "cat.yaml", cat)
			write(t, "dog.yaml", strings.Replace(cat, "lives: {type: integer}", "barks: {type: boolean}", 1))
			write(t, "api.yaml", post("{content: {application/json: {schema: {$ref: base.yaml}}}}",
				"components:\n  schemas:\n    Pet: {$ref: base.yaml}\n    Cat: {$ref: cat.yaml}\n    Dog: "+test.dog+"\n"))
			var diags diag.List
			s := Parse(context.Background(), "api.yaml", Options{}, &diags)
			if s == nil {
				t.Fatal(printed(&diags))
			}
			input := string(s.Tools()[0].Input)
			for _, want := range append(strings.Fields(test.want), `"lives":{"type":"integer"}`, `"barks":{"type":"boolean"}`) {
				if !strings.Contains(input, want) {
					t.Errorf("no %s in %s", want, input)
				}
			}
			if strings.Count(input, `"const"`) != len(strings.Fields(test.want)) {
				t.Errorf("other variants in %s", input)
			}
		})
	}
}
