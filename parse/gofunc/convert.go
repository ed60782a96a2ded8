package gofunc

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// mode is the direction of a value. One Go type has two schemas: what
// encoding/json accepts and what it writes differ for pointers, nil slices and
// maps, omitempty, constants and types with methods of their own.
type mode uint8

const (
	in mode = iota
	out
)

// converter makes JSON Schemas of Go types.
type converter struct {
	positions
	sources *sources
	roots   map[*types.Package]bool // whose source positions people can act on
	diags   *diag.List
	enums   map[*types.TypeName]*enum
	looped  map[string]bool // by type: reaches itself

	pointered map[*types.Named]bool // see pointerMethods
}

// conversion makes one schema document. The types it refers to stand in defs.
type conversion struct {
	*converter
	mode mode
	at   diag.Pos // of the function, for what has no place nearer
	what string   // the function, in messages

	sharing sharing
	uses    map[string]int // of types in $defs
	nodes   int

	defs     []*def
	defaults []fieldDefault
	warnings []diag.Diagnostic
}

// def is a type that stands in $defs.
type def struct {
	id   string
	name string
	body *node.Node
}

// fieldDefault is the default of a field that decoding can set beforehand.
type fieldDefault struct {
	selector string
	typ      types.Type
	json     string
}

// place is where in a value a type stands.
type place struct {
	path        string // "order.lines", for messages
	addressable bool   // out: reflect could take its address
	selector    string // in: Go selector from the argument; only with reachable
	reachable   bool   // in: a variable that exists before decoding
	more        *overrides
	depth       int
	quiet       bool // warn about nothing below
}

func (p place) field(f *jsonField) place {
	p.path = strings.TrimPrefix(p.path+"."+f.name, ".")
	p.selector = strings.TrimPrefix(p.selector+"."+f.selector, ".")
	p.reachable = p.reachable && !f.pointer
	p.more = p.more.field(f.name)
	p.depth++
	return p
}

// elem is the place of what a slice, map or pointer holds.
func (p place) elem(suffix string, addressable bool) place {
	p.path += suffix
	p.addressable = addressable
	p.reachable, p.more = false, nil
	p.depth++
	return p
}

// typeError says that a type has no JSON.
type typeError struct {
	path string
	typ  string
	why  string
	hint string
}

func (e *typeError) Error() string {
	if e.path == "" {
		return fmt.Sprintf("%s %s", e.typ, e.why)
	}
	return fmt.Sprintf("%s: %s %s", e.path, e.typ, e.why)
}

// maxDepth ends types that grow without end.
const maxDepth = 60

// fail says why a type has no schema.
func (c *conversion) fail(p place, t types.Type, why, hint string) error {
	return &typeError{path: p.path, typ: typeText(t), why: why, hint: hint}
}

func (c *conversion) warn(p place, pos diag.Pos, code, format string, args ...any) {
	if p.quiet {
		return
	}
	if pos.File == "" {
		pos = c.at
	}
	c.warnings = append(c.warnings, diag.Diagnostic{Pos: pos, Severity: diag.Warning, Code: code, Message: fmt.Sprintf(format, args...)})
}

// typeText names a type in messages: packages by their name.
func typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

// schema converts a type.
func (c *conversion) schema(t types.Type, p place) (*node.Node, error) {
	t = types.Unalias(t)
	if c.nodes++; c.nodes > maxNodes && c.sharing == shareNone {
		return nil, errTooLarge
	}
	if p.depth > maxDepth {
		return nil, c.fail(p, t, "is nested too deep", "give it a schema: //mcp:schema {…}")
	}
	named, ok := t.(*types.Named)
	if !ok {
		return c.structure(t, p)
	}
	if d := c.sources.of(named.Obj()).notes.first("schema"); d != nil {
		return c.givenSchema(d), nil
	}
	if c.inDefs(named, p) {
		return c.reference(named, p)
	}
	return c.structure(t, p)
}

