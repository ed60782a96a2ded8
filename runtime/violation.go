package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// violation is one thing that is wrong with the arguments.
type violation struct {
	path   []string       // of the value in the arguments
	schema map[string]any // that says so; nil for false

	// What is wrong, one of:
	types   []string // the value is of none of these types,
	values  []any    // nor one of these values
	unknown string   // the object has a property that the schema does not know
	missing string   // the object lacks a property
	text    string   // anything else, in words

	form string // which of several alternatives this is about
}

// sortViolations orders by place, so that a model reads them as it wrote the
// arguments, and a test finds them where they were.
func sortViolations(found []violation) {
	slices.SortStableFunc(found, func(a, b violation) int {
		return cmp.Or(
			slices.CompareFunc(a.path, b.path, compareTokens),
			cmp.Compare(a.missing, b.missing),
			cmp.Compare(a.unknown, b.unknown),
		)
	})
}

// closest explains a value at path that fits none of several alternatives: by
// the one that it comes nearest to, or, if all fail at the same place, by what
// they would accept together.
func closest(path []string, branches [][]violation) []violation {
	best := slices.MinFunc(branches, func(a, b []violation) int {
		return cmp.Or(cmp.Compare(remoteness(a, path), remoteness(b, path)), cmp.Compare(len(a), len(b)))
	})
	if joined, ok := joinBranches(best, branches); ok {
		return joined
	}
	if len(branches) > 1 && remoteness(best, path) < 2 {
		where := cmp.Or(pathText(path), "the arguments")
		for i := range best {
			if best[i].form == "" {
				best[i].form = fmt.Sprintf(" (nearest of %d forms that %s can have)", len(branches), where)
			}
		}
	}
	return best
}

// remoteness ranks an alternative: 2 if the value's type is another, 1 if a
// fixed value in it (often what tells the alternatives apart) differs.
func remoteness(branch []violation, path []string) int {
	rank := 0
	for _, v := range branch {
		switch {
		case len(v.types) > 0 && slices.Equal(v.path, path):
			return 2
		case len(v.values) > 0 && len(v.path) <= len(path)+1:
			rank = 1
		}
	}
	return rank
}

// joinBranches makes one violation of alternatives that all refuse the same value for
// its type or because it is none of theirs: "must be one of …" with all of them.
func joinBranches(best []violation, branches [][]violation) ([]violation, bool) {
	i := slices.IndexFunc(best, func(v violation) bool { return len(v.types)+len(v.values) > 0 })
	if i < 0 {
		return nil, false
	}
	joined := violation{path: best[i].path, schema: best[i].schema}
	for _, branch := range branches {
		j := slices.IndexFunc(branch, func(v violation) bool {
			return len(v.types)+len(v.values) > 0 && slices.Equal(v.path, joined.path)
		})
		if j < 0 {
			return nil, false
		}
		for _, t := range branch[j].types {
			if !slices.Contains(joined.types, t) {
				joined.types = append(joined.types, t)
			}
		}
		for _, value := range branch[j].values {
			if !slices.ContainsFunc(joined.values, func(v any) bool { return equal(v, value) }) {
				joined.values = append(joined.values, value)
			}
		}
	}
	return []violation{joined}, len(joined.types)+len(joined.values) > len(best[i].types)+len(best[i].values)
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

// valueText is a value as compact JSON.
func valueText(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
