package runtime

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answer is an upstream's response for tests.
type answer struct {
	status int
	header http.Header
	body   string
}

func with(status int, contentType, body string, headers ...string) answer {
	a := answer{status, http.Header{"Content-Type": {contentType}}, body}
	if contentType == "" {
		a.header["Content-Type"] = nil // none, not sniffed by the server
	}
	for i := 0; i < len(headers); i += 2 {
		a.header.Add(headers[i], headers[i+1])
	}
	return a
}

func (a answer) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// get asks for an answer and returns what the model gets.
func get(t testing.TB, a answer, config Config) *mcp.CallToolResult {
	t.Helper()
	return do(t, testCall(t, upstream(t, a.ServeHTTP), config, Definition{}), "GET", "/pets/7")
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

func TestTextResults(t *testing.T) {
	for _, tc := range []struct {
		name       string
		answer     answer
		text       string // first block
		structured string
		note       string // part of the second; empty: none
	}{
		{"json keeps numbers and order", with(200, "application/json", `{"z":1,"id":1234567890123456789,"p":1.10}`), `{"z":1,"id":1234567890123456789,"p":1.10}`, `{"z":1,"id":1234567890123456789,"p":1.10}`, ""},
		{"json keeps its space", with(200, "application/json; charset=utf-8", "{\n  \"a\": \"<&>\"\n}\n"), "{\n  \"a\": \"<&>\"\n}", "{\n  \"a\": \"<&>\"\n}", ""},
		{"array", with(200, "application/json", `[1,2]`), `[1,2]`, `{"result":[1,2]}`, ""},
		{"scalar", with(200, "application/json", `5`), `5`, `{"result":5}`, ""},
		{"null", with(200, "application/json", `null`), `null`, "", ""},
		{"vendor json", with(201, "application/vnd.api+json", `{"data":{}}`), `{"data":{}}`, `{"data":{}}`, ""},
		{"comma for a semicolon", with(200, "application/json, charset=utf-8", `{}`), `{}`, `{}`, ""},
		{"upper case", with(200, "Application/JSON", `{}`), `{}`, `{}`, ""},
		{"byte order mark", with(200, "application/json", "\xef\xbb\xbf{}"), `{}`, `{}`, ""},
		{"json in another charset", with(200, "application/json; charset=iso-8859-1", "{\"a\":\"caf\xe9\"}"), `{"a":"café"}`, `{"a":"café"}`, ""},
		{"json that is not UTF-8", with(200, "application/json", "{\"a\":\"caf\xe9\"}"), "{\"a\":\"caf\uFFFD\"}", "{\"a\":\"caf\uFFFD\"}", ""},
		{"broken json", with(200, "application/json", `{broken`), `{broken`, "", "it is not valid JSON"},
		{"no type, json", with(200, "", `{"a":1}`), `{"a":1}`, `{"a":1}`, ""},
		{"no type, text", with(200, "", "hello"), "hello", "", ""},
		{"csv", with(200, "text/csv", "a,b\n1,2\n"), "a,b\n1,2\n", "", ""},
		{"latin 1", with(200, "text/plain; charset=iso-8859-1", "caf\xe9"), "café", "", ""},
		{"windows-1251", with(200, "text/plain; charset=windows-1251", "\xcf\xf0\xe8"), "При", "", ""},
		{"utf-16 with a byte order mark", with(200, "text/plain", "\xff\xfeh\x00i\x00"), "hi", "", ""},
		{"unknown charset", with(200, "text/plain; charset=klingon", "a\xff"), "a\uFFFD", "", ""},
		{"html", with(200, "text/html", "<p>hi</p>"), "<p>hi</p>", "", "the answer is a web page"},
		{"xml", with(200, "application/atom+xml", "<a/>"), "<a/>", "", ""},
		{"svg is text", with(200, "image/svg+xml", "<svg/>"), "<svg/>", "", ""},
		{"yaml", with(200, "application/yaml", "a: 1"), "a: 1", "", ""},
		{"unknown type that is text", with(200, "application/vnd.acme.report", "report 1"), "report 1", "", ""},
		{"ndjson", with(200, "application/x-ndjson", "{\"a\":1}\n{\"a\":2}\n"), "{\"a\":1}\n{\"a\":2}\n", "", ""},
		{"empty", with(200, "application/json", ""), "200 OK (no content)", "", ""},
		{"204", with(204, "", ""), "204 No Content", "", ""},
		{"205", with(205, "", ""), "205 Reset Content", "", ""},
		{"status without a name", with(299, "", ""), "299 (no content)", "", "status 299"},
		{"accepted", with(202, "application/json", `{}`, "Location", "/jobs/1", "Retry-After", "5"), `{}`, `{}`, "the answer came with status 202 Accepted; Location: /jobs/1; Retry-After: 5."},
		{"headers", with(200, "application/json", `[]`, "X-RateLimit-Remaining", "9", "X-Ratelimit-Limit", "10", "Link", `<https://api.test/?page=2>; rel="next"`, "ETag", `"v1"`, "RateLimit-Reset", "3", "X-Total-Count", "90", "Server", "x"),
			`[]`, `{"result":[]}`, `the answer came with Link: <https://api.test/?page=2>; rel="next"; Etag: "v1"; X-Total-Count: 90; Ratelimit-Reset: 3; X-Ratelimit-Limit: 10; X-Ratelimit-Remaining: 9.`},
		{"gzip", with(200, "application/json", gzipped(`{"a":1}`), "Content-Encoding", "gzip"), `{"a":1}`, `{"a":1}`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			result := get(t, tc.answer, Config{})
			if result.IsError {
				t.Fatal(textIn(result))
			}
			if text := result.Content[0].(*mcp.TextContent).Text; text != tc.text {
				t.Errorf("text %q, want %q", text, tc.text)
			}
			structured, _ := result.StructuredContent.(json.RawMessage)
			if string(structured) != tc.structured {
				t.Errorf("structured %s, want %s", structured, tc.structured)
			}
			switch {
			case tc.note == "" && len(result.Content) > 1:
				t.Errorf("a note: %s", textIn(result))
			case tc.note != "":
				wantText(t, result, false, tc.note)
			}
		})
	}
}

