package main

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPackagePattern(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"shop/shop.go":    "package shop\n",
		"doc/api.yaml":    "openapi: 3.1.0\n",
		"both/api.yaml":   "openapi: 3.1.0\n",
		"both/gen.go":     "package both\n",
		"tools/api.json":  "{}\n",
		"tools/tools.go":  "package tools\n\n//mcp:tool\nfunc F() {}\n",
		"petstore.yaml":   "openapi: 3.1.0\n",
		"deep/er/here.go": "package er\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ source, want string }{
		{"./shop", "./shop"},
		{"shop", "./shop"},
		{"shop/", "./shop/"},
		{"./...", "./..."},
		{"...", "./..."},
		{"deep/...", "./deep/..."},
		{here + "/shop", filepath.ToSlash(here) + "/shop"},
		{"./tools", "./tools"}, // has a directive
		{"example.com/shop/internal/shop", "example.com/shop/internal/shop"},
		{"example.com/shop/...", "example.com/shop/..."},
		{"./both", ""}, // a document beside a go:generate line
		{"doc", ""},
		{"petstore.yaml", ""},
		{"missing.yaml", ""},
		{"missing", ""},
		{"./missing", ""},
		{"https://petstore.test/openapi.json", ""},
		{"a folder/with spaces", ""},
	} {
		if got := packagePattern(c.source); got != c.want {
			t.Errorf("%s: got %q, want %q", c.source, got, c.want)
		}
	}
}

func TestDirectives(t *testing.T) {
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"directives"}, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("exit %d\n%s", code, errs.String())
	}
	for _, line := range []string{"//mcp:tool\n    on a function or method or a var _ = function: ", "\n//mcp:param NAME\n", "\n    default=VALUE "} {
		if !strings.Contains(out.String(), line) {
			t.Errorf("%q is missing in\n%s", line, out.String())
		}
	}
}

// TestLastDirective takes the directive out of one of two packages.
func TestLastDirective(t *testing.T) {
	t.Chdir(t.TempDir())
	put := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	generate := func() {
		t.Helper()
		var out bytes.Buffer
		if code := run(t.Context(), []string{"generate", "./a", "./b", "-o", "server", "-runtime=import"}, &out, &out); code != 0 {
			t.Fatalf("exit %d\n%s", code, out.String())
		}
	}
	put("go.mod", "module example.com/shop\n\ngo 1.26\n")
	put("a/a.go", "// Package a is one.\npackage a\n\n// A is one.\n//\n//mcp:tool\nfunc A() {}\n")
	put("b/b.go", "// Package b is another.\npackage b\n\n// B is another.\n//\n//mcp:tool\nfunc B() {}\n")
	generate()
	if _, err := os.Stat("b/mcp_gen.go"); err != nil {
		t.Fatal(err)
	}
	put("b/b.go", "package b\n\nfunc B() {}\n")
	generate()
	for name, want := range map[string]bool{"a/mcp_gen.go": true, "b/mcp_gen.go": false, "b/mcp_tools": false, "b/b.go": true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
	put("a/a.go", "package a\n\nfunc A() {}\n")
	var out bytes.Buffer
	code := run(t.Context(), []string{"generate", "./a", "./b", "-o", "server", "-runtime=import"}, &out, &out)
	if want := "earlier runs: mcp_gen.go and mcp_tools in a\n"; code != 1 || !strings.Contains(out.String(), want) {
		t.Errorf("without any directive: exit %d\n%s\nlacks %s", code, out.String(), want)
	}
}

// TestBrokenPackage breaks a package that was generated from: its compiler
// errors are told with their places, and no file changes.
func TestBrokenPackage(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const source = "// Package shop sells.\npackage shop\n\n// A is one.\n//\n//mcp:tool\nfunc A() {}\n"
	if err := os.Mkdir("shop", 0o755); err != nil {
		t.Fatal(err)
	}
	put("go.mod", "module example.com/shop\n\ngo 1.26\n")
	put("shop/shop.go", source)
	generate := func() (int, string) {
		var out bytes.Buffer
		code := run(t.Context(), []string{"generate", "./shop", "-o", "server", "-runtime=import"}, &out, &out)
		return code, out.String()
	}
	if code, out := generate(); code != 0 {
		t.Fatalf("exit %d\n%s", code, out)
	}
	put("shop/shop.go", source+"\n// B is new.\n//\n//mcp:tool\nfunc B() int { return missing }\n\nvar x int = \"\"\n")
	before := tree(t, dir)
	code, out := generate()
	for _, want := range []string{"shop/shop.go:12:23: error: undefined: missing [compile]", "shop/shop.go:14:13: error: "} {
		if code != 1 || !strings.Contains(out, want) {
			t.Errorf("exit %d\n%s\nlacks %s", code, out, want)
		}
	}
	if after := tree(t, dir); !maps.Equal(before, after) {
		t.Errorf("files changed: %q, were %q", after, before)
	}
}

// tree reads all files below a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// An empty argument is told; nothing is what people would see otherwise.
func TestEmptySource(t *testing.T) {
	var out bytes.Buffer
	if code := run(t.Context(), []string{"list", ""}, io.Discard, &out); code != exitUsage || !strings.Contains(out.String(), "SOURCE is empty") {
		t.Errorf("exit %d: %s", code, out.String())
	}
}
