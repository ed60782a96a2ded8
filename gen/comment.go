package gen

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// width is where comments are wrapped, in characters.
const width = 100

// comment turns text of any origin into Go line comments, one blank comment
// line between paragraphs. It is the only way for foreign text to become a
// comment, and whatever the text holds, the result is nothing but comments that
// mean nothing to the compiler: every line starts with "// ", so none is a
// directive, and what could end a line or is invalid in Go source is gone.
func comment(texts ...string) string {
	var out []string
	for _, text := range texts {
		for _, words := range paragraphs(text) {
			if len(out) > 0 {
				out = append(out, "//")
			}
			out = append(out, wrap(words)...)
		}
	}
	return strings.Join(out, "\n")
}

var (
	atxHeading = regexp.MustCompile(`^#{1,6}(?:\s|$)`)
	underline  = regexp.MustCompile(`^(?:=+|[-|: ]*--[-|: ]*)$`)
	notProse   = regexp.MustCompile(`^(?:[-*+] |\d{1,9}[.)] |[>|]|</?(?:pre|table|ul|ol|dl|h[1-6]|hr)\b|<!--)`)
)

// opening returns the first paragraph of a text that is prose. Headings, code,
// lists, tables and quotes of Markdown are passed over: in a comment they would
// be one run of words.
func opening(text string) string {
	var out []string
	fence, skip := "", false // skip is true inside a block that is no prose
	for i, untrimmed := range strings.Split(newlines.Replace(text), "\n") {
		l := strings.TrimSpace(untrimmed)
		begins := strings.HasPrefix(l, "```") || strings.HasPrefix(l, "~~~")
		block := begins || atxHeading.MatchString(l) || notProse.MatchString(l)
		switch {
		case fence != "":
			if strings.HasPrefix(l, fence) {
				fence = ""
			}
		case (l == "" || block) && len(out) > 0 && !underline.MatchString(l):
			return strings.Join(out, "\n")
		case l == "":
			skip = false
		case begins:
			fence = l[:3]
		case underline.MatchString(l): // what stands above was a heading, or the head of a table
			out, skip = nil, strings.Contains(l, "|")
		case atxHeading.MatchString(l):
			skip = false
		case block, i > 0 && len(out) == 0 && strings.HasPrefix(untrimmed, "    "):
			skip = true
		case !skip:
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

// line makes one line of any text.
func line(text string) string { return strings.Join(words(text), " ") }

// paragraphs splits text at blank lines and each paragraph into words.
func paragraphs(text string) [][]string {
	var out [][]string
	var current []string
	for _, l := range strings.Split(newlines.Replace(text), "\n") {
		w := words(l)
		if len(w) == 0 && len(current) > 0 {
			out = append(out, current)
			current = nil
		}
		current = append(current, w...)
	}
	if len(current) > 0 {
		out = append(out, current)
	}
	return out
}

// newlines maps everything that ends a line somewhere to \n.
var newlines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// words splits text at white space and drops what cannot be printed: control
// and format characters (NUL and byte order marks are errors in Go, marks of
// direction let text pretend to be code) and invalid UTF-8.
func words(text string) []string {
	var out []string
	for _, w := range strings.Fields(text) {
		w = strings.Map(func(r rune) rune {
			if r == utf8.RuneError || !unicode.IsPrint(r) {
				return -1
			}
			return r
		}, w)
		for _, pair := range []string{"``", "''"} {
			for strings.Contains(w, pair) { // gofmt makes quotation marks of them, one pair a run
				w = strings.ReplaceAll(w, pair, pair[:1])
			}
		}
		// A build constraint of old: go vet wants none that is not one.
		w = strings.ReplaceAll(w, "+build", "+ build")
		if w != "" {
			out = append(out, w)
		}
	}
	return out
}

// wrap prints words as comment lines. A longer word has a line of its own. The
// end gets a period, because gofmt takes a short line without one for a heading.
func wrap(words []string) []string {
	last := words[len(words)-1]
	if r, _ := utf8.DecodeLastRuneInString(last); unicode.IsLetter(r) || unicode.IsDigit(r) {
		words = append(slices.Clone(words[:len(words)-1]), last+".")
	}
	var lines []string
	current := "//"
	for _, w := range words {
		if utf8.RuneCountInString(current)+1+utf8.RuneCountInString(w) > width && current != "//" {
			lines = append(lines, current)
			current = "//"
		}
		current += " " + w
	}
	return append(lines, current)
}
