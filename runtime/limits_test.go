package runtime

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A session, and the server, have only so many calls in flight; the next call
// after one ended goes through.
func TestMaxCalls(t *testing.T) {
	for _, tc := range []struct {
		name   string
		limits Limits
		want   string
	}{
		{"session", Limits{Session: 2}, "2 calls of this session are in flight, and there may be no more. Try again when one of them has ended."},
		{"total", Limits{Session: -1, Total: 2}, "this server is busy with 2 calls, and there may be no more. Try again in a moment."},
	} {
		started, ended, release := make(chan string, 3), make(chan string, 3), make(chan struct{})
		s := serve(t, Config{Limits: tc.limits}, waiting(started, ended, release), time.Minute)
		s.initialize("2025-11-25")
		s.send(callLine(1, "tool", `{"id":1}`), callLine(2, "tool", `{"id":2}`))
		<-started
		<-started
		r := parse(t, s.ask(callLine(3, "tool", `{"id":3}`)))
		if !r.Result.IsError || r.Result.Content[0].Text != "tool was not called: "+tc.want {
			t.Errorf("%s: %+v", tc.name, r)
		}
		release <- struct{}{}
		<-ended
		s.read()
		s.send(callLine(4, "tool", `{"id":4}`))
		if got := <-started; got != "4" {
			t.Errorf("%s: %s was called", tc.name, got)
		}
		close(release)
	}
}

// One session that is full leaves room to others.
func TestSessionsApart(t *testing.T) {
	started, ended, release := make(chan string, 2), make(chan string, 2), make(chan struct{})
	s := listenHTTP(t, Config{Limits: Limits{Session: 1}}, waiting(started, ended, release))
	one, two := s.open(), s.open()
	first := s.begin(t.Context(), callLine(1, "tool", `{"id":1}`), one...)
	<-started
	if got := <-s.begin(t.Context(), callLine(2, "tool", `{"id":2}`), one...); !strings.Contains(got, "of this session are in flight") {
		t.Error(got)
	}
	second := s.begin(t.Context(), callLine(3, "tool", `{"id":3}`), two...)
	<-started
	close(release)
	for _, answer := range []<-chan string{first, second} {
		if got := <-answer; !strings.Contains(got, "waited") {
			t.Error(got)
		}
	}
}

func TestRate(t *testing.T) {
	def := zoo()
	s := serve(t, Config{Limits: Limits{Rates: map[string]Rate{"getPet": {2, time.Hour}}}}, def, 0)
	s.initialize("2025-11-25")
	call := func(tool string) result { return parse(t, s.ask(callLine(1, tool, `{"id":1}`))) }
	if r := parse(t, s.ask(callLine(1, "getPet", `{"id":"x"}`))); !r.Result.IsError { // not counted
		t.Errorf("%+v", r)
	}
	for i := range 2 {
		if r := call("getPet"); r.Result.IsError {
			t.Errorf("call %d: %+v", i, r)
		}
	}
	for range 2 { // a refused call does not put off the next
		text := call("getPet").Result.Content[0].Text
		var seconds int
		_, err := fmt.Sscanf(text, "getPet was not called: it may be called 2 times per hour. The next call is possible in %d seconds.", &seconds)
		if err != nil || seconds < 1700 || seconds > 1800 {
			t.Errorf("%v: %s", err, text)
		}
	}
	if r := call("getOrder"); r.Result.IsError {
		t.Errorf("another tool: %+v", r)
	}
}
