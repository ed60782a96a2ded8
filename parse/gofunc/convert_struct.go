package gofunc

import (
	"go/types"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// property is one property of an object schema.
type property struct {
	name     string
	schema   *node.Node
	optional bool
}

// objectSchema puts properties together. Inputs allow no others: a misspelt
// name is told instead of being ignored.
func objectSchema(properties []property, m mode) *node.Node {
	props, required := node.Map(nil), node.Seq(nil)
	for _, p := range properties {
		props.Items = append(props.Items, node.Str(nil, p.name), p.schema)
		if !p.optional {
			required.Items = append(required.Items, node.Str(nil, p.name))
		}
	}
	n := object("type", "object", "properties", props)
	if len(required.Items) > 0 {
		n = n.With("required", required)
	}
	if m == in {
		n = n.With("additionalProperties", node.Boolean(nil, false))
	}
	return n
}

// object converts a struct.
func (c *conversion) object(t types.Type, st *types.Struct, p place) (*node.Node, error) {
	if opaque(st) {
		if err := c.opaque(t, p); err != nil {
			return nil, err
		}
	}
	properties, err := c.properties(st, p)
	if err != nil {
		return nil, err
	}
	return objectSchema(properties, c.mode), nil
}

// opaque reports whether a struct has fields and JSON sees none of them.
func opaque(st *types.Struct) bool { return st.NumFields() > 0 && len(jsonFields(st)) == 0 }

// opaque reports a struct that JSON cannot fill or show.
func (c *conversion) opaque(t types.Type, p place) error {
	switch {
	case p.quiet:
		return nil
	case c.mode == in:
		return c.fail(p, t, "has no exported fields, so JSON cannot fill it",
			"let a function with //mcp:provider make it, or give it a schema and UnmarshalJSON")
	}
	c.warn(p, diag.Pos{}, "opaque-struct", "%s: %s has no exported fields and is always {}", orResult(p.path), typeText(t))
	return nil
}

func orResult(path string) string {
	if path == "" {
		return "result"
	}
	return path
}

// properties converts the fields of a struct.
func (c *conversion) properties(st *types.Struct, p place) ([]property, error) {
	var out []property
	for _, f := range jsonFields(st) {
		notes := c.sources.of(f.v).notes
		if notes.has("ignore") {
			continue
		}
		at := p.field(&f)
		if f.problem != "" {
			return nil, c.fail(at, f.typ, "cannot be converted: "+f.problem, "remove the option")
		}
		prop, ok, err := c.property(&f, at)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, prop)
		}
	}
	return out, nil
}

// property converts one field; ok is false when it is left out.
func (c *conversion) property(f *jsonField, p place) (prop property, ok bool, err error) {
	if f.unset && c.mode == in {
		c.warn(p, c.fieldPos(f), "field-left-out", "field %s is left out: it lies in an embedded pointer to an unexported struct, which JSON cannot set", p.path)
		return prop, false, nil
	}
	rules := c.rules(f, p)
	n, err := c.fieldSchema(f, p, rules)
	if err != nil {
		cause, _ := err.(*typeError)
		if cause == nil || !c.mayDrop(f) {
			return prop, false, err
		}
		c.warn(p, c.fieldPos(f), "field-left-out", "field %s is left out: %s %s", cause.path, cause.typ, cause.why)
		return prop, false, nil
	}
	n = withFieldText(n, c.fieldText(f, rules))
	prop = property{name: f.name, schema: n, optional: f.optional()}
	if c.mode == in {
		if _, isPointer := f.typ.Underlying().(*types.Pointer); isPointer {
			prop.optional = true
		}
		var given limits
		prop.schema, given = c.limit(n, f.typ, rules)
		prop.optional = given.optional(prop.optional)
		if given.fallback != "" && p.reachable {
			c.defaults = append(c.defaults, fieldDefault{selector: p.selector, typ: f.typ, json: given.fallback})
			prop.optional = true
		} else if given.fallback != "" {
			// Nothing sets it there: it is as optional as encoding/json has it.
			prop.schema = prop.schema.Without("default")
		}
	} else {
		prop.schema = c.mark(n, rules)
	}
	c.checkName(f, p)
	return prop, true, nil
}

