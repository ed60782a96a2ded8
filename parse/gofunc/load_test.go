package gofunc_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/gofunc"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

const shop = `
-- shop/shop.go --
// Package shop sells.
package shop

// Clock tells the time.
type Clock struct{ Now func() int64 }

// Unix returns the time.
//
//mcp:tool
func (c Clock) Unix() int64 { return c.Now() }

// Serve calls what is generated.
func Serve(now func() int64) {
	deps := MCPDeps{Clock: Clock{now}}
	RegisterMCP(nil, deps)
}
`

const caller = `
-- main.go --
package main

import "example.test/shop"

func main() {
	shop.RegisterMCP(nil, shop.MCPDeps{Clock: shop.Clock{}})
}
`

// TestOwnOutput reads packages whose generated file is in any state: it is
// about to be written anew, so it never stops a run.
func TestOwnOutput(t *testing.T) {
	header := ir.GeneratedHeader + "\n\n"
	for _, c := range []struct{ name, file string }{
		{"missing", ""},
		{"good", header + "package shop\n\ntype MCPDeps struct{ Clock Clock }\n\nfunc RegisterMCP(s any, deps MCPDeps) {}\n"},
		{"stale", header + "package shop\n\nimport \"example.test/gone\"\n\ntype MCPDeps struct{ Clock Clock; Gone *Missing }\n\nfunc RegisterMCP(s *gone.Server, deps MCPDeps) { Removed() }\n"},
		{"broken", header + "package shop\n\nfunc RegisterMCP( {"},
		{"empty", header},
		{"other package", header + "package other\n"},
		{"embeds files that are gone", header + "package shop\n\nimport \"embed\"\n\n//go:embed mcp_tools/*.json\nvar mcpTools embed.FS\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := shop + caller
			if c.file != "" {
				text += "-- shop/" + ir.RegisterFile + " --\n" + c.file
			}
			server := mustParse(t, text, gofunc.Options{}, "./...")
			p := server.Packages[0]
			if got := strings.Join(p.Scope, " "); got != "Clock Serve" {
				t.Errorf("scope %q holds what our file declares", got)
			}
			if p.Dir != "shop" || p.ImportPath != "example.test/shop" || len(p.Deps) != 1 {
				t.Errorf("package %+v", p)
			}
		})
	}
}

