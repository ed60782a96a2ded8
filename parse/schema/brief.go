package schema

import (
	"strings"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// maxBrief bounds a description in a schema that is too large, in bytes.
const maxBrief = 120

// brief cuts the description of a level to its first sentence and drops its
// examples. A schema above [Large] is mostly such text: Kubernetes repeats 8.5 MB of
// it in 10 MB.
func brief(level *node.Node) *node.Node {
	level = level.Without("examples")
	text := level.Get("description")
	if text == nil {
		return level
	}
	if short := firstSentence(text.Value); short != text.Value {
		level = level.With("description", node.Str(text, short))
	}
	return level
}

// firstSentence returns the start of a text up to the first full stop or line
// break, or to the last word that fits.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	if i := strings.Index(text, ". "); i >= 0 {
		text = text[:i+1]
	}
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
