package gocases

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// plain are the cases that have an expect.md only, in its words and order.
var plain = map[string]func(t *testing.T, r *run, client *prove.Client){
	"p118": func(t *testing.T, _ *run, client *prove.Client) {
		tool := only(t, client, "greet")
		if strings.Contains(tool.Description, "mcp:tool") || !strings.HasPrefix(tool.Description, "Greet says hello to a person.") {
			t.Errorf("description %q", tool.Description)
		}
		wantInput(t, tool, `{"type":"object","properties":{"name":{"type":"string"},"loud":{"type":"boolean"}},"required":["name","loud"],"additionalProperties":false}`)
		wantDescriptions(t, tool, map[string]string{"name": "who to greet", "loud": "add an exclamation mark"})
		wantText(t, client.Call("greet", `{"name":"Ann","loud":true}`), "Hi Ann!")
	},
	"p120": func(t *testing.T, _ *run, client *prove.Client) {
		wantText(t, client.Call("first", `{"xs":[4]}`), "4")
		for _, arguments := range []string{`{"xs":[]}`, `{"xs":null}`, `{}`} {
			result := client.Call("first", arguments)
			if text := result.Text(); !result.IsError || strings.Contains(text, "goroutine") || strings.Contains(text, ".go:") || len(text) > 300 {
				t.Errorf("%s: %s", arguments, result.Raw)
			}
		}
		if !strings.Contains(client.Stderr(), "goroutine") {
			t.Errorf("no stack on stderr:\n%s", client.Stderr())
		}
		wantText(t, client.Call("first", `{"xs":[4]}`), "4")
	},
	"p121": func(t *testing.T, _ *run, client *prove.Client) {
		tool := only(t, client, "echo")
		for pointer, want := range map[string]string{
			"when/type": `"string"`, "when/format": `"date-time"`, "wait/type": `"integer"`, "blob/type": `"string"`,
			"blob/contentEncoding": `"base64"`, "big/type": `"string"`, "byNum/type": `"object"`, "byNum/additionalProperties": `{"type":"string"}`,
		} {
			if got := prove.Member(tool.InputSchema, "/properties/"+pointer); !prove.SameJSON(got, []byte(want)) {
				t.Errorf("%s is %s, want %s", pointer, got, want)
			}
		}
		const arguments = `{"when":"2026-01-02T03:04:05Z","blob":"aGk=","raw":{"a":[1]},"big":"9007199254740993","any":null,"byNum":{"7":"x"}}`
		result := client.Call("echo", arguments)
		for pointer, want := range map[string]string{
			"/when": `"2026-01-02T03:04:05Z"`, "/blob": `"aGk="`, "/raw": `{"a":[1]}`, "/big": `"9007199254740993"`, "/byNum": `{"7":"x"}`,
		} {
			if got := prove.Member(result.Structured, pointer); string(got) != want {
				t.Errorf("%s is %s, want %s", pointer, got, want)
			}
		}
		wantError(t, client.Call("echo", `{"when":"yesterday","big":"1"}`), "when")
	},
	"p122": func(t *testing.T, _ *run, client *prove.Client) {
		tool := only(t, client, "find")
		wantInput(t, tool, `{"type":"object","properties":{"tags":{"type":"array","items":{"type":"string"}},"nick":{"type":"string"},"page":{"type":"integer"}},"required":["tags"],"additionalProperties":false}`)
		for _, arguments := range []string{`{"tags":["a"]}`, `{"tags":["a"],"nick":null}`} {
			result := client.Call("find", arguments)
			if result.IsError || !prove.SameJSON(result.Structured, []byte(`{"items":null,"next":null}`)) {
				t.Errorf("%s: %s", arguments, result.Raw)
			}
			if err := validate(tool.OutputSchema, result.Structured); err != nil {
				t.Error(err)
			}
		}
	},
	"p124": func(t *testing.T, _ *run, client *prove.Client) {
		const span = `{"type":"object","properties":{"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"}},"required":["from","to"],"additionalProperties":false}`
		wantInput(t, only(t, client, "overlap"), `{"type":"object","properties":{"a":`+span+`,"b":`+span+`},"required":["a","b"],"additionalProperties":false}`)
		wantText(t, client.Call("overlap", `{"a":{"from":"2026-01-01T00:00:00Z","to":"2026-01-03T00:00:00Z"},"b":{"from":"2026-01-02T00:00:00Z","to":"2026-01-04T00:00:00Z"}}`), "true")
		wantError(t, client.Call("overlap", `{"a":{"from":"2026-01-01T00:00:00Z","to":"2026-01-03T00:00:00Z"}}`), "b")
	},
	"p125": func(t *testing.T, _ *run, client *prove.Client) {
		tool := only(t, client, "list")
		wantInput(t, tool, `{"type":"object","properties":{"limit":{"type":"integer"},"id":{"type":"integer"},"-":{"type":"string"},"cursor":{"type":"integer"},"Title":{"type":"string"}},"required":["id","-","cursor","Title"],"additionalProperties":false}`)
		wantDescriptions(t, tool, map[string]string{"limit": "page size", "id": "ID of the shop."})
	},
	"p126": func(t *testing.T, r *run, client *prove.Client) {
		wantInput(t, only(t, client, "set_lamp"), `{"type":"object","properties":{"c":{"type":"string","enum":["red","blue"]},"l":{"type":"integer","enum":[1,2]}},"required":["c","l"],"additionalProperties":false}`)
		wantText(t, client.Call("set_lamp", `{"c":"blue","l":2}`), "blue2")
		wantError(t, client.Call("set_lamp", `{"c":"green","l":1}`), "c")
		wantError(t, client.Call("set_lamp", `{"c":"red","l":3}`), "l")
	},
	"p129": func(t *testing.T, r *run, _ *prove.Client) {
		if r.Exit != 1 {
			t.Fatalf("exit %d\n%s", r.Exit, r.Stdout)
		}
		for _, want := range []wantDiagnostic{
			{"main.go:20", []string{"feed the animal", "A-Z"}},
			{"main.go:15", []string{"speak", "main.go:10"}},
		} {
			if !slices.ContainsFunc(r.report.Diagnostics, want.matches) {
				t.Errorf("nothing at %s contains %q: %v", want.Pos, want.Contains, r.report.Diagnostics)
			}
		}
	},
	"p130": func(t *testing.T, _ *run, client *prove.Client) {
		const rest = `"u":18446744073709551615,"f":0.1,`
		wantText(t, client.Call("show", `{"id":9007199254740993,`+rest+`"small":-128}`), "9007199254740993 18446744073709551615 0.1 -128")
		wantError(t, client.Call("show", `{"id":1,`+rest+`"small":300}`), "small")
		wantError(t, client.Call("show", `{"id":1.5,`+rest+`"small":1}`), "id")
		wantText(t, client.Call("show", `{"id":1e3,`+rest+`"small":1}`), "1000 18446744073709551615 0.1 1")
	},
}

