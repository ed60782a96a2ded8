package schema

import (
	"math/big"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
)

// repair makes a well-typed schema of what stands in the document: every
// keyword that remains is one of [keywords] and has a value of its form.
// Values that can be understood are put right, others are left out, both with a
// warning; a null keyword is as good as none.
func (c *Converter) repair(n *node.Node) *node.Node {
	switch {
	case n == nil, n.Is(true):
		return node.Map(n)
	case n.Kind == node.Null:
		c.warn(n, "null-schema", "a schema is null; any value is accepted")
		return node.Map(n)
	case n.Is(false):
		return node.Map(n, node.Str(n, "not"), node.Map(n))
	case n.Kind != node.Mapping:
		c.warn(n, "bad-schema", "a schema must be a mapping, this is a %s; any value is accepted", n.Kind)
		return node.Map(n)
	}
	dialect := c.src.Dialect(n.File)
	if ref := n.Get("$ref"); ref != nil && ref.Kind == node.String && dialect == OpenAPI30 {
		// OpenAPI 3.0.3, Reference Object: what stands beside $ref is ignored.
		// A description is kept all the same, because authors mean it.
		c.warnSiblings(n)
		link := node.Map(n, n.Key("$ref"), ref)
		return link.With("description", c.repairText("description", n.Get("description")))
	}
	c.bindAnchors(n)
	items := make([]*node.Node, 0, len(n.Items))
	for key, v := range n.Pairs() {
		if v = c.repairValue(key.Value, v, dialect); v != nil {
			items = append(items, key, v)
		}
	}
	out := node.Map(n, items...)
	for _, key := range []string{"$dynamicRef", "$recursiveRef"} {
		if ref := out.Get(key); ref != nil {
			out = out.Without(key).With("$ref", ref)
		}
	}
	return c.liftRequired(out)
}

// warnSiblings reports what stands beside a $ref to change its target, and does
// not. A repeated type changes nothing.
func (c *Converter) warnSiblings(n *node.Node) {
	for key, v := range n.Pairs() {
		switch name := key.Value; name {
		case "$ref", "type", "title", "description", "deprecated", "example", "examples":
			continue
		case "required":
			if repairFlag(v) != nil { // said of the property
				continue
			}
		case "readOnly", "writeOnly", "nullable", "x-nullable":
			if !repairFlag(v).Is(true) {
				continue
			}
		default:
			if form := keywords[name]; form == foreign || form == meanings {
				continue
			}
		}
		c.warn(key, "ignored-sibling", "%s beside a $ref means nothing before OpenAPI 3.1; to have it count, write allOf with the $ref in it", key.Value)
	}
}

// repairValue returns the value of a keyword in its right form, nil to leave
// the keyword out.
func (c *Converter) repairValue(key string, v *node.Node, dialect Dialect) *node.Node {
	switch keywords[key] {
	case oneSchema:
		return c.repairSchema(key, v)
	case schemaList:
		return c.repairSchemaList(key, v)
	case schemaMap:
		return c.repairSchemaMap(key, v)
	case text:
		return c.repairText(key, v)
	case number:
		return c.repairNumber(key, v)
	case bound:
		if repairFlag(v) != nil {
			return c.repairFlag(key, v)
		}
		return c.repairNumber(key, v)
	case count:
		return c.repairCount(key, v)
	case flag:
		return c.repairFlag(key, v)
	case value:
		return v
	case valueList:
		return c.repairValueList(key, v)
	case nameList:
		return c.repairNames(key, v)
	case types:
		return c.repairTypes(v, dialect)
	case reference:
		return c.repairReference(key, v)
	case selector:
		if v.Kind == node.String { // Swagger 2.0
			return node.Map(v, node.Str(v, "propertyName"), v)
		}
		if v.Get("propertyName").Text() != "" {
			return v
		}
		c.badValue(key, v, "a mapping with propertyName")
	case meanings:
		if v.Kind == node.Sequence || v.Kind == node.Mapping {
			return v
		}
		c.badValue(key, v, "a list")
	case itemSchemas, nameLists, dependency:
		return c.repairContainer(key, v)
	}
	return nil
}

