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
