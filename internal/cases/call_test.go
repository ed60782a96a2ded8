package cases

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

func (c *call) test(t *testing.T, client *prove.Client, upstream *prove.Upstream) {
	upstream.Take()
	upstream.Reply(prove.Answer{Raw: c.answer})
	pending := client.Begin(c.tool, c.args)
	if c.rpcError != 0 {
		if m := pending.Wait(); m.Error == nil || m.Error.Code != c.rpcError {
			t.Errorf("got %s, want a JSON-RPC error %d", m.Raw, c.rpcError)
		}
		if seen := upstream.Take(); len(seen) > 0 {
			t.Errorf("the upstream saw %s", seen[0].URL)
		}
		return
	}
	result := pending.Result()
	c.testResult(t, result)
	seen := upstream.Take()
	var req *prove.Request
	switch {
	case c.want == "" && len(seen) > 0:
		t.Errorf("the upstream saw %s %s, want no request", seen[0].Method, seen[0].URL)
	case c.want == "*" && len(seen) > 0:
		req = seen[0]
	case c.want != "" && c.want != "*":
		if len(seen) != 1 {
			t.Fatalf("the upstream saw %d requests, want %s\nresult: %s", len(seen), c.want, result.Raw)
		}
		req = seen[0]
		c.testRequest(t, req)
	}
	if c.check != nil {
		c.check(t, req, result)
	}
}

func (c *call) testRequest(t *testing.T, req *prove.Request) {
	if got := req.Method + " " + req.URL; got != c.want && (c.or == "" || got != c.or) {
		t.Errorf("the upstream saw\n\t%s, want\n\t%s", got, c.want)
	}
	for _, want := range c.headers {
		testHeader(t, req, want)
	}
	if c.pairs != nil {
		if got := decode(t, string(req.Body)); !slices.Equal(got, c.pairs) {
			t.Errorf("payload %q decodes to %q, want %q", req.Body, got, c.pairs)
		}
	} else if c.body != "*" && string(req.Body) != c.body {
		t.Errorf("the payload is %q, want %q", req.Body, c.body)
	}
	if len(req.Body) == 0 && req.Header.Get("Content-Type") != "" {
		t.Errorf("a request without a body has Content-Type %s", req.Header.Get("Content-Type"))
	}
}

// testHeader takes "Name: value" for exactly that line, "Name: ~part" for a
// value that holds part, and "-Name" for no such header.
func testHeader(t *testing.T, req *prove.Request, want string) {
	t.Helper()
	if name, ok := strings.CutPrefix(want, "-"); ok {
		if values := req.Header.Values(name); len(values) > 0 {
			t.Errorf("the request has %s: %q", name, values)
		}
		return
	}
	name, value, _ := strings.Cut(want, ": ")
	values := req.Header.Values(name)
	if part, ok := strings.CutPrefix(value, "~"); ok {
		if !strings.Contains(strings.Join(values, ", "), part) {
			t.Errorf("%s is %q, want it to hold %q", name, values, part)
		}
	} else if len(values) != 1 || values[0] != value {
		t.Errorf("%s is %q, want %q\n%s", name, values, value, req.Head)
	}
}

// decode returns the pairs of a form in order.
func decode(t *testing.T, form string) []string {
	t.Helper()
	var out []string
	for pair := range strings.SplitSeq(form, "&") {
		text, err := url.QueryUnescape(pair)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

func (c *call) testResult(t *testing.T, result *prove.Result) {
	text := result.Text()
	if result.IsError != c.isError && c.want != "*" {
		t.Errorf("isError is %v, want %v\n%s", result.IsError, c.isError, result.Raw)
	}
	if c.text != "" && text != c.text {
		t.Errorf("the text is %q, want %q", text, c.text)
	}
	for _, part := range c.says {
		if !strings.Contains(text, part) {
			t.Errorf("the text does not hold %q:\n%s", part, text)
		}
	}
	for _, part := range c.silent {
		if strings.Contains(string(result.Raw), part) {
			t.Errorf("the result holds %q:\n%s", part, result.Raw)
		}
	}
	switch c.structured {
	case "":
	case "-":
		if result.Structured != nil {
			t.Errorf("structuredContent is %s, want none", result.Structured)
		}
	default:
		if string(result.Structured) != c.structured {
			t.Errorf("structuredContent is %s, want %s", result.Structured, c.structured)
		}
	}
	if c.content != "" {
		if got := prove.Member(result.Raw, "/content"); !prove.SameJSON(got, []byte(c.content)) {
			t.Errorf("content is %s, want %s", got, c.content)
		}
	}
}