func (c *Converter) badValue(key string, v *node.Node, want string) {
	what := v.Kind.String()
	if v.Kind != node.Mapping && v.Kind != node.Sequence && len(v.Value) < 40 {
		what = strings.TrimSpace(what + " " + v.Value)
	}
	c.warn(v, "bad-keyword", "schema keyword %s must be %s, not %s; it is left out", key, want, what)
}

// repairReference keeps a $ref that can be resolved.
func (c *Converter) repairReference(key string, v *node.Node) *node.Node {
	switch {
	case v.Kind != node.String:
		c.badValue(key, v, "a string")
	case key == "$recursiveRef" && c.steps[v].target == nil:
		c.warn(v, "bad-keyword", "$recursiveRef has no $recursiveAnchor around it; any value is accepted")
	default:
		return v
	}
	return nil
}

func (c *Converter) repairText(key string, v *node.Node) *node.Node {
	switch {
	case v == nil || v.Kind == node.Null:
		return nil
	case v.Kind == node.Mapping || v.Kind == node.Sequence:
		c.badValue(key, v, "text")
		return nil
	}
	s := v.Value
	if key == "description" || key == "title" {
		s = strings.TrimSpace(prose.Visible(s))
	}
	if s == "" {
		return nil
	}
	if v.Kind != node.String {
		c.warn(v, "unquoted-text", "schema keyword %s is a %s, read as the text %q", key, v.Kind, s)
	} else if s == v.Value {
		return v
	}
	return node.Str(v, s)
}

// repairSchema leaves out a null: it would be read as a schema that takes any
// value, and not, for one, would take none.
func (c *Converter) repairSchema(key string, v *node.Node) *node.Node {
	if v.Kind == node.Null {
		c.warn(v, "null-schema", "schema keyword %s is null and must be a schema; it is left out", key)
		return nil
	}
	return v
}

func (c *Converter) repairFlag(key string, v *node.Node) *node.Node {
	b := repairFlag(v)
	if b == nil && v.Kind != node.Null {
		c.badValue(key, v, "true or false")
	} else if b != v && b != nil {
		c.warn(v, "quoted-boolean", "schema keyword %s is text, read as %s", key, b.Value)
	}
	return b
}

// repairFlag returns v as a boolean, or nil.
func repairFlag(v *node.Node) *node.Node {
	if v.Kind == node.Bool {
		return v
	}
	if v.Kind == node.String && (v.Value == "true" || v.Value == "false") {
		return node.Boolean(v, v.Value == "true")
	}
	return nil
}

func (c *Converter) repairNumber(key string, v *node.Node) *node.Node {
	r := rational(v)
	if r == nil || key == "multipleOf" && r.Sign() <= 0 {
		if v.Kind != node.Null {
			c.badValue(key, v, "a number")
		}
		return nil
	}
	if v.Kind == node.Number {
		return v
	}
	c.warnQuoted(key, v)
	return node.Num(v, strings.TrimSpace(v.Value))
}

func (c *Converter) warnQuoted(key string, v *node.Node) {
	if v.Kind == node.String {
		c.warn(v, "quoted-number", "schema keyword %s is text, read as the number %s", key, strings.TrimSpace(v.Value))
	}
}

// maxCount is the largest length or number of items that validators can hold.
const maxCount = 1 << 53

func (c *Converter) repairCount(key string, v *node.Node) *node.Node {
	r := rational(v)
	large := r != nil && r.Cmp(new(big.Rat).SetInt64(maxCount)) > 0
	if r == nil || !r.IsInt() || r.Sign() < 0 || large {
		if v.Kind != node.Null && !(large && strings.HasPrefix(key, "max")) { // nothing reaches such a maximum
			c.badValue(key, v, "a count of at most 2^53")
		}
		return nil
	}
	c.warnQuoted(key, v)
	if digits := r.Num().String(); v.Kind != node.Number || v.Value != digits {
		return node.Num(v, digits)
	}
	return v
}

