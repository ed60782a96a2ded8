package runtime

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// authorityServer is an authorization server: its metadata and its keys.
type authorityServer struct {
	*httptest.Server
	key    *ecdsa.PrivateKey
	second *rsa.PrivateKey // published once rotated
	rotated,
	down atomic.Bool
	fetched atomic.Int32
}

func newAuthorityServer(t *testing.T, wellKnown string) *authorityServer {
	t.Helper()
	a := &authorityServer{}
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		t.Fatal(err)
	}
	if a.second, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+wellKnown, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"issuer":%q,"jwks_uri":%q,"authorization_endpoint":%q,"token_endpoint":%q,"code_challenge_methods_supported":["S256"]}`,
			a.URL, a.URL+"/keys", a.URL+"/authorize", a.URL+"/token")
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		a.fetched.Add(1)
		if a.down.Load() {
			http.Error(w, "down", http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"keys":[{"kty":"EC","crv":"P-256","kid":"one","x":%q,"y":%q}`, coordinate(a.key.X), coordinate(a.key.Y))
		if a.rotated.Load() {
			fmt.Fprintf(w, `,{"kty":"RSA","kid":"two","n":%q,"e":"AQAB"}`, base64.RawURLEncoding.EncodeToString(a.second.N.Bytes()))
		}
		fmt.Fprint(w, `]}`)
	})
	a.Server = httptest.NewServer(mux)
	t.Cleanup(a.Close)
	return a
}

func coordinate(n *big.Int) string {
	return base64.RawURLEncoding.EncodeToString(n.FillBytes(make([]byte, 32)))
}

// claims are those of a good token, with changes: nil takes a claim away.
func (a *authorityServer) claims(audience string, changes map[string]any) map[string]any {
	c := map[string]any{
		"iss": a.URL, "aud": audience, "sub": "ann", "scope": "pets:read",
		"exp": time.Now().Add(time.Hour).Unix(), "iat": time.Now().Unix(),
	}
	for name, value := range changes {
		if c[name] = value; value == nil {
			delete(c, name)
		}
	}
	return c
}

