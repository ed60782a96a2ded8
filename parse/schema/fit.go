package schema

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// enumOfArray: an enum of single values beside type array lists what the items
// may be.
func enumOfArray(c *Converter, n *node.Node) *node.Node {
	enum, items := n.Get("enum"), n.Get("items")
	if enum == nil || !isType(n, "array") || slices.ContainsFunc(enum.Items, isNested) {
		return n
	}
	switch {
	case items == nil:
		items = node.Map(enum)
	case items.Kind != node.Mapping || has(items, "$ref", "enum", "allOf", "anyOf", "oneOf"):
		return n
	}
	for _, key := range append([]string{"enum"}, enumTexts...) {
		items = items.With(key, n.Get(key))
		n = n.Without(key)
	}
	return n.With("items", c.normalise(items))
}

func isNested(n *node.Node) bool { return n.Kind == node.Sequence || n.Kind == node.Mapping }

// isType reports whether name is the only type of a schema besides null.
func isType(n *node.Node, name string) bool {
	found := false
	for _, t := range typeList(n.Get("type")) {
		if t.Value != name && t.Value != "null" {
			return false
		}
		found = found || t.Value == name
	}
	return found
}

// fitValues gives enum, const, default and examples the type that the schema
// asks for where they were written in another one: "1" under integer, 1 under
// string. No value would be valid otherwise.
func fitValues(c *Converter, n *node.Node) *node.Node {
	if enum := n.Get("enum"); enum != nil {
		n = c.fitEnum(n, enum)
	}
	t := n.Get("type")
	if t == nil {
		return n
	}
	if v := n.Get("const"); v != nil {
		if fitted := fit(t, v); fitted != nil {
			c.warnReread("const", v, fitted)
			n = n.With("const", fitted)
		}
	}
	if v := n.Get("default"); v != nil {
		if fitted := fit(t, v); fitted != nil {
			c.warnReread("default", v, fitted)
			n = n.With("default", fitted)
		} else {
			c.warn(v, "default-type", "default %s is no %s; it is left out", shown(v), typeNames(t))
			n = n.Without("default")
		}
	}
	if list := n.Get("examples"); list != nil {
		if fitted := distinct(fitAll(t, list.Items)); len(fitted) > 0 {
			n = n.With("examples", node.Seq(list, fitted...))
		} else {
			n = n.Without("examples")
		}
	}
	return n
}

func (c *Converter) fitEnum(n, enum *node.Node) *node.Node {
	values := enum.Items
	if t := n.Get("type"); t != nil {
		values = fitAll(t, values)
		if len(values) == 0 {
			c.warn(enum, "enum-type", "no value of the enum is a %s; the type is left out", typeNames(t))
			n = n.Without("type")
			values = enum.Items
		} else {
			c.warnEnum(t, enum)
		}
	}
	return n.With("enum", node.Seq(enum, distinct(values)...))
}

// warnEnum reports each value that cannot be of the type, and the first that is
// written in another one.
func (c *Converter) warnEnum(t, enum *node.Node) {
	reread := false
	for _, v := range enum.Items {
		switch fitted := fit(t, v); {
		case fitted == nil:
			c.warn(v, "enum-type", "%s in the enum is no %s; it is left out", shown(v), typeNames(t))
		case fitted != v && !reread:
			reread = true
			c.warnReread("enum", v, fitted)
		}
	}
}

// warnReread reports a value that was written in another type than its schema's.
func (c *Converter) warnReread(key string, v, fitted *node.Node) {
	if fitted != v {
		c.warn(v, key+"-type", "%s in %s is a %s, read as a %s", shown(v), key, v.Kind, fitted.Kind)
	}
}

// typeNames is a type keyword as messages have it.
func typeNames(t *node.Node) string {
	var names []string
	for _, name := range typeList(t) {
		names = append(names, name.Value)
	}
	return strings.Join(names, " or ")
}

// shown is a value as messages have it, cut where it is long.
func shown(v *node.Node) string {
	text := string(node.AppendJSON(nil, v))
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

// fitAll returns the values that are or can be made one of the types.
func fitAll(types *node.Node, values []*node.Node) []*node.Node {
	var out []*node.Node
	for _, v := range values {
		if v = fit(types, v); v != nil {
			out = append(out, v)
		}
	}
	return out
}

// fit returns v as one of the types, or nil.
func fit(types, v *node.Node) *node.Node {
	list := typeList(types)
	for _, t := range list {
		if isOf(t.Value, v) {
			return v
		}
	}
	for _, t := range list {
		if fitted := reread(t.Value, v); fitted != nil {
			return fitted
		}
	}
	return nil
}

// isOf reports whether a value is of a type.
func isOf(t string, v *node.Node) bool {
	switch v.Kind {
	case node.Null:
		return t == "null"
	case node.Bool:
		return t == "boolean"
	case node.Number:
		return t == "number" || t == "integer" && isInteger(v)
	case node.String:
		return t == "string" || t == "file"
	case node.Sequence:
		return t == "array"
	}
	return t == "object"
}

func isInteger(v *node.Node) bool {
	if strings.Trim(v.Value, "-0123456789") == "" {
		return true
	}
	r := rational(v)
	return r != nil && r.IsInt()
}

// typeOf is the narrowest type of a value.
func typeOf(v *node.Node) string {
	for _, t := range []string{"string", "integer", "number", "boolean", "array", "object"} {
		if isOf(t, v) {
			return t
		}
	}
	return "null"
}

// typeOfAll is the type keyword that takes all values and no other type.
func typeOfAll(values []*node.Node) *node.Node {
	var names []*node.Node
	fractions := slices.ContainsFunc(values, func(v *node.Node) bool { return typeOf(v) == "number" })
	for _, v := range values {
		t := typeOf(v)
		if t == "integer" && fractions {
			t = "number"
		}
		names = append(names, node.Str(v, t))
	}
	if names = distinct(names); len(names) == 1 {
		return names[0]
	}
	return node.Seq(values[0], names...)
}

// reread reads a scalar as one of another type, nil when it makes no sense.
func reread(t string, v *node.Node) *node.Node {
	switch {
	case t == "string" && (v.Kind == node.Number || v.Kind == node.Bool):
		return node.Str(v, v.Value)
	case v.Kind != node.String:
	case t == "boolean":
		return repairFlag(v)
	case t == "integer" || t == "number":
		if r := rational(v); r != nil && (t == "number" || r.IsInt()) {
			return node.Num(v, strings.TrimSpace(v.Value))
		}
	}
	return nil
}

// distinct returns values without repeats, compared as JSON Schema does.
func distinct(values []*node.Node) []*node.Node {
	seen := make(map[string]bool, len(values))
	out := make([]*node.Node, 0, len(values))
	for _, v := range values {
		if k := identity(v); !seen[k] {
			seen[k] = true
			out = append(out, v)
		}
	}
	return out
}

// identity is the same text for values that JSON Schema takes for equal.
func identity(v *node.Node) string {
	if v.Kind == node.Number {
		if r := rational(v); r != nil {
			return r.RatString()
		}
	}
	return string(node.AppendJSON(nil, v))
}

// same reports whether two trees hold the same value.
func same(a, b *node.Node) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || a.Kind != b.Kind || a.Value != b.Value || len(a.Items) != len(b.Items) {
		return false
	}
	for i := range a.Items {
		if !same(a.Items[i], b.Items[i]) {
			return false
		}
	}
	return true
}
