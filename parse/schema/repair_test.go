package schema

import (
	"cmp"
	"strings"
	"testing"
)

// TestRepairsAreReported holds that what is read in another way than it is
// written says so, at its place and once however often the schema is used.
func TestRepairsAreReported(t *testing.T) {
	for _, test := range []struct{ name, dialect, x, want string }{
		{"boolean in quotes", "", `{type: string, nullable: 'true'}`, "quoted-boolean 'true'"},
		{"number in quotes", "", `{type: number, minimum: '1'}`, "quoted-number '1'"},
		{"bound in quotes", "3.1", `{type: number, exclusiveMinimum: '1'}`, "quoted-number '1'"},
		{"count in quotes", "", `{type: string, minLength: '1'}`, "quoted-number '1'"},
		{"enum of one", "", `{type: string, enum: a}`, "not-a-list a}"},
		{"enum null", "", `{type: string, enum: null}`, "bad-keyword null}"},
		{"allOf of one", "", `{allOf: {type: string}}`, "not-a-list {type: string}"},
		{"required in quotes on a property", "", `{type: object, properties: {a: {type: string, required: 'true'}}}`, "boolean-required 'true'"},
		{"required on a property", "", `{type: object, properties: {a: {type: string, required: true}}}`, "boolean-required true"},
		{"required beside a reference", "", `{type: object, properties: {a: {$ref: '#/components/schemas/S', required: true}}}`, "boolean-required true"},
		{"not required on a property", "", `{type: object, properties: {a: {type: string, required: false}}}`, ""},
		{"a required number", "", `{type: object, required: [1]}`, "unquoted-text 1]"},
		{"description that is a number", "", `{description: 12}`, "unquoted-text 12"},
		{"property null", "", `{type: object, properties: {a: null}}`, "null-schema null"},
		{"member null", "", `{allOf: [{type: string}, null]}`, "null-schema null]"},
		{"not null", "", `{type: string, not: null}`, "null-schema null"},
		{"tuple", "", `{type: array, items: [{type: string}, {type: integer}]}`, "tuple-items [{type: string}"},
		{"tuple in 3.1", "3.1", `{type: array, items: [{type: string}]}`, "tuple-items [{type"},
		{"map of examples", "", `{type: string, examples: {a: {value: b}}}`, "examples-map {a:"},
		{"type in capitals", "", `{type: Integer}`, "type-name Integer"},
		{"type any", "", `{type: any}`, "type-name any"},
		{"type date", "", `{type: date}`, "type-name date"},
		{"type file in 3.0", "", `{type: file}`, "type-name file"},
		{"type null without quotes", "3.1", `{type: [string, null]}`, "type-name null"},
		{"enum of several types", "", `{type: integer, enum: [1, two, 3.5]}`, "enum-type two,|enum-type 3.5"},
		{"enum in another type", "", `{type: string, enum: [a, 2, 3]}`, "enum-type 2,"},
		{"null that the type excludes", "", `{type: string, enum: [a, null]}`, "enum-type null"},
		{"null that it does not", "", `{type: string, nullable: true, enum: [a, null]}`, ""},
		{"names of other values", "", `{type: integer, enum: [1, 2], x-enum-varnames: [A]}`, "enum-names [A]"},
		{"names that are no list", "", `{type: integer, enum: [1, 2], x-enum-varnames: Economy}`, "bad-keyword Economy"},
		{"default that does not fit", "", `{type: integer, default: abc}`, "default-type abc"},
		{"default in another type", "", `{type: integer, default: '5'}`, "default-type '5'"},
		{"const in another type", "3.1", `{type: string, const: 1}`, "const-type 1}"},
		{"readOnly in quotes", "", `{type: object, properties: {a: {type: string, readOnly: 'true'}}}`, "quoted-boolean 'true'"},
		{"beside a reference", "", `{$ref: '#/components/schemas/S', nullable: true, default: a, maxLength: 3}`, "ignored-sibling nullable|ignored-sibling default|ignored-sibling maxLength"},
		{"beside a reference in 3.1", "3.1", `{$ref: '#/components/schemas/S', default: a, maxLength: 3}`, ""},
		{"beside a reference, nothing lost", "", `{$ref: '#/components/schemas/S', type: string, description: d, title: t, nullable: false, example: a, x-a: 1, x-enumNames: [A]}`, ""},
		{"nothing wrong", "3.1", `{type: [object, 'null'], required: [a], properties: {a: true, b: {enum: [1, null, a]}}, examples: [{a: 1}], default: null}`, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := "openapi: " + cmp.Or(test.dialect, "3.0") + ".0\nargs:\n  x: " + test.x + "\n  y: {$ref: '#/args/x'}\n  z: {$ref: '#/args/x'}\n" +
				"components: {schemas: {S: {type: string}}}\n"
			_, diags, err := convert(t, text)
			if err != nil {
				t.Fatal(err)
			}
			var want, got []string
			if test.want != "" {
				want = strings.Split(test.want, "|")
			}
			for i, d := range diags.All() {
				at := ""
				if line := strings.Split(text, "\n")[max(d.Pos.Line-1, 0)]; d.Pos.Line == 3 {
					at = line[d.Pos.Col-1:]
				}
				if got = append(got, d.Code+" "+at); i < len(want) && !strings.HasPrefix(got[i], want[i]) {
					t.Errorf("%s stands before %s, want %s", d.Code, at, want[i])
				}
			}
			if len(got) != len(want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
