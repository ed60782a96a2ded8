// Package prose cleans and shortens the texts of documents for a model: markup that
// tells it nothing goes, and a text that must be shorter ends after a sentence.
//
// Read markup.go for the lines and blocks of a text, then inline.go and html.go for
// what stands in a line.
package prose

import (
	"strings"
	"unicode/utf8"
)

// OneLine joins the lines of text by single spaces.
func OneLine(text string) string {
	if !strings.ContainsAny(text, "\n\r\t") && !strings.Contains(text, "  ") {
		return strings.TrimSpace(text)
	}
	return strings.Join(strings.Fields(text), " ")
}

// FirstParagraph returns text up to its first empty line, as one line.
func FirstParagraph(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	paragraph, _, _ := strings.Cut(text, "\n\n")
	return OneLine(paragraph)
}

// Cut shortens text to at most limit runes: after a sentence if one ends in the
// second half, else after a word, else anywhere; "…" marks the place.
func Cut(text string, limit int) string {
	if len(text) <= limit || utf8.RuneCountInString(text) <= limit {
		return text
	}
	end := 0
	for range max(limit-2, 0) {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	head := text[:end]
	sentence := -1
	for stop := range sentences(text) {
		if stop >= end {
			break
		}
		sentence = stop
	}
	if sentence >= end/2 {
		return head[:sentence] + " …"
	}
	if word := strings.LastIndexAny(head, " \n\t"); word >= end/2 {
		head = head[:word]
	}
	return strings.TrimRight(head, " \n\t\r,;:") + "…"
}
