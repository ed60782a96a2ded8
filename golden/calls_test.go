package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/tools/txtar"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// A calls.txtar is a list of calls. Each is a section "call: what it shows" with
// the params of tools/call; then, for each request that the upstream sees, a
// section "request" and the "response" that answers it; and the "result". A call
// that sends nothing has an empty request. Before a call, "env" and "flags" start
// a new server with these settings, one a line.
//
// Bytes that are no printable text are written \xNN, and so may be given in
// responses. The boundary of multipart bodies is written BOUNDARY.

// section is one file of the archive.
type section struct{ kind, title, text string }

func parseCalls(data []byte) []section {
	var out []section
	for _, f := range txtar.Parse(data).Files {
		kind, title, _ := strings.Cut(f.Name, ": ")
		out = append(out, section{kind, title, string(f.Data)})
	}
	return out
}

// testCalls makes the calls of the case and returns the file with what came of
// them.
func (c *goldenCase) testCalls(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, "calls.txtar"))
	if os.IsNotExist(err) {
		c.start(t, nil).Tools() // it starts, at least
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	r := &replay{c: c, t: t, upstream: prove.NewUpstream(t)}
	r.archive.Comment = txtar.Parse(data).Comment
	sections := parseCalls(data)
	for i := 0; i < len(sections); i++ {
		switch s := sections[i]; s.kind {
		case "env":
			r.env, r.client = settings(s.text), nil
			r.add("env", s.text)
		case "flags":
			r.flags, r.client = settings(s.text), nil
			r.add("flags", s.text)
		case "call":
			var responses []string
			for i+1 < len(sections) && slices.Contains([]string{"request", "response", "result"}, sections[i+1].kind) {
				if i++; sections[i].kind == "response" {
					responses = append(responses, sections[i].text)
				}
			}
			r.call(s, responses)
		default:
			t.Fatalf("%s: a section %q stands where a call should", c.name, s.kind)
		}
	}
	return string(txtar.Format(&r.archive))
}

func settings(text string) []string {
	return slices.Collect(func(yield func(string) bool) {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" && !yield(line) {
				return
			}
		}
	})
}

// replay makes calls and writes down what happens.
type replay struct {
	c          *goldenCase
	t          *testing.T
	upstream   *prove.Upstream
	client     *prove.Client // nil: the next call starts one
	env, flags []string
	archive    txtar.Archive
}

func (r *replay) add(name, text string) {
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	r.archive.Files = append(r.archive.Files, txtar.File{Name: name, Data: []byte(text)})
}

func (r *replay) call(s section, responses []string) {
	if r.client == nil {
		r.client = r.c.start(r.t, append(r.upstream.Env(), r.env...), r.flags...)
	}
	if len(responses) == 0 {
		responses = []string{""}
	}
	n := 0
	r.upstream.Handle(func(*prove.Request) prove.Answer {
		text := responses[min(n, len(responses)-1)]
		n++
		return prove.Answer{Raw: unescape(strings.TrimSuffix(text, "\n"))}
	})
	var params bytes.Buffer
	if err := json.Compact(&params, []byte(s.text)); err != nil {
		r.t.Fatalf("call %q: %v", s.title, err)
	}
	m := r.client.Send("tools/call", params.String()).Wait()
	seen := r.upstream.Take()
	if len(seen) == 0 && strings.TrimSpace(responses[0]) != "" {
		r.t.Errorf("call %q: nothing was sent\n%s", s.title, m.Raw)
	}
	r.add("call: "+s.title, s.text)
	for i := range max(len(seen), len(responses)) {
		request, response := "", ""
		if i < len(seen) {
			request = show(r.t, seen[i])
		}
		if i < len(responses) {
			response = responses[i]
		}
		r.add("request", request)
		r.add("response", response)
	}
	result := m.Result
	if m.Error != nil {
		result = []byte(m.Raw)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, result, "", "  "); err != nil {
		r.t.Fatal(err)
	}
	r.add("result", pretty.String())
}

// show writes a request as text.
func show(t *testing.T, req *prove.Request) string {
	t.Helper()
	head, body := req.Head, string(req.Body)
	if mediaType, params, err := mime.ParseMediaType(req.Header.Get("Content-Type")); err == nil && strings.HasPrefix(mediaType, "multipart/") {
		head = strings.ReplaceAll(head, params["boundary"], "BOUNDARY")
		body = strings.ReplaceAll(strings.ReplaceAll(body, params["boundary"], "BOUNDARY"), "\r\n", "\n")
	}
	if body == "" {
		return escape(head)
	}
	return escape(head + "\n" + body + "\n")
}

// escape writes bytes that are no printable text as \xNN.
func escape(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		c, n := utf8.DecodeRuneInString(text)
		if (c == utf8.RuneError && n == 1) || (c != '\n' && !strconv.IsPrint(c)) {
			for i := range n {
				fmt.Fprintf(&b, `\x%02x`, text[i])
			}
		} else {
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// unescape undoes escape.
func unescape(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, `\x`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		if c, err := strconv.ParseUint(after[:min(2, len(after))], 16, 8); err == nil && len(after) >= 2 {
			b.WriteByte(byte(c))
			after = after[2:]
		} else {
			b.WriteString(`\x`)
		}
		text = after
	}
}

func TestEscape(t *testing.T) {
	for _, test := range []struct{ raw, want string }{
		{"plain é\n", "plain é\n"},
		{"\x00\xff\x10a", `\x00\xff\x10a`},
		{"a\r\nb\u2028", `a\x0d` + "\n" + `b\xe2\x80\xa8`},
	} {
		if got := escape(test.raw); got != test.want || unescape(got) != test.raw {
			t.Errorf("%q: escaped %q, back %q", test.raw, got, unescape(got))
		}
	}
}