func TestGzipThatAnArgumentAskedFor(t *testing.T) {
	c := testCall(t, upstream(t, with(200, "text/plain", gzipped("hi"), "Content-Encoding", "gzip").ServeHTTP), Config{}, Definition{})
	wantText(t, do(t, c, "GET", "/x", func(r *Request) { r.Header("Accept-Encoding", value(`"gzip"`)) }), false, "hi")
}

func TestHead(t *testing.T) {
	c := testCall(t, upstream(t, with(200, "text/csv", "a,b", "Last-Modified", "yesterday").ServeHTTP), Config{}, Definition{})
	wantText(t, do(t, c, "HEAD", "/x"), false, "200 OK\n", "Last-Modified: yesterday", "Content-Type: text/csv", "Content-Length: 3")
}

func TestBinaryResults(t *testing.T) {
	const png = "\x89PNG\r\n\x1a\n\x00\xff"
	image := get(t, with(200, "image/png", png), Config{}).Content[0].(*mcp.ImageContent)
	if image.MIMEType != "image/png" || string(image.Data) != png {
		t.Errorf("image: %+v", image)
	}
	image = get(t, with(200, "", png), Config{}).Content[0].(*mcp.ImageContent)
	if image.MIMEType != "image/png" {
		t.Errorf("image without a type: %+v", image)
	}
	audio := get(t, with(200, "audio/ogg", "OggS\xff"), Config{}).Content[0].(*mcp.AudioContent)
	if audio.MIMEType != "audio/ogg" || string(audio.Data) != "OggS\xff" {
		t.Errorf("audio: %+v", audio)
	}
	for _, mediaType := range []string{"application/pdf", "application/octet-stream", "application/x-protobuf", "video/mp4"} {
		c := testCall(t, upstream(t, with(200, mediaType, "%PDF\x00\xff", "Content-Disposition", `attachment; filename="a.pdf"`).ServeHTTP)+"/v1", Config{}, Definition{})
		result := do(t, c, "GET", "/reports/{id}", func(r *Request) { r.Path("id", value(`"a b"`)); r.Query("q", value(`"x"`)) })
		resource := result.Content[0].(*mcp.EmbeddedResource).Resource
		if resource.MIMEType != mediaType || string(resource.Blob) != "%PDF\x00\xff" || resource.URI != "result:///v1/reports/a%20b" {
			t.Errorf("%s: %+v", mediaType, resource)
		}
		wantText(t, result, false, `filename="a.pdf"`)
		wire, err := json.Marshal(result)
		if err != nil || !bytes.Contains(wire, []byte(base64.StdEncoding.EncodeToString([]byte("%PDF\x00\xff")))) {
			t.Errorf("%s: %s, %v", mediaType, wire, err)
		}
	}
	large := get(t, with(200, "image/png", png+strings.Repeat("x", maxBinary)), Config{})
	wantText(t, large, true, "a file cannot be shortened")
}

