package prove

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Maker makes arguments for one tool from its inputSchema.
type Maker struct {
	// Full avoids empty arrays and objects: most serialisations have no way to
	// write them, so that the request cannot show that they were there.
	Full bool

	root  any
	check *jsonschema.Schema
}

// NewMaker returns a Maker for a schema of JSON Schema 2020-12.
func NewMaker(inputSchema json.RawMessage) (*Maker, error) {
	check, err := CompileSchema(inputSchema)
	if err != nil {
		return nil, err
	}
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(inputSchema))
	if err != nil {
		return nil, err
	}
	return &Maker{root: root, check: check}, nil
}

// Arguments returns arguments that the schema accepts: the same for the same
// seed, mostly with some of the optional ones. It fails when it finds none,
// for example where a pattern is beyond it.
func (m *Maker) Arguments(seed uint64) (string, error) {
	const attempts = 60
	var last error
	for attempt := range uint64(attempts) {
		// Ever fewer optional values: what is simple is more often valid.
		g := &guess{full: m.Full, root: m.root, rand: rand.New(rand.NewPCG(seed, attempt)), optional: 0.6 * float64(attempts-1-attempt) / attempts}
		value := g.value(m.root, 0)
		raw, err := encode(value)
		if err != nil {
			return "", err
		}
		// What is checked is what will be sent.
		checked, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
		if err != nil {
			return "", err
		}
		if last = m.check.Validate(checked); last == nil {
			return raw, nil
		}
	}
	return "", fmt.Errorf("no arguments found: %w", last)
}

