package diet

import (
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// outputLimit is the size in bytes above which an outputSchema is not worth its
// tokens.
const outputLimit = 8 << 10

func cutOutput(root *node.Node, size int) *node.Node {
	if size > outputLimit {
		return nil
	}
	return root
}

// texts returns root with f applied to each description.
func texts(root *node.Node, f func(text string) string) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node { return text(n, f) })
}

// text returns a schema with f applied to its description; an empty text goes.
func text(n *node.Node, f func(string) string) *node.Node {
	old := n.Get("description")
	if old == nil {
		return n
	}
	switch s := f(old.Value); s {
	case old.Value:
		return n
	case "":
		return n.Without("description")
	default:
		return n.With("description", node.Str(old, s))
	}
}

func plainTexts(root *node.Node, _ int) *node.Node { return texts(root, prose.Plain) }

// maxText bounds the description of a schema, in runes.
const maxText = 1000

func cutLength(root *node.Node, _ int) *node.Node {
	return texts(root, func(s string) string { return prose.Cut(s, maxText) })
}

// echo is a name with what is said of it.
type echo struct{ name, text string }

// worthSaying is the length in bytes from which on a text is said only once of
// the same name in one tool. Below, a reference back costs as much.
const worthSaying = 20

// cutEchoes drops what was said already: a description that is the name in other
// letters, a title that is the description, the description of items that is their
// list's, and of properties of one name with one description all but the first.
func cutEchoes(root *node.Node, _ int) *node.Node {
	said := map[echo]bool{}
	depths := schema.Depths(root)
	return schema.Edit(root, func(name string, n *node.Node) *node.Node {
		description := n.Get("description").Text()
		if description == "" {
			return n
		}
		e, depth := echo{name, description}, depths[n]
		if sameWords(n.Get("title").Text(), description) {
			n = n.Without("title")
		}
		if items := n.Get("items"); items.Get("description").Text() == description {
			n = n.With("items", items.Without("description"))
		}
		again := said[e] && len(description) >= worthSaying && depth > 1
		if name != "" {
			said[e] = true
		}
		if again || sameWords(name, description) {
			n = n.Without("description")
		}
		return n
	})
}

// sameWords reports whether a text says no more than a name: "The pet ID." and
// petId.
func sameWords(name, text string) bool {
	if len(text) > len(name)+8 {
		return false
	}
	fold := func(s string) string {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(" _-.", r) {
				return -1
			}
			return r
		}, strings.ToLower(s))
	}
	return fold(name) == strings.TrimPrefix(fold(text), "the")
}

// cutExamples keeps one example, and none where the schema shows a value itself.
func cutExamples(root *node.Node, _ int) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		examples := n.Get("examples").List()
		switch {
		case len(examples) == 0:
			return n
		case n.Has("enum") || n.Has("const") || n.Has("default"):
			return n.Without("examples")
		case len(examples) > 1:
			return n.With("examples", node.Seq(n.Get("examples"), examples[0]))
		}
		return n
	})
}

func cutAllExamples(root *node.Node, _ int) *node.Node {
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		if n.Has("examples") {
			return n.Without("examples")
		}
		return n
	})
}