// sign makes a token of claims (RFC 7519) by an algorithm.
func (a *authorityServer) sign(t *testing.T, alg string, claims map[string]any) string {
	t.Helper()
	part := func(v any) string {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(data)
	}
	kid := "one"
	if alg == "RS256" {
		kid = "two"
	}
	text := part(map[string]any{"alg": alg, "typ": "at+jwt", "kid": kid}) + "." + part(claims)
	digest := sha256.Sum256([]byte(text))
	var signature []byte
	switch alg {
	case "ES256":
		r, s, err := ecdsa.Sign(rand.Reader, a.key, digest[:])
		if err != nil {
			t.Fatal(err)
		}
		signature = append(r.FillBytes(make([]byte, 32)), s.FillBytes(make([]byte, 32))...)
	case "RS256":
		var err error
		if signature, err = rsa.SignPKCS1v15(rand.Reader, a.second, crypto.SHA256, digest[:]); err != nil {
			t.Fatal(err)
		}
	case "HS256": // the public key as a shared secret
		mac := hmac.New(sha256.New, a.key.X.FillBytes(make([]byte, 32)))
		mac.Write([]byte(text))
		signature = mac.Sum(nil)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// scoped is a definition with an open tool and one that needs scopes.
func scoped() Definition {
	def := sample()
	for i := range def.Tools {
		if def.Tools[i].Name == "echo" {
			def.Tools[i].Scopes = []string{"pets:read pets:write", "admin"}
		}
	}
	return def
}

const audience = "https://mcp.example.com/mcp"

func bearer(token string) string { return "Authorization: Bearer " + token }

func TestInboundJWT(t *testing.T) {
	for _, wellKnown := range []string{"/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"} {
		a := newAuthorityServer(t, wellKnown)
		s := listenHTTP(t, Config{}, scoped(), "-auth-issuer="+a.URL, "-auth-audience="+audience)
		good := a.claims(audience, nil)
		const metadata = `resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`
		invalid := func(why string) string {
			return `Bearer error="invalid_token", error_description="` + why + `", ` + metadata
		}
		for _, tc := range []struct {
			name, authorization, tool string
			status                    int
			challenge                 string
		}{
			{"no token", "-Authorization", "array", 401, "Bearer " + metadata},
			{"another scheme", "Authorization: Basic YTpi", "array", 401, "Bearer " + metadata},
			{"no token behind the scheme", "Authorization: Bearer", "array", 401, "Bearer " + metadata},
			{"good", bearer(a.sign(t, "ES256", good)), "array", 200, ""},
			{"scheme in lower case", "Authorization: bearer " + a.sign(t, "ES256", good), "array", 200, ""},
			{"several audiences", bearer(a.sign(t, "ES256", a.claims("", map[string]any{"aud": []string{"x", audience + "/"}}))), "array", 200, ""},
			{"no JWT", bearer("opaque-token-of-someone"), "array", 401, invalid("the token is not valid here")},
			{"expired", bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}))), "array", 401, invalid("the token has expired")},
			{"for ever", bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"exp": nil}))), "array", 401, invalid("the token has expired")},
			{"not yet", bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"nbf": time.Now().Add(time.Hour).Unix()}))), "array", 401, invalid("the token is not valid here")},
			{"another audience", bearer(a.sign(t, "ES256", a.claims("https://other.example.com", nil))), "array", 401, invalid("the token is for another server")},
			{"no audience", bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"aud": nil}))), "array", 401, invalid("the token is for another server")},
			{"another issuer", bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"iss": "https://evil.example"}))), "array", 401, invalid("the token is not valid here")},
			{"not signed", bearer(a.sign(t, "none", good)), "array", 401, invalid("the token is not valid here")},
			{"signed with the public key", bearer(a.sign(t, "HS256", good)), "array", 401, invalid("the token is not valid here")},
			{"changed", bearer(strings.Replace(a.sign(t, "ES256", good), ".", ".eyJ4IjoxfQ", 1)), "array", 401, invalid("the token is not valid here")},
			{"too few scopes", bearer(a.sign(t, "ES256", good)), "echo", 403,
				`Bearer error="insufficient_scope", error_description="echo needs more scopes than the token has", ` + metadata + `, scope="pets:read pets:write"`},
			{"other scopes are kept", bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"scope": "openid pets:write"}))), "echo", 403,
				`Bearer error="insufficient_scope", error_description="echo needs more scopes than the token has", ` + metadata + `, scope="pets:read pets:write"`},
			{"all scopes", bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"scope": "pets:write openid pets:read"}))), "echo", 200, ""},
			{"the alternative", bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"scope": "admin"}))), "echo", 200, ""},
			{"scopes in an array", bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"scope": nil, "scp": []string{"admin"}}))), "echo", 200, ""},
		} {
			arguments := `{}`
			if tc.tool == "echo" {
				arguments = `{"id":1}`
			}
			got := s.modernCall(tc.tool, arguments, tc.authorization)
			if challenge := got.header.Get("WWW-Authenticate"); got.status != tc.status || challenge != tc.challenge {
				t.Errorf("%s: %d %s\n%s\nwant\n%s", tc.name, got.status, got.body, challenge, tc.challenge)
			}
		}
		if n := a.fetched.Load(); n > 2 {
			t.Errorf("the keys were fetched %d times", n)
		}
	}
}

