package gen

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestComment(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("wordword ", 12))
	for _, test := range []struct{ name, text, want string }{
		{"empty", "", ""},
		{"blank", " \n\t\n", ""},
		{"one line", "Finds a pet.", "// Finds a pet."},
		{"a period, or gofmt sees a heading", "Find pets", "// Find pets."},
		{"paragraphs", "One.\nstill one.\n\n\nTwo.", "// One. still one.\n//\n// Two."},
		{"every line end", "a\rb\r\n\r\nc\u2028\u2028d\u0085\u0085e\v\ff", "// a b.\n//\n// c.\n//\n// d.\n//\n// e.\n//\n// f."},
		{"wrapped", long + " end.", "// " + strings.TrimSpace(strings.Repeat("wordword ", 10)) + "\n// wordword wordword end."},
		{"a long word", "see " + strings.Repeat("x", 120) + " there.", "// see\n// " + strings.Repeat("x", 120) + "\n// there."},
		{"wide letters count once", strings.TrimSpace(strings.Repeat("ääääääää ", 12)) + " end.",
			"// " + strings.TrimSpace(strings.Repeat("ääääääää ", 10)) + "\n// ääääääää ääääääää end."},
		{"end of a comment", "*/ func init() {}", "// */ func init() {}"},
		{"directive", "//go:embed x", "// //go:embed x."},
		{"old constraint", "+build ignore", "// + build ignore."},
		{"invisible", "\ufeffa\x00b\u202ec\xff d", "// abc d."},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := comment(test.text); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestOpening(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"nothing", " \n", ""},
		{"first of two", "One\nstill one.\n\nTwo.", "One\nstill one."},
		{"after a heading", "# Pets\nFinds one.\nOr two.", "Finds one.\nOr two."},
		{"after headings of two lines", "Pets\n====\n\nMore\n---\nFinds one.", "Finds one."},
		{"before a heading", "Finds one.\n## More\nText.", "Finds one."},
		{"a number sign is no heading", "#1 of all.", "#1 of all."},
		{"before code", "Send:\n```json\n{}\n```\nText.", "Send:"},
		{"after code with an empty line", "```go\na\n\nb\n```\nText.", "Text."},
		{"code without an end", "~~~\na\n\nb", ""},
		{"indented code", "# Use\n\n    a b\n    c\n\nText.", "Text."},
		{"before a list", "One of:\n- a\n- b", "One of:"},
		{"after a list and what continues it", "1. a\n   more\n2. b\n\nText.", "Text."},
		{"after a table", "| a | b |\n|---|---|\n| 1 | 2 |\n\nText.", "Text."},
		{"after a table without edges", "a | b\n--|--\n1 | 2\n\nText.", "Text."},
		{"after a quote", "> Note\n\nText.", "Text."},
		{"after a rule", "---\nText.", "Text."},
		{"after HTML", "<h1>Pets</h1>\n\nText.", "Text."},
		{"a negative number is no list", "-1 is none.", "-1 is none."},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := opening(test.text); got != test.want {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// FuzzComment holds that a comment is nothing but a comment, and that gofmt
// finds nothing to do in it.
func FuzzComment(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		source := "package x\n\n" + comment("f calls "+line(s)+".", s, "Deprecated: x.") + "\nfunc f() {}\n"
		once, err := format.Source([]byte(source))
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		if twice, err := format.Source(once); err != nil || !bytes.Equal(once, twice) {
			t.Errorf("gofmt changes\n%s\nto\n%s", once, twice)
		}
		file, err := parser.ParseFile(token.NewFileSet(), "x.go", once, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if len(file.Decls) != 1 || len(file.Comments) != 1 {
			t.Errorf("%d declarations, %d comments in\n%s", len(file.Decls), len(file.Comments), once)
		}
		for _, c := range file.Comments[0].List {
			if c.Text != "//" && !strings.HasPrefix(c.Text, "// ") && !strings.HasPrefix(c.Text, "//\t") {
				t.Errorf("comment %q", c.Text)
			}
		}
	})
}
