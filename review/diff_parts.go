package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// object compares properties by name.
func (c *comparison) object(at string, o, n view) {
	old, new := o.get("properties"), n.get("properties")
	renamed := c.renames(old, new)
	mustOld, mustNew := o.required(), n.required()
	for name, schema := range old.Pairs() {
		if !new.Has(name.Value) && renamed[name.Value] == "" {
			c.add("argument-removed", changed, member(at, name.Value), "", "", "removed%s", kindText(expand(schema, c.old)))
		}
	}
	was := map[string]string{}
	for name := range old.Pairs() {
		if to := renamed[name.Value]; to != "" {
			was[to] = name.Value
		}
	}
	for name, schema := range new.Pairs() {
		before := name.Value
		path := member(at, name.Value)
		if from := was[name.Value]; from != "" {
			before = from
			c.add("argument-renamed", changed, path, from, name.Value, "renamed, was %s", quote(member(at, from)))
		}
		must := slices.Contains(mustNew, name.Value)
		if !old.Has(before) {
			c.added(path, schema, must)
			continue
		}
		c.schema(path, old.Get(before), schema)
		c.need(path, slices.Contains(mustOld, before), must)
	}
	c.others(at, o, n)
}

// added says that there is a new argument.
func (c *comparison) added(path string, schema *node.Node, required bool) {
	k, word := note, "optional"
	if required && !c.output {
		k, word = changed, "required"
	}
	if c.output {
		c.add("argument-added", note, path, "", "", "added%s", kindText(expand(schema, c.new)))
		return
	}
	c.add("argument-added", k, path, "", "", "added, %s%s", word, kindText(expand(schema, c.new)))
}

// need compares whether an argument must be sent, or a result is always there.
func (c *comparison) need(path string, was, is bool) {
	switch {
	case was == is:
	case c.output && is:
		c.add("output-changed", tightened, path, "", "", "is always there now")
	case c.output:
		c.add("output-changed", loosened, path, "", "", "can be missing now")
	case is:
		c.add("argument-required", tightened, path, "optional", "required", "is now required")
	default:
		c.add("argument-optional", loosened, path, "required", "optional", "is no longer required")
	}
}

func kindText(v view) string {
	if types := v.types(); types != nil {
		return " (" + strings.Join(types, " or ") + ")"
	}
	return ""
}

// renames finds properties that are gone and came back under another name: one
// of each that take the same, and are described by the same words or spelt alike.
func (c *comparison) renames(old, new *node.Node) map[string]string {
	out := map[string]string{}
	taken := map[string]bool{}
	for from, a := range old.Pairs() {
		if new.Has(from.Value) {
			continue
		}
		var candidates []string
		for to, b := range new.Pairs() {
			if !old.Has(to.Value) && !taken[to.Value] && sameArgument(from.Value, a, to.Value, b) {
				candidates = append(candidates, to.Value)
			}
		}
		if len(candidates) == 1 {
			out[from.Value] = candidates[0]
			taken[candidates[0]] = true
		}
	}
	return out
}

func sameArgument(from string, a *node.Node, to string, b *node.Node) bool {
	if !same(a.Without("description", "title", "examples"), b.Without("description", "title", "examples")) {
		return false
	}
	text := a.Get("description").Text()
	return text != "" && text == b.Get("description").Text() || bareName(from) == bareName(to)
}

// bareName leaves of a name its letters and digits: petId and pet_id are alike.
func bareName(name string) string { return strings.Join(bareWords(name), "") }

// others compares what is said of properties without a name here.
func (c *comparison) others(at string, o, n view) {
	switch was, is := o.closed(), n.closed(); {
	case is && !was:
		c.add("properties-closed", tightened, at, "", "", "takes no other properties any more")
		return
	case was && !is:
		c.add("properties-opened", loosened, at, "", "", "takes other properties now")
		return
	}
	old, new := o.get("additionalProperties"), n.get("additionalProperties")
	if old.IsMap() || new.IsMap() {
		c.schema(at+".*", orEmpty(old), orEmpty(new))
	}
}

// orEmpty stands for a schema that takes anything.
func orEmpty(n *node.Node) *node.Node {
	if n.IsMap() {
		return n
	}
	return &node.Node{Kind: node.Mapping}
}

