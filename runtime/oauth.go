package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// renewBefore is how long before its end a token is renewed, so that it does not
// expire on the way. Short-lived tokens are renewed in their last tenth.
const renewBefore = time.Minute

// tokenSource gets and keeps the access token of one scheme for one set of scopes
// (OAuth 2 client credentials, RFC 6749, 4.4).
type tokenSource struct {
	scheme string
	server *Server
	config clientcredentials.Config

	// turn is held by the one call that looks at the token or fetches it; the
	// others wait for it or for the end of their own time.
	turn  chan struct{}
	token *oauth2.Token
	renew time.Time // zero: never
}

// tokenSource returns the source of a scheme and its scopes.
func (s *Server) tokenSource(scheme Auth, scopes []string) *tokenSource {
	scopes = slices.Sorted(slices.Values(scopes))
	key := scheme.Name + " " + strings.Join(scopes, " ")
	s.egress.mu.Lock()
	defer s.egress.mu.Unlock()
	if t := s.egress.tokens[key]; t != nil {
		return t
	}
	credential := s.credential(scheme.Name)
	t := &tokenSource{
		scheme: scheme.Name,
		server: s,
		turn:   make(chan struct{}, 1),
		config: clientcredentials.Config{
			ClientID: credential.ClientID, ClientSecret: credential.ClientSecret,
			TokenURL: s.absolute(scheme.TokenURL), Scopes: scopes, AuthStyle: oauth2.AuthStyleInHeader,
		},
	}
	if s.egress.tokens == nil {
		s.egress.tokens = map[string]*tokenSource{}
	}
	s.egress.tokens[key] = t
	return t
}

// absolute resolves a token URL that the document gives relative to its server.
func (s *Server) absolute(tokenURL string) string {
	u, err := url.Parse(tokenURL)
	if err != nil || u.IsAbs() {
		return tokenURL
	}
	if base, err := s.base(); err == nil {
		return base.ResolveReference(u).String()
	}
	return tokenURL
}

// authorization returns the header value for a valid token, fetching one if need be.
func (t *tokenSource) authorization(ctx context.Context) (string, error) {
	select {
	case t.turn <- struct{}{}:
		defer func() { <-t.turn }()
	case <-ctx.Done():
		return "", t.failure(ctx, ctx.Err())
	}
	if t.token == nil || !t.renew.IsZero() && !time.Now().Before(t.renew) {
		if err := t.fetch(ctx); err != nil {
			return "", err
		}
	}
	return t.token.Type() + " " + t.token.AccessToken, nil
}

func (t *tokenSource) fetch(ctx context.Context) error {
	client, err := t.server.client("")
	if err != nil {
		return err
	}
	token, err := t.request(context.WithValue(ctx, oauth2.HTTPClient, client))
	if err != nil {
		return t.failure(ctx, err)
	}
	t.server.redactor.Add(token.AccessToken)
	t.token, t.renew = token, time.Time{}
	if life := time.Until(token.Expiry); !token.Expiry.IsZero() {
		t.renew = token.Expiry.Add(-min(renewBefore, life/10))
	}
	return nil
}

// request asks for a token, again if that may help: a token too many does no harm.
func (t *tokenSource) request(ctx context.Context) (*oauth2.Token, error) {
	for attempts := 1; ; attempts++ {
		token, err := t.ask(ctx)
		if err == nil {
			return token, nil
		}
		var pause time.Duration
		var again bool
		if refused := noToken(err); refused != nil {
			pause, again = pauseAfter(ctx, attempts, refused.Response, nil)
		} else {
			pause, again = pauseAfter(ctx, attempts, nil, err)
		}
		if !again {
			return nil, err
		}
		t.server.log.Debug("asking for a token again", "scheme", t.scheme, "attempt", attempts, "pause", pause)
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

// ask asks once with the client's id and secret in a header, as every server
// must have it (RFC 6749, 2.3.1), and in the body if this one does not. The
// library would ask in both ways after any failure, and report the second.
func (t *tokenSource) ask(ctx context.Context) (*oauth2.Token, error) {
	token, err := t.config.Token(ctx)
	if t.config.AuthStyle != oauth2.AuthStyleInHeader || !isUnknownClient(err) {
		return token, err
	}
	t.config.AuthStyle = oauth2.AuthStyleInParams
	if token, err = t.config.Token(ctx); err != nil {
		t.config.AuthStyle = oauth2.AuthStyleInHeader
	}
	return token, err
}

// isUnknownClient reports whether a token server did not see or accept who asks.
func isUnknownClient(err error) bool {
	refused := noToken(err)
	if refused == nil {
		return false
	}
	switch refused.ErrorCode {
	case "", "invalid_client", "invalid_request":
		return refused.Response.StatusCode == http.StatusBadRequest || refused.Response.StatusCode == http.StatusUnauthorized
	}
	return false
}

// noToken is the answer of a token server that gave no token; nil if none came.
func noToken(err error) *oauth2.RetrieveError {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil {
		return refused
	}
	return nil
}

// forget drops a token that the upstream did not accept, unless another call has
// replaced it meanwhile.
func (t *tokenSource) forget(authorization string) {
	t.turn <- struct{}{}
	if t.token != nil && authorization == t.token.Type()+" "+t.token.AccessToken {
		t.token = nil
	}
	<-t.turn
}

// failure says why there is no token, without the address's query, without what
// was sent and without the answer's body beyond the two fields of RFC 6749, 5.2.
func (t *tokenSource) failure(ctx context.Context, err error) error {
	where := "the token server"
	if u, bad := url.Parse(t.config.TokenURL); bad == nil && u.Host != "" {
		where = u.Hostname()
	}
	said := ""
	if refused := noToken(err); refused != nil {
		said = fmt.Sprintf("answered %d %s", refused.Response.StatusCode, http.StatusText(refused.Response.StatusCode))
		for _, text := range []string{refused.ErrorCode, refused.ErrorDescription} {
			if text != "" {
				said += ", " + ellipsis(text, 500)
			}
		}
	} else if said = transportProblem(ctx, err); said == "" {
		said = "gave no token"
	}
	return fmt.Errorf("no access token for the scheme %q: %s %s. The operator of this server has to look at its OAuth client", t.scheme, where, said)
}
