package profile

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// enumsOfText keeps of an enum the strings that say something, and writes other
// values into the description: Gemini's enum is a list of strings that are not
// empty. const is an enum of one.
func enumsOfText(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		values := n.Get("enum").List()
		if only := n.Get("const"); only != nil {
			values = []*node.Node{only}
		}
		if len(values) == 0 {
			return n.Without("enum", "const")
		}
		var texts, others []*node.Node
		for _, v := range values {
			switch {
			case v.Kind == node.String && v.Value != "":
				texts = append(texts, v)
			case v.Kind != node.Null:
				others = append(others, v)
			}
		}
		n = n.Without("const", "enum")
		if len(texts) > 0 && (hasType(n, "string") || !n.Has("type")) {
			n = n.With("enum", node.Seq(n, texts...))
			if !n.Has("type") {
				n = n.With("type", node.Str(n, "string"))
			}
		}
		if len(others) > 0 {
			n = withText(n, "Values: "+list(values)+".")
		}
		return n
	})
}

// list writes values for people.
func list(values []*node.Node) string {
	var words []string
	for _, v := range values {
		words = append(words, string(node.AppendJSON(nil, v)))
	}
	return strings.Join(words, ", ")
}

// withText appends a sentence to the description.
func withText(n *node.Node, text string) *node.Node {
	if before := n.Get("description").Text(); before != "" {
		text = before + " " + text
	}
	return n.With("description", node.Str(n, text))
}

// singleTypes makes a schema of several types a choice of schemas of one.
func singleTypes(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		names := slices.DeleteFunc(typeNames(n), func(t string) bool { return t == "null" })
		if len(names) < 2 {
			return n
		}
		if n.Has("anyOf") || n.Has("oneOf") || n.Has("allOf") {
			return n.Without("type")
		}
		// What is said of one type stays with it: keywords of others mean nothing there.
		rest := n.Without("type", "description", "title")
		out := node.Map(n)
		for _, key := range []string{"title", "description"} {
			out = out.With(key, n.Get(key))
		}
		var variants []*node.Node
		for _, name := range names {
			variants = append(variants, rest.With("type", node.Str(n, name)))
		}
		if hasType(n, "null") {
			variants = append(variants, ofType(n, "null"))
		}
		return out.With("anyOf", node.Seq(n, variants...))
	})
}

// nullableFlag writes null as OpenAPI 3.0 does: a flag beside the type.
func nullableFlag(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		if names := typeNames(n); len(names) == 2 && slices.Contains(names, "null") {
			n = n.With("type", node.Str(n, names[0])).With("nullable", node.Boolean(n, true))
			if names[0] == "null" {
				n = n.With("type", node.Str(n, names[1]))
			}
		}
		for _, key := range []string{"anyOf", "oneOf"} {
			variants := n.Get(key).List()
			left := slices.DeleteFunc(slices.Clone(variants), func(v *node.Node) bool {
				return slices.Equal(typeNames(v), []string{"null"})
			})
			switch {
			case len(left) == len(variants):
				continue
			case len(left) == 1:
				n = beside(n.Without(key), left[0])
			case len(left) > 1:
				n = n.With(key, node.Seq(n, left...))
			default:
				n = n.Without(key).With("type", node.Str(n, "string"))
			}
			n = n.With("nullable", node.Boolean(n, true))
		}
		return n
	})
}

// geminiKnows are the members of Schema in the Gemini API.
var geminiKnows = []string{
	"type", "format", "title", "description", "nullable", "enum", "items", "minItems", "maxItems", "properties", "required",
	"minProperties", "maxProperties", "minLength", "maxLength", "pattern", "minimum", "maximum", "anyOf",
}

// geminiKeywords drops what Gemini refuses.
func geminiKeywords(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		return only(n, geminiKnows)
	})
}

// only returns n without keywords that are not among keys.
func only(n *node.Node, keys []string) *node.Node {
	var kept []*node.Node
	for key, v := range n.Pairs() {
		if slices.Contains(keys, key.Value) {
			kept = append(kept, key, v)
		}
	}
	if len(kept) == len(n.Items) {
		return n
	}
	return node.Map(n, kept...)
}

// geminiKeys are the keywords that Gemini takes beside a type: one that belongs to
// another is a 400 (anomalyco/opencode issue 11889, musistudio/llms issue 20).
var geminiKeys = map[string][]string{
	"string":  {"enum", "format", "minLength", "maxLength", "pattern"},
	"number":  {"format", "minimum", "maximum"},
	"integer": {"format", "minimum", "maximum"},
	"array":   {"items", "minItems", "maxItems"},
	"object":  {"properties", "required", "minProperties", "maxProperties"},
	"boolean": nil,
	"":        {"anyOf"}, // no type
}

// geminiFormats are its formats, by type.
var geminiFormats = map[string][]string{
	"string": {"date-time"}, "number": {"float", "double"}, "integer": {"int32", "int64"},
}

// ofOneType keeps with every schema the keywords that belong to its type, or to a
// choice of types. Nothing is required that is no property, and an object without
// properties, which only the root can be now, has no such keyword.
func ofOneType(root *node.Node) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		if n.Has("anyOf") {
			n = n.Without("type")
		}
		kind := n.Get("type").Text()
		n = only(n, append([]string{"type", "title", "description", "nullable"}, geminiKeys[kind]...))
		if !slices.Contains(geminiFormats[kind], n.Get("format").Text()) {
			n = n.Without("format")
		}
		if !hasProperties(n) {
			return n.Without("properties", "required")
		}
		required := n.Get("required").List()
		known := slices.DeleteFunc(slices.Clone(required), func(name *node.Node) bool { return !n.Get("properties").Has(name.Value) })
		switch len(known) {
		case len(required):
			return n
		case 0:
			return n.Without("required")
		}
		return n.With("required", node.Seq(n, known...))
	})
}
