package runtime

import (
	"net/url"
	"slices"
	"strings"
)

// The validator says what is wrong with arguments, and by which part of the
// schema. The words for it are in that part: names, types, descriptions.

// target returns what a reference inside the schema ("#/$defs/Pet") leads to.
func (sc *schema) target(ref string) (any, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	if plain, err := url.PathUnescape(pointer); err == nil {
		pointer = plain
	}
	if pointer == "" {
		return sc.doc, true
	}
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens {
		tokens[i] = unescapePointer.Replace(token)
	}
	target := lookup(sc.doc, tokens[1:])
	return target, tokens[0] == "" && target != nil
}

// unescapePointer undoes the escapes of RFC 6901.
var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// at returns the schema at a location that the validator gave; nil for false.
func (sc *schema) at(location string) map[string]any {
	node, _ := sc.target(strings.TrimPrefix(location, schemaURL))
	object, _ := node.(map[string]any)
	return object
}

// resolve follows references inside the schema, not in circles.
func (sc *schema) resolve(node any) map[string]any {
	for range 8 {
		object, _ := node.(map[string]any)
		ref, ok := object["$ref"].(string)
		if !ok {
			break
		}
		node, _ = sc.target(ref)
	}
	object, _ := node.(map[string]any)
	return object
}

// names returns the properties that a schema knows, in order. With deep, those
// of the schemas that it applies to the same value are among them.
func (sc *schema) names(node map[string]any, deep bool) []string {
	known := map[string]any{}
	sc.collect(node, deep, 8, known)
	return sortedKeys(known)
}

func (sc *schema) collect(node any, deep bool, depth int, known map[string]any) {
	object, _ := node.(map[string]any)
	for name, property := range propertiesOf(object) {
		known[name] = property
	}
	if !deep || depth == 0 {
		return
	}
	if ref, ok := object["$ref"].(string); ok {
		target, _ := sc.target(ref)
		sc.collect(target, deep, depth-1, known)
	}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		for _, part := range list(object[keyword]) {
			sc.collect(part, deep, depth-1, known)
		}
	}
	for _, keyword := range []string{"if", "then", "else"} {
		sc.collect(object[keyword], deep, depth-1, known)
	}
}

// lookup returns the value at a location, or nil.
func lookup(value any, path []string) any {
	for _, token := range path {
		switch container := value.(type) {
		case map[string]any:
			value = container[token]
		case []any:
			i := indexOf(token, len(container))
			if i < 0 {
				return nil
			}
			value = container[i]
		default:
			return nil
		}
	}
	return value
}

// indexOf returns the array index that a token is, or -1.
func indexOf(token string, length int) int {
	i := 0
	for _, c := range []byte(token) {
		if c < '0' || c > '9' || i >= length {
			return -1
		}
		i = i*10 + int(c-'0')
	}
	if token == "" || i >= length {
		return -1
	}
	return i
}

func propertiesOf(node any) map[string]any {
	object, _ := node.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	return properties
}

// typesOf returns the types that a schema allows; none: any.
func typesOf(node map[string]any) []string {
	if name, ok := node["type"].(string); ok {
		return []string{name}
	}
	return texts(node["type"])
}

func list(keyword any) []any {
	items, _ := keyword.([]any)
	return items
}

func texts(keyword any) []string {
	var out []string
	for _, item := range list(keyword) {
		if text, ok := item.(string); ok {
			out = append(out, text)
		}
	}
	return out
}

func has(object map[string]any, name string) bool {
	_, ok := object[name]
	return ok
}

func sortedKeys(m map[string]any) []string {
	if len(m) == 0 {
		return nil
	}
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
