package schema

import (
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
)

// enumTexts are the keywords of generators that say what the values of an enum
// mean: names first, sentences last.
var enumTexts = []string{"x-enum-varnames", "x-enumNames", "x-enum-descriptions"}

// namedValues is the keyword, ours alone, for the values of an enum that have
// names: a list of schemas with const, title and description, as oneOf has them.
const namedValues = "x-toolmill-values"

// namedEnum: what the values of an enum mean stands beside it in lists of the
// same length, or by value in mappings.
func namedEnum(c *Converter, n *node.Node) *node.Node {
	if !has(n, enumTexts...) {
		return n
	}
	names, more, about := n.Get(enumTexts[0]), n.Get(enumTexts[1]), n.Get(enumTexts[2])
	enum, t := n.Get("enum"), n.Get("type")
	n = n.Without(enumTexts...)
	if enum == nil {
		return n
	}
	for i, texts := range []*node.Node{names, more, about} {
		if texts != nil && texts.Kind == node.Sequence && !asLong(texts, enum) {
			c.warn(texts, "enum-names", "%s has %d entries for the %d values of the enum; it is left out", enumTexts[i], len(texts.Items), len(enum.Items))
		}
	}
	var members []*node.Node
	for i, v := range enum.Items {
		name, sentence := meaning(names, enum, i), meaning(about, enum, i)
		if name == "" {
			name = meaning(more, enum, i)
		}
		if sentence == name {
			sentence = ""
		}
		if name == "" && sentence == "" {
			continue
		}
		if t != nil {
			if fitted := fit(t, v); fitted != nil {
				v = fitted
			}
		}
		members = append(members, node.Map(v, node.Str(v, "const"), v,
			node.Str(v, "title"), node.Str(v, name), node.Str(v, "description"), node.Str(v, sentence)))
	}
	if members == nil {
		return n
	}
	return n.With(namedValues, node.Seq(enum, members...))
}

// asLong reports whether a list has an entry for each value of an enum; null
// needs none at the end, where nullable put it.
func asLong(texts, enum *node.Node) bool {
	last := len(enum.Items) - 1
	return len(texts.Items) == last+1 || len(texts.Items) == last && isNull(enum.Items[last])
}

// meaning is what texts say of the value at i of an enum, empty if no more than
// the value: a constant of a generated client, StatusActive, repeats active.
func meaning(texts, enum *node.Node, i int) string {
	v := enum.Items[i]
	said := texts.Get(v.Text())
	if texts.List() != nil && asLong(texts, enum) && i < len(texts.Items) {
		said = texts.Items[i]
	}
	text := strings.Join(strings.Fields(prose.Visible(said.Text())), " ")
	value := folded(v.Text())
	if tellsNothing(text, v.Text()) || v.Kind == node.String && len(value) > 2 && !strings.Contains(text, " ") && strings.HasSuffix(folded(text), value) {
		return ""
	}
	return text
}
