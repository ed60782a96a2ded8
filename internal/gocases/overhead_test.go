package gocases

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// added is the annotated package, and rawServer the server that somebody who
// knows the SDK well would write for its function by hand.
const (
	added = `// Package added adds.
package added

// Add adds two numbers.
//
//mcp:tool
func Add(a, b int) int { return a + b }
`
	rawServer = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"gcase/added"
)

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "raw", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "add", Description: "Add adds two numbers.", InputSchema: json.RawMessage(
		"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"integer\"},\"b\":{\"type\":\"integer\"}},\"required\":[\"a\",\"b\"],\"additionalProperties\":false}")},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var in struct {
				A int ` + "`json:\"a\"`" + `
				B int ` + "`json:\"b\"`" + `
			}
			if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
				return nil, err
			}
			text := fmt.Sprint(added.Add(in.A, in.B))
			return &mcp.CallToolResult{
				Content:           []mcp.Content{&mcp.TextContent{Text: text}},
				StructuredContent: json.RawMessage("{\"result\":" + text + "}"),
			}, nil
		})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		log.Fatal(err)
	}
}
`
)

// BenchmarkCall compares a call of a generated tool with one of a handler
// written by hand, over stdio, each in a process of its own.
func BenchmarkCall(b *testing.B) {
	module := prove.NewModule(b)
	r := &run{pkg: "added", dir: filepath.Join(module.Dir, "cases", "added"), module: module}
	prove.Write(b, filepath.Join(r.dir, "added.go"), added)
	r.writeModule(b)
	if g := module.Generate(b, r.pkg, r.dir, goEnv(b), "."); g.Exit != 0 {
		b.Fatalf("exit %d\n%s", g.Exit, g.Stderr)
	}
	prove.Write(b, filepath.Join(module.Dir, "raw", "main.go"), rawServer)
	for _, server := range []struct{ name, dir string }{{"raw", "raw"}, {"generated", r.pkg}} {
		bin := filepath.Join(b.TempDir(), server.name)
		cmd := exec.Command("go", "build", "-o", bin, "./"+server.dir)
		cmd.Dir, cmd.Env = module.Dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("go build: %v\n%s", err, out)
		}
		b.Run(server.name, func(b *testing.B) {
			client := prove.Start(b, nil, bin)
			if got := string(client.Call("add", `{"a":1,"b":2}`).Structured); got != `{"result":3}` {
				b.Fatal(got)
			}
			for b.Loop() {
				client.Call("add", `{"a":1,"b":2}`)
			}
		})
	}
}
