package prose

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSpan bounds in bytes how far a link's label or emphasis reaches.
const maxSpan = 1000

var (
	entity = regexp.MustCompile(`^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	// address is what a link's target has to look like, so that no expression of a
	// programming language is taken for one: f[i](x), [a-z](.*).
	address = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*:\S|[^\s/]*/|#|\?|\{|<[^<>\s]+>|[\w-]+\.\w)`)
	title   = regexp.MustCompile(`\s+(?:"[^"]*"|'[^']*')\s*$`)
	// identifier is a name, which underscores do not emphasise: __init__.
	identifier = regexp.MustCompile(`^\w+$`)
)

// marks begin what inline looks at.
const marks = "`\\&<![*_"

// inline reads text outside code blocks.
type inline struct {
	*document
	text     string
	out      []byte
	begun    bool // something but space is written of the last line
	code     int  // elements of HTML that are open and hold code
	unclosed bool // a comment that nothing closes was seen
}

// plain returns the text without markup.
func (in *inline) plain() string {
	for i := 0; i < len(in.text); {
		i += in.next(i)
	}
	return string(in.out)
}

// next writes what the text begins with at a place, and returns its length.
func (in *inline) next(at int) int {
	rest, n := in.text[at:], 0
	switch c := rest[0]; {
	case c == '&':
		n = len(entity.FindString(rest))
		in.entity(rest[:n])
	case c == '<':
		n = in.element(rest)
	case in.code > 0:
	case c == '`':
		n = len(codeSpan(rest))
		in.write(rest[:n])
	case c == '\\' && len(rest) > 1 && strings.IndexByte("_*[]()#`<>|~-", rest[1]) >= 0:
		in.write(rest[1:2])
		n = 2
	case strings.HasPrefix(rest, "!["):
		if _, end := in.link(rest[1:]); end > 0 {
			n = 1 + end
		}
	case c == '[':
		var label string
		label, n = in.link(rest)
		in.nested(label)
	case c == '*' || c == '_':
		var marked string
		marked, n = emphasis(in.text[:at], rest)
		in.nested(marked)
	}
	if n > 0 {
		return n
	}
	n = 1 + strings.IndexAny(rest[1:], marks)
	if n == 0 {
		n = len(rest)
	}
	in.write(rest[:n])
	return n
}

// entity writes the character that is meant, or what stands there where it is
// none: of "&nothing;", UnescapeString would read the first half.
func (in *inline) entity(text string) {
	if s := html.UnescapeString(text); !strings.HasSuffix(s, ";") {
		text = Visible(s)
	}
	in.write(text)
}

func (in *inline) write(text string) {
	in.out = append(in.out, text...)
	begin := strings.LastIndexByte(text, '\n') + 1
	in.begun = begin == 0 && in.begun || strings.Trim(text[begin:], " \t") != ""
}

// nested writes a part of the text without its markup.
func (in *inline) nested(text string) {
	part := inline{document: in.document, text: text}
	in.write(part.plain())
}

// codeSpan returns the code span that text begins with, or its backticks where
// none of the same number close it before the paragraph ends (CommonMark, 6.1).
func codeSpan(text string) string {
	n := len(text) - len(strings.TrimLeft(text, "`"))
	for i := n; i < len(text); {
		rest := text[i:]
		switch {
		case rest[0] == '`':
			m := len(rest) - len(strings.TrimLeft(rest, "`"))
			if m == n {
				return text[:i+m]
			}
			i += m
		case strings.HasPrefix(rest, "\n\n"):
			return text[:n]
		default:
			next := strings.IndexAny(rest[1:], "`\n")
			if next < 0 {
				return text[:n]
			}
			i += 1 + next
		}
	}
	return text[:n]
}

// link returns the label of the link that text begins with, and its length: 0
// where there is none.
func (in *inline) link(text string) (label string, n int) {
	end := closing(text, '[', ']')
	if end < 0 {
		return "", 0
	}
	label, rest := text[1:end], text[end+1:]
	if strings.HasPrefix(rest, "(") {
		if close := closing(rest, '(', ')'); close > 0 {
			target := strings.TrimSpace(rest[1:close])
			target = title.ReplaceAllString(target, "")
			if address.MatchString(target) && !strings.ContainsAny(target, " \t\n*|\\") {
				return label, end + 1 + close + 1
			}
		}
	}
	to, n := label, end+1
	if strings.HasPrefix(rest, "[") {
		if close := closing(rest, '[', ']'); close >= 0 {
			n += close + 1
			if close > 1 {
				to = rest[1:close]
			}
		}
	}
	if in.targets[strings.ToLower(to)] {
		return label, n
	}
	return "", 0
}

// closing returns where the bracket that text begins with is closed, or -1. Code
// spans and escaped brackets count for nothing.
func closing(text string, open, end byte) int {
	depth := 0
	text = text[:min(len(text), maxSpan)]
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '`':
			i += len(codeSpan(text[i:])) - 1
		case '\n':
			if strings.HasPrefix(text[i:], "\n\n") {
				return -1
			}
		case open:
			depth++
		case end:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// emphasis returns what the text is strong about at its begin, and the length
// with the marks: 0 where it is not. A single mark stays: it costs as little as it
// says. Marks stand at the edges of words, so that a**b, src/**/x and __init__ are
// none.
func emphasis(before, text string) (marked string, n int) {
	text = text[:min(len(text), maxSpan)]
	near := text[:min(len(text), 4)]
	mark := near[:len(near)-len(strings.TrimLeft(near, near[:1]))]
	run := len(mark)
	if run != 2 && run != 3 || !isEdge(utf8.DecodeLastRuneInString(before)) {
		return "", 0
	}
	for i := run; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '`':
			i += len(codeSpan(text[i:])) - 1
		case strings.HasPrefix(text[i:], "\n\n"):
			return "", 0
		case c == mark[0]:
			end := i + len(text[i:]) - len(strings.TrimLeft(text[i:], mark[:1]))
			marked = text[run:i]
			if end-i != run || strings.ContainsAny(text[i-1:i], " \t\n") {
				i = end - 1
				continue
			}
			isName := c == '_' && identifier.MatchString(marked)
			if isName || strings.TrimSpace(marked) != marked || !isEdge(utf8.DecodeRuneInString(text[end:])) {
				return "", 0
			}
			return marked, end
		}
	}
	return "", 0
}

// isEdge reports whether a word may begin or end beside r, of a size in bytes.
// Chinese and Japanese have no spaces between words.
func isEdge(r rune, size int) bool {
	return size == 0 || r >= utf8.RuneSelf || unicode.IsSpace(r) || strings.ContainsRune("()[]{}<>\"'-:,;.!?|", r)
}
