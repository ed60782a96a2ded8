package runtime

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// site is a server over HTTP in this process.
type site struct {
	t      *testing.T
	url    string
	client *http.Client
	server *httpServer
	stop   context.CancelFunc
	ended  chan error
}

// listenHTTP starts a server with flags. It ends with the test.
func listenHTTP(t *testing.T, config Config, def Definition, args ...string) *site {
	t.Helper()
	o := newOptions(&def)
	if err := o.parse(append([]string{"-transport=http", "-addr=127.0.0.1:0", "-grace=10s"}, args...)); err != nil {
		t.Fatal(err)
	}
	if config.Log == nil {
		config.Log = quiet()
	}
	config.PassHeaders, config.PassToken = o.PassHeaders, o.PassToken
	h, err := NewServer(config, def).listen(&o.http)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &site{t: t, url: h.url(), client: http.DefaultClient, server: h, stop: stop, ended: make(chan error, 1)}
	go func() { s.ended <- h.serve(ctx); close(s.ended) }()
	t.Cleanup(func() { stop(); <-s.ended })
	return s
}

// reply is what came back over HTTP.
type reply struct {
	status int
	proto  string
	header http.Header
	body   string // of an event stream: the data of its last event
}

// send sends a request; headers are "Name: value", and "-Name" takes one away.
func (s *site) send(method, body string, headers ...string) reply {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.url, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	return s.do(r, headers...)
}

func (s *site) do(r *http.Request, headers ...string) reply {
	s.t.Helper()
	setHeaders(r, headers)
	resp, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	a := reply{status: resp.StatusCode, proto: resp.Proto, header: resp.Header, body: string(data)}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		a.body = ""
		for line := range strings.Lines(string(data)) {
			if text, ok := strings.CutPrefix(line, "data: "); ok {
				a.body = strings.TrimSpace(text)
			}
		}
	}
	return a
}

func setHeaders(r *http.Request, headers []string) {
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		switch {
		case strings.HasPrefix(name, "-"):
			r.Header.Del(name[1:])
		case name == "Host":
			r.Host = value
		default:
			r.Header.Set(name, value)
		}
	}
}

// modern are the headers of a request of 2026-07-28.
func modern(method string, more ...string) []string {
	return append([]string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}, more...)
}

func modernBody(method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, method, params, meta)
}