// TestLimits has answers that are more than the model is given, or than is read.
func TestLimits(t *testing.T) {
	var list strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&list, `%s{"id":%d,"name":"xxxxxxxxxxxxxxxxxxxx"}`, strings.Repeat(", ", min(i, 1)), i)
	}
	array := "[" + list.String() + "]"
	page := `{"total":5000,"items":[` + list.String() + `],"next":"abc"}`
	text := strings.Repeat("é", 20_000)
	for _, tc := range []struct {
		name, contentType, body string
		limit                   int
		contains                []string
	}{
		{"array", "application/json", array, 20_000, []string{"of 5000 items", "This tool has no optional argument that could make it smaller."}},
		{"page", "application/json", page, 20_000, []string{"items: showing", "of 5000 items", `"next":"abc"`, `{"total":5000,`}},
		{"text", "text/plain", text, 10_001, []string{"the first 10000 of 40000 bytes"}},
		{"broken json", "application/json", "{" + text, 1001, []string{"the first 1001 of 40001 bytes", "not valid JSON"}},
		{"lines", "application/x-ndjson", strings.Repeat("{\"a\":1}\n", 1000), 83, []string{"the first 10 lines"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			result := get(t, with(200, tc.contentType, tc.body), Config{MaxResponse: tc.limit})
			wantText(t, result, false, tc.contains...)
			first := result.Content[0].(*mcp.TextContent).Text
			if len(first) > tc.limit || len(first) < tc.limit*9/10 || !utf8.ValidString(first) {
				t.Errorf("%d bytes with a limit of %d", len(first), tc.limit)
			}
			if (tc.name == "array" || tc.name == "page") && !json.Valid([]byte(first)) {
				t.Errorf("does not parse: %.100s…", first)
			}
			if result.StructuredContent != nil {
				t.Error("structured content that cannot say what is missing")
			}
			last := len(result.Content) - 1
			if _, link := result.Content[1].(*mcp.ResourceLink); link != (tc.name != "lines") || last > 2 || len(result.Content[last].(*mcp.TextContent).Text) > 500 {
				t.Errorf("%d blocks", len(result.Content))
			}
		})
	}
	whole := get(t, with(200, "application/json", array), Config{MaxResponse: -1})
	if whole.IsError || textIn(whole) != array || len(whole.Content) != 1 {
		t.Errorf("without a limit: %d of %d bytes", len(textIn(whole)), len(array))
	}
	spacious := get(t, with(200, "application/json", "[1"+strings.Repeat(" ", 1000)+"]"), Config{MaxResponse: 100})
	if textIn(spacious) != "[1]" || spacious.StructuredContent == nil {
		t.Errorf("space counts as content: %q", textIn(spacious))
	}
	wantText(t, get(t, with(200, "application/json", array), Config{MaxBody: 1000}), true, "answered 200 OK, but with more than 1000 bytes")
	wantText(t, get(t, with(404, "application/json", array), Config{MaxBody: 1000}), true, "404 Not Found")
}

