package runtime

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// testCall returns a call of a tool whose upstream is base. It may not live
// longer than the test says, so that nothing hangs.
func testCall(t testing.TB, base string, config Config, def Definition) *Call {
	t.Helper()
	if config.Log == nil {
		config.Log = quiet()
	}
	if config.Timeout == 0 {
		config.Timeout = 20 * time.Second
	}
	if def.Name == "" {
		def.Name, def.Version = "petstore", "1.0 beta"
	}
	if base != "" {
		def.Upstreams = []Upstream{{URL: base}}
	}
	return &Call{
		server:   NewServer(config, def),
		tool:     &tool{Tool: Tool{Name: "getPet"}, check: func() *schema { return &schema{} }},
		progress: func(context.Context, float64, float64, string) {},
	}
}

// upstream runs a handler and returns its address.
func upstream(t testing.TB, handler http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL
}

// do sends a request and returns what the client would see of the result.
func do(t testing.TB, c *Call, method, path string, lines ...func(*Request)) *mcp.CallToolResult {
	t.Helper()
	return doContext(t, context.Background(), c, method, path, lines...)
}

func doContext(t testing.TB, ctx context.Context, c *Call, method, path string, lines ...func(*Request)) *mcp.CallToolResult {
	t.Helper()
	r := c.Request(method, path)
	for _, line := range lines {
		line(r)
	}
	result, err := c.Do(ctx, r)
	if err != nil || result == nil {
		t.Fatalf("Do returned %v, %v", result, err)
	}
	return c.server.encode(c, result)
}

// textIn is all text of a result.
func textIn(r *mcp.CallToolResult) string {
	var texts []string
	for _, content := range r.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}

func wantText(t testing.TB, r *mcp.CallToolResult, isError bool, parts ...string) {
	t.Helper()
	text := textIn(r)
	if r.IsError != isError {
		t.Errorf("isError is %v: %s", r.IsError, text)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in: %s", part, text)
		}
	}
}

// recorder is an upstream on a bare socket: it keeps the bytes of each request
// and answers them with the same bytes.
type recorder struct {
	address  string
	requests chan string
}

func record(t testing.TB, answer string) *recorder {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	r := &recorder{l.Addr().String(), make(chan string, 16)}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go r.serve(conn, answer)
		}
	}()
	return r
}

func (r *recorder) serve(conn net.Conn, answer string) {
	defer conn.Close()
	var raw strings.Builder
	in := bufio.NewReader(io.TeeReader(conn, &raw))
	req, err := http.ReadRequest(in)
	if err != nil {
		r.requests <- "not a request: " + raw.String()
		return
	}
	_, _ = io.Copy(io.Discard, req.Body)
	r.requests <- raw.String()
	_, _ = io.WriteString(conn, answer)
}

const emptyOK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

// TestOnTheWire compares whole requests, byte for byte.
func TestOnTheWire(t *testing.T) {
	r := record(t, emptyOK)
	get := "GET /v1/files/a%2Fb%20c%3Fd%23e%252F~%C3%A9/info?tag=r,g%2Ch&x=%7C HTTP/1.1\r\nHost: " + r.address +
		"\r\nUser-Agent: petstore/1.0-beta\r\nAccept: application/json, image/png\r\nCookie: sid=c%201\r\nX-Trace: 1\r\nAccept-Encoding: gzip\r\n\r\n"
	c := testCall(t, "http://"+r.address+"/v1/", Config{}, Definition{})
	do(t, c, "GET", "/files/{key}/info", func(r *Request) {
		r.Path("key", value(`"a/b c?d#e%2F~é"`))
		r.Query("tag", value(`["r","g,h"]`), NoExplode)
		r.Query("x", value(`"|"`))
		r.Header("X-Trace", value(`1`))
		r.Cookie("sid", value(`"c 1"`))
		r.Accept("application/json", "image/png")
	})
	if got := <-r.requests; got != get {
		t.Errorf("got\n%q\nwant\n%q", got, get)
	}

	purge := "DELETE /v1/logs HTTP/1.1\r\nHost: " + r.address +
		"\r\nUser-Agent: petstore/1.0-beta\r\nContent-Length: 17\r\nAccept: application/json\r\nContent-Type: application/json\r\nAccept-Encoding: gzip\r\n\r\n{\"before\":\"2026\"}"
	do(t, c, "DELETE", "/logs", func(r *Request) { r.JSON(value(`{"before":"2026"}`)) })
	if got := <-r.requests; got != purge {
		t.Errorf("got\n%q\nwant\n%q", got, purge)
	}
}

func TestMethods(t *testing.T) {
	type seen struct {
		method, body, contentType string
		length                    int64
	}
	requests := make(chan seen, 1)
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests <- seen{r.Method, string(body), r.Header.Get("Content-Type"), r.ContentLength}
	})
	c := testCall(t, base, Config{}, Definition{})
	body := func(json string) func(*Request) { return func(r *Request) { r.JSON(value(json)) } }
	for _, tc := range []struct {
		method string
		lines  []func(*Request)
		want   seen
	}{
		{"GET", nil, seen{"GET", "", "", 0}},
		{"GET", []func(*Request){body(`{"q":1}`)}, seen{"GET", `{"q":1}`, "application/json", 7}},
		{"POST", nil, seen{"POST", "", "", 0}},
		{"POST", []func(*Request){body(`{}`)}, seen{"POST", `{}`, "application/json", 2}},
		{"PUT", []func(*Request){func(r *Request) { r.Text(value(`""`)) }}, seen{"PUT", "", "text/plain", 0}},
		{"QUERY", []func(*Request){body(`[1]`)}, seen{"QUERY", `[1]`, "application/json", 3}},
		{"PATCH", []func(*Request){body(`{"a":null}`)}, seen{"PATCH", `{"a":null}`, "application/json", 10}},
	} {
		wantText(t, do(t, c, tc.method, "/x", tc.lines...), false, "200 OK")
		if got := <-requests; got != tc.want {
			t.Errorf("%s: got %+v, want %+v", tc.method, got, tc.want)
		}
	}
}

