package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestProvidersEndInReverseOrder(t *testing.T) {
	var done []string
	note := func(what string) func() { return func() { done = append(done, what) } }
	p := Package{Start: func(_ context.Context, start *Start) error {
		return errors.Join(start.Made("a", note("a"), nil), start.Made("b", func() { panic("b") }, nil), start.Made("c", note("c"), nil), start.Made("d", nil, nil))
	}}
	s := goServer(t, Config{}, p)
	s.Close()
	s.Close()
	if !slices.Equal(done, []string{"c", "a"}) {
		t.Errorf("cleaned up %v", done)
	}
}

func TestStartFails(t *testing.T) {
	cleaned := false
	for _, c := range []struct {
		name  string
		start func(context.Context, *Start) error
		want  string
	}{
		{"an error", func(_ context.Context, s *Start) error {
			_ = s.Made("a", func() { cleaned = true }, nil)
			return s.Made("OpenDB", nil, errors.New("no prefix"))
		}, "OpenDB: no prefix"},
		{"a panic", func(context.Context, *Start) error { panic("boom") }, "a provider panicked: boom"},
		{"a nil dependency", func(_ context.Context, s *Start) error { return s.Need("shop.MCPDeps", "A", 1, "B", (*int)(nil)) },
			"shop.MCPDeps.B is nil: the program must set it"},
		{"a nil interface", func(_ context.Context, s *Start) error { return s.Need("shop.MCPDeps", "C", nil) }, "shop.MCPDeps.C is nil"},
		{"an unset variable", func(_ context.Context, s *Start) error { var v string; return s.Env("TENANT", &v) },
			"set TENANT in the environment, or TENANT_FILE to a file that holds it"},
		{"a variable of another type", func(_ context.Context, s *Start) error { var v int; return s.Env("TEXT", &v) }, "TEXT: it cannot be read as int"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := NewServer(Config{Log: quiet(), Environment: map[string]string{"TEXT": "x"}}, Definition{Name: "go"})
			s.Add(Package{Start: c.start})
			_, err := s.start()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
	if !cleaned {
		t.Error("what was made before the error was not cleaned up")
	}
}

func TestParseText(t *testing.T) {
	type name string
	for _, c := range []struct {
		text string
		to   any
		want string
	}{
		{"a b", new(string), "a b"}, {"x", new(name), "x"}, {"7", new(int), "7"}, {"true", new(bool), "true"},
		{"1m30s", new(time.Duration), "1m30s"}, {"https://go.dev", new(*url.URL), "https://go.dev"},
		{"[1,2]", new([]int), "[1 2]"}, {"2026-01-02T03:04:05Z", new(time.Time), "2026-01-02 03:04:05 +0000 UTC"},
	} {
		if err := parseText(c.text, c.to); err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		var got any
		switch to := c.to.(type) {
		case *string:
			got = *to
		case *name:
			got = *to
		case *int:
			got = *to
		case *bool:
			got = *to
		case *time.Duration:
			got = *to
		case **url.URL:
			got = *to
		case *[]int:
			got = *to
		case *time.Time:
			got = *to
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: got %v, want %s", c.text, got, c.want)
		}
	}
	if got := Constant[time.Duration](`"90s"`); got != 90*time.Second {
		t.Errorf("a constant duration is %s", got)
	}
}

// session connects a client to a server in memory.
func session(t *testing.T, s *Server, options *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	return sessionOf(t, s, options, "")
}

// sessionOf is session of a client of one revision.
func sessionOf(t *testing.T, s *Server, options *mcp.ClientOptions, version string) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	done := make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { done <- s.Run(ctx, there) }()
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, options).Connect(ctx, here, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		client.Close()
		cancel()
		<-done
	})
	return client
}

func TestEnable(t *testing.T) {
	changed := make(chan struct{}, 8)
	s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
	done := func(context.Context, *Call) (*Result, error) { return Done() }
	s.Add(goPackage(map[string]goTool{"always": {handle: done}, "later": {handle: done}}))
	s.Disable("later", "unknown")
	client := session(t, s, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
	if !client.InitializeResult().Capabilities.Tools.ListChanged {
		t.Error("the server does not say that its list changes")
	}
	names := func() string {
		t.Helper()
		list, err := client.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if list.TTLMs != 0 {
			t.Errorf("the list may be kept for %d ms", list.TTLMs)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		return strings.Join(names, " ")
	}
	if got := names(); got != "always" {
		t.Errorf("at first: %s", got)
	}
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "later"}); err == nil {
		t.Error("a disabled tool was called")
	}
	s.Enable("later")
	<-changed
	if got := names(); got != "always later" {
		t.Errorf("enabled: %s", got)
	}
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "later"}); err != nil {
		t.Error(err)
	}
	s.Disable("later")
	<-changed
	if got := names(); got != "always" {
		t.Errorf("disabled: %s", got)
	}
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "later"}); err == nil {
		t.Error("a tool was called that was disabled again")
	}
}

