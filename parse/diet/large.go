package diet

import (
	"strings"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// Sizes in bytes of an input schema, from which on its texts are cut.
const (
	briefAbove = 16 << 10
	thinAbove  = 32 << 10
)

// maxBrief bounds a brief description, in bytes.
const maxBrief = 120

// cutBrief cuts descriptions below the arguments to their first sentence. A large
// schema is mostly such text: Kubernetes repeats 8.5 MB of it in 10 MB.
func cutBrief(root *node.Node, size int) *node.Node {
	if size <= briefAbove {
		return root
	}
	depths := schema.Depths(root)
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		if depth, ok := depths[n]; ok && depth <= 1 {
			return n
		}
		return text(n.Without("examples"), firstSentence)
	})
}

// firstSentence returns the first sentence of a text, or as many of its words as
// fit.
func firstSentence(text string) string {
	text = prose.Sentence(text)
	if len(text) <= maxBrief {
		return text
	}
	end := maxBrief - len("…")
	for !utf8.RuneStart(text[end]) {
		end--
	}
	if i := strings.LastIndexByte(text[:end], ' '); i > maxBrief/2 {
		end = i
	}
	return text[:end] + "…"
}

// kept is the last level whose descriptions stay whatever they cost: that of the
// properties of a body.
const kept = 2

// cutThin drops descriptions from the deepest level up until a schema takes at
// most thinAbove, or only the first levels have any: deep inside a Kubernetes
// object, a name says nearly all that its description does.
func cutThin(root *node.Node, size int) *node.Node {
	if size <= thinAbove {
		return root
	}
	depths := schema.Depths(root)
	var costs []int // of descriptions, by depth
	for n, depth := range depths {
		for len(costs) <= depth {
			costs = append(costs, 0)
		}
		if text := n.Get("description"); text != nil {
			costs[depth] += len(`,"description":`) + len(node.AppendJSON(nil, text))
		}
	}
	last := len(costs) - 1
	for ; last > kept && size > thinAbove; last-- {
		size -= costs[last]
	}
	return schema.Edit(root, func(_ string, n *node.Node) *node.Node {
		if depths[n] > last && n.Has("description") {
			return n.Without("description")
		}
		return n
	})
}
