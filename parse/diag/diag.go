package diag

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
)

// Pos is a place in an input file. Line and Col count from 1, Col in bytes; 0
// means unknown. File is as the user would write it: relative where the source
// was given relative.
type Pos struct {
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	Col  int    `json:"col,omitempty"`
}

// String gives file:line:col, leaving out what is unknown.
func (p Pos) String() string {
	switch {
	case p.File == "":
		return ""
	case p.Line == 0:
		return p.File
	case p.Col == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col)
}

// Severity says whether output may be written in spite of a diagnostic.
type Severity int

const (
	// Warning: the output is right, or as right as the input allows.
	Warning Severity = iota
	// Skip: one operation or function is left out, the rest is generated.
	Skip
	// Error: nothing is written.
	Error
)

// String gives the word printed before the message.
func (s Severity) String() string {
	return [...]string{"warning", "skipped", "error"}[s]
}

// MarshalText lets a Severity appear as a word in JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Diagnostic is one finding. Code is stable and in kebab-case ("dangling-ref"),
// Message is one line without a final period, Hint says what to do next and may
// be empty.
type Diagnostic struct {
	Pos
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Message  string   `json:"message"`
	Hint     string   `json:"hint,omitempty"`
}

// String gives the printed form; the hint stands on its own indented line.
// Control characters become spaces: messages quote names of documents, which
// must not reach a terminal as commands nor look like diagnostics of their own.
func (d Diagnostic) String() string {
	var b strings.Builder
	if p := d.Pos.String(); p != "" {
		b.WriteString(printable(p) + ": ")
	}
	fmt.Fprintf(&b, "%s: %s [%s]", d.Severity, printable(d.Message), d.Code)
	if d.Hint != "" {
		for line := range strings.SplitSeq("hint: "+d.Hint, "\n") {
			b.WriteString("\n\t" + printable(line))
		}
	}
	return b.String()
}

func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) { // control characters, marks of direction
			return ' '
		}
		return r
	}, s)
}

// List collects diagnostics. The zero List is ready to use. It is not safe for
// concurrent use.
type List struct {
	items []Diagnostic
}

// Add appends d.
func (l *List) Add(d Diagnostic) { l.items = append(l.items, d) }

// Warn adds a warning.
func (l *List) Warn(pos Pos, code, format string, args ...any) {
	l.Add(Diagnostic{Pos: pos, Severity: Warning, Code: code, Message: fmt.Sprintf(format, args...)})
}

// Error adds an error with a hint, which may be empty.
func (l *List) Error(pos Pos, code, hint, format string, args ...any) {
	l.Add(Diagnostic{Pos: pos, Severity: Error, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint})
}

// Append adds all of other.
func (l *List) Append(other *List) { l.items = append(l.items, other.items...) }

// All returns the diagnostics sorted by position, then severity (worst first),
// code and message, without exact repeats.
func (l *List) All() []Diagnostic {
	out := slices.Clone(l.items)
	slices.SortStableFunc(out, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
			cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.Compact(out)
}

// Count returns how many distinct diagnostics have the severity.
func (l *List) Count(s Severity) int {
	n := 0
	for _, d := range l.All() {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// HasErrors reports whether the list holds an Error.
func (l *List) HasErrors() bool {
	return slices.ContainsFunc(l.items, func(d Diagnostic) bool { return d.Severity == Error })
}

// Print writes all diagnostics, one or two lines each.
func (l *List) Print(w io.Writer) error {
	for _, d := range l.All() {
		if _, err := fmt.Fprintln(w, d); err != nil {
			return err
		}
	}
	return nil
}
