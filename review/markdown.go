package review

import (
	"fmt"
	"io"
	"strings"
)

// The limits of Markdown reports: what a comment on GitHub can hold with room to
// spare (65,536 characters), and how many changes are read without a click.
const (
	maxMarkdown = 60_000
	maxOpen     = 10
)

// Markdown prints the report as a comment on a pull request.
func (r *Report) Markdown(w io.Writer) {
	m := &markdown{}
	m.line("### Tools: %s\n", r.Summary())
	m.line("%s.\n", r.size())
	for _, g := range Grades {
		items := r.items(g)
		switch {
		case len(items) == 0:
		case g == Safe:
			m.details(fmt.Sprintf("%d safe", r.Count(g)), items)
		default:
			m.line("**%s**\n", strings.ToUpper(g.String()[:1])+g.String()[1:])
			m.items(items[:min(maxOpen, len(items))])
			if len(items) > maxOpen {
				m.details(fmt.Sprintf("%d more %s", len(items)-maxOpen, g), items[maxOpen:])
			}
		}
	}
	if m.left > 0 {
		m.text.WriteString(fmt.Sprintf("%d more changes are too many for a comment; `toolmill diff -format text` prints all.\n", m.left))
	}
	io.WriteString(w, strings.TrimSpace(m.text.String())+"\n")
}

// markdown is a report that is being written.
type markdown struct {
	text strings.Builder
	left int // items without room
}

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.text, format+"\n", args...) }

// details prints items that open on a click.
func (m *markdown) details(summary string, items []item) {
	m.line("<details><summary>%s</summary>\n", summary)
	m.items(items)
	m.line("</details>\n")
}

// items prints one a line, as far as there is room.
func (m *markdown) items(items []item) {
	for _, i := range items {
		text := "- " + i.markdown() + "\n"
		if m.left > 0 || m.text.Len()+len(text) > maxMarkdown {
			m.left++
			continue
		}
		m.text.WriteString(text)
	}
	m.line("")
}

func (i item) markdown() string {
	who := "server"
	if len(i.tools) == 1 {
		who = quote(i.tools[0])
	} else if len(i.tools) > 1 {
		who = fmt.Sprintf("%d tools (%s)", len(i.tools), quoteAll(i.tools))
	}
	text := who + ": " + i.Message
	if i.words {
		text += "<br>" + showWords(i.Old, i.New, escape, markHTML)
	}
	return text
}

func markHTML(op byte, text string) string {
	if op == '-' {
		return "<del>" + escape(text) + "</del>"
	}
	return "<ins>" + escape(text) + "</ins>"
}

// escape writes text of any origin as plain text in Markdown. Addresses and
// mentions become code, which links to nobody.
func escape(text string) string {
	words := strings.Fields(printable(text))
	for i, w := range words {
		if strings.ContainsAny(w, "@`") || strings.Contains(w, "://") || strings.Contains(strings.ToLower(w), "www.") {
			words[i] = quote(w)
			continue
		}
		var b strings.Builder
		for _, r := range w {
			switch {
			case r == '<':
				b.WriteString("&lt;")
				continue
			case r == '>':
				b.WriteString("&gt;")
				continue
			case strings.ContainsRune("\\*_[]|&~$#!", r):
				b.WriteByte('\\')
			}
			b.WriteRune(r)
		}
		words[i] = b.String()
	}
	return strings.Join(words, " ")
}