// TestHowToNarrow names what could make an answer smaller, and only that.
func TestHowToNarrow(t *testing.T) {
	base := upstream(t, with(200, "text/plain", strings.Repeat("x", 100)).ServeHTTP)
	for _, tc := range []struct{ name, method, schema, want string }{
		{"optional arguments", "GET", `{"properties":{"q":{},"limit":{},"fields":{}},"required":["q"]}`, "if one of the optional arguments does that: fields, limit."},
		{"none", "GET", `{"properties":{"q":{}},"required":["q"]}`, "This tool has no optional argument that could make it smaller."},
		{"a body is none", "POST", `{"properties":{"body":{}}}`, "This tool has no optional argument that could make it smaller."},
		{"what must not be repeated lightly", "POST", `{"properties":{"limit":{}}}`, "does that: limit. Mind that calling again may take effect again."},
		{"many", "GET", `{"properties":{"` + strings.Repeat("a", 400) + `":{}}}`, "aaa…."},
	} {
		doc, err := decode([]byte(tc.schema))
		if err != nil {
			t.Fatal(err)
		}
		c := testCall(t, base, Config{MaxResponse: 10}, Definition{})
		c.tool.check = func() *schema { return &schema{doc: doc} }
		if text := textIn(do(t, c, tc.method, "/x")); !strings.HasSuffix(text, tc.want+" The whole answer is the resource response://getPet/1.") {
			t.Errorf("%s: %s", tc.name, text)
		}
	}
}