// structure converts what the type is, whatever its name.
func (c *conversion) structure(t types.Type, p place) (*node.Node, error) {
	if _, ok := t.Underlying().(*types.Pointer); ok {
		return c.underlying(t, p)
	}
	switch own, method := ownJSONOf(t, c.mode, p.addressable); own {
	case textJSON:
		return c.text(t), nil
	case anyJSON:
		return c.custom(t, method, p), nil
	}
	if named, ok := t.(*types.Named); ok {
		switch typePath(named) {
		case "time.Duration":
			return object("type", "integer", "description", "In nanoseconds."), nil
		case "encoding/json.Number":
			return object("type", "number"), nil
		case "net/url.URL":
			c.warn(p, diag.Pos{}, "raw-object", "%s: url.URL is an object of its parts in JSON", p.path)
			p.quiet = true
		}
		if _, basic := t.Underlying().(*types.Basic); basic {
			n, err := c.underlying(t, p)
			if e := c.enumOf(named); err == nil && e != nil {
				n = e.apply(n, c.mode)
			}
			return n, err
		}
	}
	return c.underlying(t, p)
}

// givenSchema is the schema of a //mcp:schema directive.
func (c *conversion) givenSchema(d *directive) *node.Node { return parseJSON(d.raw) }

// text is the schema of a type that encodes itself as text.
func (c *conversion) text(t types.Type) *node.Node {
	n := object("type", "string")
	named, ok := t.(*types.Named)
	if !ok {
		return n
	}
	if e := c.enumOf(named); e != nil && e.text {
		n = e.apply(n, c.mode)
	}
	return n
}

// custom is the schema of a type with JSON of its own.
func (c *conversion) custom(t types.Type, method *types.Func, p place) *node.Node {
	if known := knownOf(method); known != nil {
		return known
	}
	if c.mode == in {
		// What it writes it reads.
		if own, writes := ownJSONOf(t, out, true); own == anyJSON {
			if known := knownOf(writes); known != nil {
				return known
			}
		}
	}
	pos, hint := diag.Pos{}, "give a schema for the parameter: schema="
	if named, ok := t.(*types.Named); ok && c.roots[named.Obj().Pkg()] {
		pos, hint = c.pos(named.Obj().Pos()), "write //mcp:schema {…} above the type"
	}
	if pos.File == "" {
		pos = c.at
	}
	if !p.quiet {
		c.warnings = append(c.warnings, diag.Diagnostic{Pos: pos, Severity: diag.Warning, Code: "no-schema", Hint: hint,
			Message: fmt.Sprintf("type %s has JSON of its own and no schema: the schema allows any value", typeText(t))})
	}
	return object()
}

// underlying converts by kind.
func (c *conversion) underlying(t types.Type, p place) (*node.Node, error) {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return c.basic(t, u, p)
	case *types.Pointer:
		inner := p
		inner.addressable, inner.reachable = true, false
		inner.depth++
		n, err := c.schema(u.Elem(), inner)
		if err == nil && c.mode == out {
			n = nullable(n)
		}
		return n, err
	case *types.Slice:
		return c.slice(u, p)
	case *types.Array:
		items, err := c.schema(u.Elem(), p.elem("[]", p.addressable))
		if err != nil {
			return nil, err
		}
		return object("type", "array", "items", items, "minItems", u.Len(), "maxItems", u.Len()), nil
	case *types.Map:
		return c.mapping(u, p)
	case *types.Struct:
		return c.object(t, u, p)
	case *types.Interface:
		if c.mode == in && !u.Empty() {
			return nil, c.fail(p, t, "is an interface, which JSON cannot be decoded into", "use a struct type")
		}
		return object(), nil
	case *types.TypeParam:
		return nil, c.fail(p, t, "is a type parameter", "expose an instance of the function: var _ = F[int]")
	}
	return nil, c.fail(p, t, "has no JSON form", "")
}

