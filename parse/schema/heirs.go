package schema

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// child is a variant that a discriminator selects by one of values.
type child struct {
	target  *node.Node
	values  []string
	implied bool // by its name: no mapping has it
}

// family are the named schemas of the document.
type family struct {
	heirs map[*node.Node][]child // those that include a schema by allOf, in document order
	names map[*node.Node]string  // what each is called
	files int                    // that were read for it
}

// children lists the variants of base, which has a discriminator and no union:
// those of the mapping in its order, then the others that include it by allOf,
// which their own names select (OpenAPI 3.0 and 3.1, Discriminator Object).
func (c *Converter) children(base *node.Node) []child {
	if list, ok := c.kids[base]; ok {
		return list
	}
	c.kids[base] = nil
	list := c.mapped(c.normalise(base).Get("discriminator"))
	list = append(list, c.derived(base, list)...)
	c.kids[base] = list
	return list
}

// mapped reads the mapping of a discriminator; targets that several values name
// come once.
func (c *Converter) mapped(discriminator *node.Node) []child {
	var list []child
	for value, ref := range discriminator.Get("mapping").Pairs() {
		target := c.mappingTarget(ref)
		if target == nil {
			c.warn(ref, "dangling-mapping", "discriminator mapping %q names %q, which is no schema; it is left out", value.Value, ref.Text())
			continue
		}
		if i := indexOf(list, target); i >= 0 {
			list[i].values = append(list[i].values, value.Value)
		} else {
			list = append(list, child{target: target, values: []string{value.Value}})
		}
	}
	return list
}

// indexOf is the place of the variant target in a list, -1 if it is not there.
func indexOf(list []child, target *node.Node) int {
	return slices.IndexFunc(list, func(ch child) bool { return ch.target == target })
}

// mappingTarget resolves a mapping value: the name of a schema or a reference.
func (c *Converter) mappingTarget(ref *node.Node) *node.Node {
	if ref.Kind != node.String || ref.Value == "" {
		return nil
	}
	if t, ok := c.mappings[ref]; ok {
		return t
	}
	c.mappings[ref] = c.findMapping(ref)
	return c.mappings[ref]
}

func (c *Converter) findMapping(ref *node.Node) *node.Node {
	if !strings.ContainsAny(ref.Value, "#/") {
		if target := c.component(ref, ref.Value); target != nil {
			return target
		}
	}
	target, err := c.deref(ref)
	if err != nil || !target.IsMap() {
		return nil
	}
	return target
}

// component returns the schema of that name in the file of at or else in the
// document's root, or nil.
func (c *Converter) component(at *node.Node, name string) *node.Node {
	name = strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	places := []*node.Node{at}
	if files := c.src.Files(); len(files) > 0 {
		places = append(places, files[0].Root)
	}
	for _, at := range places {
		for _, place := range []string{"#/components/schemas/", "#/definitions/"} {
			if target, err := c.deref(node.Str(at, place+name)); err == nil && target.IsMap() {
				return target
			}
		}
	}
	return nil
}

// derived lists the schemas that include base by allOf, directly or through
// another, under their own names; those in known are left out.
func (c *Converter) derived(base *node.Node, known []child) []child {
	kin := c.relatives()
	var list []child
	seen := map[*node.Node]bool{base: true}
	var add func(parent *node.Node)
	add = func(parent *node.Node) {
		for _, heir := range kin.heirs[parent] {
			if seen[heir.target] {
				continue
			}
			seen[heir.target] = true
			if indexOf(known, heir.target) < 0 {
				list = append(list, heir)
			}
			add(heir.target)
		}
	}
	add(base)
	return list
}

// relatives finds what is related in the files that were read. What the root
// lists among its components may stand in files that are read for it.
func (c *Converter) relatives() family {
	if c.kin.heirs != nil && c.kin.files == len(c.src.Files()) {
		return c.kin
	}
	kin := family{heirs: map[*node.Node][]child{}, names: map[*node.Node]string{}}
	for ; kin.files < len(c.src.Files()); kin.files++ {
		root := c.src.Files()[kin.files].Root
		for _, schemas := range []*node.Node{root.Get("components").Get("schemas"), root.Get("definitions")} {
			for name, schema := range schemas.Pairs() {
				c.relate(&kin, name.Value, schema)
			}
		}
	}
	c.kin = kin
	return kin
}

// relate adds a named schema to its family.
func (c *Converter) relate(kin *family, name string, schema *node.Node) {
	if ref := schema.Get("$ref"); ref != nil && ref.Kind == node.String && !schema.Has("allOf") {
		target, err := c.deref(ref)
		if err != nil {
			return // whoever needs it says so
		}
		schema = target
	}
	if kin.names[schema] != "" {
		return
	}
	kin.names[schema] = name
	if c.names[schema] == "" {
		c.names[schema] = sanitise(name)
	}
	if !schema.Has("allOf") {
		return
	}
	for _, m := range c.normalise(schema).Get("allOf").List() {
		if parent := c.destination(m); parent != nil {
			kin.heirs[parent] = append(kin.heirs[parent], child{schema, []string{name}, true})
		}
	}
}

// selectable is choices, the variants of n by its discriminator d, as far as the
// values of the discriminating property can select them, and n itself for what
// none of the others takes: a value that the property lists, or the name of n
// where all go by their names.
func (c *Converter) selectable(n, level *node.Node, choices []child, d *node.Node) []child {
	property := d.Get("propertyName").Text()
	known := c.tagValues(level, property)
	mapped := slices.ContainsFunc(choices, func(ch child) bool { return !ch.implied })
	var out []child
	var taken []string
	for _, ch := range choices {
		values := c.takes(ch, property, known)
		if len(values) == 0 && ch.implied && mapped {
			continue
		}
		out, taken = append(out, ch), append(taken, values...)
	}
	rest := known
	if name := c.relatives().names[n]; known == nil && name != "" && !mapped {
		rest = []string{name}
	}
	rest = slices.DeleteFunc(slices.Clone(rest), func(v string) bool { return slices.Contains(taken, v) })
	switch i := indexOf(out, n); {
	case len(rest) == 0, len(taken) == 0: // or the names are others than the values
	case i >= 0:
		out[i].values = slices.Concat(out[i].values, rest)
	default:
		out = append(out, child{target: n, values: rest})
	}
	return out
}

// tagValues lists the texts that a flat schema allows for the discriminating
// property, nil for any.
func (c *Converter) tagValues(level *node.Node, property string) []string {
	declared := level.Get("properties").Get(property)
	if declared == nil {
		return nil
	}
	var out []string
	for _, v := range knownValues(c.plain(declared)) {
		if v.Kind == node.String {
			out = append(out, v.Value)
		}
	}
	return out
}

// takes lists which of the known values select a variant: the document's, else
// those to which the variant itself limits the property.
func (c *Converter) takes(ch child, property string, known []string) []string {
	if known == nil {
		return ch.values
	}
	unknown := func(v string) bool { return !slices.Contains(known, v) }
	if values := slices.DeleteFunc(slices.Clone(ch.values), unknown); len(values) > 0 {
		return values
	}
	level, err := c.flatten(ch.target)
	if err != nil {
		return nil
	}
	values := slices.DeleteFunc(c.tagValues(level, property), unknown)
	if len(values) == len(known) {
		return nil
	}
	return values
}