// TestEndlessBody has an upstream that never stops; reading does.
func TestEndlessBody(t *testing.T) {
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		block := make([]byte, 1<<16)
		for r.Context().Err() == nil {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
	wantText(t, do(t, testCall(t, base, Config{MaxBody: 1 << 20}, Definition{}), "GET", "/x"), true, "more than 1048 kB")
}

func TestDamagedAnswers(t *testing.T) {
	for _, tc := range []struct {
		name, answer, method string
		want                 []string
	}{
		{"too short", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nContent-Type: application/json\r\n\r\n{\"a\":", "GET", []string{"answered 200 OK", "ended early"}},
		{"too short after a POST", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{", "POST", []string{"ended early", "may have taken effect"}},
		{"chunk cut", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc", "GET", []string{"ended early"}},
		{"another encoding", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Encoding: br\r\n\r\nabc", "GET", []string{"in the encoding br"}},
		{"not gzip", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Encoding: gzip\r\n\r\nabc", "GET", []string{"damaged"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := testCall(t, "http://"+record(t, tc.answer).address, Config{}, Definition{})
			result := do(t, c, tc.method, "/x")
			wantText(t, result, true, tc.want...)
			if strings.Contains(textIn(result), "EOF") {
				t.Error(textIn(result))
			}
		})
	}
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "a")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c := testCall(t, base, Config{Timeout: 100 * time.Millisecond}, Definition{})
	wantText(t, do(t, c, "GET", "/x"), true, "answered 200 OK, but not to its end within 100ms (timeout)")
}

func TestRefusals(t *testing.T) {
	page := "<!DOCTYPE html><html><head><title>Oops</title><style>p{}</style><script>if (a<b) {}</script></head><body><!-- <p>x</p> --><p>It &amp; that\n broke</p></body></html>"
	for _, tc := range []struct {
		name   string
		answer answer
		want   []string
	}{
		{"problem", with(422, "application/problem+json", `{"title":"Bad","errors":{"mail":"taken"}}`), []string{"GET /pets/7 on ", " answered 422 Unprocessable Entity.", `{"title":"Bad","errors":{"mail":"taken"}}`, "correct what it names"}},
		{"empty", with(500, "", ""), []string{"answered 500 Internal Server Error.", "problem of its own"}},
		{"not found", with(404, "application/json", `{"m":"no pet"}`), []string{"404 Not Found", "no pet", "check the ids"}},
		{"unauthorized", with(401, "text/plain", "who?"), []string{"401 Unauthorized", "who?", "without a credential"}},
		{"forbidden", with(403, "", "no"), []string{"403 Forbidden", "does not allow this"}},
		{"conflict", with(409, "", ""), []string{"409 Conflict", "read it again"}},
		{"too large", with(413, "", ""), []string{"send less"}},
		{"not allowed", with(405, "", "", "Allow", "GET"), []string{"does not offer"}},
		{"too many", with(429, "application/json", `{"m":"cap"}`, "Retry-After", "3600", "X-RateLimit-Limit", "5"), []string{"429", "cap", "after 3600 seconds", "X-Ratelimit-Limit: 5"}},
		{"html", with(502, "text/html", page), []string{"502 Bad Gateway", "\nOops It & that broke\n"}},
		{"html under another type", with(400, "application/json", page), []string{"\nOops It & that broke\n"}},
		{"latin 1", with(400, "text/plain; charset=latin1", "caf\xe9"), []string{"café"}},
		{"binary", with(400, "image/png", "\x89PNG\r\n\x1a\n"), []string{"(8 bytes of image/png)"}},
		{"long json", with(400, "application/json", `{"m":"cap","list":["`+strings.Repeat("x", 20_000)+`"]}`), []string{`{"m":"cap","list":["xxx`, "(list[0]: showing"}},
		{"long text", with(400, "text/plain", strings.Repeat("x", 20_000)), []string{"x…\n"}},
		{"unknown status", with(799, "", "?"), []string{"answered 799.", "?"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			result := get(t, tc.answer, Config{})
			wantText(t, result, true, tc.want...)
			if len(textIn(result)) > 10_000 || result.StructuredContent != nil || len(result.Content) != 1 {
				t.Errorf("%d bytes in %d blocks", len(textIn(result)), len(result.Content))
			}
		})
	}
}

func TestStreams(t *testing.T) {
	for _, tc := range []struct {
		name, contentType, body, want string
	}{
		{"events", "text/event-stream", "data: {\"a\":1}\n\n: comment\n\nevent: done\ndata: x\ndata: y\nid: 7\nretry: 5\n\n", "{\"a\":1}\ndone: x\ny\n"},
		{"line ends", "text/event-stream; charset=utf-8", "event: message\r\ndata:x\r\n\r\ndata\r\n\r\n", "x\n\n"},
		{"last event without an end", "text/event-stream", "data: 1\n\ndata: 2", "1\n2\n"},
		{"no event", "text/event-stream", ": hello\n\n", "200 OK (no content)"},
		{"json sequence", "application/json-seq", "\x1e{\"a\":1}\n\x1e{\"a\":2}\n", "{\"a\":1}\n{\"a\":2}\n"},
		{"last line without an end", "application/jsonl", "1\n2", "1\n2"},
	} {
		if result := get(t, with(200, tc.contentType, tc.body), Config{}); result.IsError || textIn(result) != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, textIn(result), tc.want)
		}
	}
}

func TestOpenStream(t *testing.T) {
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: first\n\ndata: second\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c := testCall(t, base, Config{Timeout: 200 * time.Millisecond}, Definition{})
	var progress []string
	c.progress = func(_ context.Context, done, total float64, message string) {
		progress = append(progress, fmt.Sprintf("%g/%g %s", done, total, message))
	}
	wantText(t, do(t, c, "GET", "/x"), false, "first\nsecond\n", "still open after 200ms, and had sent 2 events until then")
	if len(progress) == 0 || progress[0] != "1/0 first" {
		t.Errorf("progress: %q", progress)
	}
	silent := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	c = testCall(t, silent, Config{Timeout: 100 * time.Millisecond}, Definition{})
	wantText(t, do(t, c, "GET", "/x"), true, "not to its end within 100ms")

	endless := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, "data: tick\n\n"); err != nil {
				return
			}
		}
	})
	c = testCall(t, endless, Config{MaxResponse: 52}, Definition{})
	wantText(t, do(t, c, "GET", "/x"), false, strings.Repeat("tick\n", 10), "the first 10 events", "there is more")

	comments := upstream(t, with(200, "text/event-stream", "data: tick\n\n"+strings.Repeat(": wait\n\n", 1000)).ServeHTTP)
	c = testCall(t, comments, Config{MaxBody: 1000}, Definition{})
	wantText(t, do(t, c, "GET", "/x"), false, "tick\n", "this is the first event", "there is more")

	long := upstream(t, with(200, "text/event-stream", "data: "+strings.Repeat("é", 100)+"\n\ndata: x\n\n").ServeHTTP)
	c = testCall(t, long, Config{MaxResponse: 11}, Definition{})
	wantText(t, do(t, c, "GET", "/x"), false, strings.Repeat("é", 5)+"\n", "this is the first event")

	broken := record(t, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 999\r\n\r\ndata: one\n\n")
	c = testCall(t, "http://"+broken.address, Config{}, Definition{})
	wantText(t, do(t, c, "GET", "/x"), false, "one\n", "the connection broke after 1 event")
}

