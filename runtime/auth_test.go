package runtime

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// schemes are one of each kind.
var schemes = []Auth{
	{Name: "key", Kind: APIKey, In: "header", Wire: "X-Key"},
	{Name: "query", Kind: APIKey, In: "query", Wire: "api key"},
	{Name: "sess", Kind: APIKey, In: "cookie", Wire: "SID"},
	{Name: "basic", Kind: Basic},
	{Name: "tok", Kind: Bearer},
	{Name: "oauth", Kind: ClientCredentials, TokenURL: "/token"},
	{Name: "mtls", Kind: MutualTLS},
}

// TestSecurity has OpenAPI's alternatives (OR) of schemes (AND).
func TestSecurity(t *testing.T) {
	var got *http.Request
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) { got = r })
	key := Credential{Key: "K"}
	for _, tc := range []struct {
		name        string
		security    []requirement
		credentials map[string]Credential
		want        string // "X-Key,Authorization,Cookie,query", or part of the error
	}{
		{"none", nil, map[string]Credential{"key": key}, "|||"},
		{"header key", []requirement{{"key"}}, map[string]Credential{"key": key}, "K|||"},
		{"query key", []requirement{{"query"}}, map[string]Credential{"query": {Key: "a&b c"}}, "|||x=1&api%20key=a%26b%20c"},
		{"cookie key beside a cookie", []requirement{{"sess"}}, map[string]Credential{"sess": {Key: "s3"}}, "||c=1; SID=s3|"},
		{"bearer", []requirement{{"tok"}}, map[string]Credential{"tok": {Token: "B"}}, "|Bearer B||"},
		{"basic", []requirement{{"basic"}}, map[string]Credential{"basic": {Username: "Aladdin", Password: "open sesame"}}, "|Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==||"},
		{"basic without a password", []requirement{{"basic"}}, map[string]Credential{"basic": {Username: "key"}}, "|Basic a2V5Og==||"},
		{"ready OAuth token", []requirement{{"oauth"}}, map[string]Credential{"oauth": {Token: "T"}}, "|Bearer T||"},
		{"second alternative", []requirement{{"tok"}, {"key"}}, map[string]Credential{"key": key}, "K|||"},
		{"first satisfiable", []requirement{{"tok"}, {"key"}}, map[string]Credential{"key": key, "tok": {Token: "B"}}, "|Bearer B||"},
		{"both", []requirement{{"key", "tok"}}, map[string]Credential{"key": key, "tok": {Token: "B"}}, "K|Bearer B||"},
		{"optional with the credential", []requirement{{}, {"key"}}, map[string]Credential{"key": key}, "K|||"},
		{"optional without", []requirement{{"key"}, {}}, nil, "|||"},
		{"one of both is missing", []requirement{{"key", "tok"}}, map[string]Credential{"key": key}, `"tok" (API_BEARER_TOKEN_TOK)`},
		{"missing", []requirement{{"key"}}, nil, `"key" (API_API_KEY_KEY)`},
		{"missing pair", []requirement{{"basic"}}, nil, `"basic" (API_BASIC_USERNAME_BASIC and API_BASIC_PASSWORD_BASIC)`},
		{"missing alternatives", []requirement{{"key"}, {"tok"}}, nil, `"key" (API_API_KEY_KEY); or "tok" (API_BEARER_TOKEN_TOK)`},
		{"half a client", []requirement{{"oauth"}}, map[string]Credential{"oauth": {ClientID: "id"}}, "API_OAUTH_CLIENT_SECRET_OAUTH"},
		{"missing certificate", []requirement{{"mtls"}}, nil, "API_CLIENT_CERT_MTLS and API_CLIENT_KEY_MTLS"},
		{"undefined scheme", []requirement{{"gone"}}, nil, `"gone", which the API's description does not define`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got = nil
			c := testCall(t, base, Config{Credentials: tc.credentials}, Definition{Auth: schemes, EnvPrefix: "API_"})
			r := c.Request("GET", "/x")
			if strings.HasPrefix(tc.name, "query") {
				r.Query("x", value(`1`))
			}
			if strings.HasPrefix(tc.name, "cookie") {
				r.Cookie("c", value(`1`))
			}
			for _, alternative := range tc.security {
				r.Auth(alternative...)
			}
			result, _ := c.Do(context.Background(), r)
			if got == nil {
				wantText(t, c.server.encode(c, result), true, tc.want, "was not sent", "It is not an argument")
				if text := textIn(c.server.encode(c, result)); strings.Count(strings.ToLower(text), "sent") != 1 {
					t.Errorf("it says more than once that nothing was sent: %s", text)
				}
				return
			}
			h := got.Header
			sent := h.Get("X-Key") + "|" + h.Get("Authorization") + "|" + h.Get("Cookie") + "|" + got.URL.RawQuery
			if sent != tc.want {
				t.Errorf("got %q, want %q", sent, tc.want)
			}
		})
	}
}

