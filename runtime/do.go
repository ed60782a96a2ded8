package runtime

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
)

// Do sends the request and returns what came back. Every failure that has to do
// with the request or the upstream is a Result with IsError set; the error is
// always nil and there so that a handler can end with return call.Do(ctx, req).
func (c *Call) Do(ctx context.Context, req *Request) (*Result, error) {
	if c.capture != nil {
		c.capture(req)
		return &Result{}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, c.server.config.Timeout)
	defer cancel()
	x, err := c.prepare(ctx, req)
	if err != nil {
		return Failure("%s %s was not sent: %s.", req.method, req.path, strings.TrimSuffix(err.Error(), ".")), nil
	}
	if limit := c.maxItems(); limit > 0 {
		return x.paginate(ctx, limit), nil
	}
	resp, err := x.send(ctx)
	if err != nil {
		return x.noAnswer(ctx, err), nil
	}
	defer resp.Body.Close()
	return x.result(ctx, resp), nil
}

// exchange is one call's request, encoded, and how the sending went.
type exchange struct {
	call     *Call
	request  *Request
	access   *access
	method   string
	url      *url.URL
	header   http.Header
	body     []byte // nil: none
	attempts int
	cut      bool // the answer was too large and is shortened
}

// prepare encodes the request. Its errors are for the model: they name the
// argument, the credential or the setting that is wrong.
func (c *Call) prepare(ctx context.Context, r *Request) (*exchange, error) {
	base, err := c.server.baseFor(r)
	if err != nil {
		return nil, err
	}
	c.plainIntegers(r)
	target, err := r.target()
	if err != nil {
		return nil, err
	}
	h := make(http.Header, 8)
	if err := r.setHeaders(h); err != nil {
		return nil, err
	}
	content, err := r.encode(c.server.files())
	if err != nil {
		return nil, err
	}
	access, err := c.access(r)
	if err != nil {
		return nil, err
	}
	if err := access.apply(ctx, c.server, r, h); err != nil {
		return nil, err
	}
	target.query = joinQuery(target.query, access.query)
	u, err := target.resolve(base)
	if err != nil {
		return nil, err
	}
	c.server.setDefaults(h, r, content)
	carry(ctx, h)
	return &exchange{
		call: c, request: r, access: access,
		method: r.method, url: u, header: h, body: content.data,
	}, nil
}

// plainIntegers writes integer parameters without a fraction: 5.0 is an integer to
// JSON Schema (2020-12 core, 6.3), but not to most APIs.
func (c *Call) plainIntegers(r *Request) {
	for i := range r.params {
		if p := &r.params[i]; p.content == "" && hasFraction(p.arg.Value) {
			sc := c.tool.check()
			p.arg.Value = sc.integers(sc.property(sc.doc, p.arg.Name), p.arg.Value)
		}
	}
}

// setDefaults writes the headers that no argument and no credential set.
func (s *Server) setDefaults(h http.Header, r *Request, content payload) {
	if content.data != nil {
		h.Set("Content-Type", content.contentType)
	}
	if h.Get("Accept") == "" {
		h.Set("Accept", cmp.Or(strings.Join(r.accept, ", "), "application/json"))
	}
	if h.Get("User-Agent") == "" {
		h.Set("User-Agent", userAgent(s.def.Name, s.def.Version))
	}
}

// userAgent is name/version, without what a product token cannot hold (RFC 9110,
// 10.1.5).
func userAgent(name, version string) string {
	token := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r < 0x80 && (plain[r] || r == '+') {
				return r
			}
			return '-'
		}, s)
	}
	if version == "" {
		return token(name)
	}
	return token(name) + "/" + token(version)
}

func (s *Server) files() fileRoot {
	return fileRoot{folder: s.config.Files, limit: s.config.MaxBody}
}
