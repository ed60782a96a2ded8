package runtime

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

// Which pages may call, and that nothing but browsers is held to it.
func TestHTTPPages(t *testing.T) {
	s := listenHTTP(t, Config{}, sample(), "-origin=https://app.example.com", "-public-url=https://mcp.example.com/mcp")
	own := strings.TrimSuffix(s.url, "/mcp")
	host := strings.TrimPrefix(own, "http://")
	_, port, _ := strings.Cut(host, ":")
	for _, tc := range []struct {
		name    string
		headers []string
		status  int
	}{
		{"no browser", nil, 200},
		{"no browser, through a proxy that keeps the host", []string{"Host: mcp.example.com"}, 200},
		{"no browser, through a proxy that keeps another host", []string{"Host: anything.example.org"}, 200},
		{"a page of ours", []string{"Origin: " + own}, 200},
		{"a page of ours by name", []string{"Host: localhost:" + port, "Origin: http://localhost:" + port}, 200},
		{"a page of the public host", []string{"Host: mcp.example.com", "Origin: https://mcp.example.com", "Sec-Fetch-Site: same-origin"}, 200},
		{"the same, and the proxy changes the host", []string{"Origin: https://mcp.example.com", "Sec-Fetch-Site: same-origin"}, 200},
		{"a page that is allowed", []string{"Origin: https://app.example.com", "Sec-Fetch-Site: cross-site"}, 200},
		{"a page of another site", []string{"Origin: https://evil.example"}, 403},
		{"the same, in a modern browser", []string{"Origin: https://evil.example", "Sec-Fetch-Site: cross-site"}, 403},
		{"a page of another port", []string{"Origin: http://127.0.0.1:1", "Sec-Fetch-Site: same-site"}, 403},
		{"a page of a similar origin", []string{"Origin: https://app.example.com.evil.example"}, 403},
		{"a file", []string{"Origin: null"}, 403},
		{"another name that leads here", []string{"Host: evil.example:" + port, "Origin: http://evil.example:" + port}, 403},
		{"the same, in a modern browser", []string{"Host: evil.example", "Origin: http://evil.example", "Sec-Fetch-Site: same-origin"}, 403},
		{"the same, behind a proxy that changes the host", []string{"Origin: http://evil.example"}, 403},
	} {
		a := s.send("POST", initializeLine, tc.headers...)
		if a.status != tc.status {
			t.Errorf("%s: %d %s, want %d", tc.name, a.status, a.body, tc.status)
		}
		if a.status == 403 && !strings.Contains(a.body, "its operator can") {
			t.Errorf("%s: no way out: %s", tc.name, a.body)
		}
	}
	for _, method := range []string{"GET", "DELETE"} {
		if a := s.send(method, "", "Origin: https://evil.example"); a.status != 403 {
			t.Errorf("%s: %+v", method, a)
		}
	}
}

// A page that may call may also read what comes back.
func TestHTTPCrossOrigin(t *testing.T) {
	s := listenHTTP(t, Config{}, sample(), "-origin=https://app.example.com")
	const origin = "Origin: https://app.example.com"
	ask := s.send("OPTIONS", "", origin, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type,mcp-protocol-version")
	if h := ask.header; ask.status != 204 || h.Get("Access-Control-Allow-Origin") != "https://app.example.com" || !strings.Contains(h.Get("Access-Control-Allow-Methods"), "POST") || h.Get("Access-Control-Allow-Headers") != "content-type,mcp-protocol-version" || h.Get("Vary") != "Origin" {
		t.Errorf("%+v", ask)
	}
	a := s.send("POST", initializeLine, origin)
	if a.status != 200 || a.header.Get("Access-Control-Allow-Origin") != "https://app.example.com" || !strings.Contains(a.header.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id") {
		t.Errorf("%+v", a)
	}
	if a := s.send("POST", initializeLine); a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%+v", a)
	}
	if a := s.send("OPTIONS", "", "Access-Control-Request-Method: POST", "Origin: https://evil.example"); a.status != 403 || a.header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("%+v", a)
	}
}

// A reverse proxy on the same host, as it is configured by default and with the
// client's Host kept.
func TestHTTPBehindProxy(t *testing.T) {
	s := listenHTTP(t, Config{}, sample())
	backend, err := url.Parse(strings.TrimSuffix(s.url, "/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, keepHost := range []bool{false, true} {
		proxy := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(backend)
			if keepHost {
				r.Out.Host = r.In.Host
			}
		}})
		t.Cleanup(proxy.Close)
		through := &site{t: t, url: proxy.URL + "/mcp", client: http.DefaultClient}
		session := through.open("Host: mcp.example.com")
		if a := through.send("POST", callLine(1, "echo", `{"id":1}`), session...); a.status != http.StatusOK {
			t.Errorf("keep host %v: %+v", keepHost, a)
		}
		if a := through.modernCall("echo", `{"id":1}`, "Host: mcp.example.com"); a.status != http.StatusOK {
			t.Errorf("keep host %v: %+v", keepHost, a)
		}
	}
}