func TestPassedHeaders(t *testing.T) {
	var got http.Header
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) { got = r.Header })
	inbound := http.Header{"Authorization": {"Bearer CLIENT"}, "X-Key": {"USER"}, "Cookie": {"a=b"}, "Host": {"evil"}, "Content-Length": {"7"}}
	for _, tc := range []struct {
		name     string
		allowed  []string
		inbound  http.Header
		key      string
		want     string // X-Key|Authorization|Cookie
		scheme   string
		isError  bool
		contains string
	}{
		{"nothing by default", nil, inbound, "SERVER", "SERVER||", "key", false, ""},
		{"the caller's key", []string{"x-key"}, inbound, "SERVER", "USER||", "key", false, ""},
		{"a caller without a key", []string{"x-key"}, nil, "SERVER", "SERVER||", "key", false, ""},
		{"a key that only callers have", []string{"X-Key"}, inbound, "", "USER||", "key", false, ""},
		{"a key that nobody has", []string{"X-Key"}, nil, "", "", "key", true, "API_KEY_KEY"},
		{"a bearer that only callers have", []string{"Authorization"}, inbound, "", "|Bearer CLIENT|", "tok", false, ""},
		{"never the connection's own", []string{"Host", "Content-Length"}, inbound, "SERVER", "SERVER||", "key", false, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got = nil
			c := testCall(t, base, Config{PassHeaders: tc.allowed, Credentials: map[string]Credential{"key": {Key: tc.key}}}, Definition{Auth: schemes})
			c.header = tc.inbound
			result := do(t, c, "GET", "/mine", func(r *Request) { r.Auth(tc.scheme) })
			wantText(t, result, tc.isError, tc.contains)
			if got == nil {
				return
			}
			if sent := got.Get("X-Key") + "|" + got.Get("Authorization") + "|" + got.Get("Cookie"); sent != tc.want {
				t.Errorf("got %q, want %q", sent, tc.want)
			}
		})
	}
}

// tokenServer is an OAuth 2 token endpoint and an API that wants its tokens.
type tokenServer struct {
	mu      sync.Mutex
	issued  int
	seconds int // of life; 0: not said
	fail    string
	down    int // how many requests for a token are not served
	status  int // of those; 0: the connection breaks
	scopes  []string
	valid   func(token string) bool
}

