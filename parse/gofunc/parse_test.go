package gofunc_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/gofunc"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// writeModule writes the files of a txtar text into a module of their own.
func writeModule(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	archive := txtar.Parse([]byte(text))
	if !slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "go.mod" }) {
		archive.Files = append(archive.Files, txtar.File{Name: "go.mod", Data: []byte("module example.test\n\ngo 1.26\n")})
	}
	for _, f := range archive.Files {
		file := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// parse reads a module that a txtar text holds.
func parse(t *testing.T, text string, opts gofunc.Options, patterns ...string) (*ir.Server, []diag.Diagnostic) {
	t.Helper()
	if len(patterns) == 0 {
		patterns = []string{"."}
	}
	opts.Dir = writeModule(t, text)
	var diags diag.List
	server := gofunc.Parse(t.Context(), patterns, opts, &diags)
	if (server == nil) != diags.HasErrors() {
		t.Errorf("server %v with diagnostics %v", server, diags.All())
	}
	return server, diags.All()
}

// mustParse is parse for input without errors.
func mustParse(t *testing.T, text string, opts gofunc.Options, patterns ...string) *ir.Server {
	t.Helper()
	server, diags := parse(t, text, opts, patterns...)
	if server == nil {
		t.Fatalf("no server: %v", diags)
	}
	return server
}

func tool(t *testing.T, s *ir.Server, name string) *ir.Tool {
	t.Helper()
	for _, tool := range s.Tools() {
		if tool.Name == name {
			return tool
		}
	}
	t.Fatalf("no tool %s", name)
	return nil
}

// wanted is a comment that says what must be reported on its line, or with a
// number on one before: which severity, and a part of the message.
var wanted = regexp.MustCompile(`// want (-\d )?(error|warning) ("(?:[^"\\]|\\.)*")`)

// TestReported reads packages whose comments say what must be reported where.
func TestReported(t *testing.T) {
	for _, dir := range []string{"functions", "directives", "constraints", "values", "fields"} {
		t.Run(dir, func(t *testing.T) {
			t.Parallel()
			var diags diag.List
			pattern := "./testdata/reported/" + dir
			if server := gofunc.Parse(t.Context(), []string{pattern}, gofunc.Options{}, &diags); server != nil {
				t.Error("there is a server in spite of errors")
			}
			got := diags.All()
			files, err := filepath.Glob(filepath.Join("testdata", "reported", dir, "*.go"))
			if err != nil || len(files) == 0 {
				t.Fatalf("no files: %v", err)
			}
			for _, file := range files {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				got = checkWanted(t, filepath.ToSlash(file), string(data), got)
			}
			for _, d := range got {
				t.Errorf("unexpected: %s", d)
			}
		})
	}
}

// checkWanted takes what a file wants away from the diagnostics.
func checkWanted(t *testing.T, file, text string, got []diag.Diagnostic) []diag.Diagnostic {
	t.Helper()
	for i, line := range strings.Split(text, "\n") {
		for _, m := range wanted.FindAllStringSubmatch(line, -1) {
			number := i + 1
			if m[1] != "" {
				number -= int(m[1][1] - '0')
			}
			part, err := strconv.Unquote(m[3])
			if err != nil {
				t.Fatal(err)
			}
			j := slices.IndexFunc(got, func(d diag.Diagnostic) bool {
				return d.File == file && d.Line == number && d.Severity.String() == m[2] && strings.Contains(d.Message, part)
			})
			if j < 0 {
				t.Errorf("%s:%d: no %s %q", file, number, m[2], part)
				continue
			}
			if got[j].Col == 0 {
				t.Errorf("%s has no column", got[j])
			}
			got = slices.Delete(got, j, j+1)
		}
	}
	return got
}

func codes(diags []diag.Diagnostic) string {
	var out []string
	for _, d := range diags {
		out = append(out, fmt.Sprintf("%s %s", d.Pos, d.Code))
	}
	return strings.Join(out, "\n")
}

// TestDuplicates reads two packages that claim the same names: each error stands
// at the second place and names the first.
func TestDuplicates(t *testing.T) {
	const file = `package shop

//mcp:tool
func Find() {}

//mcp:resource uri=shop://readme
func Readme() string { return "" }

//mcp:prompt
func Review() string { return "" }
`
	_, diags := parse(t, "-- a/shop.go --\n"+file+"-- b/shop.go --\n"+file, gofunc.Options{}, "./...")
	var got []string
	for _, d := range diags {
		got = append(got, d.Pos.String()+": "+d.Message)
	}
	want := []string{
		"b/shop.go:3:1: tool find: the name is taken at a/shop.go:3:1",
		"b/shop.go:6:1: resource shop://readme: the name is taken at a/shop.go:6:1",
		"b/shop.go:9:1: prompt review: the name is taken at a/shop.go:9:1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// TestLargeOutput leaves out an output schema above 8 kB unless asked for it.
func TestLargeOutput(t *testing.T) {
	const limit = 8 << 10
	for _, c := range []struct {
		name, out string
		fields    int
		kept      bool
		warned    string
	}{
		{"small", "", 10, true, ""},
		{"large", "", 200, false, "a.go:8:6 large-output"},
		{"large and asked for", " out=full", 200, true, ""},
		{"large and not wanted", " out=none", 200, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := "-- a.go --\npackage a\n\ntype big = struct{ all }\n\n// Get gets.\n//\n//mcp:tool" + c.out + "\nfunc Get() big { return big{} }\n\ntype all struct {\n"
			for i := range c.fields {
				text += fmt.Sprintf("\tField%d string // %s\n", i, strings.Repeat("x", 40))
			}
			server, diags := parse(t, text+"}\n", gofunc.Options{})
			if got := codes(diags); got != c.warned {
				t.Errorf("diagnostics %q, want %q", got, c.warned)
			}
			if server == nil {
				return
			}
			switch output := tool(t, server, "get").Output; {
			case (output != nil) != c.kept:
				t.Errorf("output of %d bytes, want one: %v", len(output), c.kept)
			case output != nil && (len(output) > limit) != (c.fields > 100):
				t.Errorf("%d fields make %d bytes", c.fields, len(output))
			}
		})
	}
}
