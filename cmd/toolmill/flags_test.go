package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

func TestLongFlags(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a long flag with one dash", "generate -module x", "generate --module x"},
		{"with its value", "-names=snake", "--names=snake"},
		{"two dashes stay", "--module x --names=id", "--module x --names=id"},
		{"a letter stays", "-o out -h", "-o out -h"},
		{"a letter with its value stays", "-o=out", "-o=out"},
		{"a dash alone stays", "- -", "- -"},
		{"after -- nothing is a flag", "-json -- -json", "--json -- -json"},
		{"dashes inside words stay", "a-b ./x-y", "a-b ./x-y"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(longFlags(strings.Fields(c.in)), " "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func FuzzLongFlags(f *testing.F) {
	for _, s := range []string{"-o x", "-module=x", "--", "-", "-=", "--x -y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		once := longFlags(strings.Split(line, " "))
		if twice := longFlags(once); !slices.Equal(once, twice) {
			t.Errorf("%q: %q becomes %q", line, once, twice)
		}
	})
}

func TestDidYouMean(t *testing.T) {
	known := []string{"-o", "-module", "-names", "-name", "-dry-run", "-strict"}
	for _, c := range []struct{ word, want string }{
		{"-modul", "did you mean -module?"},
		{"-naems", "did you mean -names?"},
		{"-name", "did you mean -name?"},
		{"-dryrun", "did you mean -dry-run?"},
		{"-z", "see"},
		{"-verbose", "see"},
		{"", "see"},
	} {
		if got := didYouMean(c.word, known, "see"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.word, got, c.want)
		}
	}
}

// A mistake that a document makes a hundred times does not hide the others.
func TestDiagnosticsAlikeAreCut(t *testing.T) {
	var list diag.List
	for i := range 15 {
		list.Warn(diag.Pos{File: "a.yaml", Line: i + 1, Col: 1}, "many", "warning %d", i)
		list.Error(diag.Pos{File: "a.yaml", Line: i + 1, Col: 2}, "bad", "", "error %d", i)
	}
	list.Warn(diag.Pos{File: "b.yaml", Line: 1, Col: 1}, "rare", "look here")
	var out bytes.Buffer
	printDiagnostics(&out, list.All(), false)
	text := out.String()
	for what, n := range map[string]int{"[many]": maxAlike + 1, "[bad]": 15, "[rare]": 1} {
		if got := strings.Count(text, what); got != n {
			t.Errorf("%s: %d lines, want %d", what, got, n)
		}
	}
	if want := "warning: 5 more like these; -json lists all [many]\n"; !strings.HasSuffix(text, want) {
		t.Errorf("got\n%s\nwant at the end %s", text, want)
	}
}

func TestCounts(t *testing.T) {
	for n, want := range map[int]string{0: "0 tools", 1: "1 tool", 999: "999 tools", 1000: "1,000 tools", 2300000: "2,300,000 tools"} {
		if got := count(n, "tool"); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
}

// Only a terminal gets a progress line.
func TestProgressElsewhereThanOnATerminal(t *testing.T) {
	var out bytes.Buffer
	p := startProgress(&out)
	p.step("reading %s", "a.yaml")
	p.stop()
	if out.Len() > 0 {
		t.Errorf("printed %q", out.String())
	}
}

// The flags of generate are many: help gives them in sections, each flag once.
func TestHelpHasSections(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"generate", "-h"}, &out, &out); code != exitDone {
		t.Fatalf("exit %d", code)
	}
	text := out.String()
	last := 0
	for _, section := range []string{
		"\nThe output:\n\n\t-o", "\nWhat ships it:\n\n\t-packaging", "\nThe source:\n\n\t-overlay", "\nThe tools:\n\n\t-name",
		"\nWhat they cost:\n\n\t-budget", "leaves it, whatever the level:\n\n\t-diet-markup", "\nThis run:\n\n\t-config",
	} {
		i := strings.Index(text, section)
		if i < last {
			t.Errorf("no %q after the one before", section)
		}
		last = i
	}
	if strings.Contains(text, "\nFlags:\n") {
		t.Error("a section without flags")
	}
	for line := range strings.Lines(text) {
		if flag := strings.Fields(line); strings.HasPrefix(line, "\t-") && strings.Count(text, "\n\t"+flag[0]+" ")+strings.Count(text, "\n\t"+flag[0]+"\n") != 1 {
			t.Errorf("%s stands there more than once", flag[0])
		}
	}
}
