package prove

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// client returns an HTTP client that goes through u as a subprocess with u.Env
// would.
func client(t *testing.T, u *Upstream) *http.Client {
	proxy, err := url.Parse(u.URL)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(u.ca.pem)
	transport := &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func TestUpstreamRecords(t *testing.T) {
	for _, test := range []struct {
		name, method, url, body string
		target                  string
	}{
		{"https keeps the target", "GET", "https://api.test/v1/a%2Fb?x=%20", "", "/v1/a%2Fb?x=%20"},
		{"https with a port", "GET", "https://api.test:8443/v1", "", "/v1"},
		{"http through the proxy", "POST", "http://api.test/v1?x=1", "payload", "/v1?x=1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			u := NewUpstream(t)
			u.Reply(Answer{Raw: "HTTP/1.1 201 Created\nX-A: b\n\nmade"})
			req, err := http.NewRequest(test.method, test.url, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			c := client(t, u)
			for range 2 { // the second time on the same connection
				resp, err := c.Do(req.Clone(t.Context()))
				if err != nil {
					t.Fatal(err)
				}
				body, err := io.ReadAll(resp.Body)
				resp.Body.Close()
				if err != nil || string(body) != "made" || resp.StatusCode != 201 || resp.Header.Get("X-A") != "b" {
					t.Errorf("got %d %q, %v", resp.StatusCode, body, err)
				}
				req.Body = io.NopCloser(strings.NewReader(test.body))
			}
			seen := u.Take()
			if len(seen) != 2 {
				t.Fatalf("%d requests were recorded, want 2", len(seen))
			}
			for _, got := range seen {
				if got.URL != test.url || got.Target != test.target || got.Method != test.method || string(got.Body) != test.body {
					t.Errorf("recorded %+v", got)
				}
				if !strings.Contains(got.Head, "\nUser-Agent: ") {
					t.Errorf("no header lines in %q", got.Head)
				}
			}
		})
	}
}

func TestFrame(t *testing.T) {
	for _, test := range []struct {
		name, raw, method, want string
		framed                  bool
	}{
		{"nothing", "", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false},
		{"a head that ends early", "HTTP/1.1 200 OK\nA: b\n", "GET", "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 0\r\n\r\n", false},
		{"a length is added", "HTTP/1.1 404 Not Found\nA: b\n\nhi\n\nthere", "GET", "HTTP/1.1 404 Not Found\r\nA: b\r\nContent-Length: 9\r\n\r\nhi\n\nthere", false},
		{"no length where none may be", "HTTP/1.1 204 No Content\n\n", "GET", "HTTP/1.1 204 No Content\r\n\r\n", false},
		{"no body for HEAD", "HTTP/1.1 200 OK\n\nabc", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n", false},
		{"a length of its own stays", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nabc", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, framed := frame(test.raw, test.method)
			if got != test.want || framed != test.framed {
				t.Errorf("got %q %v, want %q %v", got, framed, test.want, test.framed)
			}
		})
	}
}
