package gofunc

import (
	"cmp"
	"go/constant"
	"go/types"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// enum is what the constants of a type say about its values.
type enum struct {
	values []enumValue
	closed bool // no other values
	flags  bool // values are combined by |
	text   bool // values are strings
}

type enumValue struct {
	json       string
	name       string // of the constant; empty for a value from a directive
	doc        string
	deprecated bool
}

// enumOf finds the constants of a named type in the package that declares it.
// nil: there are none, or they say nothing.
func (c *converter) enumOf(named *types.Named) *enum {
	key := named.Obj()
	if e, ok := c.enums[key]; ok {
		return e
	}
	e := c.findEnum(named)
	c.enums[key] = e
	return e
}

func (c *converter) findEnum(named *types.Named) *enum {
	d := c.sources.of(named.Obj()).notes.first("enum")
	if d != nil && d.raw != "open" && d.raw != "closed" {
		return enumOfDirective(d)
	}
	basic, ok := named.Underlying().(*types.Basic)
	if !ok || basic.Info()&(types.IsString|types.IsInteger) == 0 || isNamed(named, "time", "Duration") {
		return nil
	}
	e := &enum{values: c.constants(named), text: basic.Info()&types.IsString != 0}
	switch {
	case len(e.values) == 0:
		return nil
	case e.text:
		e.closed = true
	case isDense(e.values):
		e.closed = len(e.values) > 1
	default:
		e.flags = isFlags(e.values)
	}
	if d != nil {
		e.closed = d.raw == "closed"
	}
	return e
}

// enumOfDirective reads //mcp:enum low high: the texts of a type that encodes
// itself as text.
func enumOfDirective(d *directive) *enum {
	e := &enum{closed: true, text: true}
	for _, word := range strings.Fields(d.raw) {
		e.values = append(e.values, enumValue{json: jsonString(word)})
	}
	if len(e.values) == 0 {
		return nil
	}
	return e
}

// constants returns the constants of the type: files by name, then in order,
// each value once. Unexported ones count only when there are no others.
func (c *converter) constants(named *types.Named) []enumValue {
	pkg := named.Obj().Pkg()
	if pkg == nil {
		return nil
	}
	var consts []*types.Const
	exported := false
	for _, name := range pkg.Scope().Names() {
		k, ok := pkg.Scope().Lookup(name).(*types.Const)
		if ok && types.Identical(k.Type(), named) && !c.sources.of(k).notes.has("ignore") {
			consts = append(consts, k)
			exported = exported || k.Exported()
		}
	}
	slices.SortStableFunc(consts, func(a, b *types.Const) int {
		pa, pb := c.sources.fset.Position(a.Pos()), c.sources.fset.Position(b.Pos())
		return cmp.Or(strings.Compare(filepath.Base(pa.Filename), filepath.Base(pb.Filename)),
			cmp.Compare(pa.Line, pb.Line), cmp.Compare(c.sources.of(a).order, c.sources.of(b).order))
	})
	var out []enumValue
	for _, k := range consts {
		if exported && !k.Exported() {
			continue
		}
		v := enumValue{json: constantJSON(k.Val()), name: k.Name()}
		if slices.ContainsFunc(out, func(o enumValue) bool { return o.json == v.json }) {
			continue
		}
		v.doc, v.deprecated = c.constantDoc(k)
		out = append(out, v)
	}
	return out
}

func constantJSON(v constant.Value) string {
	if v.Kind() == constant.String {
		return jsonString(constant.StringVal(v))
	}
	return constant.ToInt(v).ExactString()
}

// constantDoc is the comment of a constant without "Name is" and the like.
func (c *converter) constantDoc(k *types.Const) (doc string, deprecated bool) {
	e := c.sources.of(k)
	p := render(e.doc, nil)
	if len(p.blocks) == 0 {
		p = render(e.comment, nil)
	}
	text := oneLine(p.text())
	if rest, ok := strings.CutPrefix(text, "Deprecated:"); ok {
		return strings.TrimSpace(rest), true
	}
	rest, ok := strings.CutPrefix(text, k.Name()+" ")
	if !ok {
		return text, p.deprecated
	}
	for _, verb := range []string{"is ", "means ", "are ", "= ", "- "} {
		if after, ok := strings.CutPrefix(rest, verb); ok {
			return after, p.deprecated
		}
	}
	return text, p.deprecated
}

// isFlags reports whether the values are bits to be combined: three or more
// powers of two, beside them only zero and sums of them.
func isFlags(values []enumValue) bool {
	var bits, sums []uint64
	var all uint64
	for _, v := range values {
		n, err := strconv.ParseUint(v.json, 10, 64)
		switch {
		case err != nil:
			return false
		case n != 0 && n&(n-1) == 0:
			bits, all = append(bits, n), all|n
		default:
			sums = append(sums, n)
		}
	}
	return len(bits) >= 3 && !slices.ContainsFunc(sums, func(n uint64) bool { return n&^all != 0 })
}

// isDense reports whether the values are all integers from the least to the
// greatest, which is what iota makes. Others, such as time.Second or an HTTP
// status, are known values among many.
func isDense(values []enumValue) bool {
	var ints []int64
	for _, v := range values {
		n, err := strconv.ParseInt(v.json, 10, 64)
		if err != nil {
			return false
		}
		ints = append(ints, n)
	}
	least, greatest := slices.Min(ints), slices.Max(ints)
	return uint64(greatest-least) == uint64(len(ints)-1)
}

// apply adds the values to a schema: as keyword where they are the only ones,
// and as text where the keyword does not say it.
func (e *enum) apply(n *node.Node, m mode) *node.Node {
	keyword := m == in && e.closed
	if keyword {
		n = n.With("enum", e.list())
	}
	return withText(n, e.describe(keyword))
}

func (e *enum) list() *node.Node {
	var items []*node.Node
	for _, v := range e.values {
		if e.text {
			items = append(items, node.Str(nil, unquoteJSON(v.json)))
		} else {
			items = append(items, node.Num(nil, v.json))
		}
	}
	return node.Seq(nil, items...)
}

// describe lists the values: one line each when they have comments, else
// together.
func (e *enum) describe(listed bool) string {
	documented := slices.ContainsFunc(e.values, func(v enumValue) bool { return v.doc != "" || v.deprecated })
	var parts []string
	for _, v := range e.values {
		part := v.json
		if !e.text && v.name != "" {
			part += " = " + v.name
		}
		switch {
		case v.deprecated && v.doc == "":
			part += " (deprecated)"
		case v.deprecated:
			part += ": deprecated, " + v.doc
		case v.doc != "":
			part += ": " + v.doc
		case documented && listed && e.text:
			continue
		}
		parts = append(parts, part)
	}
	switch {
	case e.flags:
		return "Bits, combined by adding: " + strings.Join(parts, ", ") + "."
	case documented:
		return strings.Join(parts, "\n")
	case e.text && listed:
		return ""
	case e.closed:
		return "One of " + strings.Join(parts, ", ") + "."
	}
	return "For example " + strings.Join(parts, ", ") + "."
}
