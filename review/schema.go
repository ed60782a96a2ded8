package review

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// view is a schema with its references followed: the levels are the schema
// itself, what its $ref names, and so on.
type view struct {
	levels   []*node.Node
	root     *node.Node
	nullable bool // null was an alternative beside one other schema
}

// maxLevels bounds a chain of references.
const maxLevels = 32

// expand follows references, and unions of one schema and null.
func expand(n, root *node.Node) view {
	v := view{root: root}
	for range maxLevels {
		if !n.IsMap() {
			break
		}
		v.levels = append(v.levels, n)
		if ref := n.Get("$ref"); ref != nil {
			n = target(root, ref.Text())
			continue
		}
		members := union(n)
		forms := slices.DeleteFunc(slices.Clone(members), isNull)
		if len(forms) != 1 {
			break
		}
		v.nullable = v.nullable || len(members) > 1
		n = forms[0]
	}
	return v
}

func union(n *node.Node) []*node.Node {
	if members := n.Get("oneOf").List(); members != nil {
		return members
	}
	return n.Get("anyOf").List()
}

func isNull(n *node.Node) bool { return n.Get("type").Text() == "null" }

// target returns what a reference inside the schema names, or nil.
func target(root *node.Node, ref string) *node.Node {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	n := root
	for key := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		if path == "" {
			break
		}
		n = n.Get(strings.NewReplacer("~1", "/", "~0", "~").Replace(key))
	}
	return n
}

// last is the schema that the references lead to.
func (v view) last() *node.Node {
	if len(v.levels) == 0 {
		return nil
	}
	return v.levels[len(v.levels)-1]
}

// get returns the value of a keyword; what stands beside a reference goes before
// what it names.
func (v view) get(key string) *node.Node {
	for _, n := range v.levels {
		if value := n.Get(key); value != nil {
			return value
		}
	}
	return nil
}

// forms are the alternatives, without null; nil for a schema that has none.
func (v view) forms() []*node.Node {
	return slices.DeleteFunc(slices.Clone(union(v.last())), isNull)
}

// isUnion reports whether alternatives say all there is to say.
func (v view) isUnion() bool {
	return len(v.forms()) > 0 && v.get("type") == nil && v.get("properties") == nil
}

// types are those of the values that are taken, sorted, null last; nil: all.
func (v view) types() []string {
	var out []string
	switch t := v.get("type"); {
	case t != nil && t.Kind == node.Sequence:
		for _, item := range t.Items {
			out = append(out, item.Text())
		}
	case t != nil:
		out = []string{t.Text()}
	case v.values() != nil:
		for _, value := range v.values() {
			out = append(out, typeOf(value))
		}
	case len(v.forms()) > 0:
		for _, form := range union(v.last()) {
			types := expand(form, v.root).types()
			if types == nil {
				return nil
			}
			out = append(out, types...)
		}
	default:
		return nil
	}
	out = slices.DeleteFunc(set(out), func(t string) bool {
		v.nullable = v.nullable || t == "null"
		return t == "null"
	})
	if v.nullable {
		out = append(out, "null")
	}
	return out
}

func typeOf(n *node.Node) string {
	switch {
	case n.Kind == node.Bool:
		return "boolean"
	case n.Kind == node.Sequence:
		return "array"
	case n.Kind == node.Mapping:
		return "object"
	case n.Kind == node.Number && !strings.ContainsAny(n.Value, ".eE"):
		return "integer"
	}
	return n.Kind.String() // null, number, string
}

// values are those that an enum or const allows; nil: any.
func (v view) values() []*node.Node {
	if c := v.get("const"); c != nil {
		return []*node.Node{c}
	}
	return v.get("enum").List()
}

// takes reports whether values of a type are among types.
func takes(types []string, t string) bool {
	return types == nil || slices.Contains(types, t) || t == "integer" && slices.Contains(types, "number")
}

// required are the names that must be sent.
func (v view) required() []string {
	var out []string
	for _, name := range v.get("required").List() {
		out = append(out, name.Text())
	}
	return out
}

// closed reports whether an object takes no other properties.
func (v view) closed() bool { return v.get("additionalProperties").Is(false) }

// member is the path of a property: body.name, body["a b"].
func member(at, name string) string {
	for _, r := range name {
		if r != '_' && r != '-' && r != '$' && !('0' <= r && r <= '9') && !('A' <= r && r <= 'Z') && !('a' <= r && r <= 'z') {
			return at + "[" + strconv.Quote(name) + "]"
		}
	}
	if at == "" {
		return name
	}
	return at + "." + name
}
