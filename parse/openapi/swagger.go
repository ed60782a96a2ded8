package openapi

import (
	"net/url"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Swagger 2.0 becomes OpenAPI 3 object by object, where an operation uses it.
// Schemas stay as they are, references into #/definitions included.

// servers2 builds the servers of schemes, host and basePath, https first. The
// schemes are those given, else the root's. Without a host, the address that the
// document was read from stands in; a file has none, and so no servers.
func (n *normalizer) servers2(schemes *node.Node) *node.Node {
	root := n.root
	host := root.Get("host").Text()
	if _, after, found := strings.Cut(host, "://"); found {
		host = strings.TrimSuffix(after, "/")
	}
	basePath := root.Get("basePath").Text()
	if basePath != "" && !strings.HasPrefix(basePath, "/") {
		basePath = "/" + basePath
	}
	at := root.Get("host")
	if at == nil {
		at = root.Get("basePath")
	}
	from, err := url.Parse(n.doc.Location)
	remote := err == nil && isRemote(n.doc.Location)
	if host == "" {
		if !remote {
			return nil
		}
		if schemes == nil && root.Get("schemes") == nil {
			return node.Seq(at, server(at, orRoot(basePath)))
		}
		host = from.Host
	}
	if schemes == nil {
		schemes = root.Get("schemes")
	}
	names := httpSchemes(schemes)
	if names == nil {
		names = []string{"https"}
		if remote {
			names[0] = from.Scheme
		}
	}
	list := node.Seq(at)
	for _, scheme := range names {
		list.Items = append(list.Items, server(at, scheme+"://"+host+orRoot(basePath)))
	}
	return list
}

func orRoot(path string) string {
	if path == "" {
		return "/"
	}
	return path
}

func server(at *node.Node, address string) *node.Node {
	return node.Map(at, node.Str(at, "url"), node.Str(at, address))
}

// httpSchemes are the http schemes of a list, https first. Web sockets cannot
// carry these calls.
func httpSchemes(v *node.Node) []string {
	var out []string
	for _, s := range v.List() {
		if scheme := strings.ToLower(s.Text()); scheme == "https" {
			out = slices.Insert(out, 0, scheme)
		} else if scheme == "http" {
			out = append(out, scheme)
		}
	}
	return slices.Compact(out)
}

// parameterFields are what a Swagger 2.0 parameter says beside its type.
var parameterFields = []string{"name", "in", "description", "required", "allowEmptyValue", "deprecated", "collectionFormat", "style", "explode", "allowReserved"}

// parameter2 gives a parameter a schema and turns collectionFormat into style and
// explode.
func parameter2(v *node.Node) *node.Node {
	out := node.Map(v)
	for k, value := range v.Pairs() {
		if slices.Contains(parameterFields, k.Value) && k.Value != "collectionFormat" ||
			strings.HasPrefix(k.Value, "x-") && k.Value != "x-nullable" {
			out.Items = append(out.Items, k, value)
		}
	}
	schema := typed(v)
	if schema.Get("type").Text() == "array" && !v.Has("style") {
		style, explode := collection(v, v.Get("in").Text())
		out.Items = append(out.Items,
			node.Str(v, "style"), node.Str(v, style), node.Str(v, "explode"), node.Boolean(v, explode))
	}
	return out.With("schema", schema)
}

// typed is the part of a Swagger 2.0 parameter, header or form field that makes
// up its schema.
func typed(v *node.Node) *node.Node {
	schema := node.Map(v)
	for k, value := range v.Pairs() {
		switch {
		case k.Value == "x-nullable":
			schema.Items = append(schema.Items, node.Str(k, "nullable"), value)
		case strings.HasPrefix(k.Value, "x-") || slices.Contains(parameterFields, k.Value):
		case k.Value == "type" && value.Text() == "file":
			schema.Items = append(schema.Items, k, node.Str(value, "string"), node.Str(value, "format"), node.Str(value, "binary"))
		default:
			schema.Items = append(schema.Items, k, value)
		}
	}
	return schema
}

// collection is what collectionFormat says in OpenAPI 3's words (Swagger 2.0,
// Parameter Object; csv is the default).
func collection(v *node.Node, in string) (style string, explode bool) {
	style = "simple"
	if in == "query" || in == "formData" {
		style = "form"
	}
	switch v.Get("collectionFormat").Text() {
	case "multi":
		return style, true
	case "ssv":
		return "spaceDelimited", false
	case "tsv":
		return "tabDelimited", false
	case "pipes":
		return "pipeDelimited", false
	}
	return style, false
}

// mediaList is what an operation, or else the root, consumes or produces.
func (n *normalizer) mediaList(op *node.Node, key string) *node.Node {
	if op.Has(key) {
		return op.Get(key)
	}
	return n.root.Get(key)
}

// body2 builds the request body of a body parameter or of form fields. A request
// has one body (Swagger 2.0, Parameter Object): what stands beside it is lost.
func (n *normalizer) body2(op *node.Node, params []*node.Node) *node.Node {
	consumes := n.mediaList(op, "consumes")
	i := slices.IndexFunc(params, func(p *node.Node) bool { return p.Get("in").Text() == "body" })
	if i < 0 {
		return form2(params, consumes)
	}
	for j, p := range params {
		if j != i {
			n.warnHint(p, "parameter-beside-body", "a request has one body: make the parameter a property of it, or a parameter in query",
				"parameter %s in %s stands beside the body %s; it is left out", quote(p.Get("name").Text()), p.Get("in").Text(), quote(params[i].Get("name").Text()))
		}
	}
	return body2(params[i], consumes)
}

func body2(p, consumes *node.Node) *node.Node {
	out := node.Map(p)
	for k, value := range p.Pairs() {
		if k.Value == "description" || k.Value == "required" || strings.HasPrefix(k.Value, "x-") {
			out.Items = append(out.Items, k, value)
		}
	}
	media := node.Map(p)
	if schema := p.Get("schema"); schema != nil {
		media = media.With("schema", schema)
	}
	return out.With("content", contentOf(p, consumes.List(), "application/json", media))
}

// contentOf is a content mapping with the same media object for every type.
func contentOf(at *node.Node, types []*node.Node, otherwise string, media *node.Node) *node.Node {
	content := node.Map(at)
	for _, t := range types {
		if t.Kind == node.String && !content.Has(t.Value) {
			content.Items = append(content.Items, t, media)
		}
	}
	if len(content.Items) == 0 {
		content.Items = []*node.Node{node.Str(at, otherwise), media}
	}
	return content
}

const (
	urlencoded = "application/x-www-form-urlencoded"
	multipart  = "multipart/form-data"
)

// form2 builds a body of form fields. A file needs multipart.
func form2(params []*node.Node, consumes *node.Node) *node.Node {
	at := params[0]
	properties, encoding, required := node.Map(at), node.Map(at), node.Seq(at)
	file := false
	for _, p := range params {
		name := p.Get("name")
		file = file || p.Get("type").Text() == "file"
		schema := typed(p)
		if d := p.Get("description"); d != nil {
			schema = schema.With("description", d)
		}
		properties.Items = append(properties.Items, name, schema)
		if p.Get("required").Is(true) {
			required.Items = append(required.Items, name)
		}
		if schema.Get("type").Text() == "array" {
			style, explode := collection(p, "formData")
			encoding.Items = append(encoding.Items, name, node.Map(p,
				node.Str(p, "style"), node.Str(p, style), node.Str(p, "explode"), node.Boolean(p, explode)))
		}
	}
	schema := node.Map(at, node.Str(at, "type"), node.Str(at, "object"), node.Str(at, "properties"), properties)
	if len(required.Items) > 0 {
		schema = schema.With("required", required)
	}
	media := node.Map(at, node.Str(at, "schema"), schema)
	if len(encoding.Items) > 0 {
		media = media.With("encoding", encoding)
	}
	var types []*node.Node
	for _, t := range consumes.List() {
		if base, _, _ := strings.Cut(t.Text(), ";"); base == multipart || base == urlencoded && !file {
			types = append(types, t)
		}
	}
	otherwise := urlencoded
	if file {
		otherwise = multipart
	}
	return node.Map(at,
		node.Str(at, "required"), node.Boolean(at, len(required.Items) > 0),
		node.Str(at, "content"), contentOf(at, types, otherwise, media))
}

// response2 moves schema and examples of a response below its media types. bare
// are the types it has without either.
func response2(v, produces, bare *node.Node) *node.Node {
	schema, examples := v.Get("schema"), v.Get("examples")
	out := v.Without("schema", "examples", "headers")
	if headers := v.Get("headers"); headers.IsMap() {
		converted := node.Map(headers)
		for k, h := range headers.Pairs() {
			if h.IsMap() {
				converted.Items = append(converted.Items, k, parameter2(h))
			}
		}
		out = out.With("headers", converted)
	}
	types := produces.List()
	if schema == nil && examples == nil {
		if types = bare.List(); len(types) == 0 {
			return out
		}
	}
	otherwise := "application/json"
	media := node.Map(v)
	if schema != nil && schema.Get("type").Text() == "file" {
		otherwise = "application/octet-stream"
		schema = schema.With("type", node.Str(schema, "string")).With("format", node.Str(schema, "binary"))
	}
	if schema != nil {
		media = media.With("schema", schema)
	}
	content := contentOf(v, types, otherwise, media)
	for k, example := range examples.Pairs() {
		if m := content.Get(k.Value); m != nil {
			content = content.With(k.Value, m.With("example", example))
		}
	}
	return out.With("content", content)
}

// securityScheme2 gives a security scheme the words of OpenAPI 3.
func securityScheme2(v *node.Node) *node.Node {
	kind := v.Get("type")
	switch kind.Text() {
	case "basic":
		return v.With("type", node.Str(kind, "http")).With("scheme", node.Str(kind, "basic"))
	case "oauth2":
		name := v.Get("flow").Text()
		switch name {
		case "application":
			name = "clientCredentials"
		case "accessCode":
			name = "authorizationCode"
		case "":
			return v
		}
		flow := node.Map(v)
		for _, key := range []string{"authorizationUrl", "tokenUrl", "scopes"} {
			if value := v.Get(key); value != nil {
				flow = flow.With(key, value)
			}
		}
		return v.Without("flow", "authorizationUrl", "tokenUrl", "scopes").
			With("flows", node.Map(v, node.Str(v, name), flow))
	}
	return v
}