// TestDisableUnannounced hides a tool of a server that announced nothing.
func TestDisableUnannounced(t *testing.T) {
	s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
	done := func(context.Context, *Call) (*Result, error) { return Done() }
	s.Add(goPackage(map[string]goTool{"a": {handle: done}, "b": {handle: done}}))
	client := session(t, s, nil)
	if client.InitializeResult().Capabilities.Tools.ListChanged {
		t.Error("the server says that its list changes")
	}
	s.Disable("a")
	if _, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "a"}); err == nil {
		t.Error("a disabled tool was called")
	}
	if list, err := client.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 1 || list.Tools[0].Name != "b" {
		t.Errorf("the list is %+v (%v)", list, err)
	}
}

const itemInput = `{"type":"object","properties":{"id":{"type":"integer","minimum":0},"part":{"type":"string"}},"required":["id"],"additionalProperties":false}`

// textPackage has resources and prompts.
func textPackage() Package {
	text := func(text string) Handler {
		return func(context.Context, *Call) (*Result, error) { return Text(text), nil }
	}
	item := func(_ context.Context, call *Call) (*Result, error) {
		var in struct {
			ID   int64  `json:"id"`
			Part string `json:"part"`
		}
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		if in.ID == 404 {
			return Failed(mcp.ResourceNotFoundError("shop://items/404"))
		}
		return Results("id", in.ID, "part", in.Part)
	}
	return Package{
		Resources: []Resource{
			{URI: "shop://readme", Name: "readme", MIME: "text/markdown", Read: text("# Shop hunter2-secret")},
			{URI: "shop://logo", Name: "logo", MIME: "image/png", Read: func(_ context.Context, c *Call) (*Result, error) { return c.Blob([]byte{1, 2}, "image/png") }},
			{URI: "shop://broken", Name: "broken", Read: func(context.Context, *Call) (*Result, error) { return Failed(errors.New("disk on fire")) }},
			{URI: "shop://panics", Name: "panics", Read: func(context.Context, *Call) (*Result, error) { panic("x") }},
			{URI: "shop://as-is", Name: "as-is", Read: func(context.Context, *Call) (*Result, error) {
				return AsIs(&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "shop://other", Text: "own"}, nil}})
			}},
			{URI: "shop://blob", Name: "blob", Read: func(context.Context, *Call) (*Result, error) {
				return AsIs(&mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: "shop://hunter2-secret", Blob: []byte("\x01hunter2-secret")}}})
			}},
			{URI: "shop://items/{id}{?part}", Name: "item", MIME: "application/json", Input: itemInput, Read: item},
		},
		Prompts: []Prompt{
			{Name: "review", Title: "Review", Description: "Asks.", Arguments: []PromptArgument{{Name: "lines", Required: false}, {Name: "tone"}},
				Input: `{"type":"object","properties":{"lines":{"type":"integer"},"tone":{"type":"string","enum":["formal","casual"]}},"additionalProperties":false}`,
				Get: func(_ context.Context, call *Call) (*Result, error) {
					in := struct {
						Lines int    `json:"lines"`
						Tone  string `json:"tone"`
					}{Tone: "formal"}
					if err := call.Decode(&in); err != nil {
						return nil, err
					}
					return Text(fmt.Sprintf("Review (%s, %d) hunter2-secret", in.Tone, in.Lines)), nil
				}},
			{Name: "chat", Get: func(context.Context, *Call) (*Result, error) {
				return Messages(&mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: "Hi"}}, nil, &mcp.PromptMessage{Role: "assistant", Content: &mcp.TextContent{Text: "Ho"}})
			}},
			{Name: "as-is", Get: func(context.Context, *Call) (*Result, error) {
				return AsIs(&mcp.GetPromptResult{Description: "own", Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "x"}}}})
			}},
		},
	}
}

