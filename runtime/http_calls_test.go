package runtime

import (
	"bufio"
	"context"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// waiting is a definition with a tool that waits to be told, or cancelled.
func waiting(started, ended chan<- string, release <-chan struct{}) Definition {
	def := oneTool(`{"type":"object","properties":{"id":{"type":"integer"}}}`)
	def.Tools[0].Handle = func(ctx context.Context, c *Call) (*Result, error) {
		id := string(c.Arg("id").Value)
		started <- id
		select {
		case <-ctx.Done():
			ended <- id + " cancelled"
		case <-release:
			ended <- id + " done"
		}
		return Text("waited"), nil
	}
	return def
}

// begin sends a request and leaves it open. The client goes when ctx ends.
func (s *site) begin(ctx context.Context, body string, headers ...string) <-chan string {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, "POST", s.url, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	setHeaders(r, headers)
	text := make(chan string, 1)
	go func() {
		defer close(text)
		resp, err := s.client.Do(r)
		if err != nil {
			return
		}
		defer resp.Body.Close()
		for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				text <- data
				return
			}
		}
	}()
	return text
}

func modernWait(id string) (body string, headers []string) {
	return modernBody("tools/call", `"name":"tool","arguments":{"id":`+id+`}`), modern("tools/call", "Mcp-Name: tool")
}

// A client of 2026-07-28 that goes cancels its call; one with a session says so.
func TestHTTPCancel(t *testing.T) {
	started, ended := make(chan string, 1), make(chan string, 1)
	s := listenHTTP(t, Config{}, waiting(started, ended, nil))
	ctx, leave := context.WithCancel(t.Context())
	body, headers := modernWait("1")
	s.begin(ctx, body, headers...)
	<-started
	leave()
	if got := <-ended; got != "1 cancelled" {
		t.Error(got)
	}
	session := s.open()
	s.begin(t.Context(), callLine(2, "tool", `{"id":2}`), session...)
	<-started
	if a := s.send("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`, session...); a.status != 202 {
		t.Errorf("%+v", a)
	}
	if got := <-ended; got != "2 cancelled" {
		t.Error(got)
	}
}

// The request to the API ends with the client that asked for it.
func TestHTTPDisconnectReachesUpstream(t *testing.T) {
	asked, gone := make(chan struct{}), make(chan struct{})
	base := upstream(t, func(_ http.ResponseWriter, r *http.Request) {
		close(asked)
		<-r.Context().Done()
		close(gone)
	})
	def := oneTool(`{"type":"object"}`)
	def.Upstreams = []Upstream{{URL: base}}
	def.Tools[0].Handle = func(ctx context.Context, c *Call) (*Result, error) {
		return c.Do(ctx, c.Request("GET", "/slow"))
	}
	s := listenHTTP(t, Config{}, def)
	ctx, leave := context.WithCancel(t.Context())
	body, headers := modernWait("1")
	s.begin(ctx, body, headers...)
	<-asked
	leave()
	<-gone
}

// Two sessions do not see each other's calls, ids included.
func TestHTTPSessions(t *testing.T) {
	started, ended, release := make(chan string, 2), make(chan string, 2), make(chan struct{})
	s := listenHTTP(t, Config{}, waiting(started, ended, release))
	one, two := s.open(), s.open()
	if one[0] == two[0] {
		t.Fatal("one session for two clients")
	}
	first := s.begin(t.Context(), callLine(1, "tool", `{"id":1}`), one...)
	second := s.begin(t.Context(), callLine(1, "tool", `{"id":2}`), two...)
	<-started
	<-started
	close(release)
	for _, answer := range []<-chan string{first, second} {
		if got := <-answer; !strings.Contains(got, "waited") {
			t.Error(got)
		}
	}
	s.send("DELETE", "", two...)
	if a := s.send("POST", `{"jsonrpc":"2.0","id":2,"method":"ping"}`, one...); a.status != 200 {
		t.Errorf("after the other's end: %+v", a)
	}
}

// Sessions that nobody ends cost nothing for long.
func TestHTTPDroppedSessions(t *testing.T) {
	s := listenHTTP(t, Config{}, sample(), "-session-idle=300ms")
	s.open() // what is made once is there
	http.DefaultClient.CloseIdleConnections()
	before := runtime.NumGoroutine()
	var clients sync.WaitGroup
	for range 10 {
		clients.Go(func() {
			for range 50 {
				s.open()
			}
		})
	}
	clients.Wait()
	http.DefaultClient.CloseIdleConnections()
	eventually(t, "all sessions end", func() bool {
		for range s.server.protocol.Sessions() {
			return false
		}
		return true
	})
	eventually(t, "no goroutine is left", func() bool { return runtime.NumGoroutine() <= before })
}

// What clients keep open does not hold up the end.
func TestHTTPDrain(t *testing.T) {
	started, ended, release := make(chan string, 3), make(chan string, 3), make(chan struct{})
	s := listenHTTP(t, Config{}, waiting(started, ended, release))
	session := s.open()
	r, _ := http.NewRequestWithContext(t.Context(), "GET", s.url, nil)
	setHeaders(r, session)
	stream, err := http.DefaultClient.Do(r)
	if err != nil || stream.StatusCode != 200 {
		t.Fatal(stream, err)
	}
	defer stream.Body.Close()
	body, headers := modernWait("1")
	modernAnswer := s.begin(t.Context(), body, headers...)
	<-started
	answer := s.begin(t.Context(), callLine(5, "tool", `{"id":2}`), session...)
	<-started
	s.stop()
	eventually(t, "no new connections", func() bool {
		conn, err := http.Get(strings.TrimSuffix(s.url, "/mcp") + "/healthz")
		if err == nil {
			conn.Body.Close()
		}
		return err != nil
	})
	close(release)
	if got := <-modernAnswer; !strings.Contains(got, "waited") {
		t.Error(got)
	}
	if got := <-answer; !strings.Contains(got, "waited") {
		t.Error(got)
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}

// Calls that outlast the grace time are cancelled, in both eras.
func TestHTTPGraceEnds(t *testing.T) {
	started, ended := make(chan string, 2), make(chan string, 2)
	s := listenHTTP(t, Config{}, waiting(started, ended, nil), "-grace=50ms")
	session := s.open()
	body, headers := modernWait("1")
	s.begin(t.Context(), body, headers...)
	<-started
	s.begin(t.Context(), callLine(5, "tool", `{"id":1}`), session...)
	<-started
	s.stop()
	for range 2 {
		if got := <-ended; got != "1 cancelled" {
			t.Error(got)
		}
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}

func TestHTTPProgress(t *testing.T) {
	s := listenHTTP(t, Config{Timeout: time.Minute}, sample())
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	body := modernBody("tools/call", `"name":"waits","arguments":{}`)
	body = strings.Replace(body, `"_meta":{`, `"_meta":{"progressToken":"p",`, 1)
	got := <-s.begin(ctx, body, modern("tools/call", "Mcp-Name: waits")...)
	if !strings.Contains(got, `"progressToken":"p"`) || !strings.Contains(got, "half") {
		t.Error(got)
	}
}
