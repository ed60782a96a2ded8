package runtime

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
