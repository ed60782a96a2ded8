package runtime

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// emptyServer is what a server of this package is measured against: the SDK
// with nothing in it.
const emptyServer = `package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	s := mcp.NewServer(&mcp.Implementation{Name: "empty", Version: "1"}, nil)
	if err := s.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		panic(err)
	}
}
`

// fullServer has the files of its folder as tools, as a generated server has.
const fullServer = `package main

import (
	"context"
	"embed"
	"fmt"

	"github.com/seed7346ab69/toolmill/runtime"
)

//go:embed tools/*.json
var files embed.FS

func handle(ctx context.Context, call *runtime.Call) (*runtime.Result, error) {
	return call.Do(ctx, call.Request("GET", "/"))
}

func main() {
	runtime.Main(func(config runtime.Config) *runtime.Server {
		def := runtime.Definition{
			Name: "full", Version: "1", Schemas: files,
			Upstreams: []runtime.Upstream{{URL: "https://api.test"}},
		}
		for i := range %d {
			def.Tools = append(def.Tools, runtime.Tool{Name: fmt.Sprintf("tool_%%04d", i), Handle: handle})
		}
		return runtime.NewServer(config, def)
	})
}
`

// BenchmarkStart measures from the start of the process to the complete
// tools/list, beside an empty SDK server, in turns. The ratio is what counts.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		b.Fatal(err)
	}
	benchModule(b, dir, root)
	empty := benchProgram(b, dir, "empty", emptyServer, 0)
	for _, n := range []int{100, 1223} {
		full := benchProgram(b, dir, fmt.Sprintf("full%d", n), fmt.Sprintf(fullServer, n), n)
		b.Run(fmt.Sprintf("tools=%d", n), func(b *testing.B) {
			var ours, theirs []time.Duration
			var size int
			for b.Loop() {
				for range 10 {
					took, _ := startAndList(b, empty)
					theirs = append(theirs, took)
					took, bytes := startAndList(b, full)
					ours, size = append(ours, took), bytes
				}
			}
			slices.Sort(ours)
			slices.Sort(theirs)
			us, them := ours[len(ours)/2], theirs[len(theirs)/2]
			b.ReportMetric(us.Seconds()*1e3, "ms/start")
			b.ReportMetric(them.Seconds()*1e3, "ms/empty")
			b.ReportMetric(us.Seconds()/them.Seconds(), "ratio")
			b.ReportMetric(float64(size)/1e6, "MB/list")
		})
	}
}

// benchModule makes dir a module that uses this one as it stands.
func benchModule(b *testing.B, dir, root string) {
	b.Helper()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		b.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		b.Fatal(err)
	}
	const path = "github.com/seed7346ab69/toolmill"
	text := strings.Replace(string(mod), "module "+path, "module bench", 1) +
		fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", path, path, root)
	for name, data := range map[string]string{"go.mod": text, "go.sum": string(sum)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			b.Fatal(err)
		}
	}
}

