package openapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// outline writes an element tree, one line an element.
func outline(e *ir.XMLElement, indent string) string {
	if e == nil {
		return ""
	}
	name := e.Name
	if e.Prefix != "" {
		name = e.Prefix + ":" + name
	}
	line := indent + strings.TrimPrefix(fmt.Sprintf("%s <%s>", e.Property, name), " ")
	for _, word := range []string{e.Namespace, yes(e.Attribute, "attribute"), yes(e.Wrapped, "wrapped")} {
		if word != "" {
			line += " " + word
		}
	}
	line += "\n"
	if e.Item != nil {
		line += indent + "  item " + outline(e.Item, "")
	}
	for _, c := range e.Children {
		line += outline(c, indent+"  ")
	}
	return line
}

func TestXML(t *testing.T) {
	tests := []struct{ name, schema, want string }{
		{"no xml keyword", `{$ref: '#/components/schemas/Bare'}`, ""},
		{"no name for the root", `{type: object, properties: {id: {type: integer, xml: {attribute: true}}}}`, ""},
		{"a text node is beyond elements", `{type: object, xml: {name: a}, properties: {v: {type: string, xml: {nodeType: text}}}}`, ""},
		{
			"names, attributes, namespaces", `{$ref: '#/components/schemas/Pet'}`,
			`<pet> urn:pets
  id <id> attribute
  name <x:title>
  photos <photos> wrapped
    item <photo>
  tags <tags>
    item <tag>
  plain <plain>
    item <plain>
  owner <owner>
    friend <friend>
`,
		},
		{"the component names the root", `{$ref: '#/components/schemas/Named'}`, "<Named>\n  id <id> attribute\n"},
		{"a wrapped list names its items", `{type: array, xml: {name: pets, wrapped: true}, items: {type: string}}`, "<pets> wrapped\n  item <pets>\n"},
	}
	const components = `
components:
  schemas:
    Bare: {type: object, properties: {n: {type: integer}}}
    Named: {type: object, properties: {id: {type: integer, xml: {attribute: true}}}}
    Person: {type: object, properties: {friend: {$ref: '#/components/schemas/Friend'}}}
    Friend: {type: object, properties: {of: {$ref: '#/components/schemas/Person'}}}
    Pet:
      type: object
      xml: {name: pet, namespace: 'urn:pets'}
      properties:
        id: {type: integer, xml: {attribute: true}}
        name: {type: string, xml: {name: title, prefix: x}}
        photos: {type: array, xml: {wrapped: true}, items: {type: string, xml: {name: photo}}}
        tags: {type: array, xml: {name: unused}, items: {type: string, xml: {name: tag}}}
        plain: {type: array, items: {type: string}}
        owner: {$ref: '#/components/schemas/Person'}
`
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, _ := mustParse(t, post("{content: {application/xml: {schema: "+tt.schema+"}}}", components), Options{})
			if got := outline(s.Tools()[0].Request.Body.XML, ""); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}

// TestXMLOfManyElements holds that a schema of a few lines which stands for more
// elements than there is room for becomes text, at once.
func TestXMLOfManyElements(t *testing.T) {
	var components strings.Builder
	components.WriteString("components:\n  schemas:\n    S60: {type: string}\n")
	for i := range 60 {
		fmt.Fprintf(&components, "    S%d: {type: object, xml: {name: s}, properties: {a: {$ref: '#/components/schemas/S%d'}, b: {$ref: '#/components/schemas/S%d'}}}\n", i, i+1, i+1)
	}
	s, _ := mustParse(t, post("{content: {application/xml: {schema: {$ref: '#/components/schemas/S0'}}}}", components.String()), Options{})
	body := s.Tools()[0].Request.Body
	if body.Kind != ir.XMLBody || body.XML != nil {
		t.Errorf("the body is %s with %v, want the XML as text", body.Kind, body.XML)
	}
}
