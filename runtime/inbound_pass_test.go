package runtime

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// recordedAPI is an API that keeps the headers it got.
type recordedAPI struct {
	mu   sync.Mutex
	seen []http.Header
}

func (a *recordedAPI) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen = append(a.seen, r.Header.Clone())
}

// last is what the API got last: X-Key|Authorization|Cookie.
func (a *recordedAPI) last() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.seen) == 0 {
		return "nothing"
	}
	h := a.seen[len(a.seen)-1]
	return h.Get("X-Key") + "|" + h.Get("Authorization") + "|" + h.Get("Cookie")
}

// calling is a definition whose tool sends GET /mine with a scheme.
func calling(base, path string, security ...string) Definition {
	def := oneTool(`{"type":"object"}`)
	def.Upstreams, def.Auth = []Upstream{{URL: base}}, schemes
	def.Tools[0].Handle = func(ctx context.Context, c *Call) (*Result, error) {
		r := c.Request("GET", path)
		for _, scheme := range security {
			r.Auth(scheme)
		}
		return c.Do(ctx, r)
	}
	return def
}

// What callers send reaches the API only where the operator says so, and only
// for the call that brought it.
func TestInboundPassedOn(t *testing.T) {
	api := &recordedAPI{}
	base := upstream(t, api.ServeHTTP)
	credentials := map[string]Credential{"key": {Key: "SERVER"}, "tok": {Token: "SERVER-TOKEN"}, "oauth": {ClientID: "app", ClientSecret: "secret-of-app"}}
	inbound := []string{bearer("CLIENT"), "X-Key: USER", "Cookie: a=b"}
	for _, tc := range []struct {
		name     string
		args     []string
		security []string
		headers  []string
		want     string
	}{
		{"nothing by default", nil, []string{"tok"}, inbound, "|Bearer SERVER-TOKEN|"},
		{"no key by default", nil, []string{"key"}, inbound, "SERVER||"},
		{"a header by name", []string{"-pass-header=X-Key"}, []string{"key"}, inbound, "USER||"},
		{"a header by name, and a caller without it", []string{"-pass-header=X-Key"}, []string{"key"}, nil, "SERVER||"},
		{"the token", []string{"-pass-token"}, []string{"tok"}, inbound, "|Bearer CLIENT|"},
		{"the token in place of client credentials", []string{"-pass-token"}, []string{"oauth"}, inbound, "|Bearer CLIENT|"},
		{"a caller without a token", []string{"-pass-token"}, []string{"tok"}, nil, "|Bearer SERVER-TOKEN|"},
		{"a caller with no bearer token", []string{"-pass-token"}, []string{"tok"}, []string{"Authorization: Basic YTpi"}, "|Bearer SERVER-TOKEN|"},
		{"not in place of a key", []string{"-pass-token"}, []string{"key"}, inbound, "SERVER||"},
		{"not where none is needed", []string{"-pass-token"}, nil, inbound, "||"},
	} {
		s := listenHTTP(t, Config{Credentials: credentials}, calling(base, "/mine", tc.security...), tc.args...)
		for _, headers := range [][]string{tc.headers, s.open(tc.headers...)} {
			if got := s.modernOrSession(headers); got.status != 200 || strings.Contains(got.body, `"isError":true`) {
				t.Errorf("%s: %+v", tc.name, got)
			}
			if got := api.last(); got != tc.want {
				t.Errorf("%s: the API got %q, want %q", tc.name, got, tc.want)
			}
		}
		s.modernCall("tool", `{}`)
		if got := api.last(); strings.Contains(got, "CLIENT") || strings.Contains(got, "USER") {
			t.Errorf("%s: kept for the next caller: %q", tc.name, got)
		}
	}
}

// modernOrSession calls the tool in the era that the headers belong to.
func (s *site) modernOrSession(headers []string) reply {
	s.t.Helper()
	if len(headers) > 0 && strings.HasPrefix(headers[0], "Mcp-Session-Id") {
		return s.send("POST", callLine(3, "tool", `{}`), headers...)
	}
	return s.modernCall("tool", `{}`, headers...)
}