// TestDamagedHeaders has answers that net/http refuses.
func TestDamagedHeaders(t *testing.T) {
	for _, tc := range []struct{ answer, want string }{
		{"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n{}", "got an answer whose headers are damaged"},
		{"HTTP/1.1 200 OK\r\nETag: a\x01\r\n\r\n{}", "got an answer whose headers are damaged"},
		{"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("x", 11<<20) + "\r\n\r\n", "got an answer whose headers are damaged or too long"},
		{"HTTP/1.1 302 Found\r\nLocation: ht!tp://%zz\r\nContent-Length: 0\r\n\r\n", "got a redirect to what is no address"},
	} {
		c := testCall(t, "http://"+record(t, tc.answer).address, Config{}, Definition{})
		wantText(t, do(t, c, "POST", "/x"), true, tc.want, "may have taken effect")
	}
	base := upstream(t, func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") })
	c := testCall(t, base, Config{Credentials: map[string]Credential{"key": {Key: "two\nlines"}}}, Definition{Auth: schemes})
	result := do(t, c, "POST", "/x", func(r *Request) { r.Auth("key") })
	wantText(t, result, true, "was not sent because the value of a header", "line break")
	if strings.Contains(textIn(result), "may have taken effect") {
		t.Error(textIn(result))
	}
}

// TestDigitsOfASecret cuts an answer that is no JSON without its secrets.
func TestDigitsOfASecret(t *testing.T) {
	const secret = "918273645546372819"
	c := testCall(t, upstream(t, with(200, "application/json", `{"n":`+secret+`,"s":"xxxxxxxxxxxx`+secret+`"}`).ServeHTTP),
		Config{MaxResponse: 40, Credentials: map[string]Credential{"tok": {Token: secret}}}, Definition{Auth: schemes})
	if text := textIn(do(t, c, "GET", "/x")); strings.Contains(text, secret[:3]) {
		t.Error(text)
	}
}

// TestManyHeaders has an upstream that says more in headers than a model wants.
func TestManyHeaders(t *testing.T) {
	var headers []string
	for i := range 500 {
		headers = append(headers, fmt.Sprintf("X-Page-%d", i), strings.Repeat("x", 900))
	}
	result := get(t, with(200, "application/json", "{}", headers...), Config{})
	if n := len(textIn(result)); n > 11_000 {
		t.Errorf("%d bytes of headers", n)
	}
}

// TestSecretsStayHidden plants a secret wherever an upstream can put it.
func TestSecretsStayHidden(t *testing.T) {
	const secret = "s3cr3t/+value&x"
	// seen is what an API that debugs would write of a request.
	seen := func(r *http.Request) string {
		data, _ := json.Marshal(map[string]any{"url": r.URL.String(), "headers": r.Header, "secrets": secretsOf(r)})
		return string(data)
	}
	answer := func(status int, contentType string, body func(*http.Request) string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			w.Header().Set("Location", "https://elsewhere.test/?"+r.URL.RawQuery)
			w.Header().Set("Link", "<"+r.URL.String()+`>; rel="next"`)
			w.Header().Set("Etag", secretsOf(r))
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body(r))
		}
	}
	inBase64 := func(before string) func(*http.Request) string {
		return func(r *http.Request) string {
			return `{"content":"` + base64.StdEncoding.EncodeToString([]byte(before+secretsOf(r)+"and more")) + `"}`
		}
	}
	bases := map[string]string{
		"success":         upstream(t, answer(200, "application/json", seen)),
		"text":            upstream(t, answer(200, "text/plain", seen)),
		"file":            upstream(t, answer(200, "application/octet-stream", seen)),
		"image":           upstream(t, answer(200, "image/png", seen)),
		"sound":           upstream(t, answer(200, "audio/ogg", seen)),
		"base64 in JSON":  upstream(t, answer(200, "application/json", inBase64(""))),
		"one byte before": upstream(t, answer(200, "application/json", inBase64("x"))),
		"two bytes":       upstream(t, answer(200, "application/json", inBase64("xx"))),
		"events":          upstream(t, answer(200, "text/event-stream", func(r *http.Request) string { return "data: " + seen(r) + "\n\n" })),
		"no JSON":         upstream(t, answer(200, "application/json", func(r *http.Request) string { return seen(r) + "}" })),
		"refusal":         upstream(t, answer(418, "application/json", seen)),
		"problem":         upstream(t, answer(400, "application/problem+json", seen)),
		"error page":      upstream(t, answer(500, "text/html", func(r *http.Request) string { return "<html><body>" + html.EscapeString(seen(r)) })),
		"redirect":        upstream(t, answer(302, "application/json", seen)),
		"redirect here": upstream(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/y?"+r.URL.RawQuery, http.StatusTemporaryRedirect)
		}),
		"broken": upstream(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, seen(r))
		}),
		"refused":    "http://127.0.0.1:1",
		"unresolved": "http://no-such-host.invalid",
	}
	credentials := map[string]Credential{
		"key": {Key: secret}, "query": {Key: secret}, "sess": {Key: secret},
		"basic": {Username: "u", Password: secret}, "tok": {Token: secret},
	}
	for name, base := range bases {
		for _, scheme := range schemes[:5] {
			var log bytes.Buffer
			c := testCall(t, base, Config{Credentials: credentials, Log: newLogger(&log, -4, "text")}, Definition{Auth: schemes})
			result := do(t, c, "POST", "/x", func(r *Request) { r.Auth(scheme.Name) })
			wire, err := json.Marshal(result)
			if err != nil {
				t.Fatal(err)
			}
			if log.Len() == 0 {
				t.Errorf("%s: nothing logged", name)
			}
			for place, text := range map[string]string{"result": string(wire), "log": log.String()} {
				if strings.Contains(text, "s3cr3t") || strings.Contains(text, base64.StdEncoding.EncodeToString([]byte("u:"+secret))) || base64Holds(text, "s3cr3t") {
					t.Errorf("%s, %s: the secret is in the %s %s", name, scheme.Name, place, text)
				}
			}
		}
	}
}

