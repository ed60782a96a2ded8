package schema

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// A discriminator becomes what JSON Schema can say: each variant requires the
// discriminating property and fixes its value (OpenAPI 3.1, Discriminator
// Object). A schema that has a discriminator but no union stands for its
// children, the schemas that the mapping names or that include it by allOf.

// asBase returns what a derived schema n includes of target, whose flat schema
// is level: not the choice among the children, which n has made.
func (c *Converter) asBase(n, target, level *node.Node) *node.Node {
	for _, key := range []string{"oneOf", "anyOf"} {
		leadsHere := func(m *node.Node) bool { return m == n || c.destination(m) == n }
		if slices.ContainsFunc(level.Get(key).List(), leadsHere) {
			return level.Without(key, "discriminator")
		}
	}
	if !level.Has("discriminator") || has(level, "oneOf", "anyOf") {
		return level
	}
	isN := func(ch child) bool { return ch.target == n }
	named := c.names[n] != "" && len(c.normalise(n).Get("allOf").List()) > 1
	if named || slices.ContainsFunc(c.children(target), isN) {
		return level.Without("discriminator")
	}
	return level
}

// destination is the target of a schema that is a reference, else nil.
func (c *Converter) destination(n *node.Node) *node.Node {
	ref := c.normalise(n).Get("$ref")
	if ref == nil {
		return nil
	}
	target, err := c.deref(ref)
	if err != nil {
		return nil
	}
	return target
}

// tag fixes the discriminating property of a flat object to values and requires
// it. A property that already excludes all of them knows better.
func (c *Converter) tag(level *node.Node, property string, values []string, at *node.Node) *node.Node {
	properties := level.Get("properties")
	declared := properties.Get(property)
	allowed := make([]*node.Node, 0, len(values))
	for _, v := range values {
		allowed = append(allowed, node.Str(at, v))
	}
	fixed := c.narrow(declared, allowed)
	if fixed != nil {
		if properties == nil {
			properties = node.Map(at)
		}
		level = level.With("properties", properties.With(property, fixed))
	}
	required := level.Get("required")
	if !listed(required, property) {
		level = level.With("required", node.Seq(at, append(slices.Clone(required.List()), node.Str(at, property))...))
	}
	return level
}

// narrow returns the schema of a discriminating property that takes only the
// allowed values; nil when it must stay as declared.
func (c *Converter) narrow(declared *node.Node, allowed []*node.Node) *node.Node {
	level := node.Map(allowed[0], node.Str(allowed[0], "type"), node.Str(allowed[0], "string"))
	if declared != nil {
		if level = c.plain(declared); level == nil {
			return nil
		}
	}
	if t := level.Get("type"); t != nil && !hasType(t, "string") {
		return nil
	}
	if known := knownValues(level); known != nil {
		allowed = slices.DeleteFunc(allowed, func(v *node.Node) bool {
			return !slices.ContainsFunc(known, func(k *node.Node) bool { return same(k, v) })
		})
		if len(allowed) == 0 || len(allowed) == len(known) {
			return nil
		}
	}
	level = level.Without("enum", "const", "default", "examples", "pattern", patternText, "minLength", "maxLength")
	if len(allowed) == 1 {
		level = level.With("const", allowed[0])
	} else {
		level = level.With("enum", node.Seq(allowed[0], allowed...))
	}
	return c.adopt(level.With("type", node.Str(level, "string")))
}

// knownValues lists the values that enum or const of a schema allow, nil for
// any.
func knownValues(n *node.Node) []*node.Node {
	if v := n.Get("const"); v != nil {
		return []*node.Node{v}
	}
	return n.Get("enum").List()
}

// ownTags fixes the discriminating properties that n inherits: through each
// ancestor's discriminator the document says which value means n.
func (c *Converter) ownTags(n, level *node.Node) *node.Node {
	if c.variants[n] {
		return level
	}
	for _, parent := range c.ancestors(n) {
		base, err := c.flatten(parent)
		if err != nil || !base.Has("discriminator") {
			continue
		}
		for _, ch := range c.choices(parent, base) {
			if ch.target == n && len(ch.values) > 0 {
				level = c.tag(level, base.Get("discriminator").Get("propertyName").Text(), ch.values, n)
			}
		}
	}
	return level
}

// ancestors lists the schemas that n includes by reference, nearest first.
func (c *Converter) ancestors(n *node.Node) []*node.Node {
	var seen []*node.Node
	var climb func(m *node.Node)
	climb = func(m *node.Node) {
		for _, included := range c.normalise(m).Get("allOf").List() {
			if parent := c.destination(included); parent != nil && !slices.Contains(seen, parent) {
				seen = append(seen, parent)
				climb(parent)
			}
		}
	}
	climb(n)
	return seen
}

