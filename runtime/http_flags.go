package runtime

import (
	"errors"
	"flag"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// httpOptions are what the operator decides about the HTTP transport.
type httpOptions struct {
	addr, path      string
	stateless       bool
	sessionIdle     time.Duration
	maxSessions     int      // negative: no limit
	publicURL       string   // of the endpoint, as clients know it; may be empty
	origins         []string // of pages that may call
	maxRequest      int64
	tlsCert, tlsKey string // files
	grace           time.Duration
	inbound         inboundOptions
}

// httpFlags adds the flags of -transport http, and takes note of the names of all
// that need it.
func (o *options) httpFlags() {
	f := flag.NewFlagSet("", flag.ContinueOnError)
	h := &o.http
	f.StringVar(&h.addr, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 is any free one (default 127.0.0.1:8080)")
	f.StringVar(&h.path, "path", "/mcp", "`PATH` of the endpoint (default /mcp)")
	f.BoolVar(&h.stateless, "stateless", false, "keep no sessions for clients before 2026-07-28, so that any of several servers can answer")
	h.sessionIdle = 30 * time.Minute
	f.Func("session-idle", "`TIME` without a request after which a session ends (default 30m)", duration(&h.sessionIdle))
	h.maxSessions = 10_000
	f.Func("max-sessions", "`N` sessions at most, 0 for no limit (default 10000)", most(&h.maxSessions, "sessions"))
	f.StringVar(&h.publicURL, "public-url", "", "`URL` of the endpoint as clients know it, behind a proxy")
	f.Func("origin", "let pages of this origin call from a browser: `URL` without a path (repeatable)", h.addOrigin)
	h.maxRequest = 4 << 20
	f.Func("max-request", "`BYTES` of a message at most (default 4194304)", h.setMaxRequest)
	f.StringVar(&h.tlsCert, "tls-cert", "", "serve HTTPS with the certificates in `FILE`, PEM; it is read again when it changes")
	f.StringVar(&h.tlsKey, "tls-key", "", "`FILE` with the key of -tls-cert, PEM")
	o.inboundFlags(f)
	f.VisitAll(func(flag *flag.Flag) {
		o.flags.Var(flag.Value, flag.Name, flag.Usage)
		o.httpNames = append(o.httpNames, flag.Name)
	})
	o.httpNames = append(o.httpNames, "pass-token", "pass-header") // of apiFlags
	h.grace = 20 * time.Second
	o.flags.Func("grace", "`TIME` that calls in flight may take when the server is told to end (default 20s)", duration(&h.grace))
}

// duration returns a flag's setter.
func duration(into *time.Duration) func(string) error {
	return func(text string) error {
		d, err := time.ParseDuration(text)
		switch {
		case err == nil && d > 0:
			*into = d
			return nil
		case err == nil:
			return errors.New("it must be more than nothing")
		case strings.Trim(text, "0123456789") == "" && text != "":
			return fmt.Errorf("it needs a unit, for example %ss", text)
		}
		return errors.New("it must be a time with a unit, for example 5s or 2m")
	}
}

func (h *httpOptions) addOrigin(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != text {
		return errors.New("it must be like https://app.example.com, without a path")
	}
	h.origins = append(h.origins, text)
	return nil
}

func (h *httpOptions) setMaxRequest(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return errors.New("it must be a number of bytes")
	}
	h.maxRequest = n
	return nil
}

// plainPath is a path that means the same to clients, proxies and this server.
var plainPath = regexp.MustCompile(`^(/[A-Za-z0-9._~-]+)*/?$`)

// checkHTTP refuses what cannot be served. A flag that would do nothing is
// refused too: who gives -auth-tokens means to be protected by it.
func (o *options) checkHTTP() error {
	var useless string
	o.flags.Visit(func(f *flag.Flag) {
		if slices.Contains(o.httpNames, f.Name) {
			useless = f.Name
		}
	})
	h := &o.http
	switch {
	case o.transport != "http" && useless != "":
		return fmt.Errorf("-%s needs -transport http", useless)
	case !plainPath.MatchString(h.path) || h.path == "":
		return fmt.Errorf("-path %s: it must begin with / and have letters, digits and ._~- only", h.path)
	case h.path == "/healthz" || h.path == "/readyz" || strings.HasPrefix(h.path, "/.well-known/"):
		return fmt.Errorf("-path %s: it is taken", h.path)
	case (h.tlsCert == "") != (h.tlsKey == ""):
		return errors.New("-tls-cert and -tls-key go together")
	case h.publicURL != "":
		if _, err := parseBaseURL(h.publicURL); err != nil {
			return fmt.Errorf("-public-url %s: %w", h.publicURL, err)
		}
	}
	return h.inbound.check(h.publicURL, o.PassToken)
}

// pattern is what the endpoint is registered under. A final slash matches itself
// alone.
func (h *httpOptions) pattern() string {
	if strings.HasSuffix(h.path, "/") {
		return h.path + "{$}"
	}
	return h.path
}
