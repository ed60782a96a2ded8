package review

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// item is one change as people read it, with the tools in which it is the same.
type item struct {
	Change
	tools []string // empty: the server
}

// fold is how many tools with the same change become one item.
const fold = 3

// items returns the changes of a grade, those that are the same in several tools
// as one, in the order of the first.
func (r *Report) items(g Grade) []item {
	type key struct{ rule, path, message, old, new string }
	tools := map[key][]string{}
	of := func(c Change) key { return key{c.Rule, c.Path, c.Message, c.Old, c.New} }
	for _, c := range r.Changes {
		if c.Grade == g && c.Tool != "" && c.Rule != "tool-added" && c.Rule != "tool-removed" {
			if k := of(c); !slices.Contains(tools[k], c.Tool) {
				tools[k] = append(tools[k], c.Tool)
			}
		}
	}
	var out []item
	done := map[key]bool{}
	for _, c := range r.Changes {
		if c.Grade != g {
			continue
		}
		i := item{Change: c}
		switch shared := tools[of(c)]; {
		case c.Tool == "":
		case len(shared) < fold:
			i.tools = []string{c.Tool}
		case done[of(c)]:
			continue
		default:
			i.tools, done[of(c)] = shared, true
		}
		out = append(out, i)
	}
	return out
}

// who names the tools of an item.
func (i item) who() string {
	switch len(i.tools) {
	case 0:
		return "server"
	case 1:
		return i.tools[0]
	}
	return fmt.Sprintf("%d tools (%s)", len(i.tools), some(i.tools))
}

func some(names []string) string {
	const most = 5
	list := strings.Join(names[:min(most, len(names))], ", ")
	if n := len(names) - most; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	return list
}

// Summary is one line: "1 breaking, 2 risky and 3 safe changes".
func (r *Report) Summary() string {
	if len(r.Changes) == 0 {
		return "no change of the surface"
	}
	var words []string
	n := 0
	for _, g := range Grades {
		if n = r.Count(g); n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, g))
		}
	}
	last := len(words) - 1
	text := words[last]
	if last > 0 {
		text = strings.Join(words[:last], ", ") + " and " + text
	}
	if len(r.Changes) == 1 {
		return text + " change"
	}
	return text + " changes"
}

// size says how many tools there are: "12 tools, were 13".
func (r *Report) size() string {
	text := count(r.NewTools, "tool")
	if r.NewTools != r.OldTools {
		text += fmt.Sprintf(", were %d", r.OldTools)
	}
	return text
}

// count gives "1 tool", "2 tools".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Text prints the report for a terminal, worst changes first.
func (r *Report) Text(w io.Writer) {
	fmt.Fprintf(w, "%s; %s\n", r.Summary(), r.size())
	for _, g := range Grades {
		items := r.items(g)
		if len(items) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s\n", g)
		for _, i := range items {
			fmt.Fprintf(w, "  %s: %s [%s]\n", i.who(), i.Message, i.Rule)
			if i.words {
				fmt.Fprintf(w, "    %s\n", showWords(i.Old, i.New, printable, markText))
			}
		}
	}
}

func markText(op byte, text string) string {
	if op == '-' {
		return "[-" + printable(text) + "-]"
	}
	return "{+" + printable(text) + "+}"
}

// printable keeps what a terminal would take as a command out of it.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
