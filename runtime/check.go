package runtime

import (
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// check is JSON Schema 2020-12 validation of one value, as far as the generator
// writes schemas: every keyword of the validation and applicator vocabularies,
// and references inside the schema. Formats are not asserted.
//
// It reads the schema as it is, without compiling it. A library does not do here:
// the one that is exact about numbers parses its metaschemas when the process
// starts, which takes as long as half a server's start, and reports errors
// without the parts of the schema that explain them. The tests hold this one
// against that library and against the official test suite.
type check struct {
	sc    *schema
	path  []string // of the value in the arguments; changes while it is walked
	refs  []string // references being followed for this very value
	found []violation
}

// validate returns what is wrong with the arguments, in a fixed order.
func (sc *schema) validate(arguments any) []violation {
	c := check{sc: sc}
	c.value(sc.doc, arguments)
	sortViolations(c.found)
	return c.found
}

// try returns what is wrong with the value of this place by another schema.
func (c *check) try(node, value any) []violation {
	before := c.found
	c.found = nil
	c.value(node, value)
	found := c.found
	c.found = before
	return found
}

// fits reports whether a part of the value, or its name, fits a schema.
func (c *check) fits(node, part any) bool {
	refs := c.refs
	c.refs = nil
	found := c.try(node, part)
	c.refs = refs
	return len(found) == 0
}

// child checks a part of the value.
func (c *check) child(node, part any, token string) {
	refs := c.refs
	c.path, c.refs = append(c.path, token), nil
	c.value(node, part)
	c.path, c.refs = c.path[:len(c.path)-1], refs
}

func (c *check) add(node map[string]any, v violation) {
	v.path, v.schema = slices.Clone(c.path), node
	c.found = append(c.found, v)
}

func (c *check) say(node map[string]any, format string, args ...any) {
	c.add(node, violation{text: fmt.Sprintf(format, args...)})
}

// value checks a value by a schema. When its type or its value as such is
// wrong, the rest is not worth saying.
func (c *check) value(schema, value any) {
	node, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			c.say(nil, "is not allowed here")
		}
		return
	}
	if !hasType(node, value) {
		c.add(node, violation{types: typesOf(node)})
		return
	}
	if want, ok := node["const"]; ok && !equal(value, want) {
		c.add(node, violation{values: []any{want}})
		return
	}
	if values, ok := node["enum"].([]any); ok && !slices.ContainsFunc(values, func(v any) bool { return equal(value, v) }) {
		c.add(node, violation{values: values})
		return
	}
	switch value := value.(type) {
	case json.Number:
		c.number(node, value)
	case string:
		c.text(node, value)
	case []any:
		c.array(node, value)
	case map[string]any:
		c.object(node, value)
	}
	c.applicators(node, value)
	c.unevaluated(node, value)
}

// bounds are the keywords that compare numbers.
var bounds = []struct {
	keyword, text string
	holds         func(order int) bool
}{
	{"minimum", "at least", func(order int) bool { return order >= 0 }},
	{"maximum", "at most", func(order int) bool { return order <= 0 }},
	{"exclusiveMinimum", "greater than", func(order int) bool { return order > 0 }},
	{"exclusiveMaximum", "less than", func(order int) bool { return order < 0 }},
}

func (c *check) number(node map[string]any, value json.Number) {
	for _, b := range bounds {
		if limit, ok := node[b.keyword].(json.Number); ok && !b.holds(rat(value).Cmp(rat(limit))) {
			c.say(node, "must be %s %s, got %s", b.text, limit, cut(value.String(), 60))
		}
	}
	if step, ok := node["multipleOf"].(json.Number); ok && rat(step).Sign() > 0 && !new(big.Rat).Quo(rat(value), rat(step)).IsInt() {
		c.say(node, "must be a multiple of %s, got %s", step, cut(value.String(), 60))
	}
}

func (c *check) text(node map[string]any, value string) {
	c.limits(node, "Length", utf8.RuneCountInString(value), "characters")
	if pattern, ok := node["pattern"].(string); ok {
		if re := compiled(pattern); re != nil && !re.MatchString(value) {
			c.say(node, "must match the pattern %s, got %s", pattern, describe(value))
		}
	}
}

