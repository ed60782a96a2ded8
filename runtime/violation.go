package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// violation is one thing that is wrong with the arguments. The validator's
// errors are a tree in random order; violations are its leaves, without those of
// alternatives that the model did not mean.
type violation struct {
	path   []string // of the value in the arguments
	schema string   // location of the schema that says so

	// What is wrong, one of:
	types   []string // the value is of none of these types,
	values  []any    // nor one of these values
	unknown string   // the object has a property that the schema does not know
	missing string   // the object lacks a property
	text    string   // anything else, in words

	form string // which of several alternatives this is about
}

// violations flattens and orders the validator's errors.
func (sc *schema) violations(err *jsonschema.ValidationError) []violation {
	found := sc.flatten(err)
	slices.SortStableFunc(found, func(a, b violation) int {
		return cmp.Or(
			slices.CompareFunc(a.path, b.path, compareTokens),
			cmp.Compare(a.missing, b.missing),
			cmp.Compare(a.unknown, b.unknown),
			cmp.Compare(a.text, b.text),
			cmp.Compare(a.schema, b.schema),
		)
	})
	return found
}

// flatten returns the leaves below an error.
func (sc *schema) flatten(err *jsonschema.ValidationError) []violation {
	leaf := violation{path: err.InstanceLocation, schema: err.SchemaURL}
	switch k := err.ErrorKind.(type) {
	case *kind.AnyOf:
		return sc.closest(err)
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			leaf.text = "fits more than one of its forms, must fit exactly one"
			return []violation{leaf}
		}
		return sc.closest(err)
	case *kind.Type:
		leaf.types = k.Want
	case *kind.Enum:
		leaf.values = k.Want
	case *kind.Const:
		leaf.values = []any{k.Want}
	case *kind.Required:
		return each(k.Missing, func(name string) violation { leaf.missing = name; return leaf })
	case *kind.AdditionalProperties:
		return each(k.Properties, func(name string) violation { leaf.unknown = name; return leaf })
	case *kind.DependentRequired:
		return each(k.Missing, func(name string) violation {
			leaf.text = fmt.Sprintf("needs %s, because it has %s", name, k.Prop)
			return leaf
		})
	default:
		if text := limitText(k); text != "" {
			leaf.text = text
			break
		}
		var all []violation
		for _, cause := range err.Causes {
			all = append(all, sc.flatten(cause)...)
		}
		if len(all) > 0 {
			return all
		}
		leaf.text = "is not allowed here"
	}
	return []violation{leaf}
}

func each(names []string, leaf func(string) violation) []violation {
	var out []violation
	for _, name := range names {
		out = append(out, leaf(name))
	}
	return out
}

// limitText puts the bounds of JSON Schema (2020-12 validation, section 6) into
// words.
func limitText(k jsonschema.ErrorKind) string {
	switch k := k.(type) {
	case *kind.Minimum:
		return "must be at least " + numberText(k.Want) + ", got " + numberText(k.Got)
	case *kind.Maximum:
		return "must be at most " + numberText(k.Want) + ", got " + numberText(k.Got)
	case *kind.ExclusiveMinimum:
		return "must be greater than " + numberText(k.Want) + ", got " + numberText(k.Got)
	case *kind.ExclusiveMaximum:
		return "must be less than " + numberText(k.Want) + ", got " + numberText(k.Got)
	case *kind.MultipleOf:
		return "must be a multiple of " + numberText(k.Want) + ", got " + numberText(k.Got)
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %d characters, has %d", k.Want, k.Got)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %d characters, has %d", k.Want, k.Got)
	case *kind.Pattern:
		return fmt.Sprintf("must match the pattern %s, got %s", k.Want, describe(k.Got))
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %d items, has %d", k.Want, k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %d items, has %d", k.Want, k.Got)
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal, all must differ", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains:
		return "lacks an item of the kind it must contain"
	case *kind.MinContains:
		return fmt.Sprintf("must contain at least %d items of the required kind, has %d", k.Want, len(k.Got))
	case *kind.MaxContains:
		return fmt.Sprintf("must contain at most %d items of that kind, has %d", k.Want, len(k.Got))
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %d properties, has %d", k.Want, k.Got)
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %d properties, has %d", k.Want, k.Got)
	case *kind.PropertyNames:
		return fmt.Sprintf("has a property whose name is not allowed: %s", cut(k.Property, 80))
	case *kind.Not:
		return "has a value that is excluded"
	}
	return ""
}

