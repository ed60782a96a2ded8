package openapi

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// The objects of OpenAPI 3.2, with the fields that they had in 2.0 to 3.1:
// authors mix versions, and what a version does not have is rarely a mistake
// of the hand.
var (
	rootShape = append(shape{
		{"host", asText}, {"basePath", asText}, {"schemes", asTexts}, {"consumes", asTexts}, {"produces", asTexts}, // Swagger 2.0
	}, keys("openapi", "swagger", "$self", "$schema", "info", "jsonSchemaDialect", "servers", "paths", "webhooks", "components", "security",
		"tags", "externalDocs", "definitions", "parameters", "responses", "securityDefinitions")...)
	componentsShape = keys("schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes", "links",
		"callbacks", "pathItems", "mediaTypes")
	infoShape = append(shape{{"title", asText}, {"summary", asText}, {"description", asText}, {"version", asText}, {"termsOfService", asText}},
		keys("contact", "license")...)
	tagShape = append(shape{{"name", asText}, {"summary", asText}, {"description", asText}, {"parent", asText}, {"kind", asText}},
		keys("externalDocs")...)
	serverShape   = append(shape{{"url", asText}, {"description", asText}, {"name", asText}}, keys("variables")...)
	variableShape = shape{{"default", asText}, {"enum", asTexts}, {"description", asText}}
	pathItemShape = slices.Concat(shape{{"summary", asText}, {"description", asText}}, keys(methods...),
		keys("additionalOperations", "servers", "parameters"))
	operationShape = append(shape{
		{"operationId", asText}, {"summary", asText}, {"description", asText}, {"tags", asTexts}, {"deprecated", asBool},
		{"consumes", asTexts}, {"produces", asTexts}, {"schemes", asTexts}, // Swagger 2.0
	}, keys("externalDocs", "parameters", "requestBody", "responses", "callbacks", "security", "servers")...)
	parameterShape = slices.Concat(shape{
		{"name", asText}, {"in", asText}, {"description", asText}, {"required", asBool}, {"deprecated", asBool},
		{"allowEmptyValue", asBool}, {"style", asText}, {"explode", asBool}, {"allowReserved", asBool}, {"collectionFormat", asText},
	}, keys("schema", "content", "example", "examples"), schemaFields)
	bodyShape     = append(shape{{"description", asText}, {"required", asBool}}, keys("content")...)
	responseShape = append(shape{{"summary", asText}, {"description", asText}}, keys("headers", "content", "links", "schema", "examples")...)
	mediaShape    = keys("schema", "itemSchema", "example", "examples", "encoding", "prefixEncoding", "itemEncoding")
	encodingShape = append(shape{{"contentType", asText}, {"style", asText}, {"explode", asBool}, {"allowReserved", asBool}},
		keys("headers", "encoding", "prefixEncoding", "itemEncoding")...)
	schemeShape = append(shape{
		{"type", asText}, {"description", asText}, {"name", asText}, {"in", asText}, {"scheme", asText}, {"bearerFormat", asText},
		{"openIdConnectUrl", asText}, {"flow", asText}, {"authorizationUrl", asText}, {"tokenUrl", asText}, {"deprecated", asBool},
	}, keys("flows", "oauth2MetadataUrl", "scopes")...)
	flowShape = append(shape{{"authorizationUrl", asText}, {"tokenUrl", asText}, {"refreshUrl", asText}, {"deviceAuthorizationUrl", asText}},
		keys("scopes")...)

	// schemaFields are what a parameter of Swagger 2.0 says of its value.
	schemaFields = keys("type", "format", "items", "default", "enum", "pattern", "multipleOf", "maximum", "exclusiveMaximum", "minimum",
		"exclusiveMinimum", "maxLength", "minLength", "maxItems", "minItems", "uniqueItems", "title", "nullable", "readOnly", "writeOnly", "const",
		"properties", "additionalProperties", "allOf", "anyOf", "oneOf", "not")
)

// keys is a shape whose fields are left alone.
func keys(names ...string) shape {
	s := make(shape, len(names))
	for i, name := range names {
		s[i].name = name
	}
	return s
}

// unknownKeys reports the keys of v that its shape does not have.
func (n *normalizer) unknownKeys(v *node.Node, s shape, part string) {
	for key := range v.Pairs() {
		n.unknownKey(key, s, part)
	}
}

// unknownKey reports key if s does not have it: what it says is lost.
func (n *normalizer) unknownKey(key *node.Node, s shape, part string) {
	if s == nil || strings.HasPrefix(key.Value, "x-") || s.has(key.Value) {
		return
	}
	names := make([]string, len(s))
	for i, f := range s {
		names[i] = f.name
	}
	if near := diag.Nearest(key.Value, names); near != "" {
		n.warnHint(key, "unknown-key", "did you mean "+near+"?", "%s%s is an unknown key; it is ignored", part, key.Value)
	} else if !isSection(key) {
		n.warnHint(key, "unknown-key", "remove it, or begin its name with x-", "%s%s is an unknown key; it is ignored", part, key.Value)
	}
}

// isSection reports whether key stands at the top of a file or in components:
// people keep there, under names of their own, what they refer to.
func isSection(key *node.Node) bool {
	if key.File == nil || key.File.Root == nil {
		return false
	}
	top := key.File.Root
	return slices.Contains(top.Items, key) || top.Get("components").Key(key.Value) == key
}
