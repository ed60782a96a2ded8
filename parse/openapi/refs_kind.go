package openapi

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// kind is what an object of a document is, as messages call it.
type kind string

const (
	aSchema    kind = "a schema"
	aParameter kind = "a parameter"
	aHeader    kind = "a header"
	aBody      kind = "a request body"
	aResponse  kind = "a response"
	aMedia     kind = "a media type"
	aScheme    kind = "a security scheme"
	aPathItem  kind = "a path item"
	anOp       kind = "an operation"
	aDocument  kind = "a whole document"
	anInfo     kind = "the document's info"
)

// parts says what stands under each field of an object, a star for any other.
type parts map[string]kind

// structure is where an OpenAPI document and a Swagger 2.0 one keep what can be
// referred to. Kinds that no other place expects are left out: sections, whose
// names begin with a slash, are only on the way.
var structure = map[kind]parts{
	aDocument: {
		"info": anInfo, "components": "/components", "paths": "/paths", "webhooks": "/paths",
		"definitions": "/schemas", "parameters": "/parameters", "responses": "/responses", "securityDefinitions": "/schemes",
	},
	"/components": {
		"schemas": "/schemas", "parameters": "/parameters", "responses": "/responses", "requestBodies": "/bodies", "headers": "/headers",
		"securitySchemes": "/schemes", "pathItems": "/paths", "mediaTypes": "/content", "callbacks": "/callbacks",
		"examples": "/examples", "links": "/links",
	},
	"/schemas": {"*": aSchema}, "/parameters": {"*": aParameter}, "/responses": {"*": aResponse}, "/bodies": {"*": aBody},
	"/headers": {"*": aHeader}, "/schemes": {"*": aScheme}, "/paths": {"*": aPathItem}, "/content": {"*": aMedia},
	"/callbacks": {"*": "a callback"}, "/examples": {"*": "an example"}, "/links": {"*": "a link"},

	"a callback": {"*": aPathItem},
	aPathItem: {
		"parameters": "/parameters", "get": anOp, "put": anOp, "post": anOp, "delete": anOp, "options": anOp, "head": anOp, "patch": anOp,
		"trace": anOp, "query": anOp,
	},
	anOp:       {"parameters": "/parameters", "requestBody": aBody, "responses": "/responses", "callbacks": "/callbacks"},
	aParameter: {"schema": aSchema, "content": "/content", "examples": "/examples"},
	aHeader:    {"schema": aSchema, "content": "/content", "examples": "/examples"},
	aBody:      {"content": "/content"},
	aResponse:  {"headers": "/headers", "content": "/content", "schema": aSchema, "links": "/links"},
	aMedia:     {"schema": aSchema, "itemSchema": aSchema, "examples": "/examples"},
}

// fits checks that the target of ref is what the place of ref wants: by where it
// stands in a document, else by its look.
func (r *resolver) fits(ref, target *node.Node, want kind) *schema.Error {
	is := r.kindByPlace(ref, target)
	if is == "" {
		is = kindByLook(target, want)
	}
	if is == "" || is == want || is == aParameter && want == aHeader {
		return nil
	}
	return fault(ref.Pos(), codeRefKind, r.kindHint(ref, target, is, want), "$ref %q points to %s, and %s must stand here", ref.Value, is, want)
}

// kindByPlace tells what stands at the pointer of ref, empty if the place does
// not say.
func (r *resolver) kindByPlace(ref, target *node.Node) kind {
	if target.File == nil {
		return ""
	}
	_, pointer, _ := strings.Cut(ref.Value, "#")
	root := target.File.Root
	if !root.Has("openapi") && !root.Has("swagger") && !root.Has("components") && !root.Has("paths") {
		return ""
	}
	if target == root {
		return aDocument
	}
	if !strings.HasPrefix(pointer, "/") || r.memo[place{target.File, pointer}] != target { // by an anchor, or inside a schema with $id
		return ""
	}
	at := aDocument
	for token := range strings.SplitSeq(pointer[1:], "/") {
		under := structure[at]
		token = unescape(token)
		if strings.HasPrefix(token, "x-") && at != "/headers" {
			return ""
		}
		if at = under[token]; at == "" {
			at = under["*"]
		}
	}
	if strings.HasPrefix(string(at), "/") {
		return ""
	}
	return at
}

