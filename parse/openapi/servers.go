package openapi

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
)

// upstreams reads a list of Server Objects (OpenAPI 3.1, Server Object).
func (b *builder) upstreams(servers *node.Node) []ir.Upstream {
	var out []ir.Upstream
	for _, s := range servers.List() {
		if !s.IsMap() {
			continue
		}
		raw := s.Get("url").Text()
		address := b.absolute(raw)
		if strings.HasPrefix(address, "/") {
			b.diags.Warn(s.Get("url").Pos(), "relative-server",
				"server %s: the URL is relative and the document's own address is not known; set BASE_URL when the server starts", quote(raw))
		}
		out = append(out, ir.Upstream{
			URL:         address,
			Description: prose.OneLine(prose.Plain(s.Get("description").Text())),
			Variables:   b.variables(s, address),
		})
	}
	return out
}

// documentUpstreams are the document's servers. Without any, OpenAPI means the
// host that the document came from.
func (b *builder) documentUpstreams() []ir.Upstream {
	if out := b.upstreams(b.doc.Servers); len(out) > 0 {
		return out
	}
	if origin := b.absolute("/"); origin != "/" {
		return []ir.Upstream{{URL: origin}}
	}
	b.diags.Warn(b.doc.root.Root.Pos(), "no-server",
		"the document names no server; set BASE_URL when the server starts")
	return nil
}

var hasScheme = regexp.MustCompile(`^(?:[A-Za-z][A-Za-z0-9+.-]*|\{[^{}]+\})://`)

// absolute resolves a server URL against the document's address (OpenAPI 3.1,
// Server Object; RFC 3986, 5.2). It is done on text because a template is no
// URL. Without an address the result starts with a slash.
func (b *builder) absolute(raw string) string {
	raw = strings.TrimSpace(raw)
	if hasScheme.MatchString(raw) {
		return raw
	}
	base, err := url.Parse(b.doc.Location)
	remote := err == nil && base.Host != "" && hasScheme.MatchString(b.doc.Location)
	switch {
	case strings.HasPrefix(raw, "//") && remote:
		return base.Scheme + ":" + raw
	case strings.HasPrefix(raw, "//"):
		return "https:" + raw
	}
	folder, origin := "/", ""
	if remote {
		folder, origin = path.Dir("/"+strings.TrimPrefix(base.EscapedPath(), "/")), base.Scheme+"://"+base.Host
	}
	if strings.HasPrefix(raw, "/") {
		return origin + raw
	}
	joined := path.Join(folder, raw)
	if strings.HasSuffix(raw, "/") && joined != "/" {
		joined += "/"
	}
	return origin + joined
}

// endpoint resolves a URL of an OAuth flow: relative ones against the first
// server. It reports false when the result would not be absolute.
func (b *builder) endpoint(raw string) (string, bool) {
	if raw == "" || hasScheme.MatchString(raw) {
		return raw, raw != ""
	}
	servers := b.doc.Servers.List()
	if len(servers) == 0 {
		return "", false
	}
	server := b.absolute(servers[0].Get("url").Text())
	base, err := url.Parse(server)
	if err != nil || base.Host == "" || strings.Contains(server, "{") {
		return "", false
	}
	ref, err := base.Parse(raw)
	if err != nil {
		return "", false
	}
	return ref.String(), true
}

// variables reads the variables that stand in a server's URL, in document
// order, then those that the document forgot to declare.
func (b *builder) variables(server *node.Node, address string) []ir.Variable {
	wanted := make(map[string]bool)
	for _, name := range ir.PathVariables(address) {
		wanted[name] = true
	}
	var out []ir.Variable
	for key, v := range server.Get("variables").Pairs() {
		if !wanted[key.Value] {
			continue
		}
		delete(wanted, key.Value)
		variable := ir.Variable{
			Name:        key.Value,
			Default:     v.Get("default").Text(),
			Description: prose.OneLine(prose.Plain(v.Get("description").Text())),
		}
		for _, e := range v.Get("enum").List() {
			variable.Enum = append(variable.Enum, e.Text())
		}
		out = append(out, variable)
	}
	for _, name := range ir.PathVariables(address) {
		if wanted[name] {
			b.diags.Warn(server.Get("url").Pos(), "undeclared-server-variable",
				"server %s: variable %s is not declared; set it when the server starts", quote(address), quote(name))
			out = append(out, ir.Variable{Name: name})
		}
	}
	return out
}
