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
