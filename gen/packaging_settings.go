package gen

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/templates"
)

// setting is an environment variable that the server reads; package runtime
// lists the same ones for -h (env.go).
type setting struct {
	name       string   // as variableName has it
	title      string   // a few words for people
	about      string   // one line
	secret     bool     // it must not be shown
	required   bool     // without it no tool works
	credential bool     // a part of one, such as a user name
	initial    string   // what the server uses where it is not set
	choices    []string // empty: any
}

// variableName is a name that every shell, host and cluster can set.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// asked reports whether people are asked for it where the server is set up: not
// for what has a good value already.
func (s setting) asked() bool { return s.credential || s.required }

// asked are those that templates name.
func asked(list []setting) []templates.Setting {
	var out []templates.Setting
	for _, s := range list {
		if s.asked() {
			out = append(out, templates.Setting{Name: s.name, Required: s.required})
		}
	}
	return out
}

// settings lists the environment variables in the runtime's order.
func (p *plan) settings() []setting {
	var list []setting
	if len(p.groups) > 0 {
		list = append(list, setting{name: "BASE_URL", title: "Address of the API",
			about: "Address of the API, in place of the one in its document", required: !p.reachable()})
	}
	for _, pkg := range p.packages {
		for _, e := range pkg.env {
			list = append(list, setting{name: e.env, title: e.env, about: "A function of this server asks for it", secret: true, required: true})
		}
	}
	for _, a := range p.server.Auth {
		list = append(list, credentialSettings(a, p.indispensable(a.Name))...)
	}
	list = append(list, p.variableSettings()...)
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(s setting) bool {
		drop := seen[s.name] || !variableName.MatchString(s.name)
		seen[s.name] = true
		return drop
	})
}

// reachable reports whether requests have an address without BASE_URL.
func (p *plan) reachable() bool {
	return p.detached() || len(p.server.Upstreams) > 0 && !strings.HasPrefix(p.server.Upstreams[0].URL, "/")
}

// indispensable reports whether no tool can be called without a scheme.
func (p *plan) indispensable(scheme string) bool {
	uses := func(alternative []ir.AuthUse) bool {
		return slices.ContainsFunc(alternative, func(u ir.AuthUse) bool { return u.Name == scheme })
	}
	for _, t := range p.tools() {
		security := t.Request.Security
		if len(security) == 0 || slices.ContainsFunc(security, func(a []ir.AuthUse) bool { return !uses(a) }) {
			return false
		}
	}
	return len(p.packages) == 0
}

// credentialSettings are the variables of one scheme. Where several can stand
// for each other, none is required.
func credentialSettings(a ir.Auth, required bool) []setting {
	suffix := ir.EnvName(cmp.Or(a.Env, a.Name))
	scheme := brief(a.Name, 40)
	credential := func(prefix, title, about string, secret, required bool) setting {
		return setting{name: prefix + suffix, title: title + " (" + scheme + ")",
			about: about + " of the security scheme " + scheme, secret: secret, required: required, credential: true}
	}
	switch a.Kind {
	case ir.APIKey:
		s := credential("API_KEY_", "API key", "Key", true, required)
		s.about += ", sent as the " + brief(string(a.In), 20) + " " + brief(a.Wire, 40)
		return []setting{s}
	case ir.Basic:
		return []setting{
			credential("BASIC_USERNAME_", "User name", "User name", false, false),
			credential("BASIC_PASSWORD_", "Password", "Password", true, false),
		}
	case ir.Bearer:
		return []setting{credential("BEARER_TOKEN_", "Token", "Token", true, required)}
	case ir.ClientCredentials:
		return []setting{
			credential("OAUTH_CLIENT_ID_", "OAuth client id", "OAuth 2 client id", false, false),
			credential("OAUTH_CLIENT_SECRET_", "OAuth client secret", "OAuth 2 client secret", true, false),
			credential("BEARER_TOKEN_", "OAuth token", "Ready token, in place of client id and secret,", true, false),
		}
	default:
		return []setting{
			credential("CLIENT_CERT_", "Client certificate", "Client certificate in PEM", false, required),
			credential("CLIENT_KEY_", "Client key", "Private key in PEM", true, required),
		}
	}
}

// variableSettings are the parts of the API's address that can be chosen.
func (p *plan) variableSettings() []setting {
	var list []setting
	for _, u := range p.server.Upstreams {
		for _, v := range u.Variables {
			name := brief(v.Name, 40)
			list = append(list, setting{name: "SERVER_" + ir.EnvName(v.Name), title: "Server variable " + name,
				about: "Part " + name + " of the API's address", initial: v.Default, choices: v.Enum})
		}
	}
	return list
}

// brief is one line of at most n characters.
func brief(text string, n int) string {
	runes := []rune(line(text))
	if len(runes) <= n {
		return string(runes)
	}
	return strings.TrimSpace(string(runes[:n-1])) + "…"
}