// rational is the exact value of a number or of the text of one; nil for
// anything else. Exponents beyond reason count as no number.
func rational(v *node.Node) *big.Rat {
	literal := ""
	switch v.Kind {
	case node.Number:
		literal = v.Literal()
	case node.String:
		literal = strings.TrimSpace(v.Value)
	}
	if strings.ContainsAny(literal, "/_xXpPoObB") {
		return nil
	}
	if i := strings.IndexAny(literal, "eE"); i >= 0 && len(strings.TrimLeft(literal[i+1:], "+-0")) > 3 {
		return nil
	}
	r, ok := new(big.Rat).SetString(literal)
	if !ok {
		return nil
	}
	return r
}

func (c *Converter) repairSchemaList(key string, v *node.Node) *node.Node {
	switch v.Kind {
	case node.Mapping:
		c.warnList(key, v)
		v = node.Seq(v, v)
	case node.Sequence:
		v = node.Seq(v, slices.DeleteFunc(slices.Clone(v.Items), func(m *node.Node) bool { return c.repairSchema(key, m) == nil })...)
	default:
		if v.Kind != node.Null {
			c.badValue(key, v, "a list of schemas")
		}
		return nil
	}
	if len(v.Items) == 0 {
		return nil
	}
	return v
}

func (c *Converter) warnList(key string, v *node.Node) {
	c.warn(v, "not-a-list", "schema keyword %s is a %s, read as a list of one", key, v.Kind)
}

func (c *Converter) repairSchemaMap(key string, v *node.Node) *node.Node {
	if v.Kind != node.Mapping {
		if v.Kind != node.Null {
			c.badValue(key, v, "a mapping of schemas")
		}
		return nil
	}
	// A whole map may stand in another file: {$ref: properties.yaml}.
	if ref := v.Get("$ref"); ref != nil && ref.Kind == node.String {
		shared, err := c.step(ref)
		if err != nil || !shared.IsMap() {
			c.warn(ref, "dangling-ref", "%s are in %q, which cannot be read; they are left out", key, ref.Value)
			shared = node.Map(v)
		}
		own := v.Without("$ref")
		v = shared
		for name, schema := range own.Pairs() {
			v = v.With(name.Value, schema)
		}
	}
	if len(v.Items) == 0 {
		return nil
	}
	return v
}

func (c *Converter) repairValueList(key string, v *node.Node) *node.Node {
	switch {
	case v.Kind == node.Mapping && key == "examples":
		c.warn(v, "examples-map", "schema keyword examples is a mapping, read as a list of its values")
		v = node.Seq(v, exampleValues(v)...)
	case v.Kind == node.Mapping, v.Kind == node.Null && key != "examples":
		c.badValue(key, v, "a list")
		return nil
	case v.Kind == node.Null:
		return nil
	case v.Kind != node.Sequence:
		c.warnList(key, v)
		v = node.Seq(v, v)
	}
	if len(v.Items) == 0 {
		return nil
	}
	return v
}

// exampleValues lists the values of a map of Example Objects, or of plain
// values.
func exampleValues(m *node.Node) []*node.Node {
	var out []*node.Node
	for _, example := range m.Pairs() {
		if v := example.Get("value"); v != nil {
			example = v
		}
		out = append(out, example)
	}
	return out
}

