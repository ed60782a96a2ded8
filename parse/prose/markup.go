package prose

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A code block is left out when it is longer than this: a caller does without a
// page of sample output, not without the line that shows a form.
const (
	maxCodeLines = 10
	maxCodeRunes = 500
)

var (
	fence      = regexp.MustCompile("^[ \t]*(?:> ?)*[ \t]*(?:[-*+] +)?(`{3,}|~{3,})([^`]*)$")
	definition = regexp.MustCompile(`^ {0,3}\[([^\[\]]+)\]:\s*\S+(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$`)
	alert      = regexp.MustCompile(`^\s*\[!\w+\]\s*$`)
	heading    = regexp.MustCompile(`^ {0,3}#{1,6}[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$`)
	rule       = regexp.MustCompile(`^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	divider    = regexp.MustCompile(`^\s*\|?[\s:|-]*--[\s:|-]*$`)
)

// Plain reduces CommonMark and HTML to text: links to their words, headings and
// emphasis to what they mark; images and comments go. Code is left as it is
// written, with its backticks or fences; of HTML's, only the tags go. A code block
// of more than ten lines or 500 characters is left out. Text without markup stays
// as it is, byte for byte, except for space around it and what nobody sees.
func Plain(text string) string {
	text = strings.TrimSpace(Visible(text))
	if !strings.ContainsAny(text, "<&*_[`#|\\>") && !strings.Contains(text, "--") && !strings.Contains(text, "~~~") {
		return text
	}
	b := blocks{document: newDocument(text), gone: map[string]bool{}}
	b.lines = b.define(strings.Split(text, "\n"))
	for b.at < len(b.lines) {
		b.next()
	}
	b.flush()
	return strings.TrimSpace(strings.Join(b.out, "\n"))
}

// blocks reads the lines of a text and writes its blocks.
type blocks struct {
	*document
	lines []string
	at    int      // the next line
	open  []string // lines since the last code block, without their markup
	out   []string
	gone  map[string]bool // texts that no line from the next on contains
}

// define takes the link reference definitions out of the lines, except for those of
// code blocks.
func (b *blocks) define(lines []string) []string {
	left := lines[:0]
	mark := "" // of the fence that is open
	for _, line := range lines {
		if m := fence.FindStringSubmatch(line); m != nil && mark == "" {
			mark = m[1]
		} else if mark != "" && closesFence(line, mark) {
			mark = ""
		}
		if m := definition.FindStringSubmatch(line); m != nil && mark == "" && !strings.HasPrefix(m[1], "^") {
			b.targets[strings.ToLower(m[1])] = true
		} else {
			left = append(left, line)
		}
	}
	return left
}

// next reads a line, or a block of lines that are not text.
func (b *blocks) next() {
	line := b.lines[b.at]
	m := fence.FindStringSubmatch(line)
	switch {
	case m != nil:
		b.flush()
		end, closed := b.fenceEnd(m[1])
		if code := strings.Join(b.lines[b.at:end], "\n"); !closed || isShort(code) {
			b.out = append(b.out, code)
		}
		b.at = end
	case strings.HasPrefix(strings.TrimSpace(line), "<!--") && b.find(b.at, "-->") > b.at:
		b.at = b.find(b.at, "-->")
		_, b.lines[b.at], _ = strings.Cut(b.lines[b.at], "-->")
	case b.isPair("pre") && strings.Contains(strings.ToLower(line), "<pre") && b.find(b.at, "</pre>") >= 0:
		end := b.find(b.at, "</pre>") + 1
		b.open = append(b.open, b.lines[b.at:end]...)
		b.at = end
	default:
		b.open = append(b.open, plainLine(line))
		b.at++
	}
}

// fenceEnd returns the line after the block that the current line opens with a
// mark. One that nothing closes goes on to the end.
func (b *blocks) fenceEnd(mark string) (end int, closed bool) {
	for i := b.at + 1; i < len(b.lines); i++ {
		if closesFence(b.lines[i], mark) {
			return i + 1, true
		}
	}
	return len(b.lines), false
}

// closesFence reports whether a line ends the code block that a mark began.
func closesFence(line, mark string) bool {
	rest := strings.TrimRight(strings.TrimLeft(line, "> \t"), " \t")
	return strings.HasPrefix(rest, mark) && strings.Trim(rest, mark[:1]) == ""
}

// find returns the first line from i on that contains text, in small letters, or -1.
func (b *blocks) find(i int, text string) int {
	for ; i < len(b.lines) && !b.gone[text]; i++ {
		if strings.Contains(strings.ToLower(b.lines[i]), text) {
			return i
		}
	}
	b.gone[text] = true
	return -1
}

// isShort reports whether a code block, with its fences, is one to keep.
func isShort(code string) bool {
	lines := strings.Split(code, "\n")
	inside := strings.Join(lines[1:len(lines)-1], "\n")
	return len(lines)-2 <= maxCodeLines && utf8.RuneCountInString(inside) <= maxCodeRunes
}

// flush ends the open text: its inline markup goes, and so do empty lines but one.
func (b *blocks) flush() {
	in := inline{document: b.document, text: strings.Join(b.open, "\n")}
	b.open = nil
	var lines []string
	blank := true
	for line := range strings.SplitSeq(in.plain(), "\n") {
		line = strings.TrimRight(line, " \t")
		if line != "" || !blank {
			lines = append(lines, line)
		}
		blank = line == ""
	}
	if text := strings.TrimRight(strings.Join(lines, "\n"), "\n"); text != "" {
		b.out = append(b.out, text)
	}
}

// plainLine removes the markup that a line begins with.
func plainLine(line string) string {
	for quoted := strings.TrimLeft(line, " "); strings.HasPrefix(quoted, ">"); quoted = strings.TrimLeft(line, " ") {
		line = strings.TrimPrefix(quoted[1:], " ")
	}
	if alert.MatchString(line) || rule.MatchString(line) || divider.MatchString(line) {
		return ""
	}
	if m := heading.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if row := strings.TrimSpace(line); strings.HasPrefix(row, "|") && strings.HasSuffix(row, "|") && len(row) > 1 {
		return strings.Join(cells(row[1:len(row)-1]), " | ")
	}
	return line
}

// cells splits a row of a table (GitHub Flavored Markdown, 4.10).
func cells(row string) []string {
	var out []string
	begin := 0
	for i := 0; i < len(row); i++ {
		switch row[i] {
		case '\\':
			i++
		case '`':
			i += len(codeSpan(row[i:])) - 1
		case '|':
			out, begin = append(out, strings.TrimSpace(row[begin:i])), i+1
		}
	}
	return append(out, strings.TrimSpace(row[begin:]))
}