func (s *tokenServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/token" {
		if token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "); s.valid != nil && !s.valid(token) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, r.Header.Get("Authorization"))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.down--; s.down >= 0 {
		if s.status == 0 {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(s.status)
		return
	}
	id, secret, _ := r.BasicAuth()
	known := r.FormValue("grant_type") == "client_credentials" && id == "app" && secret == url.QueryEscape("s3cret/value")
	w.Header().Set("Content-Type", "application/json")
	if fail := cmp.Or(s.fail, "invalid_client"); s.fail != "" || !known {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"error":%q,"error_description":"no entry for s3cret/value"}`, fail)
		return
	}
	s.issued++
	s.scopes = append(s.scopes, r.FormValue("scope"))
	life := ""
	if s.seconds > 0 {
		life = fmt.Sprintf(`,"expires_in":%d`, s.seconds)
	}
	fmt.Fprintf(w, `{"access_token":"token-%d","token_type":"bearer"%s}`, s.issued, life)
}

func oauthCall(t *testing.T, s *tokenServer) *Call {
	t.Helper()
	config := Config{Credentials: map[string]Credential{"oauth": {ClientID: "app", ClientSecret: "s3cret/value"}}}
	return testCall(t, upstream(t, s.ServeHTTP), config, Definition{Auth: schemes})
}

func withOAuth(scopes ...string) func(*Request) {
	return func(r *Request) { r.Auth("oauth"); r.Scopes("oauth", scopes...) }
}

func TestClientCredentials(t *testing.T) {
	s := &tokenServer{seconds: 3600}
	c := oauthCall(t, s)
	for range 3 {
		result := do(t, c, "GET", "/x", withOAuth("read", "admin"))
		wantText(t, result, false, "Bearer "+Redacted) // what the API echoes is a secret by now
	}
	do(t, c, "GET", "/x", withOAuth("admin", "read")) // the same scopes
	do(t, c, "GET", "/x", withOAuth())
	if got := strings.Join(s.scopes, "|"); got != "admin read|" || s.issued != 2 {
		t.Errorf("%d tokens for the scopes %q", s.issued, got)
	}
}

func TestTokenIsRenewed(t *testing.T) {
	s := &tokenServer{seconds: 3600}
	c := oauthCall(t, s)
	do(t, c, "GET", "/x", withOAuth())
	source := c.server.tokenSource(schemes[5], nil)
	if left := time.Until(source.renew); left > 59*time.Minute || left < 58*time.Minute {
		t.Errorf("a token of an hour is renewed after %v", left)
	}
	source.renew = time.Now().Add(-time.Second)
	do(t, c, "GET", "/x", withOAuth())
	if s.issued != 2 {
		t.Errorf("%d tokens, want 2", s.issued)
	}
}

func TestRefusedTokenIsReplacedOnce(t *testing.T) {
	s := &tokenServer{valid: func(token string) bool { return token == "token-2" }}
	c := oauthCall(t, s)
	wantText(t, do(t, c, "POST", "/x", withOAuth()), false)
	if s.issued != 2 {
		t.Errorf("%d tokens, want 2", s.issued)
	}
	s = &tokenServer{valid: func(string) bool { return false }}
	c = oauthCall(t, s)
	wantText(t, do(t, c, "POST", "/x", withOAuth()), true, "401 Unauthorized", "this server's credential")
	if s.issued != 2 {
		t.Errorf("%d tokens, want 2", s.issued)
	}
}

func TestOneFlightForAToken(t *testing.T) {
	s := &tokenServer{}
	first := oauthCall(t, s)
	var group sync.WaitGroup
	for range 8 {
		c := *first
		group.Go(func() { do(t, &c, "GET", "/x", withOAuth()) })
	}
	group.Wait()
	if s.issued != 1 {
		t.Errorf("%d tokens for calls at the same time", s.issued)
	}
}

// A request for a token is repeated like one for data: it has no effect that
// must not come twice. Whoever waits for the same token waits for all of it.
func TestTokenIsAskedForAgain(t *testing.T) {
	for _, tc := range []struct {
		name         string
		down, status int
		left         int // requests for a token that the failure did not reach
		isError      bool
		contains     string
	}{
		{"503 passes", 2, 503, 0, false, "Bearer"},
		{"429 passes", 1, 429, 0, false, "Bearer"},
		{"a broken connection passes", 2, 0, 0, false, "Bearer"},
		{"503 stays", 100, 503, 97, true, "answered 503 Service Unavailable"},
		{"broken connections stay", 100, 0, 97, true, "the connection was closed early"},
		{"403 is an answer", 100, 403, 99, true, "answered 403 Forbidden"},
		{"400 may be for the header", 100, 400, 98, true, "answered 400 Bad Request"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := &tokenServer{down: tc.down, status: tc.status}
			first := oauthCall(t, s)
			var group sync.WaitGroup
			for range 4 { // POST: what is repeated is not the call
				c := *first
				if tc.isError {
					wantText(t, do(t, &c, "POST", "/x", withOAuth()), true, tc.contains)
					break
				}
				group.Go(func() { wantText(t, do(t, &c, "POST", "/x", withOAuth()), false, tc.contains) })
			}
			group.Wait()
			s.mu.Lock() // a handler whose connection broke may still be at work
			defer s.mu.Unlock()
			if left := max(s.down, 0); left != tc.left || !tc.isError && s.issued != 1 {
				t.Errorf("%d requests left, want %d; %d tokens", left, tc.left, s.issued)
			}
		})
	}
}

// Some servers want the client's id and secret in the body.
func TestClientInTheBody(t *testing.T) {
	asked := 0
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/token" {
			w.WriteHeader(http.StatusUnauthorized) // no token is good enough
			return
		}
		asked++
		w.Header().Set("Content-Type", "application/json")
		if _, _, inHeader := r.BasicAuth(); inHeader || r.FormValue("client_secret") != "s3cret/value" {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error":"invalid_client"}`)
			return
		}
		fmt.Fprintf(w, `{"access_token":"token-%d","token_type":"bearer"}`, asked)
	})
	config := Config{Credentials: map[string]Credential{"oauth": {ClientID: "app", ClientSecret: "s3cret/value"}}}
	wantText(t, do(t, testCall(t, base, config, Definition{Auth: schemes}), "GET", "/x", withOAuth()), true, "GET /x on 127.0.0.1 answered 401")
	if asked != 3 { // in the header, in the body, and in the body for the token after the first
		t.Errorf("asked %d times", asked)
	}
}