func (c *Converter) repairNames(key string, v *node.Node) *node.Node {
	if v.Kind == node.Null {
		return nil
	}
	if b := repairFlag(v); b != nil {
		c.warnRequired(v, b)
		return nil
	}
	if v.Kind != node.Sequence {
		c.badValue(key, v, "a list of names")
		return nil
	}
	var names []*node.Node
	seen := map[string]bool{}
	for _, name := range v.Items {
		s := name.Text()
		if name.Kind == node.Mapping || name.Kind == node.Sequence || seen[s] {
			continue
		}
		seen[s] = true
		if name.Kind != node.String {
			c.warn(name, "unquoted-text", "a name in schema keyword %s is a %s, read as the text %q", key, name.Kind, s)
			name = node.Str(name, s)
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil
	}
	return node.Seq(v, names...)
}

func (c *Converter) repairContainer(key string, v *node.Node) *node.Node {
	switch {
	case key == "items":
		if v.Kind == node.Sequence && len(v.Items) == 0 {
			return nil
		}
		return c.repairSchema(key, v)
	case v.Kind == node.Mapping:
		return v
	}
	if v.Kind != node.Null {
		c.badValue(key, v, "a mapping")
	}
	return nil
}

// jsonTypes maps the type names that documents use to those of JSON Schema.
var jsonTypes = map[string]string{
	"string": "string", "number": "number", "integer": "integer", "boolean": "boolean",
	"object": "object", "array": "array", "null": "null",

	"file": "file", "str": "string", "text": "string", "date": "string", "datetime": "string",
	"date-time": "string", "uuid": "string", "uri": "string", "url": "string", "byte": "string", "binary": "file",
	"int": "integer", "int32": "integer", "int64": "integer", "long": "integer",
	"float": "number", "double": "number", "decimal": "number", "bool": "boolean",
	"list": "array", "map": "object", "dict": "object",
}

// isSwagger reports whether n stands in a document of Swagger 2.0, which has the
// type file.
func isSwagger(n *node.Node) bool { return n.File != nil && n.File.Root.Has("swagger") }

func (c *Converter) repairTypes(v *node.Node, dialect Dialect) *node.Node {
	names := []*node.Node{v}
	if v.Kind == node.Sequence {
		names = v.Items
	}
	var out []*node.Node
	seen := map[string]bool{}
	for _, name := range names {
		if strings.EqualFold(name.Text(), "any") {
			c.warn(name, "type-name", "%s is no name of a type; values of any are accepted", shown(name))
			return nil
		}
		s := jsonTypes[strings.ToLower(name.Text())]
		if name.Kind == node.Null && dialect == OpenAPI31 {
			s = "null"
		}
		switch {
		case s == "" && name.Text() != "":
			c.badValue("type", name, "the name of a type")
		case s != "" && s != name.Text() || s == "file" && !isSwagger(name):
			c.warn(name, "type-name", "%s is no name of a type, read as %s", shown(name), strings.Replace(s, "file", "string of bytes", 1))
		}
		if s == "" || seen[s] {
			continue
		}
		seen[s] = true
		if name.Kind != node.String || name.Value != s {
			name = node.Str(name, s)
		}
		out = append(out, name)
	}
	switch len(out) {
	case 0:
		return nil
	case 1:
		return out[0]
	}
	return node.Seq(v, out...)
}

// liftRequired turns required: true inside a property, which some authors
// write, into an entry of the object's own list.
func (c *Converter) liftRequired(n *node.Node) *node.Node {
	var lifted []*node.Node
	required := n.Get("required")
	for name, property := range n.Get("properties").Pairs() {
		if own := property.Get("required"); own != nil {
			b := repairFlag(own)
			c.warnRequired(own, b)
			if b.Is(true) && !listed(required, name.Value) {
				lifted = append(lifted, name)
			}
		}
	}
	if lifted == nil {
		return n
	}
	return n.With("required", node.Seq(n, append(slices.Clone(required.List()), lifted...)...))
}

// warnRequired: in the list of names, required: false is as good as none.
func (c *Converter) warnRequired(v, b *node.Node) {
	if b.Is(true) {
		c.warn(v, "boolean-required", "required is true and must be a list of names; it is read as said of the property it stands in")
	}
}

// listed reports whether a list has the text s.
func listed(list *node.Node, s string) bool {
	return slices.ContainsFunc(list.List(), func(n *node.Node) bool { return n.Value == s })
}
