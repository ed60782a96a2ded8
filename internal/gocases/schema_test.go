package gocases

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// sameSchema compares two schemas as the cases ask for: as JSON values, without
// regard to text for people, the order of required and the names of $defs. What
// a reference leads to counts, not whether there is one, so that a type may be
// inlined or not. It returns the first difference.
func sameSchema(got, want json.RawMessage) string {
	var a, b any
	if err := json.Unmarshal(got, &a); err != nil {
		return err.Error()
	}
	if err := json.Unmarshal(want, &b); err != nil {
		return err.Error()
	}
	c := comparison{got: a, want: b, seen: map[string]bool{}}
	c.schemas(a, b, "#")
	return c.difference
}

type comparison struct {
	got, want  any // roots
	seen       map[string]bool
	difference string
}

// ignored are keywords that do not count.
var ignored = []string{"description", "title", "examples", "$defs", "$schema", "deprecated"}

func (c *comparison) fail(at, format string, args ...any) {
	if c.difference == "" {
		c.difference = at + ": " + fmt.Sprintf(format, args...)
	}
}

func (c *comparison) schemas(got, want any, at string) {
	a, b := resolve(got, c.got), resolve(want, c.want)
	if a == nil || b == nil {
		if !reflect.DeepEqual(got, want) {
			c.fail(at, "%v, want %v", got, want)
		}
		return
	}
	pair := fmt.Sprintf("%x %x", reflect.ValueOf(a).Pointer(), reflect.ValueOf(b).Pointer())
	if c.seen[pair] {
		return
	}
	c.seen[pair] = true
	keys := slices.Sorted(maps.Keys(a))
	keys = append(keys, slices.Sorted(maps.Keys(b))...)
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		x, inGot := a[key]
		y, inWant := b[key]
		switch {
		case slices.Contains(ignored, key):
		case key == "propertyNames" && !inGot: // optional, says G06
		case inGot != inWant:
			c.fail(at, "%s is %v, want %v", key, x, y)
		default:
			c.keyword(key, x, y, at+"/"+key)
		}
	}
}

func (c *comparison) keyword(key string, x, y any, at string) {
	switch key {
	case "properties":
		a, b := object(x), object(y)
		if !slices.Equal(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b))) {
			c.fail(at, "%q, want %q", slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
			return
		}
		for _, name := range slices.Sorted(maps.Keys(a)) {
			c.schemas(a[name], b[name], at+"/"+name)
		}
	case "items", "additionalProperties", "propertyNames":
		c.schemas(x, y, at)
	case "anyOf", "oneOf", "allOf", "prefixItems":
		a, _ := x.([]any)
		b, _ := y.([]any)
		if len(a) != len(b) {
			c.fail(at, "%d schemas, want %d", len(a), len(b))
			return
		}
		for i := range a {
			c.schemas(a[i], b[i], fmt.Sprintf("%s/%d", at, i))
		}
	case "required":
		if !slices.Equal(sortedTexts(x), sortedTexts(y)) {
			c.fail(at, "%v, want %v", x, y)
		}
	case "type":
		got, want := sortedTexts(x), sortedTexts(y)
		// G08: a slice with omitempty is never null in an output.
		if !slices.Equal(got, want) && !(slices.Equal(got, []string{"array"}) && slices.Equal(want, []string{"array", "null"})) {
			c.fail(at, "%v, want %v", x, y)
		}
	default:
		if !reflect.DeepEqual(x, y) {
			c.fail(at, "%v, want %v", x, y)
		}
	}
}

func sortedTexts(v any) []string {
	if s, ok := v.(string); ok {
		return []string{s}
	}
	var out []string
	list, _ := v.([]any)
	for _, item := range list {
		s, _ := item.(string)
		out = append(out, s)
	}
	slices.Sort(out)
	return out
}

// resolve follows references.
func resolve(node, root any) map[string]any {
	for range 20 {
		object := object(node)
		ref, ok := object["$ref"].(string)
		if !ok {
			return object
		}
		node = root
		for _, token := range strings.Split(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
			if token != "" {
				next, _ := node.(map[string]any)
				node = next[token]
			}
		}
	}
	return nil
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}
