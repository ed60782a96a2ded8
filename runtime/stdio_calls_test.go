package runtime

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// serving is a server on pipes, with what its process would end by.
type serving struct {
	*child
	stop  context.CancelFunc // as a signal does
	ended chan error
}

// serve runs a definition as the command line would.
func serve(t *testing.T, config Config, def Definition, grace time.Duration) *serving {
	t.Helper()
	requests, send := io.Pipe()
	receive, answers := io.Pipe()
	ctx, stop := context.WithCancel(context.Background())
	if config.Log == nil {
		config.Log = quiet()
	}
	s := &serving{&child{t: t, stdin: send, stdout: bufio.NewReader(receive), stderr: new(bytes.Buffer)}, stop, make(chan error, 1)}
	t.Cleanup(func() {
		stop()
		send.Close()
		receive.Close()
	})
	go func() { s.ended <- NewServer(config, def).serveLines(ctx, requests, answers, grace) }()
	return s
}

// Two calls of one id cannot both be answered: the second is refused, and the
// first is not taken for it.
func TestRepeatedIDs(t *testing.T) {
	started, ended, release := make(chan string, 1), make(chan string, 1), make(chan struct{})
	s := serve(t, Config{}, waiting(started, ended, release), time.Minute)
	s.initialize("2025-11-25")
	s.send(callLine(7, "tool", `{"id":1}`))
	<-started
	if got := s.ask(callLine(7, "tool", `{"id":2}`)); got != `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"id 7 is that of a call without an answer yet"}}` {
		t.Error(got)
	}
	close(release)
	if got := s.read(); !strings.Contains(got, `"id":7,"result"`) || <-ended != "1 done" {
		t.Error(got)
	}
	if got := s.ask(callLine(7, "tool", `{"id":3}`)); !strings.Contains(got, `"id":7,"result"`) { // it is free again
		t.Error(got)
	}
}

// Calls in flight finish when the server is told to end, and no more is read.
func TestDrain(t *testing.T) {
	started, ended, release := make(chan string, 1), make(chan string, 1), make(chan struct{})
	s := serve(t, Config{}, waiting(started, ended, release), time.Minute)
	s.initialize("2025-11-25")
	s.send(callLine(1, "tool", `{"id":1}`))
	<-started
	s.stop()
	close(release)
	if got := s.read(); !strings.Contains(got, "waited") || <-ended != "1 done" {
		t.Error(got)
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}

// Calls that outlast the grace time are cancelled, and one that heeds nothing is
// left behind.
func TestGraceEnds(t *testing.T) {
	started, ended := make(chan string, 1), make(chan string, 1)
	s := serve(t, Config{}, waiting(started, ended, nil), time.Millisecond)
	s.initialize("2025-11-25")
	s.send(callLine(1, "tool", `{"id":1}`))
	<-started
	s.stop()
	if got := <-ended; got != "1 cancelled" {
		t.Error(got)
	}
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
	deaf, release := oneTool(`{}`), make(chan struct{})
	defer close(release)
	deaf.Tools[0].Handle = func(context.Context, *Call) (*Result, error) {
		started <- ""
		<-release
		return Text("late"), nil
	}
	s = serve(t, Config{}, deaf, time.Millisecond)
	s.initialize("2025-11-25")
	s.send(callLine(1, "tool", `{}`))
	<-started
	s.stop()
	if err := <-s.ended; err != nil {
		t.Error(err)
	}
}

// A line beyond the limit is skipped without being held, and its call is
// answered where its id is in sight.
func TestSkippedLines(t *testing.T) {
	const limit = 1 << 20
	long := strings.Repeat("x", 3*limit)
	for _, tc := range []struct{ name, line, want string }{
		{"id first", `{"jsonrpc":"2.0","id":5,"method":"m","params":{"a":"` + long + `","id":6}}`, "5"},
		{"id last", `{"method":"m","params":{"a":"` + long + `"},"jsonrpc":"2.0","id":"five"}`, `"five"`},
		{"id of something else", `{"method":"m","params":{"a":"` + long + `","id":6}}`, "null"},
		{"no JSON", long, "null"},
		{"no end", long + "\x00", "null"},
	} {
		out := new(strings.Builder)
		end := "\n"
		if tc.name == "no end" {
			end = ""
		}
		transport := &lineTransport{in: strings.NewReader(tc.line + end), out: out, log: quiet(), limit: limit}
		conn, err := transport.Connect(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(t.Context()); err != io.EOF {
			t.Fatal(err)
		}
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32600,"message":"a message may have %d bytes at most"}}`+"\n", tc.want, limit)
		if out.String() != want {
			t.Errorf("%s: got %s, want %s", tc.name, out, want)
		}
	}
	in := bufio.NewReaderSize(io.MultiReader(io.LimitReader(endless{}, 500<<20), strings.NewReader("\nnext\n")), 64<<10)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if l := readLine(in, limit); l.err != errTooLong || l.data != nil {
		t.Errorf("%+v", l)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 8*limit {
		t.Errorf("a line of 500 MB took %d bytes", used)
	}
	if l := readLine(in, limit); string(l.data) != "next\n" {
		t.Errorf("%+v", l)
	}
}

// endless is a line that does not end.
type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'x'
	}
	return len(b), nil
}
