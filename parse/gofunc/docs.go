package gofunc

import (
	"go/ast"
	"go/doc/comment"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// prose is a doc comment as plain text for a model. Markdown would cost tokens
// and say no more.
type prose struct {
	blocks     []string
	params     map[string]string // texts moved out to what they describe
	deprecated bool
}

// text joins the blocks.
func (p prose) text() string { return strings.Join(p.blocks, "\n\n") }

// short joins as many blocks as fit into limit characters, at least a part of
// the first. It reports whether anything is left out.
func (p prose) short(limit int) (text string, cut bool) {
	text = p.text()
	if utf8.RuneCountInString(text) <= limit {
		return text, false
	}
	for n := len(p.blocks) - 1; n > 0; n-- {
		text = strings.Join(p.blocks[:n], "\n\n")
		if utf8.RuneCountInString(text) <= limit {
			return text, true
		}
	}
	return cutText(p.blocks[0], limit), true
}

// cutText shortens text after a word and marks the place.
func cutText(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	head := string(runes[:limit-1])
	if i := strings.LastIndexAny(head, " \n"); i > len(head)/2 {
		head = head[:i]
	}
	return strings.TrimRight(head, " \n,;:") + "…"
}

var (
	note   = regexp.MustCompile(`^[A-Z][A-Z]+\([^()]*\):`) // TODO(ann): …
	marker = regexp.MustCompile(`(?m)^\+[A-Za-z][\w:.-]*(=.*|[ \t].*)?\n?`)
)

// render reads a doc comment. Lists that describe what param names move from
// the text to prose.params.
func render(group *ast.CommentGroup, param func(name string) bool) prose {
	p := prose{params: map[string]string{}}
	if group == nil {
		return p
	}
	text := strings.TrimSpace(marker.ReplaceAllString(group.Text(), ""))
	// Whatever stands in brackets like a name is meant as a link.
	parser := comment.Parser{
		LookupSym:     func(string, string) bool { return true },
		LookupPackage: func(name string) (string, bool) { return name, true },
	}
	doc := parser.Parse(text)
	for _, block := range doc.Content {
		list, ok := paramList(block, param)
		if ok {
			for _, item := range list {
				p.params[item.name] = item.text
			}
			// The line that introduced the list goes with it, but not the summary.
			if last := len(p.blocks) - 1; last > 0 && strings.HasSuffix(p.blocks[last], ":") {
				p.blocks = p.blocks[:last]
			}
			continue
		}
		out := blockText(block)
		if para, ok := block.(*comment.Paragraph); ok {
			if note.MatchString(out) {
				continue
			}
			if rest, list := paramTail(para, param); list != nil {
				for _, item := range list {
					p.params[item.name] = item.text
				}
				out = rest
			}
			p.deprecated = p.deprecated || strings.HasPrefix(out, "Deprecated:")
		}
		if out != "" {
			p.blocks = append(p.blocks, out)
		}
	}
	// A summary that introduced a list ends like a sentence.
	if len(p.params) > 0 && len(p.blocks) > 0 {
		if head, ok := strings.CutSuffix(p.blocks[0], ":"); ok {
			p.blocks[0] = head + "."
		}
	}
	return p
}

// blockText is a block as text.
func blockText(b comment.Block) string {
	switch b := b.(type) {
	case *comment.Paragraph:
		return inline(b.Text)
	case *comment.Heading:
		return strings.TrimSuffix(inline(b.Text), ":") + ":"
	case *comment.Code:
		return strings.TrimRight("\t"+strings.ReplaceAll(strings.TrimRight(b.Text, "\n"), "\n", "\n\t"), "\t ")
	case *comment.List:
		var lines []string
		for _, item := range b.Items {
			mark := "- "
			if item.Number != "" {
				mark = item.Number + ". "
			}
			lines = append(lines, mark+strings.ReplaceAll(itemText(item), "\n", "\n  "))
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

func itemText(item *comment.ListItem) string {
	var parts []string
	for _, b := range item.Content {
		parts = append(parts, blockText(b))
	}
	return strings.Join(parts, "\n")
}

var quotes = strings.NewReplacer("“", `"`, "”", `"`)

// inline is running text on one line; the targets of links follow their words.
func inline(text []comment.Text) string {
	return strings.Join(strings.Fields(spans(text)), " ")
}

// spans is running text with its line breaks.
func spans(text []comment.Text) string {
	var b strings.Builder
	for _, t := range text {
		switch t := t.(type) {
		case comment.Plain:
			b.WriteString(quotes.Replace(string(t)))
		case comment.Italic:
			b.WriteString(string(t))
		case *comment.DocLink:
			b.WriteString(spans(t.Text))
		case *comment.Link:
			words := spans(t.Text)
			b.WriteString(words)
			if !t.Auto && t.URL != words {
				b.WriteString(" (" + t.URL + ")")
			}
		}
	}
	return b.String()
}

// described is one entry of a list of parameters.
type described struct{ name, text string }

// paramEntry splits "name: text" or "name - text"; the name may stand in
// backquotes.
var paramEntry = regexp.MustCompile("(?s)^(`?)([\\p{L}_][\\p{L}\\p{Nd}_.]*)`?\\s*(?::|\\s-)\\s+(\\S.*)$")

// paramList reads a block made only of entries that name parameters: a list, a
// code block, or a paragraph with one entry a line.
func paramList(b comment.Block, param func(string) bool) ([]described, bool) {
	var entries []string
	switch b := b.(type) {
	case *comment.List:
		for _, item := range b.Items {
			if item.Number != "" {
				return nil, false
			}
			entries = append(entries, itemText(item))
		}
	case *comment.Code:
		entries = joinIndented(strings.Split(strings.TrimRight(b.Text, "\n"), "\n"))
	case *comment.Paragraph:
		entries = strings.Split(spans(b.Text), "\n")
	}
	list := describedAll(entries, param)
	return list, list != nil
}

// paramTail reads the entries at the end of a paragraph, each on a line that
// begins with a hyphen or a star, and returns what stands before them.
func paramTail(p *comment.Paragraph, param func(string) bool) (string, []described) {
	lines := strings.Split(spans(p.Text), "\n")
	from := len(lines)
	for from > 0 && isBullet(lines[from-1]) {
		from--
	}
	var entries []string
	for _, line := range lines[from:] {
		entries = append(entries, strings.TrimSpace(strings.TrimLeft(line, " \t")[1:]))
	}
	list := describedAll(entries, param)
	return strings.Join(strings.Fields(strings.Join(lines[:from], " ")), " "), list
}

func isBullet(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ")
}

// joinIndented joins lines that are indented deeper to the one before.
func joinIndented(lines []string) []string {
	var out []string
	for _, line := range lines {
		if len(out) > 0 && (strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")) {
			out[len(out)-1] += " " + strings.TrimSpace(line)
		} else if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
	}
	return out
}

// describedAll reads entries; nil unless every one names a parameter and none
// is named twice.
func describedAll(entries []string, param func(string) bool) []described {
	var out []described
	for _, e := range entries {
		m := paramEntry.FindStringSubmatch(strings.TrimSpace(e))
		if m == nil || param == nil || !param(m[2]) {
			return nil
		}
		if slices.ContainsFunc(out, func(d described) bool { return d.name == m[2] }) {
			return nil
		}
		out = append(out, described{m[2], strings.Join(strings.Fields(m[3]), " ")})
	}
	return out
}

// quote writes a value the way descriptions do.
func quote(s string) string { return strconv.Quote(s) }
