package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// Directions of a traced message: who sent it.
const (
	fromClient = "client"
	fromServer = "server"
)

// trace records the messages of the protocol, one JSON object a line:
//
//	{"time":"2026-11-30T12:00:00.123456Z","from":"client","session":"…","message":{…}}
//
// session is that of HTTP, absent where there is none. What came in and is no
// JSON stands as a string, text, in place of message. A nil trace records
// nothing.
type trace struct {
	mu       sync.Mutex
	out      io.Writer
	redactor *Redactor
	log      *slog.Logger
	broken   bool // a line could not be written
}

// openTrace opens the file for -trace. Messages hold what users and APIs said to
// each other, so it is for its owner alone.
func openTrace(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("-trace: %w", err)
	}
	info, err := f.Stat()
	if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		err = f.Chmod(0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("-trace: %w", errors.Join(err, f.Close()))
	}
	return f, nil
}

// record writes the message that the parts make.
func (t *trace) record(from, session string, parts ...[]byte) {
	if t == nil {
		return
	}
	line := struct {
		Time    time.Time       `json:"time"`
		From    string          `json:"from"`
		Session string          `json:"session,omitempty"`
		Message json.RawMessage `json:"message,omitempty"`
		Text    string          `json:"text,omitempty"`
	}{Time: time.Now().UTC(), From: from, Session: session}
	text := t.redactor.Redact(string(bytes.TrimSpace(bytes.Join(parts, nil))))
	if json.Valid([]byte(text)) {
		line.Message = json.RawMessage(text)
	} else {
		line.Text = text
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.broken {
		return
	}
	encoder := json.NewEncoder(t.out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(line); err != nil {
		t.broken = true
		t.log.Warn("the trace cannot be written and ends here", "error", err)
	}
}

// handler records what a handler of HTTP is asked and answers.
func (t *trace) handler(next http.Handler) http.Handler {
	if t == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		session := r.Header.Get(sessionHeader)
		if r.Method == http.MethodPost {
			body, err := io.ReadAll(r.Body) // it is in memory
			if err == nil && len(body) > 0 {
				t.record(fromClient, session, body)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		traced := &tracedResponse{ResponseWriter: w, trace: t, session: session}
		defer traced.end()
		next.ServeHTTP(traced, r)
	})
}

// tracedResponse records the messages in a response: its body, or the events of
// a stream.
type tracedResponse struct {
	http.ResponseWriter
	trace   *trace
	session string
	pending []byte // written, but no whole message yet
}

// Unwrap is for [http.ResponseController].
func (w *tracedResponse) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// Write implements [http.ResponseWriter]. What is sent is recorded before: its
// consequences come after it.
func (w *tracedResponse) Write(p []byte) (int, error) {
	w.pending = append(w.pending, p...)
	for w.isStream() {
		event, rest, whole := bytes.Cut(w.pending, []byte("\n\n"))
		if !whole {
			break
		}
		w.event(event)
		w.pending = rest
	}
	return w.ResponseWriter.Write(p)
}

func (w *tracedResponse) isStream() bool {
	return strings.HasPrefix(w.Header().Get("Content-Type"), "text/event-stream")
}

// event records the data of one event (WHATWG HTML, server-sent events).
func (w *tracedResponse) event(event []byte) {
	var data [][]byte
	for line := range bytes.Lines(event) {
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(data, value)
		}
	}
	w.record(data...)
}

// end records what is left when the response is complete.
func (w *tracedResponse) end() {
	if w.isStream() {
		w.event(w.pending)
	} else {
		w.record(w.pending)
	}
}

func (w *tracedResponse) record(parts ...[]byte) {
	if len(bytes.TrimSpace(bytes.Join(parts, nil))) > 0 {
		w.trace.record(fromServer, cmp.Or(w.session, w.Header().Get(sessionHeader)), parts...)
	}
}
