package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// styles lists what may stand in each place (OpenAPI 3.1, Style Values; 3.2
// adds cookie). The delimited ones outside the query are Swagger 2.0's
// collectionFormat.
var styles = map[ir.In][]ir.Style{
	ir.InPath:   {ir.Simple, ir.Label, ir.Matrix, ir.SpaceDelimited, ir.PipeDelimited, ir.TabDelimited},
	ir.InQuery:  {ir.Form, ir.SpaceDelimited, ir.PipeDelimited, ir.TabDelimited, ir.DeepObject},
	ir.InHeader: {ir.Simple, ir.SpaceDelimited, ir.PipeDelimited, ir.TabDelimited},
	ir.InCookie: {ir.Form, ir.CookieStyle},
}

// binding says where a parameter goes and what the model is told about it; the
// argument's name is left open.
func (b *builder) binding(op *Operation, p *Param) (ir.Binding, schema.Property) {
	in := ir.In(p.Kin.In)
	binding := ir.Binding{
		Wire:          p.Kin.Name,
		In:            in,
		Content:       p.ContentType,
		AllowReserved: p.Kin.AllowReserved,
		Required:      p.Kin.Required || in == ir.InPath,
		Pos:           p.Node.Pos(),
	}
	switch {
	case in == ir.InQuerystring:
		binding.Content = cmp.Or(binding.Content, "application/x-www-form-urlencoded")
	case binding.Content == "":
		binding.Style, binding.Explode = b.style(op, p)
	}
	if in == ir.InPath && !p.Kin.Required {
		b.diags.Warn(p.Node.Pos(), "path-parameter-not-required",
			"operation %s: parameter %s: a path parameter is always required", op.Label(), quote(p.Kin.Name))
	}
	return binding, schema.Property{
		Schema:      p.Schema,
		Required:    binding.Required,
		Description: strings.TrimSpace(p.Kin.Description),
		Deprecated:  p.Kin.Deprecated,
		Examples:    examples(p.Node),
	}
}

// style resolves style and explode. A deepObject has only one form, for which
// Explode stays false.
func (b *builder) style(op *Operation, p *Param) (ir.Style, bool) {
	in := ir.In(p.Kin.In)
	style := cmp.Or(ir.Style(p.Kin.Style), in.DefaultStyle())
	if !slices.Contains(styles[in], style) {
		b.diags.Warn(p.Node.Pos(), "unsupported-style",
			"operation %s: parameter %s: style %s is not defined for in: %s; it is sent as %s",
			op.Label(), quote(p.Kin.Name), quote(p.Kin.Style), in, in.DefaultStyle())
		style = in.DefaultStyle()
	}
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

// pathString is the parameter for a path variable that the document does not
// declare.
func pathString(name string, op *Operation) *Param {
	kin := openapi3.NewPathParameter(name)
	return &Param{
		Kin:    kin,
		Node:   node.Map(op.Node),
		Schema: node.Map(op.Node, node.Str(op.Node, "type"), node.Str(op.Node, "string")),
	}
}
