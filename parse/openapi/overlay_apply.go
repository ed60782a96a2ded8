package openapi

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/theory/jsonpath"
	"github.com/theory/jsonpath/spec"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// patcher applies actions to a tree. It changes no node: an action gives a new
// root that shares with the old one all that it did not touch, so aliases stay
// apart and a large document is turned into what queries run on only once.
type patcher struct {
	root  *node.Node
	views map[*node.Node]any // of mappings and lists
	sizes sizes
	limit int // of nodes
}

// Copies of copies make billions of nodes of a few lines.
const (
	maxPatched      = 1_000_000 // nodes that overlays may add
	maxPatchedDepth = 10_000    // as deep as a document may be
)

// sizes remembers how large mappings and lists are, which stand at many places.
type sizes map[*node.Node]size

type size struct{ nodes, depth int }

func (s sizes) of(n *node.Node) size {
	if holdsOne(n) {
		return size{nodes: 1}
	}
	if known, ok := s[n]; ok {
		return known
	}
	whole := size{nodes: 1}
	for _, item := range n.Items {
		part := s.of(item)
		whole.nodes = min(whole.nodes+part.nodes, math.MaxInt/2) // more counts as much
		whole.depth = max(whole.depth, part.depth+1)
	}
	s[n] = whole
	return whole
}

// view returns a node as the JSONPath library wants it.
func (p *patcher) view(n *node.Node) any {
	switch n.Kind {
	case node.Null:
		return nil
	case node.Bool:
		return n.Is(true)
	case node.Number:
		return json.Number(n.Literal())
	case node.String:
		return n.Value
	}
	if v, ok := p.views[n]; ok {
		return v
	}
	var v any
	if n.Kind == node.Mapping {
		m := make(map[string]any, len(n.Items)/2)
		for key, value := range n.Pairs() {
			m[key.Value] = p.view(value)
		}
		v = m
	} else {
		list := make([]any, len(n.Items))
		for i, item := range n.Items {
			list[i] = p.view(item)
		}
		v = list
	}
	p.views[n] = v
	return v
}

// spot is a place in the tree with selected places in or below it.
type spot struct {
	selected bool
	below    map[spec.NormalSelector]*spot
}

// gather makes a tree of places. The library gives them in no order; this way
// what follows can go by that of the document.
func gather(found jsonpath.LocatedNodeList) *spot {
	top := &spot{}
	for path := range found.Paths() {
		at := top
		for _, step := range path {
			next := at.below[step]
			if next == nil {
				if at.below == nil {
					at.below = map[spec.NormalSelector]*spot{}
				}
				next = &spot{}
				at.below[step] = next
			}
			at = next
		}
		at.selected = true
	}
	return top
}

// apply makes the change, or none at all.
func (p *patcher) apply(a *action) *schema.Error {
	if p.limit == 0 {
		p.sizes = sizes{}
		p.limit = p.sizes.of(p.root).nodes + maxPatched
	}
	found := a.target.SelectLocated(p.view(p.root))
	if len(found) == 0 {
		return fault(a.target.node.Pos(), codeNoMatch, p.nearMiss(a.target), "the target %s matched nothing", quote(a.target.node.Value))
	}
	spots := gather(found)
	if spots.selected && a.remove {
		return fault(a.target.node.Pos(), codeKinds, "target a part of it", "the whole document cannot be removed")
	}
	e := editor{action: a, value: a.update, sizes: p.sizes, room: p.limit - p.sizes.of(p.root).nodes}
	if a.from != nil {
		var err *schema.Error
		if e.value, err = p.source(a.from); err != nil {
			return err
		}
	}
	if !a.remove && e.value == nil {
		return nil // remove: false
	}
	root := e.edit(p.root, spots)
	if e.err != nil {
		return e.err
	}
	if now := p.sizes.of(root); now.nodes > p.limit || now.depth > maxPatchedDepth {
		return tooMuch(a)
	}
	p.root = root
	return nil
}

func tooMuch(a *action) *schema.Error {
	return fault(a.target.node.Pos(), codeOverlay, "narrow the target, or add less", "overlays may add %d nodes to a document, and nest %d; this action goes beyond", maxPatched, maxPatchedDepth)
}

// source returns the one node that a copy starts from.
func (p *patcher) source(q *query) (*node.Node, *schema.Error) {
	found := q.SelectLocated(p.view(p.root))
	if len(found) == 0 {
		return nil, fault(q.node.Pos(), codeNoMatch, p.nearMiss(q), "the copy %s matched nothing", quote(q.node.Value))
	}
	if len(found) > 1 {
		return nil, fault(q.node.Pos(), codeKinds, "copy takes one place; select it alone", "the copy %s matched %d places", quote(q.node.Value), len(found))
	}
	n := p.root
	for _, step := range found[0].Path {
		switch step := step.(type) {
		case spec.Index:
			n = n.Items[step]
		case spec.Name:
			n = n.Get(string(step))
		}
	}
	return n, nil
}

