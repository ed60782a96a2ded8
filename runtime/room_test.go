package runtime

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// While other calls hold large answers, a large one is refused and an ordinary
// one is not; when they have ended, it is read.
func TestRoomForAnswers(t *testing.T) {
	const most = 1 << 20
	large := strings.Repeat("x", 600<<10)
	for _, tc := range []struct {
		name, method string
		answer       answer
		full, after  []string // what the model gets
		refused      bool
	}{
		{"large", "GET", with(200, "text/plain", large),
			[]string{"answered 200 OK, but this server has no room for it: all calls together hold 1048 kB of answers", "Try again when other calls have ended"}, []string{"the first 100 of 614400 bytes"}, true},
		{"large, compressed", "GET", with(200, "text/plain", gzipped(large), "Content-Encoding", "gzip"),
			[]string{"no room"}, []string{"the first 100 of 614400 bytes"}, true},
		{"large after a POST", "POST", with(200, "text/plain", large),
			[]string{"no room", "It may have taken effect"}, []string{"the first 100 of"}, true},
		{"ordinary", "GET", with(200, "text/plain", "pet"), []string{"pet"}, []string{"pet"}, false},
		{"almost large", "GET", with(200, "text/plain", large[:freeBytes]), []string{"the first 100 of 262144 bytes"}, []string{"the first 100 of"}, false},
		{"large lines", "GET", with(200, "application/x-ndjson", "a\n"+large+"\n"), []string{"a\n", "these are the first 2 lines; for more this server has no room"}, []string{"a\n", "there is more"}, false},
		{"one large line", "GET", with(200, "text/event-stream", ": "+large), []string{"no room"}, []string{"200 OK"}, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := testCall(t, upstream(t, tc.answer.ServeHTTP), Config{MaxResponse: 100, MaxBodyTotal: most}, Definition{})
			if tc.name == "large lines" {
				c.server.config.MaxResponse = 500 << 10
			}
			c.tool.check = func() *schema { return &schema{} }
			other := &Call{server: c.server}
			if err := other.hold(most - 64<<10 + freeBytes); err != nil {
				t.Fatal(err)
			}
			wantText(t, do(t, c, tc.method, "/x"), tc.refused, tc.full...)
			c.release()
			other.release()
			c.read = 0
			c.notes = nil
			wantText(t, do(t, c, tc.method, "/x"), false, tc.after...)
			c.release()
			if left := c.server.held.Load(); left != 0 {
				t.Errorf("%d bytes are held", left)
			}
		})
	}
}

// What a call of the protocol held is free when it has ended, whatever became of it.
func TestRoomIsGivenBack(t *testing.T) {
	item := `{"text":"` + strings.Repeat("x", 200<<10) + `"}`
	pages := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.URL.Query().Get("page") == "9" {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = io.WriteString(w, `"`+strings.Repeat("x", 700<<10))
			return
		}
		fmt.Fprintf(w, `[%s,%s,{"page":%q}]`, item, item, r.URL.Query().Get("page"))
	}
	s := NewServer(Config{Paginate: true, MaxBodyTotal: 1 << 20, Log: quiet()}, api(upstream(t, pages), "GET /pets", pick("page"), listPets))
	session := inMemory(t, s)
	other := &Call{server: s}
	if err := other.hold(freeBytes + 400<<10); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name, arguments string
		failed          bool
		want            string
	}{
		{"a page", `{}`, false, "showing 1 of 3"},
		{"pages until there is no room", `{"_max_items":100}`, false, "page 3 could not be had, so that the rest is missing"},
		{"refused", `{"page":9}`, true, "500 Internal Server Error"},
	} {
		text, failed := ask(t, session, "listPets", tc.arguments)
		if failed != tc.failed || !strings.Contains(text, tc.want) {
			t.Errorf("%s: %t, %.300s … %.400s", tc.name, failed, text, text[max(0, len(text)-400):])
		}
		if left := s.held.Load(); left != other.held {
			t.Errorf("%s: %d bytes are held", tc.name, left)
		}
	}
}

// The room for all is room for one, and can be chosen.
func TestRoomOfConfig(t *testing.T) {
	for _, tc := range []struct{ one, total, wantOne, wantTotal int64 }{
		{0, 0, 64 << 20, 256 << 20},
		{1 << 30, 0, 1 << 30, 1 << 30},
		{0, 1 << 20, 1 << 20, 1 << 20},
		{5, 1 << 20, 5, 1 << 20},
	} {
		got := Config{MaxBody: tc.one, MaxBodyTotal: tc.total}.withDefaults()
		if got.MaxBody != tc.wantOne || got.MaxBodyTotal != tc.wantTotal {
			t.Errorf("%d of %d: %d of %d", tc.one, tc.total, got.MaxBody, got.MaxBodyTotal)
		}
	}
}
