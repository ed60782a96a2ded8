package openapi

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// body chooses a media type for the request body and says how it is encoded. It
// returns nil when nothing is sent. The headers are those of its parts.
func (b *builder) body(op *Operation) (*ir.Body, schema.Property, []partHeader, error) {
	rb := op.Body
	if rb == nil || len(rb.Media) == 0 {
		return nil, schema.Property{}, nil, nil
	}
	if method := op.Method; method == "TRACE" || (method == "GET" || method == "HEAD") && !b.opts.GetBody {
		if !b.isEmptyBody(rb) {
			b.diags.Warn(rb.Node.Pos(), "body-dropped",
				"operation %s: the request body of %s has no meaning in HTTP and is left out; -get-body sends it with GET and HEAD", op.Label(), method)
		}
		return nil, schema.Property{}, nil, nil
	}
	media, enc := b.chooseMedia(rb.Media)
	body := &ir.Body{MediaType: enc.send, Kind: enc.kind, Required: rb.Required, Pos: media.Node.Pos()}
	for _, m := range rb.Media {
		if m.Type != media.Type {
			body.Others = append(body.Others, m.Type)
		}
	}
	property := schema.Property{
		Schema:      media.Schema,
		Required:    rb.Required,
		Description: strings.TrimSpace(prose.Visible(rb.Node.Get("description").Text())),
	}
	if err := b.encodeBody(op, body, media, &property); err != nil {
		return nil, schema.Property{}, nil, err
	}
	if body.Kind != ir.MultipartBody {
		return body, property, nil, nil
	}
	return body, property, b.partHeaders(media, rb.Required), nil
}

// isEmptyBody reports whether nothing could be said in the body: it is optional
// and an object without properties.
func (b *builder) isEmptyBody(rb *RequestBody) bool {
	return !rb.Required && !slices.ContainsFunc(rb.Media, func(m Media) bool {
		shape := b.schemas.Shape(m.Schema)
		return shape.Type != "object" || len(shape.Properties) > 0
	})
}

// encodeBody fills in what the kind of the body needs, and turns the schema
// into that of the argument where the two differ.
func (b *builder) encodeBody(op *Operation, body *ir.Body, media *Media, property *schema.Property) error {
	shape := b.schemas.Shape(media.Schema)
	if isObject := shape.Type == "object" || shape.Type == ""; !isObject && (body.Kind == ir.FormBody || body.Kind == ir.MultipartBody) {
		body.Kind = ir.TextBody
	}
	switch body.Kind {
	case ir.FormBody:
		body.Fields = b.fields(media, shape, nil)
	case ir.MultipartBody:
		files := fileFinder{b: b, encoding: media.Encoding}
		property.Schema = files.object(media.Schema, maxComposition)
		body.Fields = b.fields(media, shape, files.found)
	case ir.TextBody:
		if !isScalar(shape.Type) {
			property.Override = textSchema(property.Description, "The body as "+baseType(media.Type)+" text.")
		}
	case ir.BytesBody:
		property.Override = fileSchema(property.Description)
	case ir.XMLBody:
		if body.XML = b.xmlRoot(media.Schema); body.XML == nil {
			property.Override = textSchema(property.Description, "The body as XML text.")
		}
	}
	return nil
}

func isScalar(kind string) bool {
	return slices.Contains([]string{"string", "number", "integer", "boolean"}, kind)
}

// textSchema is the schema of a body that the model writes out itself.
func textSchema(description, note string) *node.Node {
	return node.Map(nil,
		node.Str(nil, "type"), node.Str(nil, "string"),
		node.Str(nil, "description"), node.Str(nil, strings.TrimSpace(description+"\n"+note)))
}
