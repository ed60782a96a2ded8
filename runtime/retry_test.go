package runtime

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestRetries counts the requests that an upstream sees.
func TestRetries(t *testing.T) {
	for _, tc := range []struct {
		name, method string
		status       int
		retryAfter   string
		recoverAt    int32 // request that is answered 200; 0: none
		timeout      time.Duration
		want         int32
		isError      bool
		contains     string
	}{
		{"503 passes", "GET", 503, "", 2, 0, 2, false, "200 OK"},
		{"502 passes", "PUT", 502, "", 2, 0, 2, false, "200 OK"},
		{"504 passes", "DELETE", 504, "", 2, 0, 2, false, "200 OK"},
		{"429 passes", "QUERY", 429, "0", 2, 0, 2, false, "200 OK"},
		{"503 stays", "GET", 503, "", 0, 0, 3, true, "answered 503 Service Unavailable (tried 3 times)."},
		{"500 is not passing", "GET", 500, "", 0, 0, 1, true, "500"},
		{"404 is an answer", "GET", 404, "", 0, 0, 1, true, "404"},
		{"POST is sent once", "POST", 503, "", 0, 0, 1, true, "\nThe API has a problem of its own. It may have taken effect: check before calling again."},
		{"POST with a pause", "POST", 503, "7", 0, 0, 1, true, "check before calling again. If it has not, call again after 7 seconds, not earlier."},
		{"DELETE may be repeated", "DELETE", 500, "", 0, 0, 1, true, "\nThe API has a problem of its own: try again later."},
		{"PATCH is sent once", "PATCH", 429, "0", 0, 0, 1, true, "429"},
		{"an hour is too long", "GET", 429, "3600", 0, 0, 1, true, "after 3600 seconds"},
		{"longer than the call", "GET", 503, "2", 0, 3 * time.Second, 1, true, "after 2 seconds"},
		{"a date long ago", "GET", 503, "Sun, 06 Nov 1994 08:49:37 GMT", 2, 0, 2, false, "200 OK"},
		{"not a date", "GET", 503, "soon", 2, 0, 2, false, "200 OK"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var seen atomic.Int32
			base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
				if n := seen.Add(1); n == tc.recoverAt {
					return
				}
				if tc.retryAfter != "" {
					w.Header().Set("Retry-After", tc.retryAfter)
				}
				w.WriteHeader(tc.status)
			})
			c := testCall(t, base, Config{Timeout: tc.timeout}, Definition{})
			wantText(t, do(t, c, tc.method, "/x", func(r *Request) { r.JSON(value(`{}`)) }), tc.isError, tc.contains)
			if got := seen.Load(); got != tc.want {
				t.Errorf("%d requests, want %d", got, tc.want)
			}
		})
	}
}

// TestClosedConnections has an upstream that hangs up before it answers.
func TestClosedConnections(t *testing.T) {
	for method, want := range map[string]int32{"GET": 3, "POST": 1} {
		var seen atomic.Int32
		base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
			seen.Add(1)
			conn, _, _ := w.(http.Hijacker).Hijack()
			conn.Close()
		})
		// A client sends a request again by itself on a reused connection only.
		wantText(t, do(t, testCall(t, base, Config{}, Definition{}), method, "/x"), true, "the connection was closed early")
		if got := seen.Load(); got != want {
			t.Errorf("%s: %d requests, want %d", method, got, want)
		}
	}
}

// TestTricklingAnswers has answers that nobody reads and that never end: they
// cost neither the call's time nor its success.
func TestTricklingAnswers(t *testing.T) {
	for name, first := range map[string]int{"retry": 503, "too many": 429, "redirect": 307} {
		var seen atomic.Int32
		base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
			if seen.Add(1) > 1 {
				return
			}
			w.Header().Set("Location", "/y")
			w.WriteHeader(first)
			_, _ = io.WriteString(w, "x")
			w.(http.Flusher).Flush()
			<-r.Context().Done() // the client has hung up
		})
		wantText(t, do(t, testCall(t, base, Config{Timeout: 10 * time.Second}, Definition{}), "GET", "/x"), false, "200 OK")
		if got := seen.Load(); got != 2 {
			t.Errorf("%s: %d requests, want 2", name, got)
		}
	}
}

