package schema

import (
	"errors"
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// flat is a schema with its allOf merged.
type flat struct {
	level *node.Node // nil while it is being made
	// joined says that the level holds what stands elsewhere, behind a
	// reference. Written in place such a schema could contain itself.
	joined bool
	err    error
}

// flatten returns n normalised and with allOf merged into one level as far as
// nothing is lost. The result is a link, a $ref with notes, when n is no more
// than a reference. Schemas below stay as the document has them, so that only a
// schema that includes itself can come back here: that is errLoop.
func (c *Converter) flatten(n *node.Node) (*node.Node, error) {
	if f, ok := c.flats[n]; ok {
		if f.level == nil && f.err == nil {
			return nil, errLoop
		}
		return f.level, f.err
	}
	c.flats[n] = flat{}
	f := flat{level: c.normalise(n)}
	if p, ok := c.parts[n]; ok {
		f = c.mergePair(p)
		c.names[n] = c.names[p[0]]
	} else if has(f.level, "$ref", "allOf") && !(isLink(f.level) && onlyNotes(f.level, "$ref", "nullable")) {
		f = c.merge(n, f.level)
	}
	if f.err == nil && f.level.Has("nullable") && !isLink(f.level) {
		f.level = c.orNull(f.level.Without("nullable"))
	}
	if f.err == nil {
		c.adopt(f.level)
		c.flats[f.level] = f
	}
	c.flats[n] = f
	return f.level, f.err
}

// keep marks a schema of ours as flat: its allOf is what could not be merged.
func (c *Converter) keep(n *node.Node) *node.Node {
	c.flats[n] = flat{level: n}
	return c.adopt(n)
}

// keepLike is keep for a schema made from old.
func (c *Converter) keepLike(old, n *node.Node) *node.Node {
	c.flats[n] = flat{level: n, joined: c.flats[old].joined}
	c.names[n] = c.names[old]
	return c.adopt(n)
}

// member is one schema that allOf includes.
type member struct {
	source *node.Node // what to write when it cannot be merged
	level  *node.Node // flat
	linked bool       // stands elsewhere, behind a $ref
	name   string     // of what it is or includes, if it stands elsewhere
}

// merge flattens a normalised schema with $ref or allOf.
func (c *Converter) merge(n, own *node.Node) flat {
	members, err := c.members(n, own)
	if err != nil {
		return flat{err: err}
	}
	own = own.Without("$ref", "allOf")
	if len(members) == 0 {
		return flat{level: own}
	}
	f := flat{joined: c.joins(n, members)}
	if len(members) > 1 || !onlyNotes(own, "nullable") {
		f.level = c.mergeAll(n, own, members)
		return f
	}
	f.level = members[0].source
	if !isLink(f.level) {
		f.level = members[0].level
	}
	if nullable := own.Get("nullable"); nullable != nil {
		f.level = f.level.With("nullable", nullable)
	}
	f.level = withNotes(f.level, own)
	return f
}

// joins reports whether one of the members of n stands elsewhere, and gives n
// the name of the first that does.
func (c *Converter) joins(n *node.Node, members []member) bool {
	for _, m := range members {
		if m.linked || c.flats[m.source].joined {
			if c.names[n] == "" {
				c.names[n] = m.name
			}
			return true
		}
	}
	return false
}

// mergeAll makes one level of own and the members; what does not fit stays in
// allOf.
func (c *Converter) mergeAll(n, own *node.Node, members []member) *node.Node {
	level := node.Map(n)
	var rest []*node.Node
	for _, m := range members {
		if m.level.Has("discriminator") {
			rest = append(rest, m.source)
		} else if merged, ok := c.conj(level, withoutNotes(m.level)); ok {
			level = merged
		} else {
			rest = append(rest, m.source)
		}
	}
	beside := []string{"unevaluatedProperties", "unevaluatedItems", "discriminator", "nullable"}
	merged, ok := c.conj(level, withoutNotes(own).Without(beside...))
	if !ok {
		merged, rest = withoutNotes(own), sources(members)
	}
	for key, v := range own.Pairs() {
		if slices.Contains(beside, key.Value) {
			merged = merged.With(key.Value, v)
		}
	}
	if rest = append(merged.Get("allOf").List(), rest...); len(rest) > 0 {
		merged = merged.With("allOf", node.Seq(n, rest...))
	}
	return withNotes(merged, memberNotes(own, members))
}

func sources(members []member) []*node.Node {
	var out []*node.Node
	for _, m := range members {
		out = append(out, m.source)
	}
	return out
}

// memberNotes picks the notes of a merged schema: its own, else those of the
// members written in place, else those behind references, whose title and
// examples are about less than the whole.
func memberNotes(own *node.Node, members []member) *node.Node {
	out := node.Map(own)
	for _, m := range slices.Backward(members) {
		if m.linked {
			out = withNotes(out, m.level.Without("title", "examples"))
		}
	}
	for _, m := range slices.Backward(members) {
		if !m.linked {
			out = withNotes(out, m.level)
		}
	}
	return withNotes(out, own)
}

// members lists what $ref and allOf include, without what says nothing.
func (c *Converter) members(n, own *node.Node) ([]member, error) {
	list := slices.Clone(own.Get("allOf").List())
	if ref := own.Get("$ref"); ref != nil {
		list = append([]*node.Node{c.adopt(node.Map(ref, own.Key("$ref"), ref))}, list...)
	}
	var out []member
	for _, source := range list {
		level, err := c.flatten(source)
		m := member{source: source, level: level, name: c.names[source]}
		if err == nil && isLink(level) {
			m, err = c.linkedMember(n, level)
		}
		switch {
		case errors.Is(err, errLoop):
			c.warn(source, "self-include", "allOf includes the schema it stands in; that adds nothing and is left out")
		case err != nil:
			return nil, err
		case len(m.level.Items) > 0 && !slices.ContainsFunc(out, func(o member) bool { return o.level == m.level }):
			out = append(out, m)
		}
	}
	return out, nil
}

// linkedMember is what n includes by the reference link.
func (c *Converter) linkedMember(n, link *node.Node) (member, error) {
	target, notes, err := c.chase(link)
	if err != nil {
		return member{}, err
	}
	base, err := c.flatten(target)
	if err != nil {
		return member{}, err
	}
	m := member{source: c.adopt(link), level: c.under(base, notes), linked: true, name: c.names[target]}
	if cut := c.asBase(n, target, base); cut != base {
		m.level = c.under(cut, notes)
		m.source = c.keep(m.level)
	}
	return m, nil
}

// under returns the flat schema that a link with these notes, which may be nil,
// stands for.
func (c *Converter) under(level, notes *node.Node) *node.Node {
	if notes.Has("nullable") {
		level = c.orNull(level)
	}
	return withNotes(level, notes)
}

// orNull lets a flat schema accept null as well.
func (c *Converter) orNull(n *node.Node) *node.Node {
	null := c.adopt(node.Map(n, node.Str(n, "type"), node.Str(n, "null")))
	switch {
	case onlyNotes(n):
		return n
	case !has(n, composition...):
		return admitNull(n)
	case onlyNotes(n, "anyOf"):
		return n.With("anyOf", node.Seq(n, append(slices.Clone(n.Get("anyOf").Items), null)...))
	}
	// A discriminator stays with its union, one level below.
	this := c.keep(withoutNotes(n))
	union := node.Map(n, node.Str(n, "anyOf"), node.Seq(n, this, null))
	return withNotes(union, n)
}