func TestTokenFailure(t *testing.T) {
	var calls atomic.Int32
	s := &tokenServer{fail: "invalid_scope", valid: func(string) bool { calls.Add(1); return true }}
	result := do(t, oauthCall(t, s), "GET", "/x", withOAuth("x"))
	wantText(t, result, true, `no access token for the scheme "oauth"`, "400 Bad Request", "invalid_scope", "was not sent")
	if text := textIn(result); strings.Contains(text, "s3cret") {
		t.Errorf("the secret is in %s", text)
	}
	if calls.Load() != 0 {
		t.Error("the API was called without a token")
	}

	hang := make(chan struct{})
	base := upstream(t, func(http.ResponseWriter, *http.Request) { <-hang })
	defer close(hang)
	config := Config{Timeout: 50 * time.Millisecond, Credentials: map[string]Credential{"oauth": {ClientID: "app", ClientSecret: "s3cret/value"}}}
	wantText(t, do(t, testCall(t, base, config, Definition{Auth: schemes}), "GET", "/x", withOAuth()), true, "did not answer in time")
}

func TestMutualTLS(t *testing.T) {
	var peers atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		peers.Store(int32(len(r.TLS.PeerCertificates)))
	}))
	s.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	s.StartTLS()
	defer s.Close()
	pair := s.TLS.Certificates[0] // any pair will do
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	credential := Credential{
		Certificate: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]})),
		PrivateKey:  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})),
	}
	config := Config{HTTPClient: s.Client(), Credentials: map[string]Credential{"mtls": credential}}
	c := testCall(t, s.URL, config, Definition{Auth: schemes})
	wantText(t, do(t, c, "GET", "/x", func(r *Request) { r.Auth("mtls") }), false)
	if peers.Load() != 1 {
		t.Error("the client showed no certificate")
	}
	wantText(t, do(t, c, "GET", "/x"), false)
	if peers.Load() != 0 {
		t.Error("the client showed a certificate that the operation does not ask for")
	}
	credential.PrivateKey = "-----BEGIN PRIVATE KEY-----\nbad\n-----END PRIVATE KEY-----\n"
	config.Credentials = map[string]Credential{"mtls": credential}
	c = testCall(t, s.URL, config, Definition{Auth: schemes})
	wantText(t, do(t, c, "GET", "/x", func(r *Request) { r.Auth("mtls") }), true, "client certificate")
}