// TestTimeoutAdvice: what may have been done is not done again without a look.
func TestTimeoutAdvice(t *testing.T) {
	silent := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	half := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, "a")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	const (
		repeat = "(timeout). Try again later, or ask for less."
		look   = "(timeout). It may have taken effect: check before calling again."
	)
	for method, want := range map[string]string{"GET": repeat, "PUT": repeat, "DELETE": repeat, "POST": look, "PATCH": look} {
		for name, base := range map[string]string{"no answer": silent, "half an answer": half} {
			result := do(t, testCall(t, base, Config{Timeout: 100 * time.Millisecond}, Definition{}), method, "/x", func(r *Request) { r.JSON(value(`{}`)) })
			if text := textIn(result); !result.IsError || !strings.HasSuffix(text, want) {
				t.Errorf("%s, %s: %s", method, name, text)
			}
		}
	}
}

func TestRefusedConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	l.Close()
	result := do(t, testCall(t, "http://"+address, Config{}, Definition{}), "GET", "/pets/{id}", func(r *Request) { r.Path("id", value(`5`)) })
	wantText(t, result, true, "GET /pets/5 on 127.0.0.1 failed (tried 3 times): it was not sent because the connection was refused.")
	wantText(t, do(t, testCall(t, "http://"+address, Config{}, Definition{}), "POST", "/pets"), true, "POST /pets on 127.0.0.1 failed: it was not sent")
}

func TestCancellationReachesTheUpstream(t *testing.T) {
	arrived, ended := make(chan struct{}), make(chan struct{})
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
		close(ended)
	})
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-arrived; cancel() }()
	wantText(t, doContext(t, ctx, testCall(t, base, Config{}, Definition{}), "GET", "/x"), true, "was cancelled")
	<-ended
}

// TestRedirects follows what stays on the host, and says what does not.
func TestRedirects(t *testing.T) {
	other := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("another host was called: %s %s, %v", r.Method, r.URL, r.Header)
	})
	for _, tc := range []struct {
		name, method string
		status       int
		location     string
		want         string // the request that arrives, or part of the failure
	}{
		{"301 of a GET", "GET", 301, "/new?a=1", "GET /new?a=1 body= key=K"},
		{"302 keeps POST", "POST", 302, "/new", `POST /new body={"a":1} key=K`},
		{"303 makes a GET", "POST", 303, "/new", "GET /new body= key=K"},
		{"303 of a HEAD", "HEAD", 303, "/new", "HEAD /new body= key=K"},
		{"307 keeps method and body", "PUT", 307, "/new", `PUT /new body={"a":1} key=K`},
		{"308 keeps method and body", "DELETE", 308, "new", `DELETE /v1/new body={"a":1} key=K`},
		{"fragment is dropped", "GET", 302, "/new#part", "GET /new body= key=K"},
		{"another host", "GET", 302, other + "/steal", "answered 302 Found"},
		{"another host without a scheme", "POST", 307, strings.TrimPrefix(other, "http:") + "/steal", "requests keep to the host of the API"},
		{"user info", "GET", 302, "http://user@HOST/new", "not followed"},
		{"another scheme", "GET", 302, "ftp://HOST/new", "not followed"},
		{"no location", "GET", 302, "", "answered 302 Found"},
		{"300", "GET", 300, "/new", "answered 300 Multiple Choices"},
		{"304", "GET", 304, "", "answered 304 Not Modified"},
		{"round and round", "GET", 302, "/v1/old", "answered 302 Found"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var got string
			var base string
			base = upstream(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/v1/old" {
					if tc.location != "" {
						w.Header().Set("Location", strings.Replace(tc.location, "HOST", strings.TrimPrefix(base, "http://"), 1))
					}
					w.WriteHeader(tc.status)
					return
				}
				body, _ := io.ReadAll(r.Body)
				got = fmt.Sprintf("%s %s body=%s key=%s", r.Method, r.URL, body, r.Header.Get("X-Key"))
			})
			c := testCall(t, base+"/v1", Config{Credentials: map[string]Credential{"key": {Key: "K"}}}, Definition{Auth: schemes})
			result := do(t, c, tc.method, "/old", func(r *Request) {
				r.Auth("key")
				if tc.method != "GET" && tc.method != "HEAD" {
					r.JSON(value(`{"a":1}`))
				}
			})
			if got == "" {
				wantText(t, result, true, tc.want)
			} else if got != tc.want || result.IsError {
				t.Errorf("got %q, want %q; %s", got, tc.want, textIn(result))
			}
		})
	}
}

