package openapi

import (
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
)

// scheme is a security scheme, of the document or only of an operation that
// names it. Problem says why it cannot be used; Auth is then zero.
type scheme struct {
	name    string
	auth    ir.Auth
	code    string
	problem string
	hint    string
	node    *node.Node
	before  string       // the scheme that has the environment variables which this one would have
	users   []*Operation // that cannot have it
}

// readSchemes reads components.securitySchemes (OpenAPI 3.1, Security Scheme
// Object).
func (b *builder) readSchemes() {
	b.schemes = make(map[string]*scheme, len(b.doc.SecuritySchemes))
	for _, named := range b.doc.SecuritySchemes {
		s := &scheme{name: named.Name, node: named.Node, code: "unsupported-security"}
		s.auth, s.problem = b.readScheme(named.Name, named.Node)
		b.schemes[named.Name] = s
	}
	b.nameVariables()
}

// nameVariables gives schemes of one kind different environment variables: "a/b"
// and "a b" would both be set by API_KEY_A_B. All schemes of the document count,
// so that what an operation uses changes no name.
func (b *builder) nameVariables() {
	var claims []ir.Claim
	for _, named := range b.doc.SecuritySchemes {
		kind := b.schemes[named.Name].auth.Kind
		if kind == ir.ClientCredentials {
			kind = ir.Bearer // it takes a ready token too
		}
		claims = append(claims, ir.Claim{Name: string(kind) + " " + ir.EnvName(named.Name)})
	}
	names := ir.Distinct(claims, func(s string) string { return s })
	for i, name := range names {
		if name != claims[i].Name {
			s := b.schemes[b.doc.SecuritySchemes[i].Name]
			_, s.auth.Env, _ = strings.Cut(name, " ")
			s.before = b.doc.SecuritySchemes[slices.Index(names, claims[i].Name)].Name
		}
	}
}

func (b *builder) readScheme(name string, n *node.Node) (ir.Auth, string) {
	auth := ir.Auth{Name: name, Description: prose.Cut(prose.OneLine(prose.Plain(n.Get("description").Text())), maxReturns)}
	switch kind := n.Get("type").Text(); kind {
	case "apiKey":
		auth.Kind, auth.In, auth.Wire = ir.APIKey, ir.In(n.Get("in").Text()), n.Get("name").Text()
		if auth.Wire == "" || !slices.Contains([]ir.In{ir.InHeader, ir.InQuery, ir.InCookie}, auth.In) {
			return ir.Auth{}, "an apiKey needs a name, and in: header, query or cookie"
		}
	case "http":
		switch word := strings.ToLower(n.Get("scheme").Text()); word {
		case "basic":
			auth.Kind = ir.Basic
		case "bearer":
			auth.Kind = ir.Bearer
		default:
			return ir.Auth{}, "HTTP authentication " + quote(word) + " is not supported, only basic and bearer"
		}
	case "oauth2":
		auth.Kind = ir.Bearer
		if flow := n.Get("flows").Get("clientCredentials"); flow.IsMap() {
			if url, ok := b.endpoint(flow.Get("tokenUrl").Text()); ok {
				auth.Kind, auth.TokenURL = ir.ClientCredentials, url
			}
		}
	case "openIdConnect":
		auth.Kind = ir.Bearer
	case "mutualTLS":
		auth.Kind = ir.MutualTLS
	default:
		return ir.Auth{}, "type " + quote(kind) + " is not supported"
	}
	return auth, ""
}

// security resolves the requirements of an operation to alternatives (OpenAPI
// 3.1, Security Requirement Object). A scheme that is missing or not supported
// is left out with a warning: the API answers for itself then, and a proxy in
// front of it may know the credential.
func (b *builder) security(op *Operation) [][]ir.AuthUse {
	list := op.Security
	if list == nil {
		list = b.doc.Security
	}
	var out [][]ir.AuthUse
	for _, requirement := range list.List() {
		if !requirement.IsMap() {
			continue
		}
		alternative := []ir.AuthUse{}
		dropped := false
		for key, scopes := range requirement.Pairs() {
			if !b.usable(op, key) {
				dropped = true
				continue
			}
			use := ir.AuthUse{Name: key.Value}
			// For other kinds they are roles, which no token proves (OpenAPI 3.1,
			// Security Requirement Object).
			if kind := b.schemes[key.Value].node.Get("type").Text(); kind == "oauth2" || kind == "openIdConnect" {
				for _, scope := range scopes.List() {
					use.Scopes = append(use.Scopes, scope.Text())
				}
			}
			alternative = append(alternative, use)
		}
		if dropped && len(alternative) == 0 || slices.ContainsFunc(out, func(other []ir.AuthUse) bool {
			return slices.EqualFunc(alternative, other, func(a, o ir.AuthUse) bool { return a.Name == o.Name && slices.Equal(a.Scopes, o.Scopes) })
		}) {
			continue
		}
		out = append(out, alternative)
	}
	return out
}