// array compares the items of lists.
func (c *comparison) array(at string, o, n view) {
	old, new := o.get("items"), n.get("items")
	if old.IsMap() || new.IsMap() {
		c.schema(at+"[]", orEmpty(old), orEmpty(new))
	}
	first, now := o.get("prefixItems").List(), n.get("prefixItems").List()
	for i := range min(len(first), len(now)) {
		c.schema(fmt.Sprintf("%s[%d]", at, i), first[i], now[i])
	}
	if len(first) != len(now) {
		c.add("constraint-changed", unclear, at, "", "", "has %d items with a place of their own, had %d", len(now), len(first))
	}
}

// alternatives compares the forms of a union. A schema that is none is a union of
// itself.
func (c *comparison) alternatives(at string, o, n view) {
	old, new := o.forms(), n.forms()
	switch {
	case len(old) == 0 && len(new) == 0:
		return
	case len(old) == 0 && n.isUnion():
		old = []*node.Node{o.last()}
	case len(new) == 0 && o.isUnion():
		new = []*node.Node{n.last()}
	case len(old) == 0 || len(new) == 0:
		c.add("constraint-changed", unclear, at, "", "", "has another condition `anyOf`")
		return
	}
	partner := c.partners(old, new)
	for i, form := range old {
		// A type that is gone was already told.
		if !slices.Contains(partner, i) && allTaken(expand(form, c.old), n) {
			c.add("alternative-removed", tightened, at, "", "", "can no longer be %s", formText(form, c.old, i))
		}
	}
	for i, form := range new {
		switch {
		case partner[i] >= 0:
			c.schema(at+"("+formName(form, c.new, i)+")", old[partner[i]], form)
		case allTaken(expand(form, c.new), o):
			c.add("alternative-added", loosened, at, "", "", "can be %s now", formText(form, c.new, i))
		}
	}
}

// allTaken reports whether another schema takes all types of a form.
func allTaken(form, other view) bool {
	types := other.types()
	return !slices.ContainsFunc(form.types(), func(t string) bool { return !takes(types, t) })
}

// partners finds for each form now the index of what it was, or -1: the same,
// else of the same name, else the only ones left of their types.
func (c *comparison) partners(old, new []*node.Node) []int {
	out := slices.Repeat([]int{-1}, len(new))
	for _, fits := range []func(a, b *node.Node) bool{
		same,
		func(a, b *node.Node) bool {
			name := formLabel(a, c.old)
			return name != "" && name == formLabel(b, c.new)
		},
		func(a, b *node.Node) bool {
			return slices.Equal(expand(a, c.old).types(), expand(b, c.new).types())
		},
	} {
		for i := range new {
			for j := range old {
				if out[i] < 0 && !slices.Contains(out, j) && fits(old[j], new[i]) {
					out[i] = j
				}
			}
		}
	}
	return out
}

// formLabel names a form by its title, its definition, or the property that tells
// it from others; empty if it has none of them.
func formLabel(form, root *node.Node) string {
	v := expand(form, root)
	if title := v.get("title").Text(); title != "" {
		return title
	}
	if ref := form.Get("$ref").Text(); ref != "" {
		return ref[strings.LastIndexByte(ref, '/')+1:]
	}
	for name, schema := range v.get("properties").Pairs() {
		if value := schema.Get("const"); value != nil {
			return name.Value + "=" + literal(value)
		}
		if values := schema.Get("enum").List(); len(values) == 1 {
			return name.Value + "=" + literal(values[0])
		}
	}
	return ""
}

// formName is the label, or the place in the list, from 1.
func formName(form, root *node.Node, i int) string {
	if label := formLabel(form, root); label != "" {
		return label
	}
	return fmt.Sprint(i + 1)
}

func formText(form, root *node.Node, i int) string {
	if label := formLabel(form, root); label != "" {
		return quote(label)
	}
	if types := expand(form, root).types(); types != nil {
		return strings.Join(types, " or ") + fmt.Sprintf(" (alternative %d)", i+1)
	}
	return fmt.Sprintf("alternative %d", i+1)
}
