package prose

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	// abbreviation is what a full stop after it belongs to: e.g., U.S., vs.
	abbreviation = regexp.MustCompile(`^(?:(?:[A-Za-z]\.)+[A-Za-z]|eg|ie|vs|cf|approx|resp|incl)$`)
	// atEnd are abbreviations that may end a sentence: the next one tells.
	atEnd = regexp.MustCompile(`^(?:etc|al)$`)
	// number is that of an item of a list, at its begin.
	number = regexp.MustCompile(`^[0-9]+$`)
)

// Sentence returns the first sentence of a text, at most its first line.
func Sentence(text string) string {
	text, _, _ = strings.Cut(text, "\n")
	for end := range sentences(text) {
		return text[:end]
	}
	return text
}

// sentences yields where the sentences of a text end, but for what no stop ends.
// None ends in brackets, in code, or at the stop of an abbreviation.
func sentences(text string) func(yield func(end int) bool) {
	return func(yield func(end int) bool) {
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			switch r {
			case '`':
				size = len(codeSpan(text[i:]))
			case '(':
				size += max(0, closing(text[i:], '(', ')'))
			case '[':
				size += max(0, closing(text[i:], '[', ']'))
			case '{':
				size += max(0, closing(text[i:], '{', '}'))
			case '.', '!', '?', '。', '！', '？':
				if end := i + size; ends(text, i, end) && !yield(end) {
					return
				}
			}
			i += size
		}
	}
}

// ends reports whether the stop between two places of a text ends a sentence.
func ends(text string, stop, end int) bool {
	if end-stop > 1 || end == len(text) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(text[end:])
	if !unicode.IsSpace(next) {
		return false
	}
	word := text[strings.LastIndexAny(text[:stop], " \t\n")+1 : stop]
	if word == "" || text[stop] != '.' {
		return word != ""
	}
	begins := len(word) == stop || text[stop-len(word)-1] == '\n'
	word = strings.ToLower(strings.TrimLeft(word, `([{"'`))
	next, _ = utf8.DecodeRuneInString(strings.TrimLeftFunc(text[end:], unicode.IsSpace))
	return !abbreviation.MatchString(word) && !(begins && number.MatchString(word)) && !(atEnd.MatchString(word) && unicode.IsLower(next))
}