// A message that names its tool twice is judged by the one that is called.
func TestInboundScopesOfWhatIsCalled(t *testing.T) {
	a := newAuthorityServer(t, "/.well-known/openid-configuration")
	s := listenHTTP(t, Config{}, scoped(), "-auth-issuer="+a.URL, "-auth-audience="+audience)
	token := bearer(a.sign(t, "ES256", a.claims(audience, nil)))
	session := s.open(token)
	for _, params := range []string{
		`"name":"array","name":"echo"`, `"name":"echo","Name":"array"`, `"Name":"array","name":"echo"`,
		`"name":"echo","NAME":"array"`, `"n\u0061me":"echo"`,
	} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{` + params + `,"arguments":{"id":1}}}`
		if got := s.send("POST", body, session...); got.status != 403 {
			t.Errorf("%s: %d %s", params, got.status, got.body)
		}
	}
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","Method":"ping","params":{"name":"echo","arguments":{"id":1}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"id":1}},"Params":{"name":"array"}}`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"id":1}}}]`,
	} {
		if got := s.send("POST", body, append(session, "Mcp-Protocol-Version: 2025-03-26")...); got.status != 403 {
			t.Errorf("%s: %d %s", body, got.status, got.body)
		}
	}
}

func TestInboundIgnoreScopes(t *testing.T) {
	a := newAuthorityServer(t, "/.well-known/openid-configuration")
	s := listenHTTP(t, Config{}, scoped(), "-auth-issuer="+a.URL, "-public-url="+audience, "-auth-ignore-scopes")
	if got := s.modernCall("echo", `{"id":1}`, bearer(a.sign(t, "ES256", a.claims(audience, nil)))); got.status != 200 {
		t.Errorf("%+v", got)
	}
}

func TestInboundMetadata(t *testing.T) {
	a := newAuthorityServer(t, "/.well-known/openid-configuration")
	s := listenHTTP(t, Config{}, scoped(), "-auth-issuer="+a.URL, "-auth-audience=api://mcp", "-public-url=https://example.com/tools/mcp")
	want := fmt.Sprintf(`{"resource":"https://example.com/tools/mcp","authorization_servers":[%q],"scopes_supported":["admin","pets:read","pets:write"],"bearer_methods_supported":["header"],"resource_name":"Sample"}`+"\n", a.URL)
	for _, path := range []string{"", "/mcp", "/tools/mcp"} {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", strings.TrimSuffix(s.url, "/mcp")+metadataPath+path, nil)
		if got := s.do(r, "Origin: https://any.example"); got.status != 200 || got.body != want {
			t.Errorf("%q: %d %s", path, got.status, got.body)
		}
	}
	if got := s.send("POST", initializeLine); got.status != 401 || got.header.Get("WWW-Authenticate") != `Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource/tools/mcp"` {
		t.Errorf("%+v", got)
	}
}

// Keys that cannot be had are not the token's fault, and new ones are found.
func TestInboundKeys(t *testing.T) {
	a := newAuthorityServer(t, "/.well-known/openid-configuration")
	a.down.Store(true)
	s := listenHTTP(t, Config{}, sample(), "-auth-issuer="+a.URL, "-auth-audience="+audience)
	token := bearer(a.sign(t, "RS256", a.claims(audience, nil)))
	if got := s.modernCall("array", `{}`, token); got.status != 503 || got.header.Get("WWW-Authenticate") != "" {
		t.Errorf("%+v", got)
	}
	a.down.Store(false)
	a.rotated.Store(true)
	if got := s.modernCall("array", `{}`, token); got.status != 200 {
		t.Errorf("%+v", got)
	}
	gone := listenHTTP(t, Config{}, sample(), "-auth-issuer=http://127.0.0.1:1", "-auth-audience="+audience)
	if got := gone.modernCall("array", `{}`, token); got.status != 503 {
		t.Errorf("%+v", got)
	}
}

// A session belongs to whoever opened it.
func TestInboundSessionOwner(t *testing.T) {
	a := newAuthorityServer(t, "/.well-known/openid-configuration")
	s := listenHTTP(t, Config{}, sample(), "-auth-issuer="+a.URL, "-auth-audience="+audience)
	ann := bearer(a.sign(t, "ES256", a.claims(audience, nil)))
	bob := bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"sub": "bob"})))
	session := s.open(ann)
	nobody := func(id string) string {
		return bearer(a.sign(t, "ES256", a.claims(audience, map[string]any{"sub": nil, "jti": id})))
	}
	unnamed := s.open(nobody("1"))
	if got := s.send("POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, unnamed[0], unnamed[1], nobody("2")); got.status != 403 {
		t.Errorf("two tokens that name nobody: %+v", got)
	}
	for _, method := range []string{"POST", "GET", "DELETE"} {
		if got := s.send(method, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, session[0], session[1], bob); got.status != 403 {
			t.Errorf("%s: %+v", method, got)
		}
	}
	if got := s.send("POST", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, session...); got.status != 200 {
		t.Errorf("%+v", got)
	}
}