// modernCall sends a tools/call of 2026-07-28.
func (s *site) modernCall(tool, arguments string, more ...string) reply {
	s.t.Helper()
	return s.send("POST", modernBody("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s`, tool, arguments)),
		modern("tools/call", append([]string{"Mcp-Name: " + tool}, more...)...)...)
}

const initializeLine = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`

// open starts a session and returns its headers.
func (s *site) open(headers ...string) []string {
	s.t.Helper()
	return s.openWith(`{}`, headers...)
}

// openWith opens a session of a client with capabilities.
func (s *site) openWith(capabilities string, headers ...string) []string {
	s.t.Helper()
	a := s.send("POST", strings.Replace(initializeLine, `"capabilities":{}`, `"capabilities":`+capabilities, 1), headers...)
	id := a.header.Get("Mcp-Session-Id")
	if a.status != http.StatusOK || id == "" {
		s.t.Fatalf("initialize: %+v", a)
	}
	session := append([]string{"Mcp-Session-Id: " + id, "Mcp-Protocol-Version: 2025-11-25"}, headers...)
	if a := s.send("POST", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...); a.status != http.StatusAccepted {
		s.t.Fatalf("initialized: %+v", a)
	}
	return session
}

// Both eras on one endpoint, by the SDK's client and as raw requests.
func TestHTTPEras(t *testing.T) {
	s := listenHTTP(t, Config{}, sample())
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", ""} {
		t.Run("client "+version, func(t *testing.T) {
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.url}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			list, err := session.ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != len(sampleTools) || list.CacheScope != "public" || list.TTLMs != listTTL {
				t.Fatalf("%+v, %v", list, err)
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"id": 7}})
			if err != nil || result.IsError || textIn(result) != `{"id":7}` {
				t.Errorf("%+v, %v", result, err)
			}
			if got := session.ID() != ""; got != (version != "" && version < firstModern) {
				t.Errorf("session %q", session.ID())
			}
		})
	}
}

func TestHTTPRequests(t *testing.T) {
	s := listenHTTP(t, Config{}, sample(), "-max-request=4000")
	session := s.open()
	list := `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
	batch := []string{session[0], "Mcp-Protocol-Version: 2025-03-26"}
	for _, tc := range []struct {
		name, method, body string
		headers            []string
		status             int
		want               string
	}{
		{"discover", "POST", modernBody("server/discover", ""), modern("server/discover"), 200, `"2026-07-28"`},
		{"modern list", "POST", modernBody("tools/list", ""), modern("tools/list"), 200, `"ttlMs":3600000`},
		{"modern list with a session id", "POST", modernBody("tools/list", ""), modern("tools/list", session[0]), 200, `"resultType":"complete"`},
		{"modern body, old header", "POST", modernBody("tools/list", ""), []string{"Mcp-Protocol-Version: 2025-11-25"}, 400, "-32020"},
		{"modern body, no header", "POST", modernBody("tools/list", ""), nil, 400, "-32020"},
		{"modern header, old body", "POST", list, modern("tools/list"), 400, "-32602"},
		{"future version", "POST", strings.ReplaceAll(modernBody("tools/list", ""), "2026-07-28", "2099-01-01"), []string{"Mcp-Protocol-Version: 2099-01-01", "Mcp-Method: tools/list"}, 400, "-32022"},
		{"encoded name", "POST", modernBody("tools/call", `"name":"echo","arguments":{"id":1}`), modern("tools/call", "Mcp-Name: =?base64?ZWNobw==?="), 200, `{"id":1}`},
		{"another encoded name", "POST", modernBody("tools/call", `"name":"echo","arguments":{"id":1}`), modern("tools/call", "Mcp-Name: =?base64?YXJyYXk=?="), 400, "-32020"},
		{"badly encoded name", "POST", modernBody("tools/call", `"name":"echo","arguments":{"id":1}`), modern("tools/call", "Mcp-Name: =?base64?!?="), 400, "-32020"},
		{"removed method", "POST", modernBody("ping", ""), modern("ping"), 404, "-32601"},
		{"unknown method", "POST", modernBody("no/such", ""), modern("no/such"), 404, "-32601"},
		{"modern GET", "GET", "", []string{"Mcp-Protocol-Version: 2026-07-28"}, 405, ""},
		{"modern DELETE", "DELETE", "", []string{"Mcp-Protocol-Version: 2026-07-28", session[0]}, 405, ""},
		{"session", "POST", list, session, 200, `"name":"echo"`},
		{"batch of 2025-03-26", "POST", "[" + list + "]", batch, 200, `"name":"echo"`},
		{"no session", "POST", list, nil, 400, "initialize"},
		{"no such session", "POST", list, []string{"Mcp-Session-Id: nope"}, 404, "session"},
		{"GET without a session", "GET", "", nil, 400, ""},
		{"DELETE without a session", "DELETE", "", nil, 400, ""},
		{"PUT", "PUT", list, session, 405, ""},
		{"wrong content type", "POST", list, append(session, "Content-Type: text/plain"), 415, ""},
		{"wrong accept", "POST", list, append(session, "Accept: application/json"), 400, "Accept"},
		{"no JSON", "POST", "not json", session, 400, "-32700"},
		{"no UTF-8", "POST", "\"\xff\"", session, 400, "-32700"},
		{"no object", "POST", `"x"`, session, 400, "-32600"},
		{"nothing", "POST", "", session, 400, "-32700"},
		{"empty batch", "POST", "[]", session, 400, "-32600"},
		{"id that cannot be kept", "POST", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, session, 400, "2^53"},
		{"too large", "POST", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", 4000) + `"}}`, session, 413, "4000"},
		{"end of the session", "DELETE", "", session, 204, ""},
		{"after its end", "POST", list, session, 404, ""},
	} {
		if a := s.send(tc.method, tc.body, tc.headers...); a.status != tc.status || !strings.Contains(a.body, tc.want) {
			t.Errorf("%s: %d %s, want %d and %s", tc.name, a.status, a.body, tc.status, tc.want)
		}
	}
}

// Without sessions clients of every revision are served all the same.
func TestHTTPStateless(t *testing.T) {
	s := listenHTTP(t, Config{}, sample(), "-stateless")
	a := s.send("POST", initializeLine)
	if a.status != 200 || a.header.Get("Mcp-Session-Id") != "" || !strings.Contains(a.body, `"2025-11-25"`) {
		t.Errorf("initialize: %+v", a)
	}
	if a := s.send("POST", callLine(1, "echo", `{"id":1}`), "Mcp-Protocol-Version: 2025-11-25"); !strings.Contains(a.body, `"structuredContent":{"id":1}`) {
		t.Errorf("call: %+v", a)
	}
	if a := s.modernCall("echo", `{"id":2}`); !strings.Contains(a.body, `"structuredContent":{"id":2}`) {
		t.Errorf("modern call: %+v", a)
	}
	if a := s.send("GET", ""); a.status != 405 {
		t.Errorf("GET: %+v", a)
	}
}

// Numbers stay exact over HTTP too.
func TestHTTPNumbers(t *testing.T) {
	s := listenHTTP(t, Config{}, sample())
	if a := s.modernCall("echo", `{"id":9007199254740993}`); !strings.Contains(a.body, `{"id":9007199254740993}`) {
		t.Error(a.body)
	}
}

func TestHTTPProbes(t *testing.T) {
	s := listenHTTP(t, Config{}, sample(), "-path=/tools/mcp")
	for path, status := range map[string]int{"/healthz": 200, "/readyz": 200, "/": 404, "/mcp": 404, "/tools/mcp/": 404} {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", strings.TrimSuffix(s.url, "/tools/mcp")+path, nil)
		if a := s.do(r, "Host: 10.1.2.3"); a.status != status {
			t.Errorf("%s: %+v", path, a)
		}
	}
	s.server.draining.Store(true)
	r, _ := http.NewRequestWithContext(t.Context(), "GET", strings.TrimSuffix(s.url, "/tools/mcp")+"/readyz", nil)
	if a := s.do(r); a.status != 503 {
		t.Errorf("draining: %+v", a)
	}
}

// eventually waits for something that another goroutine does.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}