// benchProgram builds a program with n tool files of 1.7 kB, GitHub's average.
func benchProgram(b *testing.B, dir, name, source string, n int) string {
	b.Helper()
	folder := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Join(folder, "tools"), 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(source), 0o644); err != nil {
		b.Fatal(err)
	}
	for i := range n {
		file := fmt.Sprintf("tool_%04d", i)
		if err := os.WriteFile(filepath.Join(folder, "tools", file+".json"), toolFile(file, benchSchema(), ""), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	program := filepath.Join(dir, name+".exe")
	build := exec.Command("go", "build", "-o", program, "./"+name)
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	return program
}

// benchSchema is an input schema of a dozen arguments.
func benchSchema() string {
	var properties []string
	for i := range 12 {
		properties = append(properties, fmt.Sprintf(
			`"argument_%d":{"type":"string","description":"What this argument is for, in a sentence as documents have it.","maxLength":%d}`, i, i+10))
	}
	return `{"type":"object","properties":{` + strings.Join(properties, ",") + `},"required":["argument_0"],"additionalProperties":false}`
}

// startAndList starts a server and returns how long the whole tools/list took,
// and its bytes.
func startAndList(b *testing.B, program string) (time.Duration, int) {
	b.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	out := bufio.NewReaderSize(stdout, 1<<20)
	var line []byte
	for _, request := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`,
	} {
		if _, err := io.WriteString(stdin, request+"\n"); err != nil {
			b.Fatal(err)
		}
		if line, err = out.ReadBytes('\n'); err != nil {
			b.Fatal(err)
		}
	}
	took := time.Since(began)
	stdin.Close()
	if err := cmd.Wait(); err != nil {
		b.Fatal(err)
	}
	if !json.Valid(line) || strings.Contains(string(line), "nextCursor") {
		b.Fatal("not the complete list")
	}
	return took, len(line)
}

// BenchmarkCall measures one tools/call over stdio lines to a local upstream,
// beside a handler written by hand on the SDK that makes the same request.
func BenchmarkCall(b *testing.B) {
	const answer = `{"id":9007199254740993,"name":"a thing","tags":["x","y"],"nested":{"price":1.10,"text":"some text of a usual length"}}`
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, answer)
	}))
	defer upstream.Close()
	line := callLine(1, "tool", `{"id":9007199254740993,"fields":["a","b"]}`) + "\n"
	for _, bc := range []struct {
		name  string
		serve func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error
	}{
		{"hand", func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			return byHand(upstream.URL).Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
		}},
		{"ours", func(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
			return byRuntime(upstream.URL).Run(ctx, &lineTransport{in: in, out: out, log: quiet()})
		}},
	} {
		b.Run(bc.name, func(b *testing.B) {
			b.ReportAllocs()
			requests, send := io.Pipe()
			receive, answers := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- bc.serve(context.Background(), requests, answers) }()
			out := bufio.NewReaderSize(receive, 64<<10)
			ask := func(line string) []byte {
				if _, err := io.WriteString(send, line); err != nil {
					b.Fatal(err)
				}
				got, err := out.ReadSlice('\n')
				if err != nil {
					b.Fatal(err)
				}
				return got
			}
			ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}` + "\n")
			if got := ask(line); !strings.Contains(string(got), `"structuredContent":{"id":9007199254740993`) || strings.Contains(string(got), `"isError":true`) {
				b.Fatalf("%s", got)
			}
			for b.Loop() {
				ask(line)
			}
			send.Close()
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		})
	}
}

// byRuntime is the benchmark's tool as the generator writes it.
func byRuntime(url string) *Server {
	def := oneTool(`{"type":"object","properties":{
		"id":{"type":"integer","description":"Number of the thing."},
		"fields":{"type":"array","items":{"type":"string"}}},
		"required":["id"],"additionalProperties":false}`)
	def.Tools[0].Handle = func(ctx context.Context, call *Call) (*Result, error) {
		req := call.Request("GET", "/things/{id}")
		req.Path("id", call.Arg("id"))
		req.Query("fields", call.Arg("fields"), Form, NoExplode)
		return call.Do(ctx, req)
	}
	return NewServer(Config{BaseURL: url, Log: quiet()}, def)
}

// byHand is the same tool as one would write it for this one request.
func byHand(base string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "hand", Version: "1"}, nil)
	tool := &mcp.Tool{Name: "tool", InputSchema: json.RawMessage(`{"type":"object"}`)}
	server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var args struct {
			ID     json.Number `json:"id"`
			Fields []string    `json:"fields"`
		}
		if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
			return nil, err
		}
		address := base + "/things/" + url.PathEscape(args.ID.String()) + "?fields=" + url.QueryEscape(strings.Join(args.Fields, ","))
		request, err := http.NewRequestWithContext(ctx, "GET", address, nil)
		if err != nil {
			return nil, err
		}
		request.Header.Set("Accept", "application/json")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: string(body)}},
			StructuredContent: json.RawMessage(body),
		}, nil
	})
	return server
}
