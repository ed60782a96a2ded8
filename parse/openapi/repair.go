package openapi

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// shape lists the fields of an object and says what they must be, as far as we
// read them: those asIs are left alone. The nil shape is that of a mapping whose
// keys are names.
type shape []shapeField

// has reports whether an object of the shape has the field.
func (s shape) has(name string) bool {
	return slices.ContainsFunc(s, func(f shapeField) bool { return f.name == name })
}

type shapeField struct {
	name string
	want want
}

type want uint8

const (
	asIs want = iota
	asText
	asTexts
	asBool
)

// repair is repairFields that also reports what is no field of s.
func (n *normalizer) repair(v *node.Node, s shape, part string) *node.Node {
	n.unknownKeys(v, s, part)
	return n.repairFields(v, s, part)
}

// repairFields returns v with the fields of s made what they must be. What
// cannot be is left out; both are reported. A null field is as good as none.
func (n *normalizer) repairFields(v *node.Node, s shape, part string) *node.Node {
	out := v
	for key, value := range v.Pairs() {
		for _, f := range s {
			if f.name != key.Value || f.want == asIs {
				continue
			}
			if fixed := n.coerce(value, f.want, part+key.Value); fixed == nil {
				out = out.Without(key.Value)
			} else if fixed != value {
				out = out.With(key.Value, fixed)
			}
		}
	}
	return out
}

// coerce returns v as what is wanted, or nil.
func (n *normalizer) coerce(v *node.Node, w want, name string) *node.Node {
	switch {
	case v.Kind == node.Null:
		return nil
	case w == asText:
		return n.text(v, name)
	case w == asTexts:
		return n.texts(v, name)
	case v.Kind == node.Bool:
		return v
	case v.Kind == node.String && (strings.EqualFold(v.Value, "true") || strings.EqualFold(v.Value, "false")):
		n.warn(v, "quoted-boolean", "%s is text, read as %s", name, strings.ToLower(v.Value))
		return node.Boolean(v, strings.EqualFold(v.Value, "true"))
	}
	n.warn(v, "wrong-type", "%s is a %s and must be a boolean; it is ignored", name, v.Kind)
	return nil
}

// text returns v as text, or nil. Descriptions may be references to text.
func (n *normalizer) text(v *node.Node, name string) *node.Node {
	if ref := link(v); ref != nil {
		target, err := n.refs.resolve(ref)
		if err != nil {
			n.warn(v, err.Code, "%s is ignored: %s", name, err.Message)
			return nil
		}
		v = target
	}
	switch v.Kind {
	case node.String:
		return v
	case node.Number, node.Bool:
		n.warn(v, "unquoted-text", "%s is a %s, read as the text %q", name, v.Kind, v.Text())
		return node.Str(v, v.Text())
	}
	n.warn(v, "wrong-type", "%s is a %s and must be text; it is ignored", name, v.Kind)
	return nil
}

func (n *normalizer) texts(v *node.Node, name string) *node.Node {
	if v.Kind != node.Sequence {
		one := n.text(v, name)
		if one == nil {
			return nil
		}
		n.warn(v, "wrong-type", "%s is a %s, read as a list of one", name, v.Kind)
		return node.Seq(v, one)
	}
	out := node.Seq(v)
	same := true
	for _, item := range v.Items {
		if item.Kind == node.Null {
			same = false
			continue
		}
		fixed := n.text(item, "an item of "+name)
		same = same && fixed == item
		if fixed != nil {
			out.Items = append(out.Items, fixed)
		}
	}
	if same {
		return v
	}
	return out
}

// mapping returns v if it is a mapping, followed where it is a reference, else
// nil. The fields beside a reference are added to what it points to.
func (n *normalizer) mapping(v *node.Node, name string) (*node.Node, *schema.Error) {
	v, err := n.section(v)
	if err != nil || v == nil || v.Kind == node.Null {
		return nil, err
	}
	if !v.IsMap() {
		n.warn(v, "wrong-type", "%s is a %s and must be a mapping; it is ignored", name, v.Kind)
		return nil, nil
	}
	return v, nil
}

// list returns the items of v. One object in place of a list is a list of one.
func (n *normalizer) list(v *node.Node, name string) ([]*node.Node, *schema.Error) {
	v, err := n.section(v)
	if err != nil || v == nil || v.Kind == node.Null {
		return nil, err
	}
	if v.Kind != node.Sequence {
		n.warn(v, "wrong-type", "%s is a %s, read as a list of one", name, v.Kind)
		return []*node.Node{v}, nil
	}
	return v.Items, nil
}
