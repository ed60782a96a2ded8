package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDemo builds and calls the server of the example document, without a
// network, and holds what a reader must see in each of the five steps.
func TestDemo(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	var out, errs bytes.Buffer
	if code := run(t.Context(), []string{"demo", "-keep"}, &out, &errs); code != 0 {
		t.Fatalf("exit %d\n%s\n%s", code, out.String(), errs.String())
	}
	const request = "server → API"
	rest := out.String()
	for _, step := range []struct {
		title    string
		has      []string
		requests int
	}{
		{"1. Hello\n", []string{`"method": "initialize"`, `"serverInfo": {"name": "corner-library"`, `"notifications/initialized"`}, 0},
		{"2. What can you do?\n", []string{`"method": "tools/list"`, `"name": "borrowBook"`, `"inputSchema"`, "… (3 more like this)"}, 0},
		{"3. A call that succeeds\n", []string{`"name": "getBook", "arguments": {"bookId": 42}`, request + "   GET /books/42", "200 OK", `"structuredContent"`}, 1},
		{"4. A call that the API refuses\n", []string{request + "   GET /books/99", "404 Not Found", "No such book", `"isError": true`}, 1},
		{"5. A call with a bad argument\n", []string{`"name": "borrowBook"`, `"days": 90`, "28", `"isError": true`}, 0},
	} {
		before, after, found := strings.Cut(rest, step.title)
		if !found {
			t.Fatalf("no %q after\n%s", step.title, before)
		}
		rest = after
		text := rest
		if next, _, more := strings.Cut(rest, "\n"+string(step.title[0]+1)+". "); more {
			text = next
		}
		for _, want := range step.has {
			if !strings.Contains(text, want) {
				t.Errorf("%sdoes not show %s:\n%s", step.title, want, text)
			}
		}
		if n := strings.Count(text, request); n != step.requests {
			t.Errorf("%sshows %d requests to the API, want %d", step.title, n, step.requests)
		}
	}
	kept, err := filepath.Glob(filepath.Join(temp, "toolmill-demo-*", "server", "server.go"))
	if err != nil || len(kept) != 1 || !strings.Contains(rest, filepath.Dir(filepath.Dir(kept[0]))) {
		t.Errorf("-keep kept %q (%v) and said\n%s", kept, err, rest)
	}
}

func TestThisCommand(t *testing.T) {
	for _, tt := range []struct{ called, path, want string }{
		{"toolmill", "/usr/local/bin/toolmill", "toolmill"},
		{"./toolmill", "/home/ann/toolmill/toolmill", "./toolmill"},
		{"/tmp/go-build1/b001/exe/toolmill", "/tmp/go-build1/b001/exe/toolmill", "go run ./cmd/toolmill"},
		{"/home/ann/.cache/go-build/3a/3a5-d/toolmill", "/home/ann/.cache/go-build/3a/3a5-d/toolmill", "go run ./cmd/toolmill"},
	} {
		if got := thisCommand(tt.called, func() (string, error) { return tt.path, nil }); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.path, got, tt.want)
		}
	}
}

func TestDemoWithoutGo(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("PATH", temp)
	var out, errs bytes.Buffer
	code := run(t.Context(), []string{"demo"}, &out, &errs)
	want := "error: the go command is not in PATH [no-go]\n\thint: install Go from https://go.dev/dl; generated servers are built with it\n"
	if code != exitInput || errs.String() != want {
		t.Errorf("exit %d, printed\n%swant\n%s", code, errs.String(), want)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
