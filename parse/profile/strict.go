package profile

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// strictRefuses are the keywords that Structured Outputs does not know.
var strictRefuses = []string{
	"not", "dependentRequired", "dependentSchemas", "if", "then", "else", "patternProperties", "propertyNames",
	"unevaluatedProperties", "unevaluatedItems", "contains", "minContains", "maxContains", "prefixItems", "uniqueItems",
	"minProperties", "maxProperties", "contentEncoding", "contentMediaType", "contentSchema", "default", "examples", "deprecated",
}

// strictKeywords drops them, and gives oneOf and allOf the form that is known.
func strictKeywords(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		n = composed(n).Without("oneOf")
		if hasProperties(n) {
			n = n.Without("anyOf") // as a rule, which properties go together
		}
		return n.Without(append(strictRefuses, "allOf")...)
	})
}

// closed makes every object one that lists all it may have, and every property
// required: one that was optional may be null, which the server takes for left
// out. What has no fixed form is JSON in a string, which the server reads.
func closed(root *node.Node) *node.Node {
	first := true
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		isRoot := first
		first = false
		if n.Has("$ref") {
			return n
		}
		if n.Has("anyOf") {
			return n.Without("type", "properties", "required", "additionalProperties")
		}
		switch {
		case isRoot || hasType(n, "object") && hasProperties(n):
			return closedObject(n)
		case hasType(n, "object") || isOpen(n):
			return asText(n)
		case hasType(n, "array") && isOpen(n.Get("items")):
			return n.With("items", asText(n.Get("items")))
		}
		return n
	})
}

// closedObject requires all properties of an object and allows no other.
func closedObject(n *node.Node) *node.Node {
	required := map[string]bool{}
	for _, name := range n.Get("required").List() {
		required[name.Value] = true
	}
	var names, items []*node.Node
	properties := n.Get("properties")
	for name, v := range properties.Pairs() {
		names = append(names, node.Str(name, name.Value))
		if !required[name.Value] {
			v = orNull(v)
		}
		items = append(items, name, v)
	}
	if len(names) > 0 {
		n = n.With("properties", node.Map(properties, items...)).With("required", node.Seq(n, names...))
	}
	return n.With("additionalProperties", node.Boolean(n, false))
}

// orNull admits null.
func orNull(n *node.Node) *node.Node {
	names := typeNames(n)
	switch {
	case slices.Contains(names, "null") || len(names) == 0 && !n.Has("anyOf") && !n.Has("enum") && !n.Has("const"):
		return n
	case n.Has("anyOf"):
		return n.With("anyOf", node.Seq(n, append(slices.Clone(n.Get("anyOf").List()), ofType(n, "null"))...))
	}
	if values := n.Get("enum"); values != nil {
		n = n.With("enum", node.Seq(values, append(slices.Clone(values.Items), node.NewNull(values))...))
	}
	var types []*node.Node
	for _, name := range append(names, "null") {
		types = append(types, node.Str(n, name))
	}
	return n.With("type", node.Seq(n, types...))
}

// asText is a value as JSON in a string.
func asText(n *node.Node) *node.Node {
	t := node.Str(n, "string")
	out := node.Map(n, node.Str(n, "type"), t)
	if hasType(n, "null") {
		out = out.With("type", node.Seq(n, t, node.Str(n, "null")))
	}
	return withText(out.With("description", n.Get("description")), "As JSON text.")
}

func hasProperties(n *node.Node) bool {
	properties := n.Get("properties")
	return properties != nil && len(properties.Items) > 0
}