// fieldSchema converts the type of a field.
func (c *conversion) fieldSchema(f *jsonField, p place, rules []rule) (*node.Node, error) {
	if given := givenSchema(rules); given != nil {
		return given, nil
	}
	if f.quoted {
		return c.quoted(f, p)
	}
	if st, ok := opaqueTarget(f.typ); ok && c.mode == in && !p.quiet {
		if own, _ := ownJSONOf(st, in, true); own == noJSON && c.sources.of(objectOf(st)).notes.first("schema") == nil {
			if _, isPointer := f.typ.Underlying().(*types.Pointer); isPointer || f.optional() {
				c.warn(p, c.fieldPos(f), "opaque-struct", "field %s: %s has no exported fields; it can only be {}", p.path, typeText(st))
				p.quiet = true
			}
		}
	}
	n, err := c.schema(f.typ, p)
	if err != nil {
		return nil, err
	}
	if _, isPointer := f.typ.Underlying().(*types.Pointer); isPointer && c.mode == out && f.omitEmpty {
		// A nil pointer is left out, never null.
		inner := p
		inner.addressable = true
		inner.quiet = true
		return c.schema(f.typ.Underlying().(*types.Pointer).Elem(), inner)
	}
	return n, nil
}

// opaqueTarget returns the struct without visible fields that a type is or
// points to.
func opaqueTarget(t types.Type) (types.Type, bool) {
	t, _ = unnamedElem(t)
	st, ok := t.Underlying().(*types.Struct)
	return types.Unalias(t), ok && opaque(st)
}

func objectOf(t types.Type) types.Object {
	if named, ok := t.(*types.Named); ok {
		return named.Obj()
	}
	return nil
}

// mayDrop reports whether a field without JSON can be left out: decoding does
// not need it, or encoding omits it.
func (c *conversion) mayDrop(f *jsonField) bool {
	if c.mode == in {
		_, isPointer := f.typ.Underlying().(*types.Pointer)
		return isPointer || f.optional()
	}
	return f.omitZero
}

// quoted is the schema of a field with the option string: its JSON inside a
// string.
func (c *conversion) quoted(f *jsonField, p place) (*node.Node, error) {
	t, isPointer := unnamedElem(f.typ)
	n := object("type", "string")
	switch info := t.Underlying().(*types.Basic).Info(); {
	case info&types.IsBoolean != 0:
		n = n.With("enum", valueNode([]string{"true", "false"}))
	case info&types.IsUnsigned != 0:
		n = n.With("pattern", node.Str(nil, "^[0-9]+$"))
	case info&types.IsInteger != 0:
		n = n.With("pattern", node.Str(nil, "^-?[0-9]+$"))
	case info&types.IsFloat != 0:
		n = n.With("pattern", node.Str(nil, `^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`))
	default:
		n = n.With("pattern", node.Str(nil, `^".*"$`))
		n = withText(n, `JSON text in quotes: "\"a\"".`)
	}
	if own, _ := ownJSONOf(t, c.mode, true); own != noJSON {
		return nil, c.fail(p, f.typ, "has JSON of its own and the json option string, which do not go together", "remove the option")
	}
	if isPointer && c.mode == out && !f.omitEmpty {
		n = nullable(n)
	}
	return n, nil
}

// fieldPos is the place of a field that the user can change.
func (c *conversion) fieldPos(f *jsonField) diag.Pos {
	if f.v.Pkg() != nil && c.roots[f.v.Pkg()] {
		return c.pos(f.v.Pos())
	}
	return c.at
}

// fieldText describes a field: a directive, a tag, the comment above, the one
// behind, or what the field's type says about itself.
func (c *conversion) fieldText(f *jsonField, rules []rule) string {
	if text, ok := ruleText(rules); ok {
		return text
	}
	e := c.sources.of(f.v)
	for _, group := range []*prose{new(render(e.doc, nil)), new(render(e.comment, nil))} {
		if text := group.text(); text != "" {
			return text
		}
	}
	return c.typeSummary(f.typ)
}

// typeSummary is the first sentence about a named type that is no struct in
// JSON: those describe their own fields.
func (c *conversion) typeSummary(t types.Type) string {
	t, _ = unnamedElem(t)
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return ""
	}
	switch own, method := ownJSONOf(named, c.mode, true); own {
	case noJSON:
		if _, isStruct := named.Underlying().(*types.Struct); isStruct || isNamed(named, "time", "Duration") ||
			isNamed(named, "encoding/json", "Number") {
			return ""
		}
	case anyJSON:
		if knownOf(method) != nil {
			return ""
		}
	}
	p := render(c.sources.of(named.Obj()).doc, nil)
	if len(p.blocks) == 0 {
		return ""
	}
	return summary(p.blocks[0])
}

// summary is the first sentence of a paragraph.
func summary(text string) string {
	for i := 0; ; {
		j := strings.Index(text[i:], ". ")
		if j < 0 {
			return text
		}
		i += j + 1
		// "e.g. this": no sentence ends before a small letter.
		if next := text[i+1]; next < 'a' || next > 'z' {
			return text[:i]
		}
	}
}

// withFieldText puts a field's own text before what its schema says.
func withFieldText(n *node.Node, text string) *node.Node {
	old := n.Get("description").Text()
	if text == "" || old == "" {
		return withDescription(n, text+old)
	}
	return withDescription(n, text+"\n"+old)
}
