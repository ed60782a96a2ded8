package openapi

import (
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
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
		b.warnSharedVariables(out)
		return out
	}
	if origin := b.absolute("/"); origin != "/" {
		return []ir.Upstream{{URL: origin}}
	}
	b.diags.Warn(b.doc.root.Root.Pos(), "no-server",
		"the document names no server; set BASE_URL when the server starts")
	return nil
}

// warnSharedVariables tells of server variables that one environment variable
// sets. They share it, unlike security schemes: they are parts of one address, and
// a flag sets each alone.
func (b *builder) warnSharedVariables(upstreams []ir.Upstream) {
	first := map[string]string{}
	warned := map[string]bool{}
	for _, u := range upstreams {
		for _, v := range u.Variables {
			env := "SERVER_" + ir.EnvName(v.Name)
			other, seen := first[env]
			if !seen {
				first[env] = v.Name
			}
			if !seen || other == v.Name || warned[v.Name] {
				continue
			}
			warned[v.Name] = true
			b.diags.Add(diag.Diagnostic{
				Pos: b.variablePos(v.Name), Severity: diag.Warning, Code: "variable-clash",
				Message: "server variables " + quote(other) + " and " + quote(v.Name) + " are both set by " + env,
				Hint:    "give one of them another name, or set each alone when the server starts: -var NAME=VALUE",
			})
		}
	}
}

// variablePos is where a server first declares a variable, or where the servers
// begin.
func (b *builder) variablePos(name string) diag.Pos {
	for _, s := range b.doc.Servers.List() {
		for key := range s.Get("variables").Pairs() {
			if key.Value == name {
				return key.Pos()
			}
		}
	}
	return b.doc.Servers.Pos()
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
