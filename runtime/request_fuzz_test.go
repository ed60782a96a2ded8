package runtime

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzURL says that no argument changes the host, the number of path segments or
// the fixed query, and that every byte of the request line is one of a URL.
func FuzzURL(f *testing.F) {
	for _, seed := range []string{`"a/b c?d#e%2F~é"`, `".."`, `"%2e%2e"`, `"//evil.test/x"`, `"@evil.test"`, `["..","/"]`, `{"/":"?","#":"&"}`, `"\ud83d\r\n"`, `1e+3`, `{"a":{"b":["c",null,{"d":1}]}}`, `"..;/x"`} {
		for style := range 9 {
			f.Add(seed, uint8(style), true, true)
			f.Add(seed, uint8(style), false, false)
		}
	}
	styles := []Style{Form, Simple, Label, Matrix, SpaceDelimited, PipeDelimited, TabDelimited, DeepObject, CookieStyle}
	base, err := url.Parse("https://api.test:8443/v1")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string, style uint8, explode, reserved bool) {
		if !json.Valid([]byte(text)) {
			return
		}
		arg := Arg{"x", json.RawMessage(strings.TrimSpace(text))}
		options := []ParamOption{styles[int(style)%len(styles)], NoExplode}
		if explode {
			options = append(options, Explode)
		}
		if reserved {
			options = append(options, AllowReserved)
		}
		r := (*Call)(nil).Request("GET", "/a/{x}/b/{x}.json?fixed=1")
		r.Path("x", arg, options...)
		r.Query("q[x]", arg, options...)
		r.Cookie("c", arg, options...)
		r.Header("X-H", arg, options...)
		checkHeaders(t, r)
		target, err := r.target()
		if err != nil {
			return
		}
		u, err := target.resolve(base)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		line := u.RequestURI()
		checkLineBytes(t, line)
		again, err := url.ParseRequestURI(line)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if u.Host != "api.test:8443" || again.Host != "" || u.User != nil || u.Fragment != "" {
			t.Fatalf("%s: host %q, %q", line, u.Host, again.Host)
		}
		if strings.Count(u.EscapedPath(), "/") != 5 || !strings.HasPrefix(line, "/v1/a/") || u.EscapedPath() != again.EscapedPath() {
			t.Fatalf("the path is %s", u.EscapedPath())
		}
		if u.JoinPath().EscapedPath() != u.EscapedPath() {
			t.Fatalf("%s resolves to %s", u.EscapedPath(), u.JoinPath().EscapedPath())
		}
		if u.RawQuery != "fixed=1" && !strings.HasPrefix(u.RawQuery, "fixed=1&") {
			t.Fatalf("the query is %s", u.RawQuery)
		}
	})
}

func checkLineBytes(t *testing.T, line string) {
	t.Helper()
	for i := range len(line) {
		c := line[i]
		if c == '%' && !isTriple(line[i:]) || c != '%' && !literalSet[c] {
			t.Fatalf("byte %q in %s", c, line)
		}
	}
}

func checkHeaders(t *testing.T, r *Request) {
	t.Helper()
	h := http.Header{}
	if r.setHeaders(h) != nil {
		return
	}
	for name, values := range h {
		if len(values) != 1 || strings.ContainsAny(values[0], "\r\n\x00") {
			t.Fatalf("%s: %q", name, values)
		}
	}
}

