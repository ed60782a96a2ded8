package conformance

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// target is a server as a client is told of it: a URL, or a command.
type target struct {
	name  string
	words []string
	env   []string
}

func targets(t *testing.T, s server) []target {
	return []target{
		{"stdio", []string{s.bin}, s.env},
		{"http", []string{prove.StartHTTP(t, s.env, s.bin).URL}, nil},
		{"http without sessions", []string{prove.StartHTTP(t, s.env, s.bin, "-stateless").URL}, nil},
	}
}

// call is a call of a tool and what comes back.
type call struct {
	server          server
	tool, arguments string
	text            string
}

func calls(t *testing.T) []call {
	return []call{
		{document(t), "listDomains", `{}`, "letters.example"},
		{functions(t), "test_x_mcp_header", `{"region":"eu"}`, "region: eu"},
	}
}

// TestInspector lists and calls tools with the inspector's command line, strictly:
// it judges whether schemas are portable.
func TestInspector(t *testing.T) {
	inspector := script(t, "inspector", "clients", "launcher", "build", "index.js")
	for _, c := range calls(t) {
		for _, to := range targets(t, c.server)[:2] {
			for _, era := range []string{"modern", "legacy"} {
				t.Run(c.server.name+" "+to.name+" "+era, func(t *testing.T) {
					inspect := func(want int, text string, args ...string) {
						t.Helper()
						words := append(slices.Concat([]string{"--cli"}, environment(to), to.words), args...)
						stdout, stderr, code := run(t, nil, inspector, append(words, "--protocol-era", era, "--format", "json")...)
						if code != want || !strings.Contains(stdout, text) {
							t.Errorf("%s: exit code %d, want %d and %q\n%s%s", args[1], code, want, text, stdout, stderr)
						}
					}
					inspect(0, `"`+c.tool+`"`, "--method", "tools/list", "--strict")
					inspect(0, c.text, "--method", "tools/call", "--tool-name", c.tool, "--tool-args-json", c.arguments)
					if era == "modern" {
						const isError = 5
						inspect(isError, "nonsense", "--method", "tools/call", "--tool-name", c.tool, "--tool-args-json", `{"nonsense":1}`)
					}
				})
			}
		}
	}
}

// environment hands variables to a server that the inspector starts: it keeps
// its own to itself.
func environment(to target) []string {
	var flags []string
	for _, variable := range to.env {
		flags = append(flags, "-e", variable)
	}
	return flags
}

// TestSDKs lists and calls tools with the TypeScript SDKs: the one that most
// clients have, and the one after it.
func TestSDKs(t *testing.T) {
	script(t, "sdk", "package.json")
	for _, c := range calls(t) {
		for _, to := range targets(t, c.server) {
			for _, sdk := range []string{"sdk", "client"} {
				t.Run(c.server.name+" "+to.name+" "+sdk, func(t *testing.T) {
					stdout, stderr, code := run(t, to.env, filepath.Join("testdata", "clients.mjs"), append([]string{sdk, c.tool, c.arguments}, to.words...)...)
					var saw struct {
						Tools   []string
						Result  prove.Result
						Unknown string
					}
					if err := json.Unmarshal([]byte(stdout), &saw); err != nil || code != 0 {
						t.Fatalf("exit code %d, %v\n%s%s", code, err, stdout, stderr)
					}
					if !slices.Contains(saw.Tools, c.tool) || saw.Result.IsError || !strings.Contains(saw.Result.Text(), c.text) {
						t.Errorf("it saw %s", stdout)
					}
					if !strings.Contains(saw.Unknown, "-32602") {
						t.Errorf("an unknown tool gave %q", saw.Unknown)
					}
				})
			}
		}
	}
}
