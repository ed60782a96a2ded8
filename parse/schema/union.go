package schema

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// constants lists the members of a union that only names values: each is a const
// with notes, or null. It is nil for any other schema.
func (c *Converter) constants(level *node.Node) []*node.Node {
	union := level.Get("oneOf")
	if union == nil {
		union = level.Get("anyOf")
	}
	if union == nil || has(level, "allOf", "not", "if", "discriminator") || level.Has("oneOf") && level.Has("anyOf") {
		return nil
	}
	var members []*node.Node
	for _, m := range union.Items {
		m = c.normalise(m)
		if isNullSchema(withoutNotes(m)) {
			m = withNotes(node.Map(m, node.Str(m, "const"), node.NewNull(m)), m)
		}
		if !m.Has("const") || !onlyNotes(m, "const", "type", "format") {
			return nil
		}
		members = append(members, m)
	}
	return members
}

// enumerate turns a union that only names values into an enum, which more
// clients know and which takes half the space; the names go to the description,
// as those of a named enum do.
func (c *Converter) enumerate(level *node.Node) *node.Node {
	if named := level.Get(namedValues); named != nil {
		_, text := toldValues(named.Items, knownValues(level))
		level = describe(level.Without(namedValues), text)
	}
	members := c.constants(level)
	if members == nil {
		return level
	}
	values, text := toldValues(members, knownValues(level))
	if len(values) == 0 {
		return level
	}
	level = level.Without("oneOf", "anyOf", "const").With("enum", node.Seq(level, distinct(values)...))
	return describe(level, text)
}

// toldValues lists the values of members that are known, all if known is nil,
// and what their names and descriptions say: "1 LOW; 2 HIGH: more".
func toldValues(members, known []*node.Node) (values []*node.Node, text string) {
	var texts []string
	for _, m := range members {
		v := m.Get("const")
		if known != nil && !slices.ContainsFunc(known, func(k *node.Node) bool { return identity(k) == identity(v) }) {
			continue
		}
		values = append(values, v)
		name, about := m.Get("title").Text(), m.Get("description").Text()
		if tellsNothing(name, v.Text()) {
			name = ""
		}
		if text := strings.Join(slices.DeleteFunc([]string{name, about}, func(s string) bool { return s == "" }), ": "); text != "" {
			texts = append(texts, string(node.AppendJSON(nil, v))+" "+text)
		}
	}
	return values, strings.Join(texts, "; ")
}

// describe adds text to the description of a schema.
func describe(level *node.Node, text string) *node.Node {
	if old := level.Get("description").Text(); old != "" && text != "" {
		text = old + "\n" + text
	}
	if text == "" {
		return level
	}
	return level.With("description", node.Str(level, text))
}

// settleUnions makes the unions of a flat schema safe to validate with.
func (v *conversion) settleUnions(n, level *node.Node) *node.Node {
	for _, key := range []string{"oneOf", "anyOf"} {
		union := level.Get(key)
		if union == nil {
			continue
		}
		members := slices.DeleteFunc(slices.Clone(union.Items), func(m *node.Node) bool {
			return v.leadsTo(m, v.origin(n), map[*node.Node]bool{})
		})
		level = level.With(key, node.Seq(union, members...))
		switch {
		case len(members) == 0:
			level = level.Without(key)
		case key == "oneOf" && !level.Has("anyOf") && !v.exclusive(members, v.shared(level, members)):
			items := slices.Clone(level.Items)
			i := slices.IndexFunc(items, func(k *node.Node) bool { return k.Kind == node.String && k.Value == "oneOf" })
			items[i] = node.Str(items[i], "anyOf")
			level = node.Map(level, items...)
		}
	}
	return level
}

// leadsTo reports whether the schema m applies n to the same value again, by
// references and compositions only: validating it would never end.
func (v *conversion) leadsTo(m, n *node.Node, seen map[*node.Node]bool) bool {
	if target := v.destination(m); target != nil {
		m = target
	}
	if m == n || seen[m] {
		return m == n
	}
	seen[m] = true
	level, err := v.flatten(m)
	if err != nil {
		return false
	}
	if isLink(level) {
		return v.leadsTo(level, n, seen)
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		for _, inner := range level.Get(key).List() {
			if v.leadsTo(inner, n, seen) {
				return true
			}
		}
	}
	return false
}

// shared lists the properties of the schema around a union, if the direction took
// something from one of its members: that may have been all that told it from the
// others, and what every value may have does not.
func (v *conversion) shared(level *node.Node, members []*node.Node) []string {
	if !slices.ContainsFunc(members, v.lost) {
		return nil
	}
	var names []string
	for name := range level.Get("properties").Pairs() {
		names = append(names, name.Value)
	}
	for _, name := range level.Get("required").List() {
		names = append(names, name.Value)
	}
	return names
}

