package runtime

import (
	"slices"
	"strconv"
)

// unevaluated checks unevaluatedProperties and unevaluatedItems: what no other
// keyword was about, in this schema or in those that apply to the same value
// (JSON Schema 2020-12, section 11).
func (c *check) unevaluated(node map[string]any, value any) {
	switch value := value.(type) {
	case map[string]any:
		schema, ok := node["unevaluatedProperties"]
		if !ok {
			return
		}
		for _, name := range sortedKeys(value) {
			switch {
			case c.evaluatesProperty(node, value, name):
			case schema == false:
				c.add(node, violation{unknown: name})
			default:
				c.child(schema, value[name], name)
			}
		}
	case []any:
		schema, ok := node["unevaluatedItems"]
		if !ok {
			return
		}
		for i, item := range value {
			if !c.evaluatesItem(node, value, i) {
				c.child(schema, item, strconv.Itoa(i))
			}
		}
	}
}

// evaluatesProperty reports whether a schema is about a property, leaving its
// unevaluatedProperties aside.
func (c *check) evaluatesProperty(node map[string]any, object map[string]any, name string) bool {
	return has(node, "additionalProperties") || c.knows(node, object, name) ||
		c.anyApplied(node, object, func(inner map[string]any) bool {
			return has(inner, "unevaluatedProperties") || c.evaluatesProperty(inner, object, name)
		})
}

// knows is what property reports, without its violations.
func (c *check) knows(node map[string]any, object map[string]any, name string) bool {
	before := c.found
	known := c.property(node, name, object[name])
	c.found = before
	return known
}

// evaluatesItem is the same for an item of an array.
func (c *check) evaluatesItem(node map[string]any, items []any, i int) bool {
	if has(node, "items") || i < len(list(node["prefixItems"])) {
		return true
	}
	if wanted, ok := node["contains"]; ok && c.fits(wanted, items[i]) {
		return true
	}
	return c.anyApplied(node, items, func(inner map[string]any) bool {
		return has(inner, "unevaluatedItems") || c.evaluatesItem(inner, items, i)
	})
}

// anyApplied reports whether about holds for a schema that node applies to the
// value itself and that the value fits.
func (c *check) anyApplied(node map[string]any, value any, about func(map[string]any) bool) bool {
	var applied []any
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		applied = append(applied, list(node[keyword])...)
	}
	if condition, ok := node["if"]; ok {
		if len(c.try(condition, value)) == 0 {
			applied = append(applied, condition, node["then"])
		} else {
			applied = append(applied, node["else"])
		}
	}
	object, _ := value.(map[string]any)
	dependent, _ := node["dependentSchemas"].(map[string]any)
	for _, name := range sortedKeys(dependent) {
		if has(object, name) {
			applied = append(applied, dependent[name])
		}
	}
	for _, schema := range applied {
		if inner, ok := schema.(map[string]any); ok && len(c.try(inner, value)) == 0 && about(inner) {
			return true
		}
	}
	return c.referenceApplied(node, value, about)
}

// referenceApplied is anyApplied for $ref.
func (c *check) referenceApplied(node map[string]any, value any, about func(map[string]any) bool) bool {
	ref, _ := node["$ref"].(string)
	target, _ := c.sc.target(ref)
	inner, ok := target.(map[string]any)
	if !ok || slices.Contains(c.refs, ref) {
		return false
	}
	c.refs = append(c.refs, ref)
	applied := len(c.try(inner, value)) == 0 && about(inner)
	c.refs = c.refs[:len(c.refs)-1]
	return applied
}
