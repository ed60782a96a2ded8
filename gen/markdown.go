package gen

import "strings"

// mdCode prints text of any origin as a code span, where Markdown knows no
// markup, links or HTML. Text that could end the span or its table cell is
// escaped instead.
func mdCode(text string) string {
	text = line(text)
	if text == "" {
		return ""
	}
	if strings.ContainsAny(text, "`|\\") {
		return mdEscape(text, isPunct)
	}
	return "`" + text + "`"
}

// mdText prints text of any origin as one line of plain text. Words that
// GitHub's Markdown would link, and mentions, become code.
func mdText(text string) string {
	words := words(text)
	for i, w := range words {
		if strings.Contains(w, "://") || strings.Contains(strings.ToLower(w), "www.") || strings.Contains(w, "@") {
			words[i] = mdCode(w)
		} else {
			words[i] = mdEscape(w, isMarkup)
		}
	}
	return strings.Join(words, " ")
}

func mdEscape(text string, special func(rune) bool) string {
	var b strings.Builder
	for _, r := range text {
		if special(r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isMarkup reports whether r can begin markup inside a line.
func isMarkup(r rune) bool { return strings.ContainsRune("\\`*_[]<>|&~$#", r) }

// isPunct reports whether r is ASCII punctuation, all of which Markdown lets
// one escape.
func isPunct(r rune) bool {
	return r > ' ' && r < 0x7f && !isAlnum(r)
}