// secretsOf is every credential of a request, as it was before it was encoded.
func secretsOf(r *http.Request) string {
	all := r.Header.Get("X-Key") + r.URL.Query().Get("api key")
	if _, password, ok := r.BasicAuth(); ok {
		all += password
	} else {
		all += strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	}
	if cookie, err := r.Cookie("SID"); err == nil {
		value, _ := url.PathUnescape(cookie.Value)
		all += value
	}
	return all
}

// base64Holds reports whether some base64 in a text holds a secret, or would if
// it were read from another character on.
func base64Holds(text, secret string) bool {
	for _, run := range regexp.MustCompile(`[A-Za-z0-9+/]{8,}`).FindAllString(text, -1) {
		for start := range 4 {
			part := run[start:]
			if data, _ := base64.RawStdEncoding.DecodeString(part[:len(part)-len(part)%4]); strings.Contains(string(data), secret) {
				return true
			}
		}
	}
	return false
}

// TestHalfASecret cuts answers where a secret stands.
func TestHalfASecret(t *testing.T) {
	const secret = "s3cr3t-value-that-is-long"
	for _, tc := range []answer{
		with(404, "text/html", "<p>"+strings.Repeat("x", 590)+strings.ReplaceAll(secret, "-", "&#45;")),
		with(200, "text/plain", "xxxxx"+secret+strings.Repeat("x", 100)),
		with(200, "application/json", `["xxxx`+secret+strings.Repeat("x", 100)+`"]`),
		with(404, "text/plain", strings.Repeat("x", maxSaid-10)+secret),
		with(404, "text/html", "<p>"+strings.Repeat("x", 590)+secret),
		with(200, "text/event-stream", "data: xxxxxxxx"+secret+"\n\n"),
		with(204, "", "", "Link", strings.Repeat("x", 990)+secret),
	} {
		c := testCall(t, upstream(t, tc.ServeHTTP), Config{MaxResponse: 20, Credentials: map[string]Credential{"tok": {Token: secret}}}, Definition{Auth: schemes})
		c.progress = func(_ context.Context, _, _ float64, message string) {
			if strings.Contains(message, secret[:4]) {
				t.Errorf("half a secret in the progress %q", message)
			}
		}
		if text := textIn(do(t, c, "POST", "/x")); strings.Contains(text, secret[:4]) {
			t.Errorf("half a secret in %q", text)
		}
	}
}
