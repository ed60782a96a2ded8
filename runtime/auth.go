package runtime

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
)

// access is how one request proves who it is for.
type access struct {
	schemes []Auth
	header  http.Header // of the inbound call, allow-listed
	bearer  string      // the caller's token, to be passed on; empty: none
	query   string      // apiKey parameters, encoded
	client  *http.Client
	token   *tokenSource
}

// access chooses among the alternatives of the operation's security: the first
// one with all its credentials. Anonymous access is for want of a better one.
func (c *Call) access(r *Request) (*access, error) {
	if c.server.config.Mock {
		return c.mocked()
	}
	a := &access{header: c.passed(), bearer: c.passedToken()}
	var missing []string
	anonymous := len(r.security) == 0
	for _, alternative := range r.security {
		if len(alternative) == 0 {
			anonymous = true
			continue
		}
		schemes, lacking := c.server.satisfy(alternative, a)
		if lacking == "" {
			a.schemes = schemes
			return a, nil
		}
		missing = append(missing, lacking)
	}
	if anonymous {
		return a, nil
	}
	return nil, fmt.Errorf("it needs a credential that the operator of this server has not set: %s. It is not an argument of this tool",
		strings.Join(missing, "; or "))
}

// satisfy returns the schemes of one alternative, or what is lacking in words.
func (s *Server) satisfy(alternative requirement, a *access) (schemes []Auth, lacking string) {
	var missing []string
	for _, name := range alternative {
		i := slices.IndexFunc(s.def.Auth, func(a Auth) bool { return a.Name == name })
		if i < 0 {
			missing = append(missing, fmt.Sprintf("%q, which the API's description does not define", name))
			continue
		}
		scheme := s.def.Auth[i]
		if !a.passes(scheme) && !scheme.complete(s.credential(name)) {
			missing = append(missing, fmt.Sprintf("%q (%s)", name, strings.Join(scheme.variables(s.def.EnvPrefix), " and ")))
			continue
		}
		schemes = append(schemes, scheme)
	}
	return schemes, strings.Join(missing, " and ")
}

// lackingCredentials names the schemes that have no credential, with their
// variables.
func (s *Server) lackingCredentials() []string {
	var lacking []string
	for _, scheme := range s.def.Auth {
		passed := slices.ContainsFunc(s.config.PassHeaders, func(name string) bool { return strings.EqualFold(name, scheme.headerName()) }) ||
			s.config.PassToken && scheme.takesToken()
		if !passed && !scheme.complete(s.credential(scheme.Name)) {
			lacking = append(lacking, fmt.Sprintf("%s (%s)", scheme.Name, strings.Join(scheme.variables(s.def.EnvPrefix), " and ")))
		}
	}
	return lacking
}

// warnOfCredentials tells the operator of schemes without a credential. Which
// tools need them only their handlers know, and a scheme may stand beside others
// that will do: so it is a warning where no scheme has any, else a remark.
func (s *Server) warnOfCredentials(ctx context.Context) {
	lacking := s.lackingCredentials()
	if len(lacking) == 0 {
		return
	}
	level := slog.LevelInfo
	if len(lacking) == len(s.def.Auth) {
		level = slog.LevelWarn
	}
	s.log.Log(ctx, level, "credentials are not set; a tool that needs one says so when it is called", "schemes", strings.Join(lacking, ", "))
}

// headerName is the header that carries the scheme's credential, if one does.
func (a Auth) headerName() string {
	switch a.Kind {
	case APIKey:
		if a.In != "header" {
			return ""
		}
		return a.Wire
	case MutualTLS:
		return ""
	}
	return "Authorization"
}

// complete reports whether the credential has all that the scheme needs.
func (a Auth) complete(c Credential) bool {
	switch a.Kind {
	case APIKey:
		return c.Key != ""
	case Basic:
		return c.Username != "" || c.Password != ""
	case Bearer:
		return c.Token != ""
	case ClientCredentials:
		return c.Token != "" || c.ClientID != "" && c.ClientSecret != ""
	case MutualTLS:
		return c.Certificate != "" && c.PrivateKey != ""
	}
	return false
}

// passed returns the headers of the inbound call that the operator lets through.
func (c *Call) passed() http.Header {
	if len(c.server.config.PassHeaders) == 0 {
		return nil
	}
	out := http.Header{}
	for _, name := range c.server.config.PassHeaders {
		if values := c.header.Values(name); len(values) > 0 && !belongsToConnection(name) {
			out[http.CanonicalHeaderKey(name)] = slices.Clone(values)
		}
	}
	return out
}

// passedToken is the bearer token of the inbound call, if the operator lets it
// through.
func (c *Call) passedToken() string {
	if !c.server.config.PassToken {
		return ""
	}
	scheme, token, _ := strings.Cut(c.header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || hasControl(token) {
		return ""
	}
	return strings.TrimSpace(token)
}

// passes reports whether the caller brought what the scheme needs.
func (a *access) passes(scheme Auth) bool {
	return a.header.Get(scheme.headerName()) != "" || a.bearer != "" && scheme.takesToken()
}

// takesToken reports whether a bearer token is what the scheme sends.
func (a Auth) takesToken() bool { return a.Kind == Bearer || a.Kind == ClientCredentials }

// apply writes the credentials into h, and chooses the client. What the caller
// passed in takes the place of the server's own.
func (a *access) apply(ctx context.Context, s *Server, r *Request, h http.Header) (err error) {
	if a.client != nil {
		return nil // of a mock
	}
	certificate := ""
	for _, scheme := range a.schemes {
		if a.passes(scheme) {
			if a.bearer != "" && scheme.takesToken() {
				h.Set("Authorization", "Bearer "+a.bearer)
			}
			continue
		}
		credential := s.credential(scheme.Name)
		switch scheme.Kind {
		case APIKey:
			a.applyKey(scheme, credential.Key, h)
		case Basic:
			setBasic(h, credential.Username, credential.Password)
		case Bearer:
			h.Set("Authorization", "Bearer "+credential.Token)
		case ClientCredentials:
			authorization := "Bearer " + credential.Token
			if credential.Token == "" {
				a.token = s.tokenSource(scheme, r.scopes[scheme.Name])
				if authorization, err = a.token.authorization(ctx); err != nil {
					return err
				}
			}
			h.Set("Authorization", authorization)
		case MutualTLS:
			certificate = scheme.Name
		}
	}
	for name, values := range a.header {
		h[name] = values
	}
	a.client, err = s.client(certificate)
	return err
}

func (a *access) applyKey(scheme Auth, key string, h http.Header) {
	switch scheme.In {
	case "query":
		a.query = joinQuery(a.query, escapeAll(scheme.Wire)+"="+escapeAll(key))
	case "cookie":
		addCookie(h, scheme.Wire, key)
	default:
		h.Set(scheme.Wire, key)
	}
}

func setBasic(h http.Header, user, password string) {
	r := http.Request{Header: h}
	r.SetBasicAuth(user, password)
}

// certificate loads the pair of a mutualTLS scheme.
func (c Credential) certificate() (tls.Certificate, error) {
	pair, err := tls.X509KeyPair([]byte(c.Certificate), []byte(c.PrivateKey))
	if err != nil {
		return pair, errors.New("the client certificate and its key do not load or do not belong together")
	}
	return pair, nil
}