func TestInboundTokens(t *testing.T) {
	var log bytes.Buffer
	path := filepath.Join(t.TempDir(), "tokens")
	writeFile(t, path, "# of the team\nfirst-token-0123456789\n\n  second-token-012345678  # of Bob\r\n")
	s := listenHTTP(t, Config{Log: slog.New(slog.NewTextHandler(&log, nil))}, scoped(), "-auth-tokens="+path)
	for _, tc := range []struct {
		name, authorization string
		status              int
		challenge           string
	}{
		{"none", "-Authorization", 401, "Bearer"},
		{"one", bearer("first-token-0123456789"), 200, ""},
		{"another", bearer("second-token-012345678"), 200, ""},
		{"unknown", bearer("first-token-012345678"), 401, `Bearer error="invalid_token", error_description="the token is not known"`},
		{"the comment", bearer("#"), 401, `Bearer error="invalid_token", error_description="the token is not known"`},
	} {
		got := s.modernCall("echo", `{"id":1}`, tc.authorization)
		if challenge := got.header.Get("WWW-Authenticate"); got.status != tc.status || challenge != tc.challenge {
			t.Errorf("%s: %d %s, %q", tc.name, got.status, got.body, challenge)
		}
	}
	if got := s.server.server.redact("it is first-token-0123456789"); got != "it is "+Redacted {
		t.Error(got)
	}
	writeFile(t, path, "third-token-0123456789\n")
	if got := s.modernCall("echo", `{"id":1}`, bearer("first-token-0123456789")); got.status != 401 {
		t.Errorf("a token that was taken away: %+v", got)
	}
	writeFile(t, path, "short\n")
	if got := s.modernCall("echo", `{"id":1}`, bearer("short")); got.status != 200 {
		t.Errorf("%+v", got)
	}
	writeFile(t, path, "two words\n")
	if got := s.modernCall("echo", `{"id":1}`, bearer("short")); got.status != 200 {
		t.Errorf("%+v", got)
	}
	writeFile(t, path, "# nobody now\n")
	if got := s.modernCall("echo", `{"id":1}`, bearer("short")); got.status != 401 {
		t.Errorf("the last token that was taken away: %+v", got)
	}
	if !strings.Contains(log.String(), "so short that it may be guessed") || !strings.Contains(log.String(), "tokens:1: a token has letters") || strings.Contains(log.String(), "-token-") {
		t.Error(log.String())
	}
}

// Without credentials there is a list, and no call.
func TestInboundAnonymousList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	writeFile(t, path, "first-token-0123456789\n")
	s := listenHTTP(t, Config{}, sample(), "-auth-tokens="+path, "-auth-anonymous-list")
	if got := s.send("POST", modernBody("tools/list", ""), modern("tools/list")...); got.status != 200 || !strings.Contains(got.body, `"cacheScope":"public"`) {
		t.Errorf("%+v", got)
	}
	if got := s.send("POST", modernBody("server/discover", ""), modern("server/discover")...); got.status != 200 {
		t.Errorf("%+v", got)
	}
	if got := s.modernCall("array", `{}`); got.status != 401 {
		t.Errorf("%+v", got)
	}
	session := s.open()
	call := callLine(1, "array", `{}`)
	for _, body := range []string{call, `[{"jsonrpc":"2.0","id":2,"method":"ping"},` + call + `]`, `{"jsonrpc":"2.0","id":3,"method":"prompts/get"}`} {
		if got := s.send("POST", body, append(session, "Mcp-Protocol-Version: 2025-03-26")...); got.status != 401 {
			t.Errorf("%s: %+v", body, got)
		}
	}
	if got := s.send("POST", call, append(session, bearer("first-token-0123456789"))...); got.status != 200 {
		t.Errorf("%+v", got)
	}
	if got := s.send("POST", modernBody("tools/list", ""), modern("tools/list", bearer("wrong"))...); got.status != 401 {
		t.Errorf("%+v", got)
	}
}

// What took a token to get is not for everyone's cache.
func TestInboundCacheScope(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	writeFile(t, path, "first-token-0123456789\n")
	s := listenHTTP(t, Config{}, sample(), "-auth-tokens="+path)
	for _, method := range []string{"tools/list", "server/discover"} {
		if got := s.send("POST", modernBody(method, ""), modern(method, bearer("first-token-0123456789"))...); !strings.Contains(got.body, `"cacheScope":"private"`) {
			t.Errorf("%s: %+v", method, got)
		}
	}
}