// own are the cases that need a build of their own.
var own = map[string]func(t *testing.T, r *run){"p128": printsAtStart}

// printsAtStart is a package that prints before main runs, in a server that
// carries the runtime and in one that imports it.
func printsAtStart(t *testing.T, r *run) {
	for _, way := range []string{"copy", "import"} {
		t.Run(way, func(t *testing.T) { r.printsAtStart(t, "server-"+way, "-runtime="+way) })
	}
}

func (r *run) printsAtStart(t *testing.T, folder, flag string) {
	g := prove.Generate(t, r.dir, goEnv(t), ".", "-o", folder, flag)
	if g.Exit != 0 {
		t.Fatalf("exit %d\n%s", g.Exit, g.Stderr)
	}
	bin := filepath.Join(t.TempDir(), "server")
	cmd := exec.Command("go", "build", "-o", bin, "./"+folder)
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	client := prove.Start(t, nil, bin) // fails the test for a line on stdout that is no message
	wantText(t, client.Call("add", `{"a":1,"b":2}`), "3")
	if err := client.Close(); err != nil {
		t.Error(err)
	}
	for _, line := range []string{"starting up", "debug: 1 2", "more"} {
		if !strings.Contains(client.Stderr(), line) {
			t.Errorf("stderr lacks %q:\n%s", line, client.Stderr())
		}
	}
}

// only returns the one tool of a server.
func only(t *testing.T, client *prove.Client, name string) prove.Tool {
	t.Helper()
	tools := client.Tools()
	if len(tools) != 1 || tools[0].Name != name {
		t.Fatalf("tools %v, want %s only", tools, name)
	}
	return tools[0]
}

func wantInput(t *testing.T, tool prove.Tool, want string) {
	t.Helper()
	if diff := sameSchema(tool.InputSchema, json.RawMessage(want)); diff != "" {
		t.Errorf("inputSchema: %s\n%s", diff, tool.InputSchema)
	}
}

func wantDescriptions(t *testing.T, tool prove.Tool, want map[string]string) {
	t.Helper()
	for path, part := range want {
		if got := propertyDescription(tool.InputSchema, []string{path}); !strings.Contains(got, part) {
			t.Errorf("the description of %s is %q, want %q in it", path, got, part)
		}
	}
}

func wantText(t *testing.T, result *prove.Result, want string) {
	t.Helper()
	if result.IsError || result.Text() != want {
		t.Errorf("got %s, want the text %q", result.Raw, want)
	}
}

func wantError(t *testing.T, result *prove.Result, part string) {
	t.Helper()
	if !result.IsError || !strings.Contains(result.Text(), part) {
		t.Errorf("got %s, want an error that names %s", result.Raw, part)
	}
}
