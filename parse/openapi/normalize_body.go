package openapi

import (
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// body is a request body that was read, for all its users.
type body struct {
	RequestBody
	kin *openapi3.RequestBody
	err *schema.Error
}

// response is the same for a response. In Swagger 2.0 it depends on what the
// operation produces.
type response struct {
	Response
	kin *openapi3.Response
	err *schema.Error
}

type responseKey struct {
	response, produces, bare *node.Node
}

// requestBody reads a Request Body Object; nil when there is none.
func (n *normalizer) requestBody(raw *node.Node) (*body, *schema.Error) {
	if raw == nil || raw.Kind == node.Null {
		return nil, nil
	}
	v, err := n.follow(raw, aBody, "requestBody")
	if err != nil {
		return nil, err
	}
	if !v.IsMap() {
		n.warn(raw, "wrong-type", "requestBody is a %s and must be a mapping; it is ignored", v.Kind)
		return nil, nil
	}
	b := n.bodies[v]
	if b == nil {
		b = &body{}
		n.bodies[v] = b
		n.fillBody(b, v)
	}
	if b.err != nil {
		return nil, b.err
	}
	if len(b.Media) == 0 {
		n.warn(raw, "body-without-content", "requestBody has no media type; it is ignored")
		return nil, nil
	}
	return b, nil
}

func (n *normalizer) fillBody(b *body, v *node.Node) {
	v = n.repair(v, bodyShape, "requestBody.")
	content, media, err := n.media(v.Get("content"), "requestBody.content")
	if err != nil {
		b.err = err
		return
	}
	for i := range media {
		media[i].Headers = n.partHeaders(&media[i])
	}
	b.Required, b.Media = v.Get("required").Is(true), media
	b.Node = v.With("content", content)
	b.kin, b.err = n.kinBody(b)
}

// operationResponses reads the responses. A call does not need them, so a bad
// one is left out with a warning.
func (n *normalizer) operationResponses(op *node.Node) []*response {
	responses, err := n.mapping(op.Get("responses"), "responses")
	if err != nil {
		n.warn(op.Get("responses"), err.Code, "responses is ignored: %s", err.Message)
		return nil
	}
	if responses == nil {
		n.warn(op, "no-responses", "the operation has no responses")
	}
	var out []*response
	for key, v := range responses.Pairs() {
		if strings.HasPrefix(key.Value, "x-") {
			continue
		}
		use := responseKey{}
		if n.two {
			use.produces = n.mediaList(op, "produces")
			if status := key.Value; status == "default" || status[:min(1, len(status))] == "2" && status != "204" && status != "205" {
				// What comes without a schema is known by its type alone. The
				// root's list is but a default and says nothing about it.
				use.bare = op.Get("produces")
			}
		}
		r := n.response(v, use, "response "+key.Value)
		if r.err != nil {
			n.warn(v, r.err.Code, "response %s is left out: %s", key.Value, r.err.Message)
			continue
		}
		c := *r
		c.Status = strings.ToUpper(key.Value)
		if strings.EqualFold(key.Value, "default") {
			c.Status = "default"
		}
		out = append(out, &c)
	}
	return out
}

func (n *normalizer) response(raw *node.Node, key responseKey, name string) *response {
	v, err := n.follow(raw, aResponse, name)
	if err != nil {
		return &response{err: err}
	}
	if v.Kind == node.Null {
		n.warn(raw, "null-response", "%s is null, read as an answer without content", name)
		v = node.Map(raw)
	}
	key.response = v
	if r := n.responses[key]; r != nil {
		return r
	}
	r := &response{}
	n.responses[key] = r
	if !v.IsMap() {
		r.err = fault(raw.Pos(), "wrong-type", mappingHint, "it is a %s and must be a mapping", v.Kind)
		return r
	}
	if n.two {
		v = response2(v, key.produces, key.bare)
	}
	v = n.repair(v, responseShape, name+": ")
	content, media, err := n.media(v.Get("content"), name+": content")
	if err != nil {
		r.err = err
		return r
	}
	if r.Media, r.Node = media, v; len(media) > 0 {
		r.Node = v.With("content", content)
	}
	r.kin, r.err = n.kinResponse(r)
	return r
}

// media reads a mapping of media types and returns it with all that is followed
// and repaired put in place.
func (n *normalizer) media(v *node.Node, name string) (*node.Node, []Media, *schema.Error) {
	content, err := n.mapping(v, name)
	if err != nil {
		return nil, nil, err
	}
	var out []Media
	for key, raw := range content.Pairs() {
		if strings.HasPrefix(key.Value, "x-") && !strings.Contains(key.Value, "/") {
			continue
		}
		v, err := n.follow(raw, aMedia, name+"."+key.Value)
		if err != nil {
			return nil, nil, err
		}
		if !v.IsMap() {
			if v.Kind != node.Null {
				n.warn(raw, "wrong-type", "%s.%s is a %s and must be a mapping; it is read as an empty one", name, key.Value, v.Kind)
			}
			v = node.Map(raw)
		}
		n.unknownKeys(v, mediaShape, name+"."+key.Value+".")
		m := Media{Type: key.Value, Schema: notNull(v.Get("schema")), ItemSchema: notNull(v.Get("itemSchema"))}
		if m.Encoding = n.encoding(v.Get("encoding"), name+"."+key.Value+".encoding"); m.Encoding != nil {
			v = v.With("encoding", m.Encoding)
		}
		m.Node = v
		out = append(out, m)
		if v != raw {
			content = content.With(key.Value, v)
		}
	}
	return content, out, nil
}

func notNull(v *node.Node) *node.Node {
	if v != nil && v.Kind == node.Null {
		return nil
	}
	return v
}

// encoding reads the Encoding Objects of a body's properties.
func (n *normalizer) encoding(v *node.Node, name string) *node.Node {
	encoding := n.object(v, nil, name)
	for key, e := range encoding.Pairs() {
		fixed := n.object(e, encodingShape, name+"."+key.Value)
		switch fixed {
		case e:
		case nil:
			encoding = encoding.Without(key.Value)
		default:
			encoding = encoding.With(key.Value, fixed)
		}
	}
	return encoding
}