// limits checks minX and maxX.
func (c *check) limits(node map[string]any, x string, n int, of string) {
	if limit, ok := count(node["min"+x]); ok && n < limit {
		c.say(node, "must have at least %d %s, has %d", limit, of, n)
	}
	if limit, ok := count(node["max"+x]); ok && n > limit {
		c.say(node, "must have at most %d %s, has %d", limit, of, n)
	}
}

func (c *check) array(node map[string]any, items []any) {
	c.limits(node, "Items", len(items), "items")
	if node["uniqueItems"] == true {
		seen := map[string]int{}
		for i, item := range items {
			key := canonical(item)
			if first, ok := seen[key]; ok {
				c.say(node, "items %d and %d are equal, all must differ", first, i)
				break
			}
			seen[key] = i
		}
	}
	prefix, _ := node["prefixItems"].([]any)
	rest, hasRest := node["items"]
	for i, item := range items {
		switch {
		case i < len(prefix):
			c.child(prefix[i], item, strconv.Itoa(i))
		case hasRest:
			c.child(rest, item, strconv.Itoa(i))
		}
	}
	c.contains(node, items)
}

func (c *check) contains(node map[string]any, items []any) {
	wanted, ok := node["contains"]
	if !ok {
		return
	}
	n := 0
	for _, item := range items {
		if c.fits(wanted, item) {
			n++
		}
	}
	least, ok := count(node["minContains"])
	if !ok {
		least = 1
	}
	if n < least {
		c.say(node, "must contain at least %d items of the kind it is for, has %d", least, n)
	}
	if most, ok := count(node["maxContains"]); ok && n > most {
		c.say(node, "must contain at most %d items of one kind, has %d", most, n)
	}
}

func (c *check) object(node map[string]any, object map[string]any) {
	c.limits(node, "Properties", len(object), "properties")
	for _, name := range texts(node["required"]) {
		if _, ok := object[name]; !ok {
			c.add(node, violation{missing: name})
		}
	}
	dependent, _ := node["dependentRequired"].(map[string]any)
	for _, name := range sortedKeys(dependent) {
		for _, other := range texts(dependent[name]) {
			if has(object, name) && !has(object, other) {
				c.say(node, "needs %s, because it has %s", other, name)
			}
		}
	}
	names, limited := node["propertyNames"]
	additional, closed := node["additionalProperties"]
	for _, name := range sortedKeys(object) {
		if limited && !c.fits(names, name) {
			c.say(node, "has a property whose name is not allowed: %s", cut(name, 80))
		}
		if known := c.property(node, name, object[name]); known || !closed {
			continue
		}
		if additional == false {
			c.add(node, violation{unknown: name})
		} else {
			c.child(additional, object[name], name)
		}
	}
}

// property checks a property by the schemas of properties and
// patternProperties that are about its name, and reports whether any is.
func (c *check) property(node map[string]any, name string, value any) (known bool) {
	if schema, ok := propertiesOf(node)[name]; ok {
		c.child(schema, value, name)
		known = true
	}
	patterns, _ := node["patternProperties"].(map[string]any)
	for _, pattern := range sortedKeys(patterns) {
		re := compiled(pattern)
		if re != nil && re.MatchString(name) {
			c.child(patterns[pattern], value, name)
		}
		// A pattern that Go cannot read may be about this name.
		known = known || re == nil || re.MatchString(name)
	}
	return known
}

