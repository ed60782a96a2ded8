package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Visible returns text without what nobody sees: control characters other than
// line breaks and tabs, and format characters, which turn the direction of what
// follows, hide words from people that a model reads, or hide them from a model.
// Lines end in \n. Joiners stay between characters that are not ASCII: Persian,
// Hindi and emoji are written with them.
func Visible(text string) string {
	if strings.IndexFunc(text, isHidden) < 0 {
		return text
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	var b strings.Builder
	before := 'a'
	for i, r := range text {
		switch {
		case r == '\r':
			r = '\n'
		case unicode.Is(unicode.Join_Control, r) && before >= utf8.RuneSelf:
			next, size := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
			if size < 2 || isHidden(next) {
				continue
			}
		case isHidden(r):
			continue
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// isHidden reports whether r is to be looked at. Some format characters of
// Arabic and Kaithi are seen: they stand before a number.
func isHidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case unicode.IsControl(r):
		return true
	}
	return unicode.Is(unicode.Cf, r) && !unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}
