package openapi

import (
	"cmp"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// partHeaders reads the headers that the Encoding Objects of a multipart body
// give to its parts. Content-Type has its own field there, and the names of a
// part are the client's to write. What cannot be read is left out with a warning.
func (n *normalizer) partHeaders(m *Media) []PartHeader {
	if encodingOf(m.Type).kind != ir.MultipartBody {
		return nil // OpenAPI 3.1, Encoding Object: ignored
	}
	var out []PartHeader
	for property, encoding := range m.Encoding.Pairs() {
		headers, err := n.mapping(encoding.Get("headers"), "the headers of "+quote(property.Value))
		if err != nil {
			n.warn(encoding, err.Code, "the headers of %s are left out: %s", quote(property.Value), err.Message)
			continue
		}
		for name, raw := range headers.Pairs() {
			if strings.EqualFold(name.Value, "Content-Type") || strings.EqualFold(name.Value, "Content-Disposition") {
				continue
			}
			p, err := n.partHeader(name, raw)
			if err != nil {
				n.warn(name, err.Code, "the header %s of %s is left out: %s", quote(name.Value), quote(property.Value), err.Message)
				continue
			}
			out = append(out, PartHeader{Part: property.Value, Param: &p.Param})
		}
	}
	return out
}

// partHeader reads a Header Object, which is a Parameter Object without name and
// place (OpenAPI 3.1, Header Object).
func (n *normalizer) partHeader(name, raw *node.Node) (*param, *schema.Error) {
	if !isToken(name.Value) {
		return nil, fault(name.Pos(), "header-name", "use letters, digits and hyphens", "HTTP allows no such name")
	}
	v, err := n.follow(raw, aHeader, "header")
	if err != nil {
		return nil, err
	}
	if !v.IsMap() {
		return nil, fault(raw.Pos(), "wrong-type", mappingHint, "it is a %s and must be a mapping", v.Kind)
	}
	p := n.parameter(v.With("name", node.Str(name, name.Value)).With("in", node.Str(name, string(ir.InHeader))))
	return p, p.err
}

// isToken reports whether name can be the name of a header, or a method (RFC 9110,
// 5.6.2).
func isToken(name string) bool {
	return name != "" && strings.IndexFunc(name, func(c rune) bool {
		return c <= ' ' || c > '~' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, c)
	}) < 0
}

// partHeader is a header of a part on its way into a tool. One that can have but
// one value is sent with it and is no argument.
type partHeader struct {
	binding  ir.Binding
	property schema.Property
}

// partHeaders says where the headers of a body's parts go. An argument may be
// left out if its part may.
func (b *builder) partHeaders(media *Media, required bool) []partHeader {
	needed := map[string]bool{}
	for _, p := range b.schemas.Shape(media.Schema).Properties {
		needed[p.Name] = required && p.Required
	}
	var out []partHeader
	for _, h := range media.Headers {
		var part partHeader
		part.binding, part.property = b.binding(h.Param)
		part.binding.In, part.binding.Part = ir.InPart, h.Part
		part.binding.Required = part.binding.Required && needed[h.Part]
		part.property.Required = part.binding.Required
		target, err := b.schemas.Target(h.Schema)
		if err != nil {
			target = nil
		}
		if only := onlyValue(target); only != nil {
			part.binding.Value = string(node.AppendJSON(nil, only))
		}
		about := cmp.Or(part.property.Description, prose.Visible(target.Get("description").Text()))
		part.property.Description = strings.TrimSpace(about + "\nHeader " + h.Kin.Name + " of the body's part " + oneName(h.Part) + ".")
		out = append(out, part)
	}
	return out
}

// onlyValue is the one value that a schema allows, nil if there are more or
// none.
func onlyValue(n *node.Node) *node.Node {
	if only := n.Get("const"); only != nil {
		return only
	}
	if values := n.Get("enum").List(); len(values) == 1 {
		return values[0]
	}
	return nil
}
