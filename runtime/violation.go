package runtime

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// violation is one thing that is wrong with the arguments. The validator's
// errors are a tree in random order; violations are its leaves in a fixed one,
// without those of alternatives that the model did not mean.
type violation struct {
	path     []string       // of the value in the arguments
	location string         // of the schema that says so, as the validator gave it
	schema   map[string]any // that schema; nil for false

	// What is wrong, one of:
	types   []string // the value is of none of these types,
	values  []any    // nor one of these values
	unknown string   // the object has a property that the schema does not know
	missing string   // the object lacks a property
	text    string   // anything else, in words

	known []string // with unknown: the properties that the schema knows
	form  string   // which of several alternatives this is about
}

// violations flattens and orders the validator's errors.
func (sc *schema) violations(err *jsonschema.ValidationError, arguments any) []violation {
	f := flattener{sc, arguments}
	return f.flatten(err)
}

// flattener makes violations of errors.
type flattener struct {
	sc        *schema
	arguments any
}

// order sorts by place, so that a model reads violations as it wrote the
// arguments, and a test finds them where they were.
func order(found []violation) []violation {
	slices.SortFunc(found, func(a, b violation) int {
		return cmp.Or(
			slices.CompareFunc(a.path, b.path, compareTokens),
			cmp.Compare(a.missing, b.missing),
			cmp.Compare(a.unknown, b.unknown),
			cmp.Compare(a.text, b.text),
			cmp.Compare(a.location, b.location),
		)
	})
	return found
}

// flatten returns the leaves below an error, in order.
func (f *flattener) flatten(err *jsonschema.ValidationError) []violation {
	leaf := violation{path: err.InstanceLocation, location: err.SchemaURL, schema: f.sc.at(err.SchemaURL)}
	switch k := err.ErrorKind.(type) {
	case *kind.RefCycle:
		return nil // a schema that is part of itself asks nothing by that
	case *kind.AnyOf:
		return f.closest(err)
	case *kind.OneOf:
		if len(k.Subschemas) == 0 {
			return f.closest(err)
		}
		leaf.text = fmt.Sprintf("fits more than one of its %d forms, must fit exactly one", len(list(leaf.schema["oneOf"])))
	case *kind.Type:
		leaf.types = typesOf(leaf.schema)
	case *kind.Enum:
		leaf.values = k.Want
	case *kind.Const:
		leaf.values = []any{k.Want}
	case *kind.Required:
		return each(k.Missing, func(name string) violation { leaf.missing = name; return leaf })
	case *kind.AdditionalProperties:
		leaf.known = f.sc.names(leaf.schema, false)
		return each(k.Properties, func(name string) violation { leaf.unknown = name; return leaf })
	case *kind.DependentRequired:
		return each(k.Missing, func(name string) violation {
			leaf.text = fmt.Sprintf("needs %s, because it has %s", name, k.Prop)
			return leaf
		})
	case *kind.PropertyNames:
		leaf.path = holder(f.arguments, k.Property, len(err.InstanceLocation))
		leaf.text = "has a property whose name is not allowed: " + cut(k.Property, 80)
	case *kind.FalseSchema, *kind.Not:
		leaf = f.forbidden(leaf)
	default:
		if leaf.text = f.limitText(leaf.schema, k, err.InstanceLocation); leaf.text == "" {
			return f.causes(err)
		}
	}
	return []violation{leaf}
}

func each(names []string, leaf func(string) violation) []violation {
	var out []violation
	for _, name := range names {
		out = append(out, leaf(name))
	}
	return order(out)
}

func (f *flattener) causes(err *jsonschema.ValidationError) []violation {
	var all []violation
	for _, cause := range err.Causes {
		all = append(all, f.flatten(cause)...)
	}
	return order(all)
}

// forbidden is for a value that may not be there at all. For a property that no
// part of a closed object knows, it is the property that is wrong.
func (f *flattener) forbidden(leaf violation) violation {
	excluded, negates := leaf.schema["not"].(map[string]any)
	outer, closed := strings.CutSuffix(leaf.location, "/unevaluatedProperties")
	switch last := len(leaf.path) - 1; {
	case negates && len(excluded) > 0:
		leaf.text = "has a value that is excluded"
	case closed && last >= 0 && !strings.HasSuffix(outer, "/properties"):
		leaf.path, leaf.unknown = leaf.path[:last], leaf.path[last]
		leaf.known = f.sc.names(f.sc.at(outer), true)
	default:
		leaf.text = "is not allowed here"
	}
	return leaf
}

