package runtime

import (
	"errors"
	"flag"
	"fmt"
	"net/netip"
	"net/url"
)

// inboundOptions say who may call over HTTP. The zero value lets everyone.
type inboundOptions struct {
	tokens        string // file of static tokens
	issuer        string // of JWTs
	audience      string // of JWTs
	anonymousList bool   // without credentials, everything but calls
	ignoreScopes  bool   // those that the document names
}

// inboundFlags adds the flags about callers.
func (o *options) inboundFlags(f *flag.FlagSet) {
	in := &o.http.inbound
	f.StringVar(&in.tokens, "auth-tokens", "", "let only callers in whose bearer token is in `FILE`, one a line; # begins a comment; it is read again when it changes")
	f.StringVar(&in.issuer, "auth-issuer", "", "let only callers in with an access token (JWT) of the OAuth 2.1 authorization server at `URL`")
	f.StringVar(&in.audience, "auth-audience", "", "`NAME` of this server in access tokens (default the -public-url)")
	f.BoolVar(&in.anonymousList, "auth-anonymous-list", false, "let everyone connect and list what there is; calls need a token all the same")
	f.BoolVar(&in.ignoreScopes, "auth-ignore-scopes", false, "do not ask for the scopes that the document's security names for a tool")
}

// on reports whether callers need a token.
func (in *inboundOptions) on() bool { return in.tokens != "" || in.issuer != "" }

// check refuses what contradicts itself; publicURL is -public-url.
func (in *inboundOptions) check(publicURL string, passToken bool) error {
	switch {
	case in.tokens != "" && passToken:
		return errors.New("-pass-token with -auth-tokens: these tokens are for this server, not for the API")
	case in.anonymousList && !in.on():
		return errors.New("-auth-anonymous-list needs -auth-tokens or -auth-issuer")
	case in.issuer == "" && in.audience != "":
		return errors.New("-auth-audience needs -auth-issuer")
	case in.issuer == "":
		return nil
	case in.audience == "" && publicURL == "":
		return errors.New("-auth-issuer needs -auth-audience, or -public-url: a token for another server must not be good here")
	}
	if u, err := url.Parse(in.issuer); err != nil || u.Host == "" || u.Scheme != "https" && !isLocal(u) {
		return fmt.Errorf("-auth-issuer %s: it must be an https:// URL", in.issuer)
	}
	if resourceOf(publicURL, in.audience) == nil {
		return errors.New("-auth-issuer needs -public-url, as -auth-audience is no URL: clients look there for the authorization server")
	}
	return nil
}

// isLocal reports whether nobody is between this process and u.
func isLocal(u *url.URL) bool {
	addr, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && addr.IsLoopback()
}

// resourceOf is the address by which clients know the endpoint; nil: unknown.
func resourceOf(publicURL, audience string) *url.URL {
	for _, text := range []string{publicURL, audience} {
		if u, err := parseBaseURL(text); err == nil {
			return u
		}
	}
	return nil
}
