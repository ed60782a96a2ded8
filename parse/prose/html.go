package prose

import (
	"regexp"
	"strings"
)

// document is what is known of a whole text.
type document struct {
	small   string          // the text in small letters
	targets map[string]bool // labels of link reference definitions, in small letters
	pairs   map[string]bool // elements known to be opened and closed, or not
}

func newDocument(text string) *document {
	return &document{small: strings.ToLower(text), targets: map[string]bool{}, pairs: map[string]bool{}}
}

// isPair reports whether an element is opened somewhere in the text, and closed.
func (d *document) isPair(name string) bool {
	pair, known := d.pairs[name]
	if !known {
		pair = strings.Contains(d.small, "<"+name) && strings.Contains(d.small, "</"+name)
		d.pairs[name] = pair
	}
	return pair
}

// effect is what becomes of an element's tags.
type effect int

const (
	vanish   effect = iota
	breaks          // both tags end a line
	itemises        // a line with a dash
	divides         // from the cell before it in a line
	encodes         // what is inside is code
)

// elements are those of HTML whose tags are removed; "<id>" is a placeholder. So
// is "<table>", where nothing closes it.
var elements = map[string]effect{
	"a": vanish, "abbr": vanish, "b": vanish, "big": vanish, "cite": vanish, "del": vanish, "em": vanish, "font": vanish,
	"i": vanish, "img": vanish, "ins": vanish, "mark": vanish, "s": vanish, "small": vanish, "span": vanish, "strike": vanish,
	"strong": vanish, "sub": vanish, "sup": vanish, "u": vanish, "wbr": vanish,

	"blockquote": breaks, "br": breaks, "center": breaks, "dd": breaks, "details": breaks, "div": breaks, "dl": breaks, "dt": breaks,
	"h1": breaks, "h2": breaks, "h3": breaks, "h4": breaks, "h5": breaks, "h6": breaks, "hr": breaks, "ol": breaks, "p": breaks,
	"section": breaks, "summary": breaks, "table": breaks, "tbody": breaks, "thead": breaks, "tr": breaks, "ul": breaks,

	"li": itemises,
	"td": divides, "th": divides,
	"code": encodes, "kbd": encodes, "pre": encodes, "samp": encodes, "tt": encodes,
}

// mayBeOpen are the elements that need no closing tag (HTML, 13.1.2.4), or have none.
var mayBeOpen = map[string]bool{"br": true, "dd": true, "dt": true, "hr": true, "img": true, "li": true, "p": true,
	"tbody": true, "td": true, "th": true, "thead": true, "tr": true, "wbr": true}

// maxTag bounds the length of a tag in bytes.
const maxTag = 4000

var tag = regexp.MustCompile(`^<(/?)([A-Za-z][A-Za-z0-9]*)(?:\s+[\w:@.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=]+))?)*\s*/?>`)

// element writes what is left of the tag or comment that text begins with, and
// returns its length: 0 where there is none.
func (in *inline) element(text string) int {
	if strings.HasPrefix(text, "<!--") && !in.unclosed {
		end := strings.Index(text, "-->")
		in.unclosed = end < 0
		if end >= 0 {
			return end + len("-->")
		}
	}
	m := tag.FindStringSubmatch(text[:min(len(text), maxTag)])
	if m == nil {
		return 0
	}
	name, closes := strings.ToLower(m[2]), m[1] != ""
	does, known := elements[name]
	if !known || !mayBeOpen[name] && !in.isPair(name) {
		return 0
	}
	n := len(m[0])
	if does == breaks || does == itemises || name == "pre" {
		if in.begun {
			in.write("\n")
		}
		n = len(text) - len(strings.TrimPrefix(text[n:], "\n"))
	}
	switch {
	case does == itemises && !closes:
		in.write("- ")
		n = len(text) - len(strings.TrimLeft(text[n:], " \t\n"))
	case does == divides && !closes && in.begun:
		in.write(" | ")
	case does == encodes && closes:
		in.code = max(0, in.code-1)
	case does == encodes:
		in.code++
	}
	return n
}
