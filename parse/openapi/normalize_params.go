package openapi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// param is a parameter that was read, for all its users.
type param struct {
	Param
	name, in string
	two      bool // written as in Swagger 2.0
	err      *schema.Error
}

// styles are the styles that a place allows, its default first (OpenAPI 3.2,
// Style Values). tabDelimited is ours, for Swagger 2.0's tsv.
var styles = map[string][]string{
	"path":   {"simple", "label", "matrix"},
	"query":  {"form", "spaceDelimited", "pipeDelimited", "tabDelimited", "deepObject"},
	"header": {"simple"},
	"cookie": {"form", "cookie"},
}

// parameters merges the path item's and the operation's parameters: one of the
// operation replaces one of the path item with the same place and name. Those
// of Swagger 2.0 that make up the body come apart.
func (n *normalizer) parameters(o *Operation, op *node.Node) (params []*param, bodies []*node.Node, err *schema.Error) {
	shared, err := n.parameterList(o.PathItem.Get("parameters"))
	if err != nil {
		return nil, nil, err
	}
	own, err := n.parameterList(op.Get("parameters"))
	if err != nil {
		return nil, nil, err
	}
	for _, p := range own {
		if i := slices.IndexFunc(shared, p.same); i >= 0 {
			shared[i] = p
		} else {
			shared = append(shared, p)
		}
	}
	for _, p := range shared {
		if p.in == "body" || p.in == "formData" {
			if !n.two {
				n.warn(p.Node, "swagger-parameter", "parameter %q is in %s as in Swagger 2.0; it is read so", p.name, p.in)
			}
			bodies = append(bodies, p.Node)
		} else {
			params = append(params, p)
		}
	}
	return params, bodies, nil
}

func (p *param) same(q *param) bool {
	return p.in == q.in && (p.name == q.name || p.in == "header" && strings.EqualFold(p.name, q.name))
}

func (n *normalizer) parameterList(v *node.Node) ([]*param, *schema.Error) {
	items, err := n.list(v, "parameters")
	if err != nil {
		return nil, err
	}
	var out []*param
	for _, item := range items {
		if item.Kind == node.Null {
			n.warn(item, "null-parameter", "a parameter is null; it is ignored")
			continue
		}
		p := n.parameter(item)
		if p.err != nil {
			return nil, p.err
		}
		if slices.ContainsFunc(out, p.same) {
			n.warn(item, "duplicate-parameter", "parameter %q in %s stands twice in one list; the first holds", p.name, p.in)
			continue
		}
		out = append(out, p)
	}
	return out, nil
}

// parameter reads a Parameter Object, once for all that refer to it.
func (n *normalizer) parameter(raw *node.Node) *param {
	v, err := n.follow(raw, aParameter, "parameter")
	if err != nil {
		return &param{err: err}
	}
	if p := n.params[v]; p != nil {
		return p
	}
	p := &param{}
	n.params[v] = p
	if !v.IsMap() {
		p.err = fault(raw.Pos(), "wrong-type", mappingHint, "a parameter is a %s and must be a mapping", v.Kind)
		return p
	}
	name := v.Get("name").Text()
	v = n.repair(v, parameterShape, "parameter "+quote(name)+": ")
	p.Node, p.name, p.in = v, v.Get("name").Text(), v.Get("in").Text()
	if p.name == "" {
		p.err = fault(v.Pos(), "parameter-without-name", "give it a name", "a parameter has no name")
		return p
	}
	switch p.in {
	case "body", "formData":
		return p
	case "path", "query", "header", "cookie", "querystring":
	default:
		p.err = fault(v.Pos(), "parameter-in-invalid", `"in" is path, query, header, cookie or querystring`,
			"parameter %s stands in %q", quote(p.name), p.in)
		return p
	}
	v = n.parameterSchema(v, p)
	if p.err != nil {
		return p
	}
	if p.Schema == nil {
		p.Schema = node.Map(v)
	}
	v = n.parameterStyle(v, p)
	if p.in == "path" && !v.Get("required").Is(true) {
		n.warn(v, "path-parameter-optional", "parameter %s in path is always required", quote(p.name))
		v = v.With("required", node.Boolean(v, true))
	}
	p.Node = v
	p.Kin, p.err = n.kinParameter(p)
	return p
}

func quote(name string) string { return strconv.Quote(name) }

// parameterSchema finds what describes the value: of schema and content exactly
// one, as the specification wants it.
func (n *normalizer) parameterSchema(v *node.Node, p *param) *node.Node {
	if !said(v, "schema") && !said(v, "content") && (n.two || said(v, "type") || said(v, "items") || said(v, "enum")) {
		if !n.two {
			n.warn(v, "swagger-parameter", "parameter %s has its type beside its name as in Swagger 2.0; it is read so", quote(p.name))
		}
		v, p.two = parameter2(v), true
	}
	if !said(v, "schema") && said(v, "content") {
		content, media, err := n.media(v.Get("content"), "parameter "+quote(p.name)+": content")
		if err != nil {
			p.err = err
			return v
		}
		if len(media) > 0 {
			p.ContentType, p.Schema = media[0].Type, media[0].Schema
			v = v.With("content", content)
		}
		if len(media) > 1 {
			n.warn(v.Get("content"), "several-content", "parameter %s has several media types; %s is used", quote(p.name), p.ContentType)
		}
		return v.Without("schema")
	}
	if said(v, "content") {
		n.warn(v.Key("content"), "schema-and-content", "parameter %s has both schema and content; content is ignored", quote(p.name))
	}
	if v = v.Without("content"); said(v, "schema") {
		p.Schema = v.Get("schema")
		return v
	}
	n.warn(v, "no-schema", "parameter %s has no schema; it takes any value", quote(p.name))
	return v.Without("schema")
}

// said reports whether v holds something under key.
func said(v *node.Node, key string) bool {
	value := v.Get(key)
	return value != nil && value.Kind != node.Null && (key != "content" || len(value.Items) > 0)
}

// parameterStyle drops a style that the place does not allow.
func (n *normalizer) parameterStyle(v *node.Node, p *param) *node.Node {
	style, allowed := v.Get("style"), styles[p.in]
	if style == nil || allowed == nil || slices.Contains(allowed, style.Value) ||
		p.two && strings.HasSuffix(style.Value, "Delimited") { // Swagger 2.0 allows it in every place
		return v
	}
	n.warn(style, "style-not-allowed", "parameter %s in %s has the style %q, which that place does not allow; %s is used",
		quote(p.name), p.in, style.Value, allowed[0])
	return v.Without("style")
}
