package openapi

import (
	"encoding/json"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// kin-openapi types the structure, one object at a time, so that an object it
// cannot take costs the operations that need it and no others.

func (n *normalizer) kinParameter(p *param) (*openapi3.Parameter, *schema.Error) {
	s := n.skeleton()
	s.copy(p.Node, "name", "in", "description", "required", "deprecated", "allowEmptyValue", "style", "explode", "allowReserved")
	if p.ContentType != "" {
		s.content([]Media{{Type: p.ContentType, Schema: p.Schema}})
	} else {
		s.schema("schema", p.Schema)
	}
	return decode[openapi3.Parameter](s, p.Node, "parameter "+quote(p.name))
}

func (n *normalizer) kinBody(b *body) (*openapi3.RequestBody, *schema.Error) {
	s := n.skeleton()
	s.copy(b.Node, "description", "required")
	s.content(b.Media)
	return decode[openapi3.RequestBody](s, b.Node, "requestBody")
}

func (n *normalizer) kinResponse(r *response) (*openapi3.Response, *schema.Error) {
	s := n.skeleton()
	s.copy(r.Node, "description")
	s.content(r.Media)
	return decode[openapi3.Response](s, r.Node, "response")
}

// kinOperation sets o.Kin.
func (n *normalizer) kinOperation(o *Operation, b *body, responses []*response) *schema.Error {
	s := n.skeleton()
	s.copy(o.Node, "operationId", "summary", "description", "tags", "deprecated", "security")
	if o.Servers != nil {
		s.value("servers", o.Servers)
	}
	op, err := decode[openapi3.Operation](s, o.Node, "the operation")
	if err != nil {
		return err
	}
	for _, p := range o.Params {
		op.Parameters = append(op.Parameters, &openapi3.ParameterRef{Value: p.Kin})
	}
	if b != nil {
		op.RequestBody = &openapi3.RequestBodyRef{Value: b.kin}
	}
	op.Responses = openapi3.NewResponsesWithCapacity(len(responses))
	for _, r := range responses {
		op.Responses.Set(r.Status, &openapi3.ResponseRef{Value: r.kin})
	}
	o.Kin = op
	return nil
}

// decode gives a skeleton to kin-openapi.
func decode[T any](s *skeleton, at *node.Node, what string) (*T, *schema.Error) {
	var out T
	if err := json.Unmarshal(s.bytes(), &out); err != nil {
		return nil, fault(at.Pos(), "not-openapi", "correct it as the specification describes it", "%s is not what OpenAPI says: %v", what, err)
	}
	return &out, nil
}
