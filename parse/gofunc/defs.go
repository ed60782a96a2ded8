package gofunc

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// maxInline is the size in bytes above which types used more than once move to
// $defs, and above which an output schema is left out.
const maxInline = 8 << 10

// maxNodes ends the attempt to write every type where it is used.
const maxNodes = 5000

var errTooLarge = errors.New("schema too large")

// sharing says which types stand in $defs beside those that contain themselves.
type sharing uint8

const (
	shareNone   sharing = iota
	shareAll            // every struct, to count how often each is used
	shareCommon         // those used more than once
)

// document is a finished schema.
type document struct {
	root     *node.Node
	size     int
	warnings []diag.Diagnostic
}

// document builds a schema and reports what it warns about. Many hosts resolve
// no $ref, so types are written where they are used as long as the schema stays
// small.
func (c *converter) document(m mode, at diag.Pos, what string, build func(*conversion) (*node.Node, error)) (*document, error) {
	d, err := c.smallest(func(s sharing, uses map[string]int) (*document, *conversion, error) {
		conv := &conversion{converter: c, mode: m, at: at, what: what, sharing: s, uses: uses}
		root, err := build(conv)
		if err != nil {
			return nil, nil, err
		}
		d := &document{root: conv.withDefs(root), warnings: conv.warnings}
		d.size = len(rawJSON(d.root))
		return d, conv, nil
	})
	if err != nil {
		return nil, err
	}
	for _, w := range d.warnings {
		c.diags.Add(w)
	}
	return d, nil
}

// smallest builds a schema without sharing types if that is small enough, else
// with those shared that are used more than once, if that is smaller.
func (c *converter) smallest(try func(sharing, map[string]int) (*document, *conversion, error)) (*document, error) {
	inline, _, err := try(shareNone, nil)
	if err != nil && err != errTooLarge || err == nil && inline.size <= maxInline {
		return inline, err
	}
	_, all, err := try(shareAll, map[string]int{})
	if err != nil {
		return nil, err
	}
	common, _, err := try(shareCommon, all.uses)
	if err != nil || inline == nil || common.size < inline.size {
		return common, err
	}
	return inline, nil
}

// inDefs reports whether a type stands in $defs at this place.
func (c *conversion) inDefs(named *types.Named, p place) bool {
	if p.depth == 0 || !p.more.empty() {
		return false // the root stands for itself; what is overridden is one of a kind
	}
	if own, _ := ownJSONOf(named, c.mode, p.addressable); own != noJSON {
		return false
	}
	if c.loops(named) {
		return true
	}
	if _, isStruct := named.Underlying().(*types.Struct); !isStruct {
		return false
	}
	return c.sharing == shareAll || c.sharing == shareCommon && c.uses[c.defID(named, p)] > 1
}

// reference refers to a type in $defs, which it puts there first if need be.
func (c *conversion) reference(named *types.Named, p place) (*node.Node, error) {
	id := c.defID(named, p)
	if c.sharing == shareAll {
		c.uses[id]++
	}
	i := slices.IndexFunc(c.defs, func(d *def) bool { return d.id == id })
	if i < 0 {
		d := &def{id: id, name: c.defName(named)}
		i = len(c.defs)
		c.defs = append(c.defs, d)
		var err error
		d.body, err = c.structure(named, place{path: p.path, addressable: p.addressable, depth: 1, quiet: p.quiet})
		if err != nil {
			return nil, err
		}
	}
	return object("$ref", "#/$defs/"+c.defs[i].name), nil
}

// withDefs adds $defs to the root of a schema.
func (c *conversion) withDefs(root *node.Node) *node.Node {
	if len(c.defs) == 0 {
		return root
	}
	defs := node.Map(nil)
	for _, d := range c.defs {
		defs.Items = append(defs.Items, node.Str(nil, d.name), d.body)
	}
	return root.With("$defs", defs)
}

// defID identifies a type in one conversion. Whether a value can be addressed
// matters where a method of the pointer writes its JSON.
func (c *conversion) defID(named *types.Named, p place) string {
	id := types.TypeString(named, nil)
	if c.mode == out && p.addressable && c.pointerMethods(named) {
		id = "*" + id
	}
	return id
}

// defName is the type's name, made different from the others.
func (c *conversion) defName(named *types.Named) string {
	name := plainTypeName(named)
	taken := func(name string) bool {
		return slices.ContainsFunc(c.defs, func(d *def) bool { return d.name == name })
	}
	if taken(name) && named.Obj().Pkg() != nil {
		name = capital(named.Obj().Pkg().Name()) + name
	}
	for base, n := name, 2; taken(name); n++ {
		name = fmt.Sprint(base, n)
	}
	return name
}

// plainTypeName is a name of letters and digits: List[Person] is ListOfPerson.
func plainTypeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		name := capital(t.Obj().Name())
		var args []string
		for arg := range t.TypeArgs().Types() {
			args = append(args, plainTypeName(arg))
		}
		if len(args) > 0 {
			name += "Of" + strings.Join(args, "And")
		}
		return name
	case *types.Basic:
		return capital(t.Name())
	case *types.Pointer:
		return plainTypeName(t.Elem())
	case *types.Slice:
		return "ListOf" + plainTypeName(t.Elem())
	case *types.Array:
		return "ListOf" + plainTypeName(t.Elem())
	case *types.Map:
		return "MapOf" + plainTypeName(t.Elem())
	}
	return "Value"
}

func capital(s string) string {
	c, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(c)) + s[size:]
}

// loops reports whether a type contains itself.
func (c *converter) loops(named *types.Named) bool {
	id := types.TypeString(named, nil)
	if known, ok := c.looped[id]; ok {
		return known
	}
	found := false
	c.reach(named, func(t *types.Named) bool {
		found = found || types.TypeString(t, nil) == id
		return !found
	})
	c.looped[id] = found
	return found
}

// pointerMethods reports whether the JSON of a type depends on methods of a
// pointer to it or to something in it.
func (c *converter) pointerMethods(named *types.Named) bool {
	if known, ok := c.pointered[named]; ok {
		return known
	}
	found := false
	check := func(t *types.Named) bool {
		for _, iface := range []*types.Interface{jsonMarshaler, textMarshaler} {
			found = found || methodOf(t, iface, true) != nil && methodOf(t, iface, false) == nil
		}
		return !found
	}
	check(named)
	c.reach(named, check)
	c.pointered[named] = found
	return found
}

// reach calls visit for the named types that the JSON of a type contains, each
// once, until visit returns false.
func (c *converter) reach(from *types.Named, visit func(*types.Named) bool) {
	seen := map[string]bool{}
	var walk func(t types.Type, depth int) bool
	walk = func(t types.Type, depth int) bool {
		t = types.Unalias(t)
		if depth > maxDepth {
			return true
		}
		if named, ok := t.(*types.Named); ok && depth > 0 {
			id := types.TypeString(named, nil)
			if !visit(named) {
				return false
			}
			if seen[id] {
				return true
			}
			seen[id] = true
		}
		if own, _ := ownJSONOf(t, in, true); own != noJSON && depth > 0 {
			return true
		}
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			return walk(u.Elem(), depth+1)
		case *types.Slice:
			return walk(u.Elem(), depth+1)
		case *types.Array:
			return walk(u.Elem(), depth+1)
		case *types.Map:
			return walk(u.Elem(), depth+1)
		case *types.Struct:
			for _, f := range jsonFields(u) {
				if !walk(f.typ, depth+1) {
					return false
				}
			}
		}
		return true
	}
	walk(from, 0)
}
