package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// many is a server with n tools of about the given size.
func many(n, size int) Definition {
	files := fstest.MapFS{}
	def := Definition{Name: "many", Version: "1", Upstreams: []Upstream{{URL: "https://api.test"}}, Schemas: files}
	for i := range n {
		name := fmt.Sprintf("tool_%04d", i)
		schema := fmt.Sprintf(`{"type":"object","properties":{"id":{"type":"integer","description":%q}},"additionalProperties":false}`, strings.Repeat("x", size))
		files["tools/"+name+".json"] = &fstest.MapFile{Data: toolFile(name, schema, "")}
		def.Tools = append(def.Tools, Tool{Name: name, Handle: echo})
	}
	return def
}

// The SDK's own client sees what the files hold, page after page.
func TestPages(t *testing.T) {
	const n = 60
	def := many(n, 200<<10) // 12 MB: three pages
	s := NewServer(Config{Log: quiet()}, def)
	client, server := mcp.NewInMemoryTransports()
	done := make(chan error, 1)
	go func() { done <- s.Run(t.Context(), server) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil).Connect(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(first.Tools) == n || first.NextCursor == "" {
		t.Errorf("one page of %d tools", len(first.Tools))
	}
	i := 0
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("tool_%04d", i); tool.Name != want {
			t.Fatalf("tool %d is %s, want %s", i, tool.Name, want)
		}
		i++
	}
	if i != n {
		t.Errorf("%d tools, want %d", i, n)
	}
	if _, err := session.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: "tool_0001"}); err == nil {
		t.Error("a cursor of no page was accepted")
	}
	session.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// On stdio the transport puts the pages in, and a client sees the same.
func TestPagesOnStdio(t *testing.T) {
	const n = 60
	var in strings.Builder
	in.WriteString(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"0"}}}` + "\n")
	var cursor string
	var names []string
	for range 3 {
		var out bytes.Buffer
		s := NewServer(Config{Log: quiet()}, many(n, 200<<10))
		line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":%q}}`, cursor)
		if err := s.Run(t.Context(), &lineTransport{in: strings.NewReader(in.String() + line), out: &out, log: quiet()}); err != nil {
			t.Fatal(err)
		}
		_, answer, _ := bytes.Cut(out.Bytes(), []byte("\n"))
		var list struct {
			Result struct {
				Tools      []struct{ Name string }
				NextCursor string
			}
		}
		if err := json.Unmarshal(answer, &list); err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Result.Tools {
			names = append(names, tool.Name)
		}
		cursor = list.Result.NextCursor
	}
	if len(names) != n || cursor != "" || !slices.IsSorted(names) {
		t.Errorf("%d tools, then cursor %q", len(names), cursor)
	}
}

// Files that do not fit the registry are named, at start or in tools/list.
func TestBrokenToolset(t *testing.T) {
	good := toolFile("a", "", "")
	for name, tc := range map[string]struct {
		files fstest.MapFS
		tools []Tool
		want  string
	}{
		"no file":        {fstest.MapFS{}, []Tool{{Name: "a"}}, "tools/a.json"},
		"cut file":       {fstest.MapFS{"tools/a.json": {Data: good[:len(good)-3]}}, []Tool{{Name: "a"}}, "brackets do not match"},
		"cut string":     {fstest.MapFS{"tools/a.json": {Data: []byte(`{"a`)}}, []Tool{{Name: "a"}}, "a string does not end"},
		"registered two": {fstest.MapFS{"tools/a.json": {Data: good}}, []Tool{{Name: "a"}, {Name: "a"}}, "registered twice"},
		"file of another name": {fstest.MapFS{"tools/a.json": {Data: good}}, []Tool{{Name: "a", File: "b.json"}},
			"tools/b.json"},
	} {
		set, err := newToolset(&Definition{Schemas: tc.files, Tools: tc.tools}, quiet())
		if err == nil {
			_, err = set.pages()
		}
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v, want %s", name, err, tc.want)
		}
	}
}

func TestNoTools(t *testing.T) {
	s := NewServer(Config{Log: quiet()}, Definition{Schemas: fstest.MapFS{}})
	if _, err := s.start(); err != nil {
		t.Fatal(err)
	}
	pages, err := s.tools.pages()
	if err != nil || len(pages) != 1 || pages[0].size != 0 {
		t.Errorf("pages: %v, %v", pages, err)
	}
}

// appendCompact must do what json.Compact does, for whatever is JSON.
func FuzzCompact(f *testing.F) {
	f.Add(`{"a": [1, 2.0e3, "x \" y \\"], "b\\": { } , "c":null}`)
	f.Add(string(toolFile("a", searchSchema, "")))
	f.Add(`{"a":"\\\\\"","b":"\u0022"}`)
	f.Add(`{"a`)
	f.Add(`"\"`)
	f.Fuzz(func(t *testing.T, text string) {
		got, err := appendCompact(nil, []byte(text))
		if !json.Valid([]byte(text)) {
			return
		}
		var want bytes.Buffer
		if err := json.Compact(&want, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if err != nil || string(got) != want.String() {
			t.Errorf("got %s, %v, want %s", got, err, want.String())
		}
	})
}