func encode(value any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// guess is one attempt at a value.
type guess struct {
	root     any
	rand     *rand.Rand
	optional float64 // chance that an optional property is there
	full     bool    // no empty arrays and objects
}

type object = map[string]any

// deep is where optional things end, so that recursive schemas do; deeper is
// where a full value may be empty.
const (
	deep   = 6
	deeper = 12
)

func (g *guess) value(schema any, depth int) any {
	s, ok := schema.(object)
	if !ok {
		return g.text(object{})
	}
	s = g.flatten(s, 0)
	if v, ok := s["const"]; ok {
		return v
	}
	if values, ok := s["enum"].([]any); ok && len(values) > 0 {
		return values[g.rand.IntN(len(values))]
	}
	if samples := g.samples(s); len(samples) > 0 && g.rand.Float64() < 0.3 {
		return samples[g.rand.IntN(len(samples))]
	}
	switch g.kind(s) {
	case "object":
		return g.object(s, depth)
	case "array":
		return g.array(s, depth)
	case "integer":
		return g.number(s, true)
	case "number":
		return g.number(s, false)
	case "boolean":
		return g.rand.IntN(2) == 0
	case "null":
		return nil
	}
	return g.text(s)
}

func (g *guess) samples(s object) []any {
	var out []any
	if list, ok := s["examples"].([]any); ok {
		out = append(out, list...)
	}
	if v, ok := s["default"]; ok {
		out = append(out, v)
	}
	return slices.DeleteFunc(out, func(v any) bool { return v == nil })
}

// kind picks a type; null only where there is no other.
func (g *guess) kind(s object) string {
	switch t := s["type"].(type) {
	case string:
		return t
	case []any:
		types := slices.DeleteFunc(slices.Clone(t), func(v any) bool { return v == "null" })
		if len(types) == 0 {
			return "null"
		}
		name, _ := types[g.rand.IntN(len(types))].(string)
		return name
	}
	switch {
	case s["properties"] != nil || s["additionalProperties"] != nil || s["required"] != nil:
		return "object"
	case s["items"] != nil || s["prefixItems"] != nil:
		return "array"
	case s["minimum"] != nil || s["maximum"] != nil:
		return "number"
	}
	return "string"
}

// flatten follows $ref and merges allOf and one branch of oneOf and anyOf into
// the schema.
func (g *guess) flatten(s object, depth int) object {
	if depth > 40 {
		return s
	}
	out := object{}
	for _, key := range slices.Sorted(maps.Keys(s)) {
		if key != "$ref" && key != "allOf" && key != "oneOf" && key != "anyOf" {
			out[key] = s[key]
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		if target, ok := lookup(g.root, ref).(object); ok {
			out = merge(out, g.flatten(target, depth+1))
		}
	}
	for _, part := range list(s["allOf"]) {
		if part, ok := part.(object); ok {
			out = merge(out, g.flatten(part, depth+1))
		}
	}
	for _, key := range []string{"oneOf", "anyOf"} {
		branches := slices.DeleteFunc(slices.Clone(list(s[key])), func(b any) bool {
			o, ok := b.(object)
			return ok && o["type"] == "null"
		})
		if len(branches) == 0 {
			continue
		}
		if branch, ok := branches[g.rand.IntN(len(branches))].(object); ok {
			out = merge(out, g.flatten(branch, depth+1))
		}
	}
	return out
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

// merge joins two schemas that must both hold. What cannot be joined is taken
// from a; the validator has the last word anyway.
func merge(a, b object) object {
	out := maps.Clone(a)
	for _, key := range slices.Sorted(maps.Keys(b)) {
		have, ok := out[key]
		switch {
		case !ok:
			out[key] = b[key]
		case key == "required":
			out[key] = append(slices.Clone(list(have)), list(b[key])...)
		case key == "properties":
			props := maps.Clone(have.(object))
			for name, schema := range b[key].(object) {
				if mine, ok := props[name].(object); ok {
					if theirs, ok := schema.(object); ok {
						schema = object{"allOf": []any{mine, theirs}}
					}
				}
				props[name] = schema
			}
			out[key] = props
		case key == "enum":
			theirs := list(b[key])
			out[key] = slices.DeleteFunc(slices.Clone(list(have)), func(v any) bool { return !slices.Contains(theirs, v) })
		}
	}
	return out
}

// lookup resolves a reference inside the schema, "#/$defs/Folder".
func lookup(root any, ref string) any {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	at := root
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		o, ok := at.(object)
		if !ok {
			return nil
		}
		if part != "" {
			at = o[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
		}
	}
	return at
}

func (g *guess) object(s object, depth int) any {
	out := object{}
	props, _ := s["properties"].(object)
	required := map[string]bool{}
	for _, name := range list(s["required"]) {
		if name, ok := name.(string); ok {
			required[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(props)) {
		if required[name] || (depth < deep && g.rand.Float64() < g.optional) {
			out[name] = g.value(props[name], depth+1)
		}
	}
	more := s["additionalProperties"]
	for _, name := range slices.Sorted(maps.Keys(required)) {
		if _, ok := out[name]; !ok {
			out[name] = g.value(more, depth+1)
		}
	}
	least := size(s["minProperties"], 0)
	if g.full && depth < deeper && len(props) > 0 {
		least = max(least, 1)
	}
	for i := 0; len(out) < least && i < len(props); i++ {
		name := slices.Sorted(maps.Keys(props))[i]
		out[name] = g.value(props[name], depth+1)
	}
	if _, ok := more.(object); ok && len(props) == 0 && (g.full && depth < deeper || depth < deep && g.rand.Float64() < g.optional) {
		out["key"] = g.value(more, depth+1)
	}
	for i := 0; len(out) < least; i++ {
		out[fmt.Sprintf("key%d", i)] = g.value(more, depth+1)
	}
	return out
}

func (g *guess) array(s object, depth int) any {
	least := size(s["minItems"], 0)
	most := size(s["maxItems"], least+2)
	n := least
	if g.full && depth < deeper {
		n = min(max(n, 1), most)
	}
	if extra := min(most-n, 2); extra > 0 && depth < deep && g.optional > 0 {
		n += g.rand.IntN(extra + 1)
	}
	out := []any{}
	prefix := list(s["prefixItems"])
	for range n * 4 { // more often than needed: repeats may be forbidden
		if len(out) == n {
			break
		}
		schema := s["items"]
		if len(out) < len(prefix) {
			schema = prefix[len(out)]
		}
		v := g.value(schema, depth+1)
		if s["uniqueItems"] == true && slices.ContainsFunc(out, func(o any) bool { return fmt.Sprint(o) == fmt.Sprint(v) }) {
			continue
		}
		out = append(out, v)
	}
	return out
}

func size(v any, otherwise int) int {
	n, ok := v.(json.Number)
	if !ok {
		return otherwise
	}
	i, err := n.Int64()
	if err != nil {
		return otherwise
	}
	return int(min(i, 1<<20))
}