func (c *conversion) basic(t types.Type, b *types.Basic, p place) (*node.Node, error) {
	switch info := b.Info(); {
	case b.Kind() == types.UnsafePointer || b.Kind() == types.Uintptr:
		return nil, c.fail(p, t, "has no JSON form", "")
	case info&types.IsBoolean != 0:
		return object("type", "boolean"), nil
	case info&types.IsString != 0:
		return object("type", "string"), nil
	case info&types.IsFloat != 0:
		return object("type", "number"), nil
	case info&types.IsComplex != 0:
		return nil, c.fail(p, t, "has no JSON form", "take the two parts as numbers")
	}
	n := object("type", "integer")
	if least, greatest := integerBounds(b.Kind()); greatest != 0 {
		n.Items = append(n.Items, object("minimum", least, "maximum", greatest).Items...)
	} else if b.Info()&types.IsUnsigned != 0 {
		n.Items = append(n.Items, object("minimum", int64(0)).Items...)
	}
	return n, nil
}

// integerBounds are those of the small integer types; the others are left to
// decoding, because many clients cannot express 2⁶³.
func integerBounds(k types.BasicKind) (least, greatest int64) {
	switch k {
	case types.Int8:
		return -1 << 7, 1<<7 - 1
	case types.Int16:
		return -1 << 15, 1<<15 - 1
	case types.Int32:
		return -1 << 31, 1<<31 - 1
	case types.Uint8:
		return 0, 1<<8 - 1
	case types.Uint16:
		return 0, 1<<16 - 1
	case types.Uint32:
		return 0, 1<<32 - 1
	}
	return 0, 0
}

func (c *conversion) slice(s *types.Slice, p place) (*node.Node, error) {
	var n *node.Node
	if isByte(s.Elem(), c.mode) {
		n = object("type", "string", "contentEncoding", "base64")
	} else {
		items, err := c.schema(s.Elem(), p.elem("[]", true))
		if err != nil {
			return nil, err
		}
		n = object("type", "array", "items", items)
	}
	if c.mode == out {
		n = nullable(n)
	}
	return n, nil
}

// isByte reports whether a slice of the type is base64: bytes that do not
// encode themselves.
func isByte(t types.Type, m mode) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Kind() != types.Uint8 {
		return false
	}
	own, _ := ownJSONOf(t, m, true)
	return own == noJSON
}

func (c *conversion) mapping(m *types.Map, p place) (*node.Node, error) {
	keys, err := c.keys(m, p)
	if err != nil {
		return nil, err
	}
	values, err := c.schema(m.Elem(), p.elem("{}", false))
	if err != nil {
		return nil, err
	}
	n := object("type", "object", "additionalProperties", values).With("propertyNames", keys)
	if c.mode == out {
		n = nullable(n)
	}
	return n, nil
}

// keys is the schema of a map's keys, nil for any text.
func (c *conversion) keys(m *types.Map, p place) (*node.Node, error) {
	key := types.Unalias(m.Key())
	basic, ok := key.Underlying().(*types.Basic)
	isText := ok && basic.Info()&types.IsString != 0
	asText := textMarshaler
	if c.mode == in {
		asText = textUnmarshaler
	}
	ownText := methodOf(key, asText, c.mode == in) != nil
	named, _ := key.(*types.Named)
	switch {
	case ownText || isText:
		if named == nil || c.mode == out {
			return nil, nil
		}
		if e := c.enumOf(named); e != nil && e.closed && e.text {
			return object("enum", e.list()), nil
		}
		return nil, nil
	case ok && basic.Info()&types.IsUnsigned != 0:
		return object("pattern", "^[0-9]+$"), nil
	case ok && basic.Info()&types.IsInteger != 0:
		return object("pattern", "^-?[0-9]+$"), nil
	}
	return nil, c.fail(p, m, "has keys that JSON cannot hold", "use text or integers as keys")
}