// TestIntegerParameters: an integer goes out without a fraction, however the model
// wrote it; a number, a content parameter and a body go out as written.
func TestIntegerParameters(t *testing.T) {
	var got string
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r.URL.RequestURI() + " " + r.Header.Get("X-N") + " " + string(body)
	})
	doc, err := decode([]byte(`{"properties":{"id":{"type":["integer","string"]},"n":{"type":"integer"},"price":{"type":"number"},
		"list":{"type":"array","items":{"type":"integer"}},"filter":{"properties":{"a":{"$ref":"#/$defs/int"}}},
		"json":{"properties":{"a":{"type":"integer"}}},"body":{"type":"integer"}},"$defs":{"int":{"type":"integer"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	c := testCall(t, base, Config{}, Definition{})
	c.tool.check = func() *schema { return &schema{doc: doc} }
	arg := func(name, json string) Arg { return Arg{Name: name, Value: []byte(json)} }
	wantText(t, do(t, c, "POST", "/x/{id}", func(r *Request) {
		r.Path("id", arg("id", `9007199254740993.0`))
		r.Query("price", arg("price", `5.0`))
		r.Query("list", arg("list", `[1.0, 2e3,3]`), NoExplode)
		r.Query("filter", arg("filter", `{"a":-7.00}`), DeepObject)
		r.Query("json", arg("json", `{"a":1.0}`), Content("application/json"))
		r.Header("X-N", arg("n", `1E2`))
		r.JSON(arg("body", `5.0`))
	}), false, "200 OK")
	if want := "/x/9007199254740993?price=5.0&list=1,2000,3&filter%5Ba%5D=-7&json=%7B%22a%22%3A1.0%7D 100 5.0"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestNotSent(t *testing.T) {
	base := upstream(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	for _, tc := range []struct {
		name, base string
		line       func(*Request)
		want       string
	}{
		{"path", base, func(r *Request) { r.Path("id", value(`".."`)) }, `GET /pets/{id} was not sent: argument "color": ".." is not allowed in a path.`},
		{"variable", base, func(r *Request) {}, "has no argument for {id}"},
		{"header", base, func(r *Request) { r.Path("id", value(`1`)); r.Header("X", value(`"a\nb"`)) }, "line breaks"},
		{"body", base, func(r *Request) { r.Path("id", value(`1`)); r.Bytes(value(`"@"`)) }, "not valid base64"},
		{"no upstream", "", func(r *Request) { r.Path("id", value(`1`)) }, "set BASE_URL"},
		{"relative upstream", "/api/v3/", func(r *Request) { r.Path("id", value(`1`)) }, "relative server /api/v3/"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := testCall(t, tc.base, Config{}, Definition{})
			wantText(t, do(t, c, "GET", "/pets/{id}", tc.line), true, "was not sent", tc.want)
		})
	}
}

func TestParallelCalls(t *testing.T) {
	const calls = 16
	arrived, release := make(chan struct{}, calls), make(chan struct{})
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-release
	})
	first := testCall(t, base, Config{}, Definition{})
	done := make(chan bool, calls)
	for range calls {
		c := *first
		go func() { done <- do(t, &c, "GET", "/x").IsError }()
	}
	for range calls {
		<-arrived // all are in flight before one is answered
	}
	close(release)
	for range calls {
		if <-done {
			t.Error("a call failed")
		}
	}
}

func BenchmarkDo(b *testing.B) {
	base := upstream(b, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"id":9007199254740993,"name":"Rex","tags":["a","b"]}`)
	})
	b.Run("runtime", func(b *testing.B) {
		c := testCall(b, base, Config{}, Definition{})
		b.ReportAllocs()
		for b.Loop() {
			r := c.Request("POST", "/pets/{id}")
			r.Path("id", value(`9007199254740993`))
			r.Query("fields", value(`["name","tags"]`), NoExplode)
			r.JSON(value(`{"name":"Rex"}`))
			if result, _ := c.Do(context.Background(), r); result.IsError {
				b.Fatal(result)
			}
			c.notes = nil
		}
	})
	b.Run("by hand", func(b *testing.B) {
		client := &http.Client{}
		b.ReportAllocs()
		for b.Loop() {
			req, err := http.NewRequestWithContext(context.Background(), "POST", base+"/pets/9007199254740993?fields=name,tags", strings.NewReader(`{"name":"Rex"}`))
			if err != nil {
				b.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json")
			resp, err := client.Do(req)
			if err != nil {
				b.Fatal(err)
			}
			data, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || !json.Valid(data) {
				b.Fatal(err)
			}
		}
	})
}
