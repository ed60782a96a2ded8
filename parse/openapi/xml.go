package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// xmlBuilder turns a schema with xml keywords (OpenAPI 3.1, XML Object) into
// elements.
type xmlBuilder struct {
	b     *builder
	stack []*node.Node // schemas being built, against recursion
	count int          // elements so far
	said  bool         // some schema has an xml keyword
	no    bool         // something that elements cannot express
}

// maxElements bounds what one body is made of: a schema that is used in two
// places has its elements in both, so that a few lines can stand for billions.
const maxElements = 2000

// xmlRoot returns how the value that n describes becomes XML, or nil when the
// schema does not say enough, having no xml keyword or no name for the root, or
// says too much.
func (b *builder) xmlRoot(n *node.Node) *ir.XMLElement {
	x := xmlBuilder{b: b}
	root := x.element("", componentName(n), n)
	if root == nil || root.Name == "" || !x.said || x.no {
		return nil
	}
	return root
}

// element describes the JSON property that n is the schema of. The name is what
// the element is called unless the schema says otherwise.
func (x *xmlBuilder) element(property, name string, n *node.Node) *ir.XMLElement {
	target, err := x.b.schemas.Target(n)
	if err != nil || x.no || !target.IsMap() || slices.Contains(x.stack, target) {
		return nil
	}
	if x.count++; x.count > maxElements {
		x.no = true
		return nil
	}
	x.stack = append(x.stack, target)
	defer func() { x.stack = x.stack[:len(x.stack)-1] }()

	xml := cmp.Or(n.Get("xml"), target.Get("xml"))
	x.said = x.said || xml != nil
	e := &ir.XMLElement{
		Property:  property,
		Name:      cmp.Or(xml.Get("name").Text(), name),
		Namespace: xml.Get("namespace").Text(),
		Prefix:    xml.Get("prefix").Text(),
		Attribute: xml.Get("attribute").Is(true),
		Wrapped:   xml.Get("wrapped").Is(true),
	}
	switch nodeType := xml.Get("nodeType").Text(); nodeType { // OpenAPI 3.2
	case "", "element":
	case "attribute":
		e.Attribute = true
	default:
		x.no = true
	}
	shape := x.b.schemas.Shape(target)
	if shape.Type == "array" {
		e.Wrapped = e.Wrapped || xml.Get("nodeType").Text() == "element"
		if !e.Wrapped {
			e.Name = name // its own name would stand nowhere
		}
		if e.Item = x.element("", e.Name, target.Get("items")); e.Item == nil {
			e.Item = &ir.XMLElement{Name: e.Name}
		}
		return e
	}
	for _, p := range shape.Properties {
		if child := x.element(p.Name, p.Name, p.Schema); child != nil {
			e.Children = append(e.Children, child)
		}
	}
	return e
}

// componentName is the last part of the $ref of n, the name that OpenAPI gives
// to the root element of a component.
func componentName(n *node.Node) string {
	ref := n.Get("$ref").Text()
	return ref[strings.LastIndexByte(ref, '/')+1:]
}
