package runtime

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

const (
	keysTime  = 10 * time.Second // for an answer of the authorization server
	keysBytes = 1 << 20          // of an answer
	keysEvery = 10 * time.Second // between two looks for new keys
)

// algorithms are those with a public key. A shared secret would let everyone who
// can check a token make one, and "none" anyone.
var algorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512,
	oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// issuer judges the access tokens of an authorization server: JWTs (RFC 9068)
// that its published keys have signed, for this server, not expired.
type issuer struct {
	url      string
	audience string
	log      *slog.Logger
	client   *http.Client
	config   *oidc.Config

	mu   sync.Mutex
	keys oidc.KeySet // nil: the issuer was not asked yet where they are
}

func (s *Server) newIssuer(o *httpOptions) *issuer {
	i := &issuer{url: o.inbound.issuer, audience: o.inbound.audience, log: s.log}
	if i.audience == "" {
		i.audience = o.publicURL
	}
	i.client = &http.Client{Timeout: keysTime, Transport: &keyTransport{seen: map[string]time.Time{}}}
	// Audiences are compared by [oauthex.MatchesResource]: a slash at the end is
	// added and dropped by many.
	i.config = &oidc.Config{SkipClientIDCheck: true, SupportedSigningAlgs: algorithms}
	// What is wrong with the issuer should be known before the first call. It
	// may still be about to start, so that is no reason to end.
	go func() {
		if _, err := i.keySet(context.Background()); err != nil {
			i.log.Warn("no token can be checked yet", "error", err)
		}
	}()
	return i
}

// verify judges a token. Its errors are for the caller.
func (i *issuer) verify(ctx context.Context, token string) (*caller, error) {
	keys, err := i.keySet(ctx)
	if err != nil {
		i.log.Warn("a token cannot be checked", "error", err)
		return nil, errUnavailable
	}
	looked := &keyLookup{KeySet: keys}
	jwt, err := oidc.NewVerifier(i.url, looked, i.config).Verify(ctx, token)
	expired := (*oidc.TokenExpiredError)(nil)
	switch {
	case err != nil && looked.unavailable:
		i.log.Warn("a token cannot be checked", "error", err)
		return nil, errUnavailable
	case errors.As(err, &expired):
		return nil, errors.New("the token has expired")
	case err != nil:
		i.log.Debug("a token was refused", "error", err)
		return nil, errors.New("the token is not valid here")
	case !oauthex.MatchesResource(jwt.Audience, i.audience):
		return nil, errors.New("the token is for another server")
	}
	claims := struct {
		Scope  scopeClaim `json:"scope"`
		Scp    scopeClaim `json:"scp"`
		Client string     `json:"client_id"`
	}{}
	if jwt.Claims(&claims) != nil {
		return nil, errors.New("the token's claims cannot be read")
	}
	user := "user " + jwt.Subject
	switch {
	case jwt.Subject == "" && claims.Client != "":
		user = "client " + claims.Client
	case jwt.Subject == "": // who it is nobody knows, so it is nobody else
		digest := sha256.Sum256([]byte(token))
		user = "token " + hex.EncodeToString(digest[:])
	}
	return &caller{UserID: user, Expiration: jwt.Expiry, Scopes: append(claims.Scope, claims.Scp...)}, nil
}

// keySet finds where the keys are, once.
func (i *issuer) keySet(ctx context.Context) (oidc.KeySet, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.keys != nil {
		return i.keys, nil
	}
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, i.client), keysTime)
	defer cancel()
	address, err := i.discover(ctx)
	if err != nil {
		return nil, err
	}
	i.keys = oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), i.client), address)
	return i.keys, nil
}

// discover asks the issuer where its keys are: as an OpenID provider, which most
// are, then as an authorization server (RFC 8414).
func (i *issuer) discover(ctx context.Context) (string, error) {
	var found struct {
		JWKS string `json:"jwks_uri"`
	}
	provider, err := oidc.NewProvider(ctx, i.url)
	if err == nil {
		err = provider.Claims(&found)
	}
	if err == nil && found.JWKS != "" {
		return found.JWKS, nil
	}
	meta, plain := auth.GetAuthServerMetadata(ctx, i.url, i.client)
	switch {
	case plain != nil:
		return "", fmt.Errorf("the authorization server: %w", errors.Join(err, plain))
	case meta == nil || meta.JWKSURI == "":
		return "", fmt.Errorf("the authorization server %s does not say where its keys are: %w", i.url, err)
	}
	return meta.JWKSURI, nil
}

// scopeClaim is a list of scopes: one string, separated by spaces (RFC 9068,
// 2.2.3), or an array, as some servers have it.
type scopeClaim []string

// UnmarshalJSON implements [json.Unmarshaler].
func (s *scopeClaim) UnmarshalJSON(data []byte) error {
	var text string
	if json.Unmarshal(data, &text) == nil {
		*s = strings.Fields(text)
		return nil
	}
	return json.Unmarshal(data, (*[]string)(s))
}

// keyLookup notes whether keys were missing, which is not the token's fault.
type keyLookup struct {
	oidc.KeySet
	unavailable bool
}

// VerifySignature implements [oidc.KeySet].
func (l *keyLookup) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := l.KeySet.VerifySignature(ctx, jwt)
	problem := (*url.Error)(nil)
	l.unavailable = errors.As(err, &problem) && !errors.Is(err, errTooSoon)
	return payload, err
}

// errTooSoon keeps tokens with made-up keys from flooding the issuer.
var errTooSoon = errors.New("the keys were fetched a moment ago")

// keyTransport bounds how often and how much is fetched from an issuer.
type keyTransport struct {
	mu   sync.Mutex
	seen map[string]time.Time // good answers by address
}

// RoundTrip implements [http.RoundTripper].
func (t *keyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	address := r.URL.String()
	t.mu.Lock()
	recent := time.Since(t.seen[address]) < keysEvery
	t.mu.Unlock()
	if recent {
		return nil, errTooSoon
	}
	resp, err := http.DefaultTransport.RoundTrip(r)
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode >= http.StatusInternalServerError:
		resp.Body.Close()
		return nil, fmt.Errorf("%s answered %s", address, resp.Status)
	case resp.StatusCode == http.StatusOK:
		t.mu.Lock()
		t.seen[address] = time.Now()
		t.mu.Unlock()
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, keysBytes), resp.Body}
	return resp, nil
}