func TestRedirectTargets(t *testing.T) {
	for _, tc := range []struct {
		from, location string
		want           bool
	}{
		{"https://api.test/a", "https://api.test/b", true},
		{"https://api.test/a", "https://API.test/b", true},
		{"https://api.test/a", "http://api.test/b", false},
		{"http://api.test/a", "https://api.test/b", true},
		{"http://api.test:80/a", "https://api.test:443/b", true},
		{"http://api.test:8080/a", "https://api.test:8443/b", false},
		{"https://api.test/a", "https://api.test:8443/b", false},
		{"https://api.test/a", "https://sub.api.test/b", false},
		{"https://api.test/a", "https://api.test.evil.test/b", false},
		{"https://api.test/a", "//evil.test/b", false},
		{"https://api.test/a", "https://evil.test@api.test/b", false},
		{"https://api.test/a", "/\x7f", false},
	} {
		from := mustURL(t, tc.from)
		resp := &http.Response{StatusCode: 302, Header: http.Header{"Location": {tc.location}}}
		if got := redirect(resp, from); (got != nil) != tc.want {
			t.Errorf("%s to %s: %v", tc.from, tc.location, got)
		}
	}
}

// TestTransportFailures says in words what Go says in chains of errors.
func TestTransportFailures(t *testing.T) {
	secure := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer secure.Close()
	secure.Config.ErrorLog = nil
	noHTTP := record(t, "SSH-2.0-x\r\n\r\n")
	hang := make(chan struct{})
	defer close(hang)
	slow := upstream(t, func(http.ResponseWriter, *http.Request) { <-hang })
	for _, tc := range []struct {
		name, base, method string
		timeout            time.Duration
		want               []string
	}{
		{"untrusted certificate", secure.URL, "GET", 0, []string{"no trusted TLS connection", "issuer is not trusted"}},
		{"TLS to a plain server", "https://" + strings.TrimPrefix(slow, "http://"), "GET", 0, []string{"no trusted TLS connection", "does not speak TLS"}},
		{"not HTTP", "http://" + noHTTP.address, "GET", 0, []string{"an answer that is not HTTP"}},
		{"name does not resolve", "http://no-such-host.invalid", "GET", 0, []string{"host's name cannot be resolved"}},
		{"timeout", slow, "GET", 50 * time.Millisecond, []string{"no answer within 50ms (timeout)"}},
		{"timeout of a POST", slow, "POST", 50 * time.Millisecond, []string{"timeout", "may have taken effect"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			result := do(t, testCall(t, tc.base, Config{Timeout: tc.timeout}, Definition{}), tc.method, "/pets")
			wantText(t, result, true, append(tc.want, tc.method+" /pets on ")...)
			for _, noise := range []string{"dial tcp", "x509:", "net/http:", "context deadline", "lookup ", ".go:"} {
				if strings.Contains(textIn(result), noise) {
					t.Errorf("%q is in: %s", noise, textIn(result))
				}
			}
		})
	}
}

func TestRetryAfter(t *testing.T) {
	soon := time.Now().Add(90 * time.Second).UTC().Format(http.TimeFormat)
	for value, want := range map[string]int{"7": 7, " 7 ": 7, "0": 0, "-3": 0, soon: 90, "": -1, "7.5": -1, "soon": -1, strconv.Itoa(1 << 40): -1} {
		got, ok := retryAfter(http.Header{"Retry-After": {value}})
		if !ok {
			got = -time.Second
		}
		if seconds := int(got.Round(time.Second) / time.Second); seconds != want && seconds != want-1 {
			t.Errorf("%q: %d, want %d", value, seconds, want)
		}
	}
}
