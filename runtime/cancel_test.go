package runtime

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// stage is where a call is when its client loses interest. reached is closed
// there, and gone when the upstream sees its connection end; where nothing is in
// flight, gone is nil.
type stage struct {
	name    string
	auth    bool
	pauses  bool
	handler func(reached, gone func()) http.HandlerFunc
}

var stages = []stage{
	{name: "waiting for a token", auth: true, handler: func(reached, gone func()) http.HandlerFunc {
		return func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.ReadAll(r.Body) // else the server does not see the end
			reached()
			<-r.Context().Done()
			gone()
		}
	}},
	{name: "before headers", handler: func(reached, gone func()) http.HandlerFunc {
		return func(_ http.ResponseWriter, r *http.Request) {
			reached()
			<-r.Context().Done()
			gone()
		}
	}},
	{name: "mid-body", handler: func(reached, gone func()) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, strings.Repeat("x", 10_000))
			w.(http.Flusher).Flush()
			reached()
			<-r.Context().Done()
			gone()
		}
	}},
	{name: "before another attempt", pauses: true, handler: func(_, gone func()) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "9")
			w.WriteHeader(http.StatusServiceUnavailable)
			gone()
		}
	}},
}

// lost is one call at a stage.
type lost struct {
	config   Config
	def      Definition
	reached  chan struct{}
	gone     chan struct{}
	returned chan struct{}
	requests func() int
}

func (st stage) call(t *testing.T) *lost {
	l := &lost{reached: make(chan struct{}), gone: make(chan struct{}), returned: make(chan struct{})}
	var mu sync.Mutex
	n := 0
	handler := st.handler(sync.OnceFunc(func() { close(l.reached) }), sync.OnceFunc(func() { close(l.gone) }))
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		n++
		mu.Unlock()
		handler(w, r)
	})
	l.requests = func() int { mu.Lock(); defer mu.Unlock(); return n }
	l.config = Config{BaseURL: base, Log: quiet()}
	if st.pauses {
		l.config.Log = slog.New(&signalHandler{Handler: slog.DiscardHandler, message: "trying again", signal: l.reached})
	}
	l.def = oneTool(`{"type":"object"}`)
	if st.auth {
		l.def.Auth = []Auth{{Name: "o", Kind: ClientCredentials, TokenURL: base + "/token"}}
		l.config.Credentials = map[string]Credential{"o": {ClientID: "id", ClientSecret: "secret-secret"}}
	}
	l.def.Tools[0].Handle = func(ctx context.Context, c *Call) (*Result, error) {
		defer close(l.returned)
		req := c.Request("GET", "/slow")
		if st.auth {
			req.Auth("o")
		}
		return c.Do(ctx, req)
	}
	return l
}

// signalHandler closes a channel at a message of the log.
type signalHandler struct {
	slog.Handler
	message string
	signal  chan struct{}
}

func (h *signalHandler) Enabled(context.Context, slog.Level) bool { return true }

func (h *signalHandler) Handle(_ context.Context, r slog.Record) error {
	if r.Message == h.message {
		close(h.signal)
	}
	return nil
}

func (h *signalHandler) WithAttrs([]slog.Attr) slog.Handler { return h }

// A call whose client cancels it or goes away ends at once, wherever it is, and
// so does its request to the API.
func TestLostInterest(t *testing.T) {
	ways := map[string]func(*testing.T, *lost){
		"cancelled on stdio": func(t *testing.T, l *lost) {
			s := serve(t, l.config, l.def, time.Minute)
			s.initialize("2025-11-25")
			s.send(callLine(1, "tool", `{}`))
			<-l.reached
			s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
			<-l.returned
			if got := s.ask(`{"jsonrpc":"2.0","id":2,"method":"ping"}`); got != `{"jsonrpc":"2.0","id":2,"result":{}}` {
				t.Errorf("the next message is %s", got)
			}
		},
		"end of input": func(t *testing.T, l *lost) {
			s := serve(t, l.config, l.def, time.Minute)
			s.initialize("2025-11-25")
			s.send(callLine(1, "tool", `{}`))
			<-l.reached
			s.stdin.Close()
			<-l.returned
			<-s.ended
		},
		"disconnected from HTTP": func(t *testing.T, l *lost) {
			s := listenHTTP(t, l.config, l.def)
			ctx, leave := context.WithCancel(t.Context())
			s.begin(ctx, modernBody("tools/call", `"name":"tool","arguments":{}`), modern("tools/call", "Mcp-Name: tool")...)
			<-l.reached
			leave()
		},
		"cancelled in a session": func(t *testing.T, l *lost) {
			s := listenHTTP(t, l.config, l.def)
			session := s.open()
			s.begin(t.Context(), callLine(2, "tool", `{}`), session...)
			<-l.reached
			s.send("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`, session...)
		},
	}
	for _, st := range stages {
		for name, lose := range ways {
			t.Run(st.name+", "+name, func(t *testing.T) {
				t.Parallel()
				l := st.call(t)
				lose(t, l)
				<-l.gone
				<-l.returned
				if n := l.requests(); n != 1 {
					t.Errorf("%d requests", n)
				}
			})
		}
	}
}

// A call that is cancelled while people are asked is not made, and the question
// is taken back.
func TestLostQuestion(t *testing.T) {
	s := serve(t, Config{Confirm: ConfirmAll}, zoo(), 0)
	s.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"test","version":"0"}}}`)
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	var question struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(s.ask(callLine(1, "getPet", `{"id":1}`))), &question); err != nil {
		t.Fatal(err)
	}
	s.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if got := s.read(); !strings.Contains(got, `"method":"notifications/cancelled"`) || !strings.Contains(got, `"requestId":`+string(question.ID)) {
		t.Error(got)
	}
	if got := s.ask(`{"jsonrpc":"2.0","id":2,"method":"ping"}`); got != `{"jsonrpc":"2.0","id":2,"result":{}}` {
		t.Error(got)
	}
}
