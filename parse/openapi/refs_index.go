package openapi

import (
	"net/url"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// index knows what a plain walk from the root of a file cannot: schemas by $id
// and $anchor, and for each reference the schemas it stands in. It is made for a
// file only when one of its references needs it; few documents have any.
type index struct {
	ids    map[string]*node.Node // absolute URI without fragment
	scopes map[*node.Node]*scope // by the string under $ref, $dynamicRef, $recursiveRef
	anchor func(base *node.Node, name string) *node.Node
}

// scope is a schema that gives the references in it a meaning: it has $id, $defs
// or $recursiveAnchor, or is where a schema begins.
type scope struct {
	schema *node.Node
	base   string // its URI; empty without $id
	root   bool   // "#" means this schema
	within bool   // it or one outside it is root
	outer  *scope
}

func (r *resolver) index(file *node.File) *index {
	if x := r.indexes[file]; x != nil {
		return x
	}
	x := &index{ids: map[string]*node.Node{}, scopes: map[*node.Node]*scope{}}
	b := indexer{index: x, anchors: map[anchorKey]*node.Node{}, seen: map[*node.Node]bool{}}
	top := &scope{schema: file.Root, base: file.Location}
	top.within = !file.Root.Has("openapi") && !file.Root.Has("swagger") && !file.Root.Has("components") && !file.Root.Has("paths")
	b.visit(file.Root, top, "")
	x.anchor = func(base *node.Node, name string) *node.Node {
		if n := b.anchors[anchorKey{base, name}]; n != nil {
			return n
		}
		return b.anchors[anchorKey{nil, name}]
	}
	r.indexes[file] = x
	return x
}

// anchorKey is an anchor inside the schema with $id that holds it; without, the
// first of that name in the file.
type anchorKey struct {
	base *node.Node
	name string
}

type indexer struct {
	*index
	anchors map[anchorKey]*node.Node
	seen    map[*node.Node]bool
}

// visit indexes n, which stands under key of its parent (or, in a list, under
// the list's key).
func (b *indexer) visit(n *node.Node, in *scope, key string) {
	if n.Kind == node.Sequence {
		for _, item := range n.Items {
			b.visit(item, in, key)
		}
		return
	}
	if !n.IsMap() || b.seen[n] {
		return
	}
	b.seen[n] = true
	in = b.enter(n, in, key)
	for k, v := range n.Pairs() {
		switch k.Value {
		case "$ref", "$dynamicRef", "$recursiveRef":
			b.scopes[v] = in
		case "example", "examples", "default", "enum", "const":
		case "schemas", "definitions", "$defs":
			for _, s := range v.Pairs() {
				b.visit(s, in, "schema")
			}
		default:
			b.visit(v, in, k.Value)
		}
	}
}

// enter returns the scope inside n and notes the names n gives itself.
func (b *indexer) enter(n *node.Node, in *scope, key string) *scope {
	id := n.Get("$id")
	if id == nil {
		id = n.Get("$self") // OpenAPI 3.2
	}
	inner := &scope{schema: n, base: in.base, outer: in}
	inner.root = key == "schema" && !in.within || n.Get("$recursiveAnchor").Is(true)
	if id != nil && id.Kind == node.String && id.Value != "" {
		inner.base, inner.root = absoluteURI(in.base, id.Value), true
		b.ids[inner.base] = n
	}
	for _, k := range []string{"$anchor", "$dynamicAnchor"} {
		name := n.Get(k).Text()
		if name == "" {
			continue
		}
		for _, base := range []*node.Node{inner.resource(), nil} {
			if at := (anchorKey{base, name}); b.anchors[at] == nil {
				b.anchors[at] = n
			}
		}
	}
	inner.within = in.within || inner.root
	if inner.root || n.Has("$defs") || n.Has("definitions") {
		return inner
	}
	return in
}

// resource is the schema with $id that s belongs to, or the root of the file.
func (s *scope) resource() *node.Node {
	for s.outer != nil && s.outer.base == s.base {
		s = s.outer
	}
	return s.schema
}

func absoluteURI(base, ref string) string {
	ref, _, _ = strings.Cut(ref, "#")
	b, err := url.Parse(base)
	u, refErr := url.Parse(ref)
	if err != nil || refErr != nil {
		return ref
	}
	return b.ResolveReference(u).String()
}

// named resolves "#" and "#name".
func (r *resolver) named(ref *node.Node, name string) (*node.Node, *schema.Error) {
	x := r.index(ref.File)
	s := x.scopes[ref]
	if name != "" {
		base := ref.File.Root
		if s != nil {
			base = s.resource()
		}
		return r.found(ref, x.anchor(base, unescape(name)), nil)
	}
	for ; s != nil; s = s.outer {
		if s.root {
			return s.schema, nil
		}
	}
	return ref.File.Root, nil
}

// enclosed resolves a pointer that leads nowhere from the root of the file by
// the schemas that ref stands in, the innermost first. Generators of schemas
// write "#/$defs/X" inside a component and mean the component's $defs.
func (r *resolver) enclosed(ref *node.Node, pointer string) (*node.Node, *schema.Error) {
	first, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	for s := r.index(ref.File).scopes[ref]; s != nil; s = s.outer {
		if !s.schema.Has(unescape(first)) {
			continue
		}
		if n, err := r.walk(ref, s.schema, pointer); n != nil || err != nil {
			return n, err
		}
	}
	return nil, nil
}

// byID returns the schema whose $id a reference names. The index is only made
// if the reference is to be found no other way.
func (r *resolver) byID(ref *node.Node, doc string, build bool) *node.Node {
	for _, file := range []*node.File{ref.File, r.root} {
		x := r.indexes[file]
		if x == nil && build {
			x = r.index(file)
		}
		if x == nil {
			continue
		}
		base := file.Location
		if s := x.scopes[ref]; s != nil {
			base = s.base
		}
		if n := x.ids[absoluteURI(base, doc)]; n != nil {
			return n
		}
	}
	return nil
}