// usable reports whether the scheme named by key can be used, and keeps in mind
// that op cannot have it.
func (b *builder) usable(op *Operation, key *node.Node) bool {
	s := b.schemes[key.Value]
	if s == nil {
		s = b.undefined(key)
		b.schemes[key.Value] = s
	}
	if s.problem == "" {
		return true
	}
	if len(s.users) == 0 {
		b.unusable = append(b.unusable, s)
	}
	if !slices.Contains(s.users, op) {
		s.users = append(s.users, op)
	}
	return false
}

// undefined is a scheme that the document does not have.
func (b *builder) undefined(key *node.Node) *scheme {
	s := &scheme{name: key.Value, node: key, code: "unknown-security", problem: "not defined in components.securitySchemes"}
	if hasVersion(b.doc.Version, "2") {
		s.problem = "not defined in securityDefinitions"
	}
	names := make([]string, len(b.doc.SecuritySchemes))
	for i, named := range b.doc.SecuritySchemes {
		names[i] = named.Name
	}
	if near := diag.Nearest(key.Value, names); near != "" {
		s.hint = "did you mean " + near + "?"
	} else if len(names) > 0 {
		s.hint = "the schemes are " + strings.Join(names, ", ")
	}
	return s
}

// warnUnusable names each scheme that cannot be used and the operations that
// must do without it.
func (b *builder) warnUnusable() {
	for _, s := range b.unusable {
		who := "operation " + s.users[0].Label()
		if more := len(s.users) - 1; more > 0 {
			who += " and " + strconv.Itoa(more) + " more"
		}
		b.diags.Add(diag.Diagnostic{
			Pos: s.node.Pos(), Severity: diag.Warning, Code: s.code, Hint: s.hint,
			Message: who + ": security scheme " + quote(s.name) + ": " + s.problem + "; calls are sent without it",
		})
	}
}

// credential returns the apiKey scheme that is sent where the parameter would
// be, or nil. Header names have no case (RFC 9110, 5.1).
func (b *builder) credential(p *Param) *ir.Auth {
	for _, named := range b.doc.SecuritySchemes {
		auth := &b.schemes[named.Name].auth
		if auth.Kind != ir.APIKey || string(auth.In) != p.Kin.In {
			continue
		}
		if auth.Wire == p.Kin.Name || auth.In == ir.InHeader && strings.EqualFold(auth.Wire, p.Kin.Name) {
			return auth
		}
	}
	return nil
}

// requireCredential adds a credential that the operation declares as a
// parameter to its security, unless it is there already: such a parameter is
// no argument, and documents often forget the other half.
func requireCredential(security [][]ir.AuthUse, auth *ir.Auth, required bool) [][]ir.AuthUse {
	isIt := func(use ir.AuthUse) bool { return use.Name == auth.Name }
	if slices.ContainsFunc(security, func(alternative []ir.AuthUse) bool { return slices.ContainsFunc(alternative, isIt) }) {
		return security
	}
	use := ir.AuthUse{Name: auth.Name}
	if len(security) == 0 {
		security = [][]ir.AuthUse{{use}}
		if !required {
			security = append(security, []ir.AuthUse{})
		}
		return security
	}
	if !required {
		return security
	}
	out := make([][]ir.AuthUse, len(security))
	for i, alternative := range security {
		out[i] = append(slices.Clone(alternative), use)
	}
	return out
}

// usedAuth lists the schemes that a tool uses.
func (b *builder) usedAuth(tools []*ir.Tool) []ir.Auth {
	used := make(map[string]bool)
	for _, t := range tools {
		for _, alternative := range t.Request.Security {
			for _, use := range alternative {
				used[use.Name] = true
			}
		}
	}
	var out []ir.Auth
	for _, named := range b.doc.SecuritySchemes {
		if used[named.Name] {
			auth := b.schemes[named.Name].auth
			if auth.Env != "" {
				b.diags.Warn(named.Node.Pos(), "variable-clash", "security scheme %s: its environment variables end in %s, because those of scheme %s end in %s",
					quote(auth.Name), auth.Env, quote(b.schemes[named.Name].before), ir.EnvName(auth.Name))
			}
			out = append(out, auth)
		}
	}
	return out
}
