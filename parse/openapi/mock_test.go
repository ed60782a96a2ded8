package openapi

import (
	"fmt"
	"strings"
	"testing"
)

// TestResponses: what a mock is given of each answer.
func TestResponses(t *testing.T) {
	const head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      operationId: a\n      responses:\n"
	const components = `
components:
  examples:
    cat: {value: {name: Tom, age: 9007199254740993}}
  schemas:
    pet:
      type: object
      properties:
        name: {type: string, example: Rex}
        secret: {type: string, writeOnly: true}
        kind: {type: string, enum: [dog, cat]}
`
	for _, tc := range []struct{ name, responses, want string }{
		{"an example", `'200': {description: d, content: {application/json: {example: {b: 1, a: 2.50}}}}`, `200 application/json {"b":1,"a":2.50}`},
		{"named examples", `'200': {description: d, content: {application/json: {examples: {x: {externalValue: 'http://a.test'}, y: {value: [1]}}}}}`, `200 application/json [1]`},
		{"a reference", `'200': {description: d, content: {application/json: {examples: {x: {$ref: '#/components/examples/cat'}}}}}`, `200 application/json {"name":"Tom","age":9007199254740993}`},
		{"a schema", `'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/pet'}}}}`, `200 application/json {"name":"Rex","kind":"dog"}`},
		{"JSON before others", `'200': {description: d, content: {text/html: {example: x}, application/problem+json: {example: {}}}}`, `200 application/problem+json {}`},
		{"text", `'200': {description: d, content: {text/csv: {example: "a,b"}}}`, `200 text/csv "a,b"`},
		{"made text", `'200': {description: d, content: {text/plain: {schema: {type: string, enum: [up]}}}}`, `200 text/plain "up"`},
		{"no made picture", `'200': {description: d, content: {image/png: {schema: {type: string, format: binary}}}}`, `200 image/png `},
		{"a given picture", `'200': {description: d, content: {image/svg+xml: {example: "<svg/>"}}}`, `200 image/svg+xml "<svg/>"`},
		{"no text of an object", `'200': {description: d, content: {application/xml: {schema: {$ref: '#/components/schemas/pet'}}}}`, `200 application/xml `},
		{"any media type", `'200': {description: d, content: {'*/*': {example: {}}}}`, `200 application/json {}`},
		{"no content", `'204': {description: d}`, `204  `},
		{"all of them", `{'404': {description: d}, 5XX: {description: d}, default: {description: d}}`, "404  \n5XX  \ndefault  "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			indent := "        "
			s, _ := mustParse(t, head+indent+tc.responses+components, Options{Mock: true})
			var lines []string
			for _, r := range tool(t, s, "a").Request.Responses {
				lines = append(lines, fmt.Sprintf("%s %s %s", r.Status, r.MediaType, r.Body))
			}
			if got := strings.Join(lines, "\n"); got != tc.want {
				t.Errorf("got  %s\nwant %s", got, tc.want)
			}
		})
	}
	s, _ := mustParse(t, head+"        '200': {description: d}\n", Options{})
	if r := tool(t, s, "a").Request.Responses; r != nil {
		t.Errorf("unasked: %v", r)
	}
}