// applicators checks the keywords that apply schemas to the value itself.
func (c *check) applicators(node map[string]any, value any) {
	if ref, ok := node["$ref"].(string); ok {
		c.reference(ref, value)
	}
	for _, schema := range list(node["allOf"]) {
		c.value(schema, value)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if schemas := list(node[keyword]); len(schemas) > 0 {
			c.alternatives(node, schemas, value, keyword == "oneOf")
		}
	}
	if schema, ok := node["not"]; ok && len(c.try(schema, value)) == 0 {
		c.say(node, "has a value that is excluded")
	}
	if condition, ok := node["if"]; ok {
		branch := "then"
		if len(c.try(condition, value)) > 0 {
			branch = "else"
		}
		if schema, ok := node[branch]; ok {
			c.value(schema, value)
		}
	}
	object, _ := value.(map[string]any)
	dependent, _ := node["dependentSchemas"].(map[string]any)
	for _, name := range sortedKeys(dependent) {
		if has(object, name) {
			c.value(dependent[name], value)
		}
	}
}

// reference follows a $ref, not in circles: a second time for the same value it
// has nothing to add.
func (c *check) reference(ref string, value any) {
	target, ok := c.sc.target(ref)
	if !ok || slices.Contains(c.refs, ref) {
		return
	}
	c.refs = append(c.refs, ref)
	c.value(target, value)
	c.refs = c.refs[:len(c.refs)-1]
}

// alternatives checks anyOf and oneOf.
func (c *check) alternatives(node map[string]any, schemas []any, value any, one bool) {
	var branches [][]violation
	matches := 0
	for _, schema := range schemas {
		if branch := c.try(schema, value); len(branch) > 0 {
			branches = append(branches, branch)
		} else if matches++; !one {
			return
		}
	}
	switch {
	case matches == 0:
		c.found = append(c.found, closest(slices.Clone(c.path), branches)...)
	case matches > 1:
		c.say(node, "fits %d of its %d forms, must fit exactly one", matches, len(schemas))
	}
}

// patterns holds what compiled has compiled.
var patterns sync.Map // string -> *regexp.Regexp

// compiled returns a pattern, or nil where Go cannot read it: patterns are
// ECMA-262, which has look-around and counts beyond 1,000. Those are not checked.
func compiled(pattern string) *regexp.Regexp {
	if re, ok := patterns.Load(pattern); ok {
		return re.(*regexp.Regexp)
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		re = nil
	}
	patterns.Store(pattern, re)
	return re
}

// hasType reports whether a value is of a type that the schema allows.
func hasType(node map[string]any, value any) bool {
	switch types := node["type"].(type) {
	case string:
		return isType(value, types)
	case []any:
		return slices.ContainsFunc(types, func(t any) bool {
			name, ok := t.(string)
			return ok && isType(value, name)
		})
	}
	return true
}

// isType reports whether a value is of a JSON Schema type.
func isType(value any, name string) bool {
	switch value := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case json.Number:
		return name == "number" || name == "integer" && (!strings.ContainsAny(value.String(), ".eE") || rat(value).IsInt())
	}
	return false
}

// rat is a number, exactly. The text is JSON's, within the bounds that decode sets.
func rat(n json.Number) *big.Rat {
	r, ok := new(big.Rat).SetString(n.String())
	if !ok {
		return new(big.Rat)
	}
	return r
}

// equal compares JSON values: numbers by value, objects without order.
func equal(a, b any) bool {
	switch a := a.(type) {
	case string:
		return a == b
	case json.Number:
		b, ok := b.(json.Number)
		return ok && (a == b || rat(a).Cmp(rat(b)) == 0)
	case []any, map[string]any:
		return canonical(a) == canonical(b)
	}
	return a == b
}

// canonical is the same text for equal JSON values.
func canonical(value any) string {
	switch value := value.(type) {
	case json.Number:
		return rat(value).RatString()
	case string:
		return strconv.Quote(value)
	case []any:
		parts := make([]string, len(value))
		for i, item := range value {
			parts[i] = canonical(item)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		var parts []string
		for _, name := range sortedKeys(value) {
			parts = append(parts, strconv.Quote(name)+":"+canonical(value[name]))
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	return fmt.Sprint(value)
}

// count is a keyword that counts; 2.0 is 2.
func count(keyword any) (int, bool) {
	n, ok := keyword.(json.Number)
	if !ok || !rat(n).IsInt() || !rat(n).Num().IsInt64() {
		return 0, false
	}
	return int(rat(n).Num().Int64()), true
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
