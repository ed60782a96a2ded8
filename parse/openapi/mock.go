package openapi

import (
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// responses are the answers that the document describes, each with an example of
// its body.
func (b *builder) responses(op *Operation) []ir.Response {
	var out []ir.Response
	for i := range op.Responses {
		r := ir.Response{Status: op.Responses[i].Status}
		if m := exampleMedia(op.Responses[i].Media); m != nil {
			r.MediaType = encodingOf(m.Type).send
			if body := b.bodyExample(m); body != nil {
				r.Body = node.AppendJSON(nil, body)
			}
		}
		out = append(out, r)
	}
	return out
}

// exampleMedia is the media type to show of a response: JSON if there is any, then
// the first.
func exampleMedia(media []Media) *Media {
	var first *Media
	for i := range media {
		m := &media[i]
		switch {
		case !validMediaType(encodingOf(m.Type).send):
		case encodingOf(m.Type).kind == ir.JSONBody:
			return m
		case first == nil:
			first = m
		}
	}
	return first
}

// bodyExample is what the document gives as an example of a body, else a value
// made from its schema. Of what is not JSON only text can be shown, and none is
// made of what is not text either: made bytes are no picture, and hosts that pass
// one on to a model fail.
func (b *builder) bodyExample(m *Media) *node.Node {
	value, kind := b.givenExample(m.Node), encodingOf(m.Type).kind
	if value == nil && m.Schema != nil && (kind == ir.JSONBody || kind == ir.TextBody) {
		value = b.schemas.Example(m.Schema, schema.Output)
	}
	if value != nil && value.Kind != node.String && kind != ir.JSONBody {
		return nil
	}
	return value
}

// givenExample is the example of a Media Type Object, the first if it has several
// (OpenAPI 3.1, Media Type Object and Example Object). One behind an address is
// not fetched.
func (b *builder) givenExample(media *node.Node) *node.Node {
	if one := media.Get("example"); one != nil {
		return one
	}
	for _, e := range media.Get("examples").Pairs() {
		if ref := e.Get("$ref"); ref != nil {
			target, err := b.doc.Resolve(ref)
			if err != nil {
				continue
			}
			e = target
		}
		for _, key := range []string{"value", "dataValue", "serializedValue"} {
			if value := e.Get(key); value != nil {
				return value
			}
		}
	}
	return nil
}
