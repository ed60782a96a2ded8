// Package prose cleans and shortens the texts of documents for a model: markup that
// tells it nothing goes, and a text that must be shorter ends after a sentence.
package prose

import (
	"html"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Markup that costs tokens and tells a model nothing. Only known HTML tags
// count: "<id>" is a placeholder.
var (
	htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	htmlItem    = regexp.MustCompile(`(?i)<li(\s[^<>]*)?>`)
	htmlBlock   = regexp.MustCompile(`(?i)</?(p|br|div|ul|ol|h[1-6]|table|thead|tbody|tr|pre|hr|blockquote|details|summary|dl|dt|dd)(\s[^<>]*)?/?>|</li>`)
	htmlInline  = regexp.MustCompile(`(?i)</?(a|b|i|u|em|strong|code|span|small|sub|sup|font|img|kbd|td|th|tt)(\s[^<>]*)?/?>`)

	image   = regexp.MustCompile(`!\[[^\]\n]*\]\([^()\n]*\)`)
	anchor  = regexp.MustCompile(`\[([^\[\]\n]+)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])`)
	alert   = regexp.MustCompile(`^\s*\[!\w+\]\s*$`)
	heading = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*$`)
	rule    = regexp.MustCompile(`^ {0,3}([-*_][ \t]*){3,}$`)
	divider = regexp.MustCompile(`^\s*\|?[\s:|-]*--[\s:|-]*$`)
	strong  = regexp.MustCompile(`\*\*([^\s*][^*\n]*)\*\*|(^|\W)__([^\s_][^_\n]*)__`)
	escaped = regexp.MustCompile("\\\\([_*\\[\\]()#`<>|~-])")
)

// Plain reduces CommonMark and HTML to text: links to their words, headings and
// emphasis to what they mark. Code fences and images go. Text without markup
// stays as it is, byte for byte, except for space around it and what nobody sees.
func Plain(text string) string {
	text = strings.TrimSpace(Visible(text))
	if !strings.ContainsAny(text, "<&*_[`#|\\>") && !strings.Contains(text, "--") && !strings.Contains(text, "~~~") {
		return text
	}
	if strings.ContainsAny(text, "<&") {
		text = htmlComment.ReplaceAllString(text, "")
		text = htmlItem.ReplaceAllString(text, "\n- ")
		text = htmlBlock.ReplaceAllString(text, "\n")
		text = Visible(html.UnescapeString(htmlInline.ReplaceAllString(text, "")))
	}
	text = anchor.ReplaceAllString(image.ReplaceAllString(text, ""), "$1")
	var lines []string
	fence, blank := "", true
	for line := range strings.SplitSeq(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if mark := fenceMark(trimmed); mark != "" && (fence == "" || mark == fence) {
			if fence == "" {
				fence = mark
			} else {
				fence = ""
			}
			continue
		}
		if fence != "" {
			continue
		}
		line = plainLine(line)
		empty := strings.TrimSpace(line) == ""
		if !empty || !blank {
			lines = append(lines, line)
		}
		blank = empty
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// fenceMark returns the opening of a code fence, "```" or "~~~", or "".
func fenceMark(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if rest, ok := strings.CutPrefix(line, mark); ok && !strings.Contains(rest, mark) {
			return mark
		}
	}
	return ""
}

// plainLine removes the markup of one line outside code fences.
func plainLine(line string) string {
	for quoted := strings.TrimLeft(line, " "); strings.HasPrefix(quoted, ">"); quoted = strings.TrimLeft(line, " ") {
		line = strings.TrimPrefix(quoted[1:], " ")
	}
	if alert.MatchString(line) || rule.MatchString(line) || divider.MatchString(line) {
		return ""
	}
	if m := heading.FindStringSubmatch(line); m != nil {
		line = m[1]
	}
	if cells := strings.TrimSpace(line); strings.HasPrefix(cells, "|") {
		parts := strings.Split(strings.Trim(cells, "|"), "|")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		line = strings.Join(parts, " | ")
	}
	if strings.ContainsAny(line, "*_\\") {
		// Between backticks everything is meant as it is.
		spans := strings.Split(line, "`")
		for i := 0; i < len(spans); i += 2 {
			spans[i] = escaped.ReplaceAllString(strong.ReplaceAllString(spans[i], "$1$2$3"), "$1")
		}
		line = strings.Join(spans, "`")
	}
	return strings.TrimRight(line, " \t")
}

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
	for _, stop := range []string{". ", ".\n", "! ", "? ", "。"} {
		if i := strings.LastIndex(head, stop); i >= 0 {
			sentence = max(sentence, i+len(strings.TrimSpace(stop)))
		}
	}
	if sentence >= end/2 {
		return head[:sentence] + " …"
	}
	if word := strings.LastIndexAny(head, " \n\t"); word >= end/2 {
		head = head[:word]
	}
	return strings.TrimRight(head, " \n\t\r,;:") + "…"
}