// TestForeignRegisterFile leaves a file of that name that a person wrote as it
// is: its errors count.
func TestForeignRegisterFile(t *testing.T) {
	_, diags := parse(t, shop+"-- shop/mcp_gen.go --\npackage shop\n\nfunc RegisterMCP() {}\n", gofunc.Options{}, "./shop")
	if got, want := codes(diags), "shop/mcp_gen.go:3:6 reserved-name"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestLoad reads packages that are refused, each for one reason.
func TestLoad(t *testing.T) {
	const tool = "\n//mcp:tool\nfunc F() {}\n"
	for _, c := range []struct {
		name, text string
		opts       gofunc.Options
		patterns   []string
		want       string
	}{
		{name: "compile error", text: "-- a.go --\npackage a\n" + tool + "\nvar x int = \"\"\nvar y = z\n",
			want: "a.go:6:13 compile\na.go:7:9 compile"},
		{name: "syntax error", text: "-- a.go --\npackage a\n" + tool + "\nfunc {\n",
			want: "a.go:6:6 compile"},
		{name: "compile error and bad directives", text: "-- a.go --\npackage a\n\n//mcp:tol\nfunc G() {}\n\n//mcp:tool\n\nvar x int = \"\"\n" + tool,
			want: "a.go:3:7 unknown-directive\na.go:6:1 misplaced-directive\na.go:8:13 compile"},
		{name: "compile error beside bad directives", text: "-- a.go --\npackage a\n\nvar x int = \"\"\n" + tool + "-- b.go --\npackage a\n\n//mcp:tol\nfunc G() {}\n",
			want: "a.go:3:13 compile\nb.go:3:7 unknown-directive"},
		{name: "syntax error beside bad directives", text: "-- a.go --\npackage a\n\nfunc {\n\n//mcp:tol\nfunc F() {}\n-- b.go --\npackage a\n\n//mcp:tol\nfunc G() {}\n",
			want: "a.go:3:6 compile\nb.go:3:7 unknown-directive"},
		{name: "dependency with errors and bad directives", text: "-- a.go --\npackage a\n\nimport \"example.test/b\"\n\nvar _ = b.B\n\n//mcp:tol\nfunc F() {}\n-- b/b.go --\npackage b\n\nvar B int = \"\"\n",
			want: "a.go:7:7 unknown-directive\nb/b.go:3:13 compile"},
		{name: "dependency with errors", text: "-- a.go --\npackage a\n\nimport \"example.test/b\"\n\nvar _ = b.B\n" + tool + "-- b/b.go --\npackage b\n\nvar B int = \"\"\n",
			want: "b/b.go:3:13 compile"},
		{name: "missing import", text: "-- a.go --\npackage a\n\nimport \"example.test/b\"\n\nvar _ = b.B\n" + tool,
			want: "a.go:3:8 compile"},
		{name: "package main", text: "-- a.go --\npackage main\n" + tool + "\nfunc main() {}\n",
			want: "a.go:1:9 not-importable"},
		{name: "package main in the output", text: "-- a.go --\npackage main\n" + tool + "\nfunc main() {}\n",
			opts: gofunc.Options{Package: "example.test"}, want: "a.go:1:9 not-importable"},
		{name: "output in the folder of a package", text: "-- a.go --\npackage a\n" + tool,
			opts: gofunc.Options{Package: "example.test"}, want: "a.go:1:9 not-importable"},
		{name: "internal", text: "-- x/internal/a/a.go --\npackage a\n" + tool,
			opts: gofunc.Options{Package: "example.test/y"}, patterns: []string{"./..."}, want: "x/internal/a/a.go:1:9 not-importable"},
		{name: "internal below its parent", text: "-- x/internal/a/a.go --\npackage a\n" + tool,
			opts: gofunc.Options{Package: "example.test/x/y"}, patterns: []string{"./..."}},
		{name: "no directive", text: "-- a.go --\npackage a\n", want: " no-directive"},
		{name: "only types", text: "-- a.go --\npackage a\n\n//mcp:enum open\ntype T string\n", want: " no-directive"},
		{name: "no package", text: "-- a.go --\npackage a\n", patterns: []string{"./b"}, want: " load"},
		{name: "file as pattern", text: "-- a.go --\npackage a\n" + tool, patterns: []string{"a.go"}, want: " load"},
		{name: "tags", text: "-- a.go --\n//go:build special\n\npackage a\n" + tool,
			opts: gofunc.Options{Tags: "special"}},
		{name: "without tags", text: "-- a.go --\n//go:build special\n\npackage a\n" + tool, want: " load"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			server, diags := parse(t, c.text, c.opts, c.patterns...)
			if c.want == "" && server != nil {
				return
			}
			if got := codes(diags); got != c.want {
				t.Errorf("got %q, want %q\n%v", got, c.want, diags)
			}
		})
	}
}

// TestForeignDocs reads one package whose types come from another module, in
// the three ways in which the go command finds it, and gets the same model.
func TestForeignDocs(t *testing.T) {
	shared := sharedCases(t)
	if runtime.GOOS != "linux" {
		t.Skip("the case has a type for Linux")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(shared, "G21-foreign-docs"))); err != nil {
		t.Fatal(err)
	}
	read := func() string {
		var diags diag.List
		server := gofunc.Parse(t.Context(), []string{"."}, gofunc.Options{Dir: dir}, &diags)
		if server == nil {
			t.Fatal(diags.All())
		}
		return string(server.Tools()[0].AppendJSON(nil))
	}
	want := read()
	if !strings.Contains(want, "article number") {
		t.Errorf("no text of the other module: %s", want)
	}
	t.Setenv("GOFLAGS", "-trimpath")
	if got := read(); got != want {
		t.Errorf("with -trimpath:\n%s\nwant\n%s", got, want)
	}
	t.Setenv("GOFLAGS", "-mod=vendor")
	vendor := exec.CommandContext(t.Context(), "go", "mod", "vendor")
	vendor.Dir = dir
	if out, err := vendor.CombinedOutput(); err != nil {
		t.Fatalf("go mod vendor: %v\n%s", err, out)
	}
	if got := read(); got != want {
		t.Errorf("with -mod=vendor:\n%s\nwant\n%s", got, want)
	}
}

// BenchmarkParse compares reading a package that imports much of the standard
// library with what the go command and the type checker need for it alone.
func BenchmarkParse(b *testing.B) {
	b.Run("bare", func(b *testing.B) {
		for b.Loop() {
			if err := gofunc.LoadBare("./testdata/rows"); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("parse", func(b *testing.B) {
		for b.Loop() {
			var diags diag.List
			if gofunc.Parse(b.Context(), []string{"./testdata/rows"}, gofunc.Options{}, &diags) == nil {
				b.Fatal(diags.All())
			}
		}
	})
}
