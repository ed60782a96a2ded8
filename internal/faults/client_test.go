package faults

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// TestClient has the client fail in every way, for one and the same process.
func TestClient(t *testing.T) {
	upstream := prove.NewUpstream(t)
	upstream.Reply(good)
	client := prove.Start(t, environment(upstream), build(t))
	works := func(t *testing.T) {
		t.Helper()
		upstream.Reply(good)
		if next := client.Call("listDomains", `{}`); next.IsError {
			t.Errorf("the next call gave %s", next.Raw)
		}
	}
	works(t)
	before := descriptors(t, client.PID())

	t.Run("a line of 50 MB", func(t *testing.T) {
		answer := client.Begin("createInbox", `{"body":{"local":"`+strings.Repeat("a", 50<<20)+`","minutes":5}}`).Wait()
		if answer.Error == nil || !strings.Contains(answer.Error.Message, "bytes at most") {
			t.Errorf("it gave %.300s", answer.Raw)
		}
		works(t)
	})
	stages := []struct {
		name    string
		answer  prove.Answer
		arrives bool
	}{
		{"as soon as it was sent", good, false},
		{"while the upstream is silent", prove.Answer{Hang: true}, true},
		{"while the body comes in", prove.Answer{Stream: hangAfter(header + "Content-Length: 100000\r\n\r\n[")}, true},
	}
	for _, stage := range stages {
		t.Run("cancels "+stage.name, func(t *testing.T) {
			arrived := make(chan bool, 8)
			upstream.Handle(func(*prove.Request) prove.Answer { arrived <- true; return stage.answer })
			call := client.Begin("listDomains", `{}`)
			if stage.arrives {
				<-arrived
			}
			client.Notify("notifications/cancelled", `{"requestId":`+call.ID+`}`)
			works(t)
		})
	}
	t.Run("cancels what is done, and what never was", func(t *testing.T) {
		call := client.Begin("listDomains", `{}`)
		call.Result()
		client.Notify("notifications/cancelled", `{"requestId":`+call.ID+`}`)
		client.Notify("notifications/cancelled", `{"requestId":"never"}`)
		client.Notify("notifications/cancelled", `{}`)
		works(t)
	})
	eventually(t, "what was opened is closed", func() bool { return descriptors(t, client.PID()) <= before+1 })

	t.Run("closes its end in the middle of a call", func(t *testing.T) {
		arrived := make(chan *prove.Request, 8)
		upstream.Handle(func(r *prove.Request) prove.Answer { arrived <- r; return prove.Answer{Hang: true} })
		client.Begin("listDomains", `{}`)
		request := <-arrived
		if err := client.Close(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
		<-request.Gone
	})
}

// TestSessions opens sessions over HTTP and leaves them: without a word, with a
// stream that is cut, in the middle of a call.
func TestSessions(t *testing.T) {
	upstream := prove.NewUpstream(t)
	upstream.Reply(good)
	site := prove.StartHTTP(t, environment(upstream), build(t), "-session-idle", "500ms")
	site.Call("listDomains", `{}`)
	http.DefaultClient.CloseIdleConnections()
	before := descriptors(t, site.PID())

	const sessions = 500
	for i := range sessions {
		id := open(t, site.URL)
		if i%5 == 0 {
			leave(t, site.URL, http.MethodGet, "", id)
		}
		if i%50 == 0 {
			leave(t, site.URL, http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listDomains","arguments":{}}}`, id)
		}
	}
	full := memory(t, site.PID(), "VmRSS")
	http.DefaultClient.CloseIdleConnections()
	eventually(t, "what was opened is closed", func() bool { return descriptors(t, site.PID()) <= before+1 })
	if result := site.Call("listDomains", `{}`); result.IsError {
		t.Errorf("the next call gave %s", result.Raw)
	}
	if full > 200 {
		t.Errorf("%d sessions took %d MB", sessions, full)
	}
	if code := site.Stop(); code != 0 {
		t.Errorf("the server ended with code %d\n%s", code, site.Stderr())
	}
}

// open opens a session and returns its id.
func open(t *testing.T, url string) string {
	t.Helper()
	resp := send(t, url, http.MethodPost, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`, "")
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
	id := resp.Header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatalf("no session: %s", resp.Status)
	}
	return id
}

// leave sends a request of a session and goes before the answer is read.
func leave(t *testing.T, url, method, body, session string) {
	t.Helper()
	resp := send(t, url, method, body, session)
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatal(fmt.Sprint(method, " gave ", resp.Status))
	}
}

func send(t *testing.T, url, method, body, session string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if session != "" {
		r.Header.Set("Mcp-Session-Id", session)
		r.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return resp
}
