package openapi

import (
	"cmp"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// binding says where a parameter goes and what the model is told about it; the
// argument's name is left open.
func (b *builder) binding(p *Param) (ir.Binding, schema.Property) {
	in := ir.In(p.Kin.In)
	out := ir.Binding{
		Wire:          p.Kin.Name,
		In:            in,
		Content:       p.ContentType,
		AllowReserved: p.Kin.AllowReserved,
		Required:      p.Kin.Required,
		Pos:           p.Node.Pos(),
	}
	switch {
	case in == ir.InQuerystring:
		out.Content = cmp.Or(out.Content, "application/x-www-form-urlencoded")
	case out.Content == "":
		out.Style, out.Explode = style(p)
	}
	property := schema.Property{
		Schema:      b.parameterSchema(p),
		Required:    out.Required,
		Description: strings.TrimSpace(prose.Visible(p.Kin.Description)),
		Deprecated:  p.Kin.Deprecated,
		Examples:    examples(p.Node),
	}
	if in != ir.InQuerystring && out.Content != "" && !b.canWrite(p) {
		b.diags.Warn(p.Node.Pos(), "content-as-text",
			"parameter %s: the model has to write %s as text, as only JSON is made of a value here", quote(p.Kin.Name), baseType(out.Content))
		property.Override = textSchema(property.Description, "The value as "+baseType(out.Content)+" text.")
	}
	return out, property
}

// canWrite reports whether a parameter with content is sent as it should be:
// values as JSON, and texts as they are.
func (b *builder) canWrite(p *Param) bool {
	kind := b.schemas.Shape(p.Schema).Type
	return encodingOf(p.ContentType).kind == ir.JSONBody || kind == "" || isScalar(kind)
}

// parameterSchema is the schema of a parameter. No style writes an array without
// items (RFC 6570, 2.3: it is as good as undefined), so one that must be sent has
// at least one.
func (b *builder) parameterSchema(p *Param) *node.Node {
	if !p.Kin.Required || p.ContentType != "" || b.schemas.Shape(p.Schema).Type != "array" {
		return p.Schema
	}
	out, err := b.schemas.Target(p.Schema)
	if err != nil || out.Has("minItems") && out.Get("minItems").Text() != "0" {
		return p.Schema
	}
	out = out.With("minItems", node.Num(out, "1"))
	if description := p.Schema.Get("description"); description != nil { // beside a $ref
		out = out.With("description", description)
	}
	return out
}

// style resolves style and explode by OpenAPI's defaults. A deepObject has only
// one form, for which Explode stays false.
func style(p *Param) (ir.Style, bool) {
	style := cmp.Or(ir.Style(p.Kin.Style), ir.In(p.Kin.In).DefaultStyle())
	explode := style.DefaultExplode()
	if p.Kin.Explode != nil {
		explode = *p.Kin.Explode
	}
	return style, explode && style != ir.DeepObject
}

// examples are the example values of a parameter (OpenAPI 3.1, Parameter
// Object).
func examples(n *node.Node) []*node.Node {
	if one := n.Get("example"); one != nil {
		return []*node.Node{one}
	}
	var out []*node.Node
	for _, e := range n.Get("examples").Pairs() {
		if value := cmp.Or(e.Get("value"), e.Get("dataValue")); value != nil {
			out = append(out, value)
		}
	}
	return out
}
