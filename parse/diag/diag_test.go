package diag

import (
	"strings"
	"testing"
)

func TestString(t *testing.T) {
	for _, test := range []struct {
		name string
		d    Diagnostic
		want string
	}{
		{"all parts", Diagnostic{Pos{"a.yaml", 3, 7}, Warning, "a-code", "what is wrong", "do this\nand that"}, "a.yaml:3:7: warning: what is wrong [a-code]\n\thint: do this\n\tand that"},
		{"no position", Diagnostic{Severity: Error, Code: "c", Message: "m"}, "error: m [c]"},
		{"no column", Diagnostic{Pos: Pos{File: "a", Line: 2}, Severity: Skip, Code: "c", Message: "m"}, "a:2: skipped: m [c]"},
		{"hostile name", Diagnostic{Pos: Pos{File: "a\nb"}, Code: "c", Message: "name \x1b[2J\r\nb.go:1: error", Hint: "x\x07"}, "a b: warning: name  [2J  b.go:1: error [c]\n\thint: x "},
		{"marks of direction", Diagnostic{Code: "c", Message: "name \u202etxt\u2028\u200b"}, "warning: name  txt   [c]"},
	} {
		if got := test.d.String(); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestListIsSortedAndDistinct(t *testing.T) {
	var l, other List
	l.Warn(Pos{"b", 1, 1}, "w", "later file")
	l.Warn(Pos{"a", 2, 1}, "w", "later line")
	l.Warn(Pos{"a", 1, 1}, "w", "same place")
	other.Error(Pos{"a", 1, 1}, "e", "", "worst first")
	other.Warn(Pos{"a", 2, 1}, "w", "later line")
	l.Append(&other)
	var got []string
	for _, d := range l.All() {
		got = append(got, d.Message)
	}
	if s := strings.Join(got, ", "); s != "worst first, same place, later line, later file" {
		t.Error(s)
	}
	if l.Count(Warning) != 3 || l.Count(Error) != 1 || !l.HasErrors() {
		t.Errorf("counts: %d warnings, %d errors", l.Count(Warning), l.Count(Error))
	}
}
