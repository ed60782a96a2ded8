package runtime

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// pages decides which web pages may call the endpoint from a browser. It guards
// against two attacks (MCP 2026-07-28, basic/transports, security):
//
// A page of another site sends a request across origins. Its Origin is not ours,
// or Sec-Fetch-Site says so, which no script can change.
//
// A page of another site makes its own name lead to our address (DNS
// rebinding). To the browser it then is of the same origin, so the comparison
// with Host finds nothing; but Host is the page's name. A page may therefore
// only come from a host that is known to be ours: the one of -public-url,
// localhost, or an address, which no name server gives away.
//
// Only browsers are held to that. Other clients choose their Host freely, so
// refusing one protects nothing, and a reverse proxy on the same host sends
// whatever it was configured to. A browser is known by Origin, which it sends
// with every request but GET and HEAD, and by Sec-Fetch-Site. A GET without
// either reads nothing without the id of a session, which takes a POST to get.
type pages struct {
	protection *http.CrossOriginProtection
	origins    map[string]bool
	public     string // host of -public-url, may be empty
}

// newPages fails on what is no origin.
func newPages(o *httpOptions) (*pages, error) {
	p := &pages{protection: http.NewCrossOriginProtection(), origins: map[string]bool{}}
	for _, origin := range o.origins {
		if err := p.protection.AddTrustedOrigin(origin); err != nil {
			return nil, err
		}
		p.origins[origin] = true
	}
	if u, err := url.Parse(o.publicURL); err == nil {
		p.public = strings.ToLower(u.Hostname())
	}
	return p, nil
}

// guard refuses pages that may not call, and answers what browsers ask first.
func (p *pages) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if why := p.refusal(r); why != "" {
			refuse(w, http.StatusForbidden, jsonrpc.CodeInvalidRequest, why)
			return
		}
		if p.allowCORS(w, r) {
			return
		}
		next.ServeHTTP(w, r)
	})
}

// refusal says why a request may not pass, empty if it may.
func (p *pages) refusal(r *http.Request) string {
	origin := r.Header.Get("Origin")
	if origin == "" && r.Header.Get("Sec-Fetch-Site") == "" || p.origins[origin] {
		return ""
	}
	// As if it were a POST: what GET streams is not for other pages either.
	post := &http.Request{Method: http.MethodPost, Host: r.Host, Header: r.Header}
	if p.protection.Check(post) != nil {
		return "pages of another origin may not call this server; its operator can allow one with -origin"
	}
	if !p.isOurs(r.Host) {
		return "pages under this host name may not call this server; its operator can say with -public-url that the name is right"
	}
	return ""
}

// isOurs reports whether no stranger can own a Host.
func (p *pages) isOurs(host string) bool {
	u := url.URL{Host: strings.ToLower(host)}
	name := u.Hostname()
	if _, err := netip.ParseAddr(name); err == nil {
		return true
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || name != "" && name == p.public
}

// allowCORS lets pages of trusted origins read answers (Fetch, CORS protocol).
// It reports whether the request was the browser's question, and is answered.
func (p *pages) allowCORS(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := r.Header.Get("Origin")
	if len(p.origins) > 0 {
		w.Header().Add("Vary", "Origin")
	}
	if !p.origins[origin] {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Expose-Headers", sessionHeader+", WWW-Authenticate")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	h.Set("Access-Control-Max-Age", "7200")
	w.WriteHeader(http.StatusNoContent)
	return true
}