// FuzzScalar says that what an upstream decodes is what the model wrote.
func FuzzScalar(f *testing.F) {
	f.Add("a/b c?d#e%2F~é", "k[=&]")
	f.Add("\x00\r\n\xff", "")
	f.Fuzz(func(t *testing.T, text, name string) {
		if !utf8.ValidString(text) || !utf8.ValidString(name) || text == "" {
			return
		}
		arg := Arg{"x", quote(text)}
		r := (*Call)(nil).Request("GET", "/{x}")
		r.Path("x", arg)
		r.Query(name, arg)
		target, err := r.target()
		if err != nil {
			if text != "." && text != ".." {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if got, err := url.PathUnescape(target.path); err != nil || got != "/"+text {
			t.Fatalf("path %q, %v, want %q", got, err, text)
		}
		values, err := url.ParseQuery(target.query)
		if err != nil || len(values) != 1 || values.Get(name) != text {
			t.Fatalf("query %s is %v, %v", target.query, values, err)
		}
	})
}

// FuzzBody says that any argument becomes a body or an error.
func FuzzBody(f *testing.F) {
	for _, seed := range []string{`{"a":[1,"x",{"b":null}],"f":"YQ=="}`, `[]`, `"@"`, `{"f":{"data":"","filename":"\r\n"}}`, `null`, `{"\u0000":{}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !json.Valid([]byte(text)) {
			return
		}
		arg := Arg{"body", json.RawMessage(strings.TrimSpace(text))}
		for _, line := range []func(*Request){
			func(r *Request) { r.Form(arg, Field{Name: "a", Style: DeepObject}) },
			func(r *Request) { r.Multipart(arg, Field{Name: "f", File: true}) },
			func(r *Request) { r.XML(arg, Element{Name: "x"}) },
			func(r *Request) { r.Bytes(arg) },
			func(r *Request) { r.Text(arg) },
		} {
			r := (*Call)(nil).Request("POST", "/")
			line(r)
			content, err := r.encode(fileRoot{})
			if err != nil {
				continue
			}
			if r.body.kind == formBody {
				if _, err := url.ParseQuery(string(content.data)); err != nil {
					t.Fatalf("%s: %v", content.data, err)
				}
			}
			if r.body.kind == multipartBody && content.data != nil {
				readParts(t, content)
			}
			if r.body.kind == xmlBody && content.data != nil {
				if err := xml.Unmarshal(content.data, new(struct{})); err != nil {
					t.Fatalf("%s: %v", content.data, err)
				}
			}
		}
	})
}

// FuzzResponse says that any answer becomes a result of valid UTF-8, whose JSON
// parses.
func FuzzResponse(f *testing.F) {
	for _, contentType := range []string{"application/json", "text/html", "", "text/event-stream", "application/x-ndjson", "image/png", "text/plain; charset=utf-16", "a/b; charset=\"", "application/octet-stream"} {
		f.Add(200, contentType, `{"a":[1,2,3],"b":"`+strings.Repeat("é", 60)+`"}`, "gzip")
		f.Add(404, contentType, "<html><script>\xff", "")
		f.Add(200, contentType, "data: x\n\n\xff", "")
	}
	f.Fuzz(func(t *testing.T, status int, contentType, body, encoding string) {
		config := Config{MaxResponse: 100, HTTPClient: &http.Client{Transport: canned(func() *http.Response {
			return &http.Response{
				StatusCode: status, Body: io.NopCloser(strings.NewReader(body)), ContentLength: -1,
				Header: http.Header{"Content-Type": {contentType}, "Content-Encoding": {encoding}, "Link": {body}},
			}
		})}}
		c := testCall(t, "http://api.test", config, Definition{})
		result, err := c.Do(context.Background(), c.Request("POST", "/x"))
		if err != nil || len(result.Content) == 0 {
			t.Fatalf("%+v, %v", result, err)
		}
		if wire, err := json.Marshal(c.server.encode(c, result)); err != nil || !utf8.Valid(wire) {
			t.Fatalf("%q, %v", wire, err)
		}
		if !utf8.ValidString(textIn(c.server.encode(c, result))) {
			t.Fatal("not UTF-8")
		}
		if result.Structured != nil && !json.Valid(result.Structured) {
			t.Fatalf("%q does not parse", result.Structured)
		}
		if success := status >= 200 && status < 300; !success && !result.IsError {
			t.Fatalf("status %d is no failure", status)
		}
	})
}

// canned is a transport that answers without a network.
type canned func() *http.Response

func (c canned) RoundTrip(req *http.Request) (*http.Response, error) {
	resp := c()
	resp.Request = req
	return resp, nil
}
