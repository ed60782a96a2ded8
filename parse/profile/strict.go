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

// strictFormats are the formats of strings that it knows; another is a 400
// (cyanheads/git-mcp-server issue 47).
var strictFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

// strictKeywords drops what it refuses. A format of strings goes into the
// description.
func strictKeywords(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		if format := n.Get("format").Text(); n.Has("format") && !slices.Contains(strictFormats, format) {
			n = n.Without("format")
			if format != "" && hasType(n, "string") {
				n = withText(n, "Format: "+format+".")
			}
		}
		return n.Without(strictRefuses...)
	})
}

// closed makes every object one that lists all it may have, and every property
// required: one that was optional may be null, which the server takes for left
// out.
func closed(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		switch {
		case n.Has("anyOf"):
			return n.Without("type", "properties", "required", "additionalProperties")
		case n == root || hasType(n, "object") && hasProperties(n):
			return closedObject(n)
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
	} else {
		n = n.Without("required")
	}
	return n.With("additionalProperties", node.Boolean(n, false))
}

// orNull admits null.
func orNull(n *node.Node) *node.Node {
	values := n.Get("enum").List()
	if only := n.Get("const"); only != nil {
		n, values = n.Without("const"), []*node.Node{only}
	}
	if len(values) > 0 {
		if !slices.ContainsFunc(values, func(v *node.Node) bool { return v.Kind == node.Null }) {
			values = append(slices.Clone(values), node.NewNull(n))
		}
		n = n.With("enum", node.Seq(n, values...))
	}
	if variants := n.Get("anyOf").List(); len(variants) > 0 && !admitsNull(n) {
		n = n.With("anyOf", node.Seq(n, append(slices.Clone(variants), ofType(n, "null"))...))
	}
	if names := typeNames(n); len(names) > 0 && !slices.Contains(names, "null") {
		var types []*node.Node
		for _, name := range append(names, "null") {
			types = append(types, node.Str(n, name))
		}
		n = n.With("type", node.Seq(n, types...))
	}
	return n
}
