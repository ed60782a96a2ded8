package runtime

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// Where a request goes is decided by the operator and the document, never by an
// argument: BASE_URL takes the place of the document's servers; those that a
// path or an operation names for itself (an upload host, say) stay, unless they
// are one of the document's but for the scheme.

// checkUpstreams reports why the server cannot know where its requests go.
func (s *Server) checkUpstreams() error {
	_, err := s.base()
	return err
}

// base is the address that stands before every path, unless the path has
// servers of its own.
func (s *Server) base() (*url.URL, error) {
	missing := fmt.Sprintf("set %sBASE_URL, or -base-url, to the API's address, such as https://api.example.com/v1", s.def.EnvPrefix)
	if s.config.BaseURL != "" {
		u, err := parseBaseURL(s.config.BaseURL)
		if err != nil {
			return nil, fmt.Errorf("the base URL cannot be used: %w", err)
		}
		return u, nil
	}
	if len(s.def.Upstreams) == 0 {
		return nil, fmt.Errorf("the API's document names no server: %s", missing)
	}
	i := s.config.Upstream
	if i < 0 || i >= len(s.def.Upstreams) {
		return nil, fmt.Errorf("server %d: the document has %d servers, counted from 0", i, len(s.def.Upstreams))
	}
	text, err := s.def.Upstreams[i].expand(s.config.Variables, s.def.EnvPrefix)
	switch {
	case err != nil:
		return nil, err
	case isRelative(text):
		return nil, fmt.Errorf("the API's document names only the relative server %s: %s", text, missing)
	}
	u, err := parseBaseURL(text)
	if err != nil {
		return nil, fmt.Errorf("the document's server %s cannot be used: %w", text, err)
	}
	return u, nil
}

// baseFor is the address for one request. The first server of a path or
// operation counts; a relative one stands on the server's own.
func (s *Server) baseFor(r *Request) (*url.URL, error) {
	if len(r.upstreams) == 0 || s.config.Mock || s.config.BaseURL != "" && s.isOwn(r.upstreams[0]) {
		return s.base()
	}
	text, err := r.upstreams[0].expand(s.config.Variables, s.def.EnvPrefix)
	if err != nil {
		return nil, err
	}
	if isRelative(text) {
		base, err := s.base()
		if err != nil {
			return nil, err
		}
		relative, err := url.Parse(text)
		if err != nil {
			return nil, fmt.Errorf("the operation's server %s cannot be used: it is not a URL", text)
		}
		text = base.ResolveReference(relative).String()
	}
	u, err := parseBaseURL(text)
	if err != nil {
		return nil, fmt.Errorf("the operation's server %s cannot be used: %w", text, err)
	}
	return u, nil
}

// isOwn reports whether an operation's server is one of the document's, but for
// the scheme: a Swagger 2.0 operation has its own schemes for the one host.
func (s *Server) isOwn(u Upstream) bool {
	bare := func(u Upstream) string {
		_, rest, _ := strings.Cut(u.URL, "://")
		return strings.ToLower(strings.TrimSuffix(rest, "/"))
	}
	return !isRelative(u.URL) && slices.ContainsFunc(s.def.Upstreams, func(own Upstream) bool { return bare(own) == bare(u) })
}

func isRelative(address string) bool { return !strings.Contains(address, "://") }

// expand fills the variables of an upstream's URL. Its errors name the
// environment variable, which begins with prefix.
func (u Upstream) expand(values map[string]string, prefix string) (string, error) {
	var out strings.Builder
	rest := u.URL
	for {
		start, end := nextVariable(rest)
		if start < 0 {
			out.WriteString(rest)
			return out.String(), nil
		}
		out.WriteString(rest[:start])
		name := rest[start+1 : end-1]
		value, err := u.value(name, values)
		if err == nil {
			err = checkHost(out.String(), value)
		}
		if err != nil {
			return "", fmt.Errorf("server variable %s (%sSERVER_%s): %w", name, prefix, envName(name), err)
		}
		out.WriteString(value)
		rest = rest[end:]
	}
}

// value is what the operator set for a variable, else its default.
func (u Upstream) value(name string, values map[string]string) (string, error) {
	i := slices.IndexFunc(u.Variables, func(v Variable) bool { return v.Name == name })
	set, ok := values[name]
	switch {
	case ok && i >= 0 && len(u.Variables[i].Enum) > 0 && !slices.Contains(u.Variables[i].Enum, set):
		return "", fmt.Errorf("%q is not one of %s", set, strings.Join(u.Variables[i].Enum, ", "))
	case ok:
		return set, nil
	case i >= 0:
		return u.Variables[i].Default, nil
	}
	return "", fmt.Errorf("the address %s needs a value for it", u.URL)
}

// checkHost refuses a variable that stands in the host and would end it. A
// variable at the very start is the operator's whole address.
func checkHost(before, value string) error {
	_, authority, found := strings.Cut(before, "://")
	if !found || strings.ContainsAny(authority, "/?#") || !strings.ContainsAny(value, "/?#@\\ %") {
		return nil
	}
	return fmt.Errorf("%q cannot stand in a host name", value)
}

// resolve puts a request's path and query behind the base. The host stays the
// base's: nothing is parsed again.
func (t target) resolve(base *url.URL) (*url.URL, error) {
	u := *base
	escaped := strings.TrimSuffix(base.EscapedPath(), "/") + t.path
	path, err := url.PathUnescape(escaped)
	if err != nil {
		return nil, fmt.Errorf("the path %s is not encoded properly", escaped)
	}
	u.Path, u.RawPath, u.RawQuery = path, escaped, t.query
	return &u, nil
}