func TestResources(t *testing.T) {
	s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
	s.redactor.Add("hunter2-secret")
	s.Add(textPackage())
	client := session(t, s, nil)
	if c := client.InitializeResult().Capabilities; c.Resources == nil || c.Prompts == nil || c.Tools != nil {
		t.Errorf("capabilities %+v", c)
	}
	for _, c := range []struct{ uri, want string }{
		{"shop://readme", "text/markdown # Shop REDACTED"},
		{"shop://logo", "image/png \x01\x02"},
		{"shop://as-is", " own"},
		{"shop://blob", " \x01REDACTED"},
		{"shop://items/9007199254740993", `application/json {"id":9007199254740993,"part":""}`},
		{"shop://items/7?part=a%20b", `application/json {"id":7,"part":"a b"}`},
		{"shop://items/abc", "error -32602: id"},
		{"shop://items/-1", "error -32602: id"},
		{"shop://items/404", "error -32602: Resource not found"},
		{"shop://nothing", "error -32602: Resource not found"},
		{"shop://broken", "error -32603: disk on fire"},
		{"shop://panics", "error -32603: resource panics failed"},
	} {
		t.Run(c.uri, func(t *testing.T) {
			result, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: c.uri})
			got := ""
			var coded *jsonrpc.Error
			switch {
			case errors.As(err, &coded):
				got = fmt.Sprintf("error %d: %s", coded.Code, coded.Message)
			case err != nil:
				t.Fatal(err)
			default:
				content := result.Contents[0]
				got = content.MIMEType + " " + content.Text + string(content.Blob)
				if result.TTLMs != 0 {
					t.Errorf("a client may keep it for %d ms", result.TTLMs)
				}
			}
			prefix, rest, _ := strings.Cut(c.want, ": ")
			if got != c.want && !(rest != "" && strings.HasPrefix(got, prefix+": ") && strings.Contains(got, rest)) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestBadResources(t *testing.T) {
	for _, r := range []Resource{{URI: "readme"}, {URI: "shop://{id"}, {URI: "shop://a", Input: "{"}} {
		s := NewServer(Config{Log: quiet()}, Definition{Name: "go"})
		s.Add(Package{Resources: []Resource{r}})
		if _, err := s.start(); err == nil || !strings.Contains(err.Error(), r.URI) {
			t.Errorf("%s: %v", r.URI, err)
		}
	}
}

func TestPrompts(t *testing.T) {
	s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
	s.redactor.Add("hunter2-secret")
	s.Add(textPackage())
	client := session(t, s, nil)
	for _, c := range []struct {
		name string
		args map[string]string
		want string
	}{
		{"review", nil, "Asks.: user Review (formal, 0) REDACTED"},
		{"review", map[string]string{"lines": " 12 ", "tone": "casual"}, "Asks.: user Review (casual, 12) REDACTED"},
		{"review", map[string]string{"lines": "", "tone": ""}, "Asks.: user Review (formal, 0) REDACTED"},
		{"review", map[string]string{"tone": "rude"}, "tone: must be one of"},
		{"review", map[string]string{"lines": "many"}, "lines: must be an integer"},
		{"review", map[string]string{"x": "y"}, "x"},
		{"chat", nil, ": user Hi; assistant Ho"},
		{"as-is", nil, "own: user x"},
	} {
		t.Run(fmt.Sprint(c.name, c.args), func(t *testing.T) {
			result, err := client.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: c.name, Arguments: c.args})
			if coded := (*jsonrpc.Error)(nil); errors.As(err, &coded) {
				if coded.Code != jsonrpc.CodeInvalidParams || !strings.Contains(coded.Message, c.want) {
					t.Errorf("got %v, want %s", coded, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var parts []string
			for _, m := range result.Messages {
				text, _ := m.Content.(*mcp.TextContent)
				parts = append(parts, string(m.Role)+" "+text.Text)
			}
			if got := result.Description + ": " + strings.Join(parts, "; "); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestOwner(t *testing.T) {
	for _, c := range []struct {
		main, runtime string
		want          bool
	}{
		{"example.com/server", "example.com/server/runtime", true},
		{"example.com/server", "example.com/server/internal/runtime", true},
		{"example.com/other", "example.com/server/runtime", false},
		{"example.com/server.test", "example.com/server/runtime", false},
		{"github.com/seed7346ab69/toolmill/cmd/toolmill", "github.com/seed7346ab69/toolmill/runtime", false},
		{"", "runtime", false},
	} {
		if got := isOwner(c.main, c.runtime); got != c.want {
			t.Errorf("%s, %s: %v", c.main, c.runtime, got)
		}
	}
}

// TestMarked holds that the mark is what package early sets, which this test must
// not import: its own output would go elsewhere.
func TestMarked(t *testing.T) {
	source, err := os.ReadFile("early/early.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(source), fmt.Sprintf("const Name = %q\n", mark)) {
		t.Errorf("package early does not name standard output %q", mark)
	}
	if isMarked(os.Stderr) || isMarked(nil) {
		t.Error("another file is taken for the mark")
	}
}

// TestEnvironmentOfPackages shows the variables of functions, and no settings
// about an API that there is not.
func TestEnvironmentOfPackages(t *testing.T) {
	s := NewServer(Config{}, Definition{Name: "go"})
	s.Add(Package{Environment: []string{"TENANT"}})
	s.Add(Package{Environment: []string{"TENANT", "REGION"}})
	var config Config
	list := config.settings(&s.def)
	if len(list) != 2 || list[0].name != "TENANT" || list[1].name != "REGION" {
		t.Fatalf("settings %+v", list)
	}
	if err := readEnvironment(list, func(name string) string { return map[string]string{"TENANT": "acme"}[name] }); err != nil {
		t.Fatal(err)
	}
	if got, _ := json.Marshal(config.Environment); string(got) != `{"TENANT":"acme"}` {
		t.Errorf("environment %s", got)
	}
	if err := s.check(); err != nil {
		t.Errorf("a server without an API wants its address: %v", err)
	}
}