// choices lists what the discriminator of n, whose flat schema is level,
// chooses from: the references in its union, or its children. A variant without
// values is one that the document gives no name.
func (c *Converter) choices(n, level *node.Node) []child {
	members := slices.Concat(level.Get("oneOf").List(), level.Get("anyOf").List())
	if len(members) == 0 {
		return c.children(n)
	}
	if list, ok := c.kids[n]; ok {
		return list
	}
	mapping := c.mapped(level.Get("discriminator"))
	var list []child
	for _, m := range members {
		ch := child{target: c.destination(m)}
		if ch.target == nil {
			continue
		}
		if i := slices.IndexFunc(mapping, func(x child) bool { return x.target == ch.target }); i >= 0 {
			ch.values = mapping[i].values
		} else if name := implicitName(c.normalise(m).Get("$ref").Value); name != "" {
			ch.values = []string{name}
		}
		list = append(list, ch)
	}
	c.kids[n] = list
	return list
}

// implicitName is the value that selects a schema no mapping names: its name
// among the components.
func implicitName(ref string) string {
	for _, place := range []string{"#/components/schemas/", "#/definitions/"} {
		if _, name, ok := strings.Cut(ref, place); ok && !strings.Contains(name, "/") {
			return unescape(name)
		}
	}
	return ""
}

// variantKey tells variants apart.
type variantKey struct {
	target, base     *node.Node
	property, values string
}

// variant makes the schema of one choice: ch with its tag, unless it has the tag
// already. Base, if not nil, is included too.
func (c *Converter) variant(ch child, base *node.Node, property string) *node.Node {
	link := c.point(ch.target, ch.target, c.names[ch.target])
	target, extra, err := c.chase(link)
	if err != nil {
		return link // whoever converts it says so
	}
	level, _ := c.flatten(target)
	if base == nil {
		tagged := c.ownTags(target, level)
		known := tagged.Get("properties").Get(property)
		if len(ch.values) == 0 || has(level, "oneOf", "anyOf", "discriminator") ||
			listed(tagged.Get("required"), property) && known != nil && knownValues(c.plain(known)) != nil {
			return link
		}
	}
	key := variantKey{target, base, property, strings.Join(ch.values, "\x00")}
	made, ok := c.made[key]
	if !ok {
		if base != nil {
			both := c.adopt(node.Map(target, node.Str(target, "allOf"), node.Seq(target, base, link)))
			if level, err = c.flatten(both); err != nil {
				return link
			}
		}
		made = c.keep(c.tag(withNotes(level, extra.Without("nullable")), property, ch.values, target))
		c.variants[made] = true
		c.names[made] = c.names[target]
		c.made[key] = made
	}
	return c.point(made, made, c.names[target])
}

// withVariants replaces the choice that a discriminator of n describes by what JSON
// Schema can say.
func (c *Converter) withVariants(n, level *node.Node) *node.Node {
	d := level.Get("discriminator")
	if d == nil {
		return level
	}
	property := d.Get("propertyName").Text()
	choices := c.choices(n, level)
	level = level.Without("discriminator")
	for _, key := range []string{"oneOf", "anyOf"} {
		union := level.Get(key)
		if union == nil {
			continue
		}
		members := slices.Clone(union.Items)
		for i, m := range members {
			target := c.destination(m)
			j := slices.IndexFunc(choices, func(ch child) bool { return ch.target == target })
			if target != nil && j >= 0 && !c.isDefault(d, target) {
				members[i] = withNotes(c.variant(choices[j], nil, property), c.normalise(m).Without("$ref"))
			}
		}
		level = level.With(key, node.Seq(union, members...))
	}
	if has(level, "oneOf", "anyOf") {
		return level
	}
	if len(choices) == 0 {
		return c.describeChoice(level, d)
	}
	return c.expand(n, level, c.selectable(n, level, choices, d), property)
}

// isDefault reports whether target is what a missing discriminating property
// means (OpenAPI 3.2, defaultMapping): it cannot be required there.
func (c *Converter) isDefault(d, target *node.Node) bool {
	ref := d.Get("defaultMapping")
	return ref != nil && c.mappingTarget(ref) == target
}

// expand makes the union of the children of n, keeping its notes.
func (c *Converter) expand(n, level *node.Node, choices []child, property string) *node.Node {
	if union, ok := c.unions[n]; ok {
		return union
	}
	base := c.keep(withoutNotes(level))
	var members []*node.Node
	for _, ch := range choices {
		if ch.target == n {
			self := c.keep(c.tag(base, property, ch.values, n))
			c.variants[self] = true
			members = append(members, self)
		} else if slices.Contains(c.ancestors(ch.target), n) {
			members = append(members, c.variant(ch, nil, property))
		} else {
			members = append(members, c.variant(ch, base, property))
		}
	}
	if hasType(level.Get("type"), "null") {
		members = append(members, c.adopt(node.Map(n, node.Str(n, "type"), node.Str(n, "null"))))
	}
	c.unions[n] = withNotes(node.Map(n, node.Str(n, "anyOf"), node.Seq(n, members...)), level)
	return c.unions[n]
}

// describeChoice tells in words what a discriminator says about schemas that
// cannot be found.
func (c *Converter) describeChoice(level, d *node.Node) *node.Node {
	var values []string
	for value := range d.Get("mapping").Pairs() {
		values = append(values, value.Value)
	}
	if len(values) == 0 {
		return level
	}
	return describe(level, d.Get("propertyName").Text()+" says which kind it is: "+strings.Join(values, ", "))
}