// What an API repeats of a caller's credentials is not for the caller's model.
func TestInboundPassedIsHidden(t *testing.T) {
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"you sent":%q,"and":%q}`, r.Header.Get("Authorization"), r.Header.Get("X-Key"))
	})
	s := listenHTTP(t, Config{}, calling(base, "/mine", "tok"), "-pass-token", "-pass-header=X-Key")
	one := s.modernCall("tool", `{}`, bearer("token-of-one"), "X-Key: key-of-one")
	if one.status != 200 || strings.Contains(one.body, "of-one") || strings.Count(one.body, Redacted) < 2 {
		t.Errorf("%+v", one)
	}
	two := s.modernCall("tool", `{}`, bearer("token-of-two"), "X-Key: you sent")
	if strings.Contains(two.body, "of-two") {
		t.Errorf("%+v", two)
	}
	if again := s.modernCall("tool", `{}`, bearer("token-of-one"), "X-Key: key-of-one"); again.body != one.body {
		t.Errorf("%s\nwas\n%s", again.body, one.body)
	}
}

// A caller's token does not follow a redirect to another host.
func TestInboundTokenStays(t *testing.T) {
	other := &recordedAPI{}
	elsewhere := httptest.NewServer(other)
	t.Cleanup(elsewhere.Close)
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(elsewhere.URL, "127.0.0.1", "localhost", 1), http.StatusFound)
	})
	s := listenHTTP(t, Config{}, calling(base, "/away", "tok"), "-pass-token")
	s.modernCall("tool", `{}`, bearer("CLIENT"))
	if got := other.last(); strings.Contains(got, "CLIENT") {
		t.Error(got)
	}
}

// Command lines that cannot be meant.
func TestInboundUsage(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	writeFile(t, tokens, "first-token-0123456789\n")
	empty := filepath.Join(t.TempDir(), "empty")
	writeFile(t, empty, "# none\n")
	bad := filepath.Join(t.TempDir(), "bad")
	writeFile(t, bad, "\none two-0123456789012345\n")
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-path=mcp"}, 2, "-path mcp: it must begin with /"},
		{[]string{"-path=/{x}"}, 2, "-path /{x}"},
		{[]string{"-path=/healthz"}, 2, "-path /healthz: it is taken"},
		{[]string{"-addr=nowhere"}, 1, "-addr: "},
		{[]string{"-tls-cert=a"}, 2, "-tls-cert and -tls-key go together"},
		{[]string{"-tls-cert=/nowhere/a", "-tls-key=/nowhere/b"}, 1, "-tls-cert and -tls-key: "},
		{[]string{"-origin=app.example.com"}, 2, "https://app.example.com, without a path"},
		{[]string{"-origin=https://app.example.com/x"}, 2, "without a path"},
		{[]string{"-public-url=example.com"}, 2, "-public-url example.com: it must begin with https://"},
		{[]string{"-max-request=0"}, 2, "number of bytes"},
		{[]string{"-grace=5"}, 2, "5s"},
		{[]string{"-session-idle=0s"}, 2, "more than nothing"},
		{[]string{"-max-sessions=-1"}, 2, "it must be a number of sessions"},
		{[]string{"-auth-tokens=/nowhere/at/all"}, 1, "-auth-tokens: "},
		{[]string{"-auth-tokens=" + empty}, 1, "holds no token"},
		{[]string{"-auth-tokens=" + bad}, 1, "bad:2: a token has letters"},
		{[]string{"-auth-tokens=" + tokens, "-pass-token"}, 2, "not for the API"},
		{[]string{"-auth-anonymous-list"}, 2, "-auth-anonymous-list needs"},
		{[]string{"-auth-audience=https://a.example"}, 2, "-auth-audience needs -auth-issuer"},
		{[]string{"-auth-issuer=https://a.example"}, 2, "needs -auth-audience"},
		{[]string{"-auth-issuer=http://a.example", "-auth-audience=https://b.example"}, 2, "https:// URL"},
		{[]string{"-auth-issuer=https://a.example", "-auth-audience=api://x"}, 2, "needs -public-url"},
		{[]string{"-transport=stdio", "-auth-tokens=" + tokens}, 2, "-auth-tokens needs -transport http"},
		{[]string{"-transport=stdio", "-stateless"}, 2, "-stateless needs -transport http"},
		{[]string{"-transport=stdio", "-pass-token"}, 2, "-pass-token needs -transport http"},
		{[]string{"-transport=stdio", "-pass-header=X-Key"}, 2, "-pass-header needs -transport http"},
	} {
		code, _, _, stderr := command(t, sample(), nil, append([]string{"-transport=http"}, tc.args...)...)
		if code != tc.code || !strings.HasPrefix(stderr, "error: ") && !strings.Contains(stderr, "\nerror: ") || !strings.Contains(stderr, tc.want) {
			t.Errorf("%v: exit %d, %q, want %d and %s", tc.args, code, stderr, tc.code, tc.want)
		}
	}
}