// nearMiss says how far a query that selects nothing gets, and what could be
// meant by the step that leads nowhere.
func (p *patcher) nearMiss(q *query) string {
	segments, view := q.Query().Segments(), p.view(p.root)
	before := spec.Query(true)
	for i, segment := range segments {
		next := spec.Query(true, segments[:i+1]...)
		if len(next.Select(nil, view)) > 0 {
			before = next
			continue
		}
		names := map[string]bool{}
		for _, v := range before.Select(nil, view) {
			if m, ok := v.(map[string]any); ok {
				for name := range m {
					names[name] = true
				}
			}
		}
		for _, sel := range segment.Selectors() {
			name, ok := sel.(spec.Name)
			if near := diag.Nearest(string(name), slices.Sorted(maps.Keys(names))); ok && near != "" {
				return "did you mean " + near + " in place of " + string(name) + "?"
			}
		}
		return before.String() + " is there, but nothing at " + segment.String() + " in it"
	}
	return ""
}

// editor makes one change at many places.
type editor struct {
	*action
	value *node.Node // to merge in, unless remove
	first *node.Node // the first place, for its kind
	sizes sizes
	room  int // for nodes to add; below zero the rest of the work is left undone
	err   *schema.Error
}

// edit returns n with the selected places in it changed, inner ones first.
func (e *editor) edit(n *node.Node, at *spot) *node.Node {
	if len(at.below) > 0 {
		c := *n
		c.Items = make([]*node.Node, 0, len(n.Items))
		if n.Kind == node.Mapping {
			for key, value := range n.Pairs() {
				if value = e.child(value, at.below[spec.Name(key.Value)]); value != nil {
					c.Items = append(c.Items, key, value)
				}
			}
		} else {
			for i, item := range n.Items {
				if item = e.child(item, at.below[spec.Index(i)]); item != nil {
					c.Items = append(c.Items, item)
				}
			}
		}
		n = &c
	}
	if at.selected {
		return e.change(n)
	}
	return n
}

// child returns what becomes of a member; nil when it is removed.
func (e *editor) child(n *node.Node, at *spot) *node.Node {
	switch {
	case at == nil:
		return n
	case at.selected && e.remove:
		return nil
	}
	return e.edit(n, at)
}

// change merges the value into a selected place.
func (e *editor) change(n *node.Node) *node.Node {
	if e.err != nil {
		return n
	}
	if e.first == nil {
		e.first = n
	}
	switch {
	case holdsOne(n) != holdsOne(e.first) || !holdsOne(n) && n.Kind != e.first.Kind:
		e.fail(fault(e.target.node.Pos(), codeKinds, "make an action for each kind", "the target selects a %s at %s and a %s at %s",
			e.first.Kind, e.first.Pos(), n.Kind, n.Pos()))
		return n
	case n.Kind == node.Sequence && e.value.Kind != node.Sequence:
		return e.merge(n, node.Seq(e.value, e.value))
	}
	return e.merge(n, e.value)
}

// merge is the merge of the specification: mappings key by key, lists one after
// the other, and one scalar for another. Where a key has no value, any will do.
func (e *editor) merge(n, value *node.Node) *node.Node {
	switch {
	case n.Kind == node.Mapping && value.Kind == node.Mapping:
		return e.mergeKeys(n, value)
	case n.Kind == node.Sequence && value.Kind == node.Sequence:
		e.add(value.Items...)
		c := *n
		c.Items = slices.Concat(n.Items, value.Items)
		return &c
	case holdsOne(n) && holdsOne(value):
		return value
	case n.Kind == node.Null:
		e.room++
		e.add(value)
		return value
	}
	e.fail(fault(value.Pos(), codeKinds, "remove the old value in an action before, or give a value of its kind",
		"a %s cannot be merged with the %s at %s", value.Kind, n.Kind, n.Pos()))
	return n
}

// mergeKeys copies the mapping once, however many keys it gets.
func (e *editor) mergeKeys(n, value *node.Node) *node.Node {
	at := make(map[string]int, len(n.Items)/2)
	for i := 0; i < len(n.Items); i += 2 {
		at[n.Items[i].Value] = i + 1
	}
	c := *n
	c.Items = slices.Clone(n.Items)
	for key, v := range value.Pairs() {
		if i, there := at[key.Value]; there {
			c.Items[i] = e.merge(c.Items[i], v)
			continue
		}
		e.add(key, v)
		if e.err != nil {
			return n
		}
		c.Items = append(c.Items, key, v)
	}
	return &c
}

// add counts nodes before they stand at one more place. A merge into many places
// is refused at the first one that is too much.
func (e *editor) add(nodes ...*node.Node) {
	for _, n := range nodes {
		e.room -= e.sizes.of(n).nodes
	}
	if e.room < 0 {
		e.fail(tooMuch(e.action))
	}
}

func (e *editor) fail(err *schema.Error) {
	if e.err == nil {
		e.err = err
	}
}

func holdsOne(n *node.Node) bool { return n.Kind != node.Mapping && n.Kind != node.Sequence }
