package openapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// maxComposition is how deep allOf, anyOf and oneOf are searched for files. A
// multipart body has its files at the top; more is a recursive schema.
const maxComposition = 6

// fileFinder rewrites the schema of a multipart body: properties that are files
// become what the model sends for a file. The new nodes belong to no file, which
// makes them JSON Schema 2020-12.
type fileFinder struct {
	b        *builder
	encoding *node.Node
	found    []string // names of properties that are files
}

// object rewrites the properties of n, and of the schemas that it is composed
// of. What holds no file is returned as it is.
func (f *fileFinder) object(n *node.Node, depth int) *node.Node {
	target, err := f.b.schemas.Target(n)
	if err != nil || !target.IsMap() || depth == 0 {
		return n
	}
	out := f.compositions(target, func(member *node.Node) *node.Node { return f.object(member, depth-1) })
	properties := out.Get("properties")
	changed := properties
	for name, prop := range properties.Pairs() {
		if rewritten := f.property(name.Value, prop, depth-1); rewritten != prop {
			changed = changed.With(name.Value, rewritten)
			if !slices.Contains(f.found, name.Value) {
				f.found = append(f.found, name.Value)
			}
		}
	}
	if changed != properties {
		out = out.With("properties", changed)
	}
	if out == target {
		return n
	}
	return out
}

// property rewrites a property that is a file, a list of files, or either among
// alternatives.
func (f *fileFinder) property(name string, n *node.Node, depth int) *node.Node {
	target, err := f.b.schemas.Target(n)
	if err != nil || !target.IsMap() || depth <= 0 {
		return n
	}
	if f.isFile(name, target) {
		return fileSchema(prose.Visible(cmp.Or(n.Get("description").Text(), target.Get("description").Text())))
	}
	out := f.compositions(target, func(member *node.Node) *node.Node { return f.property(name, member, depth-1) })
	if items := out.Get("items"); items.IsMap() {
		if rewritten := f.property(name, items, depth-1); rewritten != items {
			out = out.With("items", rewritten)
		}
	}
	if out == target {
		return n
	}
	return out
}

// compositions applies rewrite to the members of allOf, anyOf and oneOf.
func (f *fileFinder) compositions(n *node.Node, rewrite func(*node.Node) *node.Node) *node.Node {
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		members := n.Get(key).List()
		var changed []*node.Node
		for i, member := range members {
			if rewritten := rewrite(member); rewritten != member {
				if changed == nil {
					changed = slices.Clone(members)
				}
				changed[i] = rewritten
			}
		}
		if changed != nil {
			n = n.With(key, node.Seq(n.Get(key), changed...))
		}
	}
	return n
}

// isFile reports whether a schema describes raw bytes: format binary (OpenAPI
// 3.0), contentMediaType without contentEncoding (3.1, "Considerations for File
// Uploads"), or a string that the Encoding Object gives a binary type. With a
// contentEncoding the encoded text itself is what the API wants.
func (f *fileFinder) isFile(name string, n *node.Node) bool {
	shape := f.b.schemas.Shape(n)
	if shape.Type != "string" && (shape.Type != "" || hasComposition(n)) || schema.IsEncoded(n) {
		return false
	}
	if shape.Binary {
		return true
	}
	contentType := f.encoding.Get(name).Get("contentType").Text()
	first, _, _ := strings.Cut(contentType, ",")
	return contentType != "" && encodingOf(first).kind == ir.BytesBody
}

func hasComposition(n *node.Node) bool {
	return n.Has("allOf") || n.Has("anyOf") || n.Has("oneOf") || n.Has("$ref")
}

// fileSchema is the schema of an argument that is a file.
func fileSchema(description string) *node.Node {
	text := func(s string) *node.Node { return node.Str(nil, s) }
	str := func(more ...*node.Node) *node.Node {
		return node.Map(nil, append([]*node.Node{text("type"), text("string")}, more...)...)
	}
	base64 := func() *node.Node { return str(text("contentEncoding"), text("base64")) }
	note := "A file: its bytes in base64, or an object with either data (base64) or path."
	return node.Map(nil,
		text("description"), text(strings.TrimSpace(description+"\n"+note)),
		text("anyOf"), node.Seq(nil, base64(), node.Map(nil,
			text("type"), text("object"),
			text("properties"), node.Map(nil,
				text("data"), base64(), text("path"), str(), text("filename"), str(), text("contentType"), str()),
			text("additionalProperties"), node.Boolean(nil, false))))
}

// fields lists the properties that are not sent the default way, in document
// order, then encodings of properties that the schema does not name.
func (b *builder) fields(media *Media, shape schema.Shape, files []string) []ir.Field {
	isForm := encodingOf(media.Type).kind == ir.FormBody
	var out []ir.Field
	add := func(name string, property *node.Node) {
		encoding := media.Encoding.Get(name)
		f := field(name, encoding, isForm || b.isOnePart(encoding, property))
		f.File = slices.Contains(files, name)
		if f != (ir.Field{Name: name}) {
			out = append(out, f)
		}
	}
	seen := make(map[string]bool, len(shape.Properties))
	for _, p := range shape.Properties {
		seen[p.Name] = true
		add(p.Name, p.Schema)
	}
	for name := range media.Encoding.Pairs() {
		if !seen[name.Value] {
			seen[name.Value] = true
			add(name.Value, nil)
		}
	}
	for _, name := range files {
		if !seen[name] {
			add(name, nil)
		}
	}
	return out
}

// isOnePart reports whether an array of a multipart body is one part with its
// items joined. Swagger 2.0 and OpenAPI 3.1 say so with a style that is not
// exploded; in 3.0 styles are for forms alone (Encoding Object).
func (b *builder) isOnePart(encoding, property *node.Node) bool {
	if !encoding.Has("style") && !encoding.Has("explode") || strings.HasPrefix(b.doc.Version, "3.0") {
		return false
	}
	style := field("", encoding, true)
	return !style.Explode && style.Style != ir.DeepObject && b.schemas.Shape(property).Type == "array"
}

// field reads an Encoding Object (OpenAPI 3.1). Where it can have a style, any of
// style, explode and allowReserved makes the others their defaults and contentType
// void.
func field(name string, enc *node.Node, styled bool) ir.Field {
	f := ir.Field{Name: name}
	if styled && (enc.Has("style") || enc.Has("explode") || enc.Has("allowReserved")) {
		f.Style = cmp.Or(ir.Style(enc.Get("style").Text()), ir.Form)
		f.Explode = f.Style.DefaultExplode()
		if explode := enc.Get("explode"); explode != nil {
			f.Explode = explode.Is(true)
		}
		f.Explode = f.Explode && f.Style != ir.DeepObject
		f.AllowReserved = enc.Get("allowReserved").Is(true)
		return f
	}
	f.ContentType = strings.TrimSpace(enc.Get("contentType").Text())
	return f
}
