package profile

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// A value of no fixed form is JSON in a string where a host can only write what
// the schema lists: OpenAI refuses open objects in strict functions, and Gemini
// fills an object without properties with nothing. The server knows such a place
// by comparing both schemas (runtime/profiled.go) and reads what is in the string.

// freeText makes text of all values of no fixed form below the root.
func freeText(root *node.Node) *node.Node {
	return schema.Each(root, func(_ string, below *node.Node) *node.Node {
		return schema.Edit(below, func(_ string, n *node.Node) *node.Node {
			if n.Has("$ref") {
				return n
			}
			if becomesText(n) {
				return asText(n)
			}
			if hasType(n, "array") && !n.Has("items") {
				return n.With("items", asText(node.Map(n)))
			}
			return n
		})
	})
}

// becomesText reports whether a value has no fixed form, or a choice leaves it
// open whether a string is such a value or itself.
func becomesText(n *node.Node) bool {
	variants := n.Get("anyOf").List()
	if len(variants) == 0 {
		return isFree(n)
	}
	isString := func(v *node.Node) bool { return hasType(v, "string") }
	return slices.ContainsFunc(variants, isOpen) || slices.ContainsFunc(variants, isFree) && slices.ContainsFunc(variants, isString)
}

// isFree reports whether a schema does not say what stands in its value.
func isFree(n *node.Node) bool {
	return isOpen(n) || hasType(n, "object") && !hasProperties(n)
}

// asText is a value as JSON in a string.
func asText(n *node.Node) *node.Node {
	out, t := node.Map(n), node.Str(n, "string")
	if admitsNull(n) {
		out = out.With("type", node.Seq(n, t, node.Str(n, "null")))
	} else {
		out = out.With("type", t)
	}
	what := "As JSON text."
	if names := typeNames(n); len(names) > 0 && !slices.ContainsFunc(names, func(t string) bool { return t != "object" && t != "null" }) {
		what = "An object, as JSON text."
	}
	return withText(out.With("description", n.Get("description")), what)
}

func hasProperties(n *node.Node) bool {
	properties := n.Get("properties")
	return properties != nil && len(properties.Items) > 0
}

// admitsNull reports whether a schema names null.
func admitsNull(n *node.Node) bool {
	return hasType(n, "null") || slices.ContainsFunc(n.Get("anyOf").List(), admitsNull)
}