// kindByLook tells what v is if it is plainly not what is wanted, else empty.
func kindByLook(v *node.Node, want kind) kind {
	switch {
	case !v.IsMap() || link(v) != nil:
		return ""
	case v.Get("openapi").Text() != "" || v.Get("swagger").Text() != "":
		return aDocument
	case want == aSchema:
		return notSchema(v)
	case isParameter(v) && (want == aBody || want == aResponse):
		return aParameter
	case looksLikeSchema(v) && (want == aParameter || want == aBody || want == aResponse) &&
		!slices.ContainsFunc([]string{"name", "in", "content", "schema", "headers", "examples"}, v.Has):
		return aSchema
	}
	return ""
}

// notSchema tells what an object is that says nothing as a schema. It may be one
// whose properties stand in place of them, under any names.
func notSchema(v *node.Node) kind {
	switch {
	case isParameter(v):
		return aParameter
	case looksLikeSchema(v):
		return ""
	case allKeys(v.Get("content"), func(key string) bool { return strings.Contains(key, "/") }):
		return "a request body or response"
	case v.Get("schema").IsMap() && allKeys(v, func(key string) bool { return mediaShape.has(key) }):
		return aMedia
	case isOperation(v):
		return anOp
	case slices.ContainsFunc(methods, func(m string) bool { return isOperation(v.Get(m)) }):
		return aPathItem
	}
	return ""
}

// allKeys reports whether v is a mapping with keys that all pass.
func allKeys(v *node.Node, pass func(key string) bool) bool {
	for key := range v.Pairs() {
		if !pass(key.Value) {
			return false
		}
	}
	return v.IsMap() && len(v.Items) > 0
}

func isOperation(v *node.Node) bool {
	return allKeys(v.Get("responses"), func(key string) bool { return key == "default" || len(key) == 3 && key[0] <= '9' })
}

func isParameter(v *node.Node) bool {
	return v.Get("name").Text() != "" && slices.Contains([]string{"path", "query", "header", "cookie", "body", "formData"}, v.Get("in").Text())
}

// looksLikeSchema reports whether v has a keyword that schemas alone have.
func looksLikeSchema(v *node.Node) bool {
	return slices.ContainsFunc([]string{
		"type", "properties", "allOf", "anyOf", "oneOf", "enum", "items", "additionalProperties", "const", "not", "$schema", "$defs",
	}, v.Has)
}

// kindHint says what to refer to instead.
func (r *resolver) kindHint(ref, target *node.Node, is, want kind) string {
	sections := map[kind]string{
		aSchema: "schemas", aParameter: "parameters", aHeader: "headers", aBody: "requestBodies", aResponse: "responses", aScheme: "securitySchemes",
	}
	name := refName(ref)
	for _, pointer := range []string{"#/components/" + sections[want] + "/", "#/" + sections[want] + "/", "#/definitions/"} {
		_, section, _ := strings.Cut(strings.TrimSuffix(pointer, "/"), "#")
		if section == "/definitions" && want != aSchema {
			continue
		}
		if found, err := r.walk(ref, r.root.Root, section); err == nil && found.IsMap() && found.Has(name) {
			return "did you mean " + pointer + escapePointer(name) + "?"
		}
	}
	switch {
	case want == aSchema && target.Get("schema").IsMap():
		return "its schema stands at " + ref.Value + "/schema"
	case want == aSchema:
		for media, v := range target.Get("content").Pairs() {
			if v.Has("schema") {
				return "its schema stands at " + ref.Value + "/content/" + escapePointer(media.Value) + "/schema"
			}
		}
		return "schemas stand below #/components/schemas, in Swagger 2.0 below #/definitions"
	case want == aParameter && is == aSchema:
		return "give the parameter a name and in, and refer to the schema under its schema"
	case want == aBody && is == aSchema, want == aResponse && is == aSchema:
		return "refer to the schema under content, application/json and schema"
	}
	return "refer to " + string(want)
}