// holder returns the path of the object at a depth that has a property. The
// validator's own path to it cannot be used: what it checks later overwrites its
// tokens (santhosh-tekuri/jsonschema, pull request 269).
func holder(value any, name string, depth int) []string {
	var search func(value any, path []string) []string
	search = func(value any, path []string) []string {
		switch value := value.(type) {
		case map[string]any:
			if len(path) == depth && has(value, name) {
				return slices.Clone(path)
			}
			for _, key := range sortedKeys(value) {
				if found := search(value[key], append(path, key)); found != nil {
					return found
				}
			}
		case []any:
			for i, item := range value {
				if found := search(item, append(path, strconv.Itoa(i))); found != nil {
					return found
				}
			}
		}
		return nil
	}
	return search(value, []string{})
}

// bounds are the words for the keywords that compare numbers.
var bounds = map[string]string{
	"minimum":          "at least",
	"maximum":          "at most",
	"exclusiveMinimum": "greater than",
	"exclusiveMaximum": "less than",
	"multipleOf":       "a multiple of",
}

// limitText puts the bounds of JSON Schema (2020-12 validation, section 6) into
// words. It returns "" for errors that only hold others.
func (f *flattener) limitText(node map[string]any, k jsonschema.ErrorKind, path []string) string {
	switch k := k.(type) {
	case *kind.Minimum, *kind.Maximum, *kind.ExclusiveMinimum, *kind.ExclusiveMaximum, *kind.MultipleOf:
		keyword := k.KeywordPath()[0]
		got, _ := lookup(f.arguments, path).(json.Number)
		return fmt.Sprintf("must be %s %s, got %s", bounds[keyword], node[keyword], cut(got.String(), 60))
	case *kind.MinLength:
		return fmt.Sprintf("must have at least %s, has %d", counted(k.Want, "character"), k.Got)
	case *kind.MaxLength:
		return fmt.Sprintf("must have at most %s, has %d", counted(k.Want, "character"), k.Got)
	case *kind.Pattern:
		return fmt.Sprintf("must match the pattern %s, got %s", k.Want, describe(k.Got))
	case *kind.MinItems:
		return fmt.Sprintf("must have at least %s, has %d", counted(k.Want, "item"), k.Got)
	case *kind.MaxItems:
		return fmt.Sprintf("must have at most %s, has %d", counted(k.Want, "item"), k.Got)
	case *kind.UniqueItems:
		return fmt.Sprintf("items %d and %d are equal, all must differ", k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains:
		return "must contain at least one item of the kind it is for, has none"
	case *kind.MinContains:
		return fmt.Sprintf("must contain at least %s of the kind it is for, has %d", counted(k.Want, "item"), len(k.Got))
	case *kind.MaxContains:
		return fmt.Sprintf("must contain at most %s of one kind, has %d", counted(k.Want, "item"), len(k.Got))
	case *kind.MinProperties:
		return fmt.Sprintf("must have at least %s, has %d", counted(k.Want, "property"), k.Got)
	case *kind.MaxProperties:
		return fmt.Sprintf("must have at most %s, has %d", counted(k.Want, "property"), k.Got)
	}
	return ""
}

// closest explains a value that fits none of several alternatives: by the one
// that it comes nearest to, or, if all fail at the same place, by what they would
// accept together.
func (f *flattener) closest(err *jsonschema.ValidationError) []violation {
	var branches [][]violation
	for _, cause := range err.Causes {
		branches = append(branches, f.flatten(cause))
	}
	path := err.InstanceLocation
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
	joined := violation{path: best[i].path, location: best[i].location, schema: best[i].schema}
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
			if !slices.ContainsFunc(joined.values, func(v any) bool { return valueText(v) == valueText(value) }) {
				joined.values = append(joined.values, value)
			}
		}
	}
	return []violation{joined}, len(joined.types)+len(joined.values) > len(best[i].types)+len(best[i].values)
}