// lost reports whether the direction takes properties, or their names from
// required, out of a member of a union.
func (v *conversion) lost(m *node.Node) bool {
	_, whole, _, err := v.behind(v.origin(m))
	if err != nil {
		return false
	}
	level, err := v.flatten(m)
	stripped := v.origin(m) != m && err == nil && len(level.Get("required").List()) != len(whole.Get("required").List())
	return stripped || v.dropHidden(whole) != whole
}

// exclusive reports whether the members of a oneOf exclude each other, so that
// what one describes is not refused because another accepts it too. Documents
// say oneOf for variants that only a person can tell apart: date and date-time,
// two objects without required properties. Such a union must become anyOf, or
// no value would ever pass. The properties in shared tell no variants apart by
// being there.
func (v *conversion) exclusive(members []*node.Node, shared []string) bool {
	levels := make([]*node.Node, len(members))
	for i, m := range members {
		if levels[i] = v.view(m); levels[i] == nil {
			return false
		}
	}
	for i, a := range levels {
		for _, b := range levels[i+1:] {
			if !v.apart(a, b, shared, 0) {
				return false
			}
		}
	}
	return true
}

// view is the flat schema of a place as this direction sees it; nil when it
// cannot be told.
func (v *conversion) view(n *node.Node) *node.Node {
	if level, ok := v.views[n]; ok {
		return level
	}
	target, level, notes, err := v.behind(n)
	if err == nil {
		level = v.under(v.enumerate(v.dropHidden(v.ownTags(target, level))), notes)
	} else {
		level = nil
	}
	v.views[n] = level
	return level
}

// apart reports whether values made for a do not pass b, and the reverse.
func (v *conversion) apart(a, b *node.Node, shared []string, depth int) bool {
	if bothNull(a, b) || depth > 3 {
		return false
	}
	if differ(a, b) {
		return true
	}
	if isType(a, "array") && isType(b, "array") {
		x, y := v.child(a, "items"), v.child(b, "items")
		return x != nil && y != nil && v.apart(x, y, nil, depth+1)
	}
	return v.refuses(a, b, shared) && v.refuses(b, a, shared)
}

// child is the view of a schema below, nil if there is none.
func (v *conversion) child(level *node.Node, key string) *node.Node {
	if n := level.Get(key); n != nil {
		return v.view(n)
	}
	return nil
}

// refuses reports whether the object a refuses objects made for b: they lack
// what a requires, or hold what a excludes.
func (v *conversion) refuses(a, b *node.Node, shared []string) bool {
	pa, pb := a.Get("properties"), b.Get("properties")
	distinguishes := func(name string) bool {
		x, y := v.child(pa, name), v.child(pb, name)
		return x != nil && y != nil && !bothNull(x, y) && differ(x, y)
	}
	for _, name := range a.Get("required").List() {
		lacks := !pb.Has(name.Value) && !listed(b.Get("required"), name.Value) && !slices.Contains(shared, name.Value)
		if lacks || distinguishes(name.Value) {
			return true
		}
	}
	for _, name := range b.Get("required").List() {
		known := pa.Has(name.Value) || a.Has("patternProperties")
		if distinguishes(name.Value) || !known && a.Get("additionalProperties").Is(false) {
			return true
		}
	}
	return false
}

// differ reports whether two schemas without regard to what is below them share
// no value: by type, by listed values or by pattern.
func differ(a, b *node.Node) bool {
	if disjointTypes(inferredType(a), inferredType(b)) || disjointValues(a, b) {
		return true
	}
	x, y := a.Get("pattern"), b.Get("pattern")
	return x != nil && y != nil && !same(x, y)
}

func bothNull(a, b *node.Node) bool {
	return hasType(inferredType(a), "null") && hasType(inferredType(b), "null")
}

func disjointTypes(a, b *node.Node) bool {
	if a == nil || b == nil {
		return false
	}
	_, overlap := bothTypes(a, b)
	return !overlap
}

// disjointValues reports whether both schemas list their values and share none.
func disjointValues(a, b *node.Node) bool {
	x, y := knownValues(a), knownValues(b)
	if x == nil || y == nil {
		return false
	}
	known := make(map[string]bool, len(x))
	for _, value := range x {
		known[identity(value)] = true
	}
	return !slices.ContainsFunc(y, func(value *node.Node) bool { return known[identity(value)] })
}

// inferredType is the type of a flat schema; where it has none, the one that
// its other keywords are about.
func inferredType(level *node.Node) *node.Node {
	if t := level.Get("type"); t != nil {
		return t
	}
	if has(level, composition...) || isLink(level) {
		return nil
	}
	if values := knownValues(level); values != nil {
		return typeOfAll(values)
	}
	if has(level, "properties", "additionalProperties", "patternProperties") {
		return node.Str(level, "object")
	}
	if has(level, "items", "prefixItems") {
		return node.Str(level, "array")
	}
	return nil
}
