package corpus

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// The filter's own decoder reads neither nested objects nor arrays of objects of
// a form. This one reads brackets, a[b][0]=c, and leaves the judgement of what
// it read to the filter.
func init() {
	openapi3filter.RegisterBodyDecoder("application/x-www-form-urlencoded",
		func(body io.Reader, _ http.Header, schema *openapi3.SchemaRef, _ openapi3filter.EncodingFn) (any, error) {
			data, err := io.ReadAll(body)
			if err != nil {
				return nil, err
			}
			root := &formNode{}
			for pair := range strings.SplitSeq(string(data), "&") {
				key, value, _ := strings.Cut(pair, "=")
				if key, err = url.QueryUnescape(key); err != nil {
					return nil, err
				}
				if value, err = url.QueryUnescape(value); err != nil {
					return nil, err
				}
				root.add(strings.Split(strings.ReplaceAll(key, "]", ""), "["), value)
			}
			return root.value(types{schema}), nil
		})
}

// formNode is a name of a form with what stands in brackets after it.
type formNode struct {
	values   []string
	children map[string]*formNode
}

func (n *formNode) add(path []string, value string) {
	for _, name := range path {
		if n.children == nil {
			n.children = map[string]*formNode{}
		}
		if n.children[name] == nil {
			n.children[name] = &formNode{}
		}
		n = n.children[name]
	}
	n.values = append(n.values, value)
}

// value makes JSON of the texts, guided by what the schemas allow.
func (n *formNode) value(s types) any {
	switch {
	case n.children == nil && s.allow("array") && (len(n.values) > 1 || !s.allow("string")):
		items := []any{}
		for _, text := range n.values {
			items = append(items, scalar(text, s.items()))
		}
		return items
	case n.children == nil:
		return scalar(n.values[0], s)
	case s.allow("array") && n.numbered():
		items := make([]any, len(n.children))
		for i := range items {
			items[i] = n.children[strconv.Itoa(i)].value(s.items())
		}
		return items
	}
	object := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(n.children)) {
		object[name] = n.children[name].value(s.property(name))
	}
	return object
}

func (n *formNode) numbered() bool {
	for i := range len(n.children) {
		if n.children[strconv.Itoa(i)] == nil {
			return false
		}
	}
	return true
}

func scalar(text string, s types) any {
	if s.allow("integer") || s.allow("number") {
		if f, err := strconv.ParseFloat(text, 64); err == nil && json.Valid([]byte(text)) {
			return f
		}
	}
	if b, err := strconv.ParseBool(text); err == nil && s.allow("boolean") {
		return b
	}
	if s.allow("object") && strings.HasPrefix(text, "{") {
		var object any
		if json.Unmarshal([]byte(text), &object) == nil {
			return object
		}
	}
	return text
}

// types are schemas of which any may hold.
type types []*openapi3.SchemaRef

// each yields the schemas and those that they are composed of.
func (s types) each(yield func(*openapi3.Schema) bool) {
	var walk func(types, int) bool
	walk = func(s types, depth int) bool {
		for _, ref := range s {
			if ref == nil || ref.Value == nil || depth > 10 {
				continue
			}
			if !yield(ref.Value) || !walk(types(ref.Value.AnyOf), depth+1) ||
				!walk(types(ref.Value.OneOf), depth+1) || !walk(types(ref.Value.AllOf), depth+1) {
				return false
			}
		}
		return true
	}
	walk(s, 0)
}

func (s types) allow(kind string) bool {
	for schema := range s.each {
		if schema.Type.Is(kind) {
			return true
		}
	}
	return false
}

func (s types) items() types {
	var out types
	for schema := range s.each {
		out = append(out, schema.Items)
	}
	return out
}

func (s types) property(name string) types {
	var out types
	for schema := range s.each {
		out = append(out, schema.Properties[name], schema.AdditionalProperties.Schema)
	}
	return out
}
