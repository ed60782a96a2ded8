package gofunc

import (
	"encoding/json"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// rule is one thing that a directive or a struct tag says about a value; its
// keys are those of [valueKeys].
type rule = arg

// overrides are the rules of //mcp:param lines for a parameter and the fields
// below it.
type overrides struct {
	name   string
	rules  []rule
	fields []*overrides
	used   bool
	pos    rule // where it was first named
}

func (o *overrides) field(name string) *overrides {
	if o == nil {
		return nil
	}
	for _, f := range o.fields {
		if f.name == name {
			f.used = true
			return f
		}
	}
	return nil
}

// at returns the overrides at a path, making them.
func (o *overrides) at(path []string, pos rule) *overrides {
	for _, name := range path {
		i := slices.IndexFunc(o.fields, func(f *overrides) bool { return f.name == name })
		if i < 0 {
			o.fields = append(o.fields, &overrides{name: name, pos: pos})
			i = len(o.fields) - 1
		}
		o = o.fields[i]
	}
	return o
}

// unused returns the first that no field has taken.
func (o *overrides) unused() *overrides {
	for _, f := range o.fields {
		if !f.used {
			return f
		}
		if u := f.unused(); u != nil {
			return u
		}
	}
	return nil
}

// all returns the rules of all fields.
func (o *overrides) all() []rule {
	var out []rule
	for _, f := range o.fields {
		out = append(append(out, f.rules...), f.all()...)
	}
	return out
}

func (o *overrides) empty() bool { return o == nil || len(o.fields) == 0 }

// rules collects what is said about a field. Of a key that several sources
// give, the first wins: //mcp:param, //mcp:field, struct tags.
func (c *conversion) rules(f *jsonField, p place) []rule {
	var out []rule
	if p.more != nil {
		out = p.more.rules
	}
	var own []rule
	for _, d := range c.sources.of(f.v).notes.all("field") {
		own = append(own, d.args...)
	}
	pos := c.fieldPos(f)
	for _, source := range [][]rule{own, schemaTag(f.tag, pos), validateTag(f.tag, f.typ, pos)} {
		out = addRules(out, source)
	}
	return out
}

// addRules appends the rules of keys that are not there yet.
func addRules(rules, more []rule) []rule {
	had := slices.Clone(rules)
	out := slices.Clone(rules)
	for _, r := range more {
		if !slices.ContainsFunc(had, func(h rule) bool { return h.key == r.key }) {
			out = append(out, r)
		}
	}
	return out
}

func ruleText(rules []rule) (string, bool) {
	for _, r := range rules {
		if r.key == "desc" {
			return r.value, true
		}
	}
	return "", false
}

// givenSchema is the schema of a rule that replaces the type's.
func givenSchema(rules []rule) *node.Node {
	for _, r := range rules {
		if r.key == "schema" {
			return parseJSON(r.value)
		}
	}
	return nil
}

// limits are what rules say beyond the schema.
type limits struct {
	free     bool   // optional
	required bool   //
	fallback string // the default, JSON
}

func (l limits) optional(otherwise bool) bool {
	return !l.required && (l.free || l.fallback != "" || otherwise)
}

// limitKeys maps keys to the JSON Schema keyword and the type it is for.
var limitKeys = map[string]struct{ keyword, kinds string }{
	"min":          {"minimum", "number integer"},
	"max":          {"maximum", "number integer"},
	"exclusiveMin": {"exclusiveMinimum", "number integer"},
	"exclusiveMax": {"exclusiveMaximum", "number integer"},
	"multipleOf":   {"multipleOf", "number integer"},
	"minLength":    {"minLength", "string"},
	"maxLength":    {"maxLength", "string"},
	"pattern":      {"pattern", "string"},
	"format":       {"format", "string"},
	"minItems":     {"minItems", "array"},
	"maxItems":     {"maxItems", "array"},
	"uniqueItems":  {"uniqueItems", "array"},
	"header":       {headerKeyword, "string integer boolean"},
}

// limit applies rules to the schema of an input.
func (c *conversion) limit(n *node.Node, t types.Type, rules []rule) (*node.Node, limits) {
	var l limits
	var values []rule // checked when the rest is there
	for _, r := range rules {
		switch r.key {
		case "optional":
			l.free = r.value == "true"
		case "required":
			l.required = r.value == "true"
		case "deprecated":
			n = n.With("deprecated", node.Boolean(nil, r.value == "true"))
		case "default", "example", "enum":
			values = append(values, r)
		default:
			if k, ok := limitKeys[r.key]; ok {
				n = c.keyword(n, r, k.keyword, k.kinds)
			}
		}
	}
	c.checkOrder(n, rules)
	if l.free && l.required {
		c.ruleError(rules, "required", "optional and required contradict each other")
	}
	n = c.enumRule(n, t, values)
	var examples []*node.Node
	for _, r := range values {
		if r.key == "enum" {
			continue
		}
		text, ok := c.value(n, t, r)
		switch {
		case !ok:
		case r.key == "default":
			l.fallback = text
			n = n.With("default", parseJSON(text))
		default:
			examples = append(examples, parseJSON(text))
		}
	}
	if len(examples) > 0 {
		n = n.With("examples", node.Seq(nil, examples...))
	}
	return n, l
}

// mark applies the rules that also hold for outputs.
func (c *conversion) mark(n *node.Node, rules []rule) *node.Node {
	for _, r := range rules {
		if r.key == "deprecated" && r.value == "true" {
			n = n.With("deprecated", node.Boolean(nil, true))
		}
	}
	return n
}

func (c *conversion) badRule(r rule, format string, args ...any) {
	c.diags.Error(r.pos, "bad-constraint", "", "%s: %s: %s", c.what, r.key, fmt.Sprintf(format, args...))
}

func (c *conversion) ruleError(rules []rule, key, message string) {
	for _, r := range rules {
		if r.key == key {
			c.badRule(r, "%s", message)
			return
		}
	}
}

// keyword sets one keyword if the schema is of a kind that knows it.
func (c *conversion) keyword(n *node.Node, r rule, keyword, kinds string) *node.Node {
	kind := schemaKind(n)
	if kind != "" && !slices.Contains(strings.Fields(kinds), kind) {
		c.badRule(r, "%s is for %s, and the value is of type %s", r.key, strings.ReplaceAll(kinds, " ", " and "), kind)
		return n
	}
	switch r.key {
	case "pattern", "format", "header":
		return n.With(keyword, node.Str(nil, r.value))
	case "uniqueItems":
		return n.With(keyword, node.Boolean(nil, r.value == "true"))
	}
	return n.With(keyword, node.Num(nil, r.value))
}

// checkOrder reports limits that no value can keep.
func (c *conversion) checkOrder(n *node.Node, rules []rule) {
	for _, pair := range [][4]string{
		{"min", "minimum", "max", "maximum"}, {"min", "minimum", "exclusiveMax", "exclusiveMaximum"},
		{"exclusiveMin", "exclusiveMinimum", "max", "maximum"}, {"exclusiveMin", "exclusiveMinimum", "exclusiveMax", "exclusiveMaximum"},
		{"minLength", "minLength", "maxLength", "maxLength"}, {"minItems", "minItems", "maxItems", "maxItems"},
	} {
		least, greatest := n.Get(pair[1]), n.Get(pair[3])
		if least == nil || greatest == nil {
			continue
		}
		order := compareNumbers(least.Value, greatest.Value)
		if order > 0 || order == 0 && strings.HasPrefix(pair[1]+pair[3], "exclusive") {
			key := pair[2]
			if !slices.ContainsFunc(rules, func(r rule) bool { return r.key == key }) {
				key = pair[0]
			}
			c.ruleError(rules, key, fmt.Sprintf("no value is allowed: %s is %s and %s is %s", pair[0], least.Value, pair[2], greatest.Value))
		}
	}
}

// enumRule sets the values allowed; those of an array are its items'.
func (c *conversion) enumRule(n *node.Node, t types.Type, rules []rule) *node.Node {
	var members []*node.Node
	target, elem := n, t
	isArray := schemaKind(n) == "array"
	if s, ok := t.Underlying().(*types.Slice); ok && isArray {
		target, elem = n.Get("items"), s.Elem()
	}
	for _, r := range rules {
		if r.key != "enum" {
			continue
		}
		for _, text := range splitList(r.value) {
			member := r
			member.value = text
			if value, ok := c.value(target, elem, member); ok {
				members = append(members, parseJSON(value))
			}
		}
	}
	if len(members) == 0 {
		return n
	}
	target = target.With("enum", node.Seq(nil, members...))
	if isArray {
		return n.With("items", target)
	}
	return target
}

// splitList splits a list of values: a JSON array, or at the commas.
func splitList(text string) []string {
	var list []json.RawMessage
	if strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &list) == nil {
		var out []string
		for _, item := range list {
			s := string(item)
			if strings.HasPrefix(s, `"`) {
				s = unquoteJSON(s)
			}
			out = append(out, s)
		}
		return out
	}
	return strings.Split(text, ",")
}

// checkName warns about a property that strict clients refuse.
func (c *conversion) checkName(f *jsonField, p place) {
	if c.mode == in && !ir.IsArgName(f.name) {
		c.warn(p, c.fieldPos(f), "property-name", "field %s: some clients refuse a tool with a property named %s", p.path, quote(f.name))
	}
}
