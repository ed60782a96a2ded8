package runtime

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkHTTP calls a tool over HTTP without sessions, 64 clients at a time,
// beside a server that is written by hand on the SDK.
func BenchmarkHTTP(b *testing.B) {
	def := sample()
	o := newOptions(&def)
	if err := o.parse([]string{"-transport=http", "-addr=127.0.0.1:0", "-stateless"}); err != nil {
		b.Fatal(err)
	}
	ours, err := NewServer(Config{Log: quiet()}, def).listen(&o.http)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- ours.serve(ctx) }()
	defer func() { stop(); <-ended }()

	server := mcp.NewServer(&mcp.Implementation{Name: "hand", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "echo", InputSchema: json.RawMessage(sampleTools["echo"].schema)}, func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(r.Params.Arguments)}}, StructuredContent: r.Params.Arguments}, nil
	})
	hand := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	defer hand.Close()

	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	body := modernBody("tools/call", `"name":"echo","arguments":{"id":1}`)
	for _, server := range []struct{ name, url string }{{"ours", ours.url()}, {"by hand", hand.URL}} {
		b.Run(server.name, func(b *testing.B) {
			b.SetParallelism(32)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r, _ := http.NewRequest("POST", server.url, strings.NewReader(body))
					setHeaders(r, modern("tools/call", "Mcp-Name: echo"))
					resp, err := client.Do(r)
					if err != nil {
						b.Error(err)
						return
					}
					text, _ := io.ReadAll(resp.Body)
					resp.Body.Close()
					if !strings.Contains(string(text), `"structuredContent":{"id":1}`) {
						b.Errorf("%s: %s", resp.Status, text)
						return
					}
				}
			})
		})
	}
}