// closest explains a failed anyOf or oneOf: by the alternative that the value
// comes nearest to, or, if all fail at the value itself, by what they would
// accept together.
func (sc *schema) closest(err *jsonschema.ValidationError) []violation {
	var branches [][]violation
	for _, cause := range err.Causes {
		branches = append(branches, sc.flatten(cause))
	}
	if len(branches) == 0 { // an empty list of alternatives
		return []violation{{path: err.InstanceLocation, schema: err.SchemaURL, text: "is not allowed here"}}
	}
	at := err.InstanceLocation
	best := slices.MinFunc(branches, func(a, b []violation) int {
		return cmp.Or(cmp.Compare(remoteness(a, at), remoteness(b, at)), cmp.Compare(len(a), len(b)))
	})
	if merged, ok := merge(best, branches); ok {
		return merged
	}
	if len(branches) > 1 && remoteness(best, at) < 2 {
		best = slices.Clone(best)
		for i := range best {
			if best[i].form == "" {
				best[i].form = fmt.Sprintf(" (nearest of %d forms that %s can have)", len(branches), cmp.Or(pathText(at), "the arguments"))
			}
		}
	}
	return best
}

// remoteness ranks an alternative: 2 if the value's type is another, 1 if a
// fixed value in it (often what tells the alternatives apart) differs.
func remoteness(branch []violation, at []string) int {
	rank := 0
	for _, v := range branch {
		switch {
		case len(v.types) > 0 && slices.Equal(v.path, at):
			return 2
		case len(v.values) > 0 && len(v.path) <= len(at)+1:
			rank = 1
		}
	}
	return rank
}

// merge joins alternatives that all refuse the same value because of its type
// or because it is none of theirs: "must be one of …" with all their values.
func merge(best []violation, branches [][]violation) ([]violation, bool) {
	i := slices.IndexFunc(best, func(v violation) bool { return len(v.types)+len(v.values) > 0 })
	if i < 0 {
		return nil, false
	}
	merged := violation{path: best[i].path, schema: best[i].schema}
	for _, branch := range branches {
		j := slices.IndexFunc(branch, func(v violation) bool {
			return len(v.types)+len(v.values) > 0 && slices.Equal(v.path, merged.path)
		})
		if j < 0 {
			return nil, false
		}
		for _, t := range branch[j].types {
			if !slices.Contains(merged.types, t) {
				merged.types = append(merged.types, t)
			}
		}
		for _, value := range branch[j].values {
			if !slices.ContainsFunc(merged.values, func(v any) bool { return valueText(v) == valueText(value) }) {
				merged.values = append(merged.values, value)
			}
		}
	}
	joined := len(merged.types)+len(merged.values) > len(best[i].types)+len(best[i].values)
	return []violation{merged}, joined
}

// lookup returns the schema object at a location that the validator gave.
func (sc *schema) lookup(location string) any {
	_, fragment, _ := strings.Cut(location, "#")
	if plain, err := url.PathUnescape(fragment); err == nil {
		fragment = plain
	}
	if fragment == "" {
		return sc.doc
	}
	tokens := strings.Split(strings.TrimPrefix(fragment, "/"), "/")
	for i, token := range tokens {
		tokens[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
	}
	return lookup(sc.doc, tokens)
}

// resolve follows references inside the schema, not in circles.
func (sc *schema) resolve(node any) any {
	for range 8 {
		object, _ := node.(map[string]any)
		ref, ok := object["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#") {
			break
		}
		node = sc.lookup(ref)
	}
	return node
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

func typesOf(object map[string]any) []string {
	switch types := object["type"].(type) {
	case string:
		return []string{types}
	case []any:
		var names []string
		for _, t := range types {
			if name, ok := t.(string); ok {
				names = append(names, name)
			}
		}
		return names
	}
	return nil
}

func sortedKeys(m map[string]any) []string { return slices.Sorted(maps.Keys(m)) }

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
