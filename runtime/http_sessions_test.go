package runtime

import (
	"net/http"
	"strings"
	"testing"
)

// So many sessions there may be, and no more until one ends. Clients that have one
// or need none are not concerned.
func TestMaxSessions(t *testing.T) {
	s := listenHTTP(t, Config{}, sample(), "-max-sessions=2")
	one := s.open()
	s.open()
	for range 2 {
		a := s.send("POST", initializeLine)
		if a.status != http.StatusServiceUnavailable || a.header.Get("Mcp-Session-Id") != "" || !strings.Contains(a.body, `"message":"this server has 2 sessions, and there may be no more: try again later`) {
			t.Fatalf("a third session: %+v", a)
		}
	}
	if a := s.send("POST", callLine(1, "echo", `{"id":1}`), one...); a.status != http.StatusOK {
		t.Errorf("a call of a session: %+v", a)
	}
	if a := s.modernCall("echo", `{"id":1}`, "Mcp-Name: echo"); a.status != http.StatusOK {
		t.Errorf("a call without one: %+v", a)
	}
	if a := s.send("DELETE", "", one...); a.status != http.StatusNoContent {
		t.Fatalf("%+v", a)
	}
	s.open()
	if a := s.send("POST", initializeLine); a.status != http.StatusServiceUnavailable {
		t.Errorf("a third session after one ended: %+v", a)
	}
}

// What opens no session takes no room.
func TestNoSessionNoRoom(t *testing.T) {
	s := listenHTTP(t, Config{}, sample(), "-max-sessions=1")
	broken := strings.Replace(initializeLine, `"params"`, `"parameters"`, 1)
	for range 3 {
		if a := s.send("POST", broken); a.status == http.StatusServiceUnavailable || a.status >= 500 {
			t.Fatalf("%+v", a)
		}
	}
	s.open()

	all := listenHTTP(t, Config{}, sample(), "-max-sessions=0")
	all.open()
	all.open()
	if a := all.send("POST", strings.Replace(initializeLine, `"version":"`, `"version":"`+strings.Repeat("1", maxInitialize), 1)); a.status != http.StatusBadRequest || !strings.Contains(a.body, "initialize may have 65536 bytes at most") {
		t.Errorf("%d %.300s", a.status, a.body)
	}

	stateless := listenHTTP(t, Config{}, sample(), "-max-sessions=1", "-stateless")
	for range 3 {
		if a := stateless.send("POST", initializeLine); a.status != http.StatusOK {
			t.Errorf("%+v", a)
		}
	}
}
