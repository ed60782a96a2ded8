package runtime

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inbound decides who may call over HTTP (MCP 2026-07-28, basic/authorization).
// A nil inbound lets everyone.
type inbound struct {
	tokens        *watched[[]staticToken] // nil: none
	issuer        *issuer                 // nil: none
	anonymousList bool
	tools         map[string]scopeSets // nil: no tool needs a scope
	resource      *resource            // nil: clients are told of no authorization server
	catalog       *catalog             // nil: every tool is called by its name
}

// caller is who sent a request; nil is a stranger.
type caller = auth.TokenInfo

// refused says why a request may not pass, in the terms of RFC 6750, 3.
type refused struct {
	status int
	code   string // empty: the request had no token
	reason string
	scopes []string // that would be needed
}

// errUnavailable is why a token could not be judged.
var errUnavailable = errors.New("the keys of the authorization server cannot be had at the moment")

// newInbound returns what the options ask for, nil for nothing.
func (s *Server) newInbound(o *httpOptions) (*inbound, error) {
	if !o.inbound.on() {
		return nil, nil
	}
	in := &inbound{anonymousList: o.inbound.anonymousList, catalog: s.catalog}
	var err error
	if o.inbound.tokens != "" {
		if in.tokens, err = s.watchTokens(o.inbound.tokens); err != nil {
			return nil, fmt.Errorf("-auth-tokens: %w", err)
		}
	}
	if o.inbound.issuer != "" {
		in.issuer = s.newIssuer(o)
		in.resource = newResource(o, s)
		if !o.inbound.ignoreScopes {
			in.tools = scopesOf(s.def.Tools)
			in.resource.metadata.ScopesSupported = allScopes(in.tools)
		}
	}
	return in, nil
}

// identify finds out who sent a request.
func (in *inbound) identify(r *http.Request) (*caller, *refused) {
	if in == nil {
		return nil, nil
	}
	header := r.Header.Get("Authorization")
	if header == "" && in.anonymousList {
		return nil, nil
	}
	scheme, token, _ := strings.Cut(header, " ")
	if token = strings.TrimSpace(token); !strings.EqualFold(scheme, "Bearer") || token == "" {
		return nil, &refused{status: http.StatusUnauthorized, reason: "a bearer token is needed"}
	}
	who, err := in.verify(r.Context(), token)
	switch {
	case errors.Is(err, errUnavailable):
		return nil, &refused{status: http.StatusServiceUnavailable, reason: err.Error()}
	case err != nil:
		return nil, &refused{status: http.StatusUnauthorized, code: "invalid_token", reason: err.Error()}
	}
	return who, nil
}

// verify judges a token.
func (in *inbound) verify(ctx context.Context, token string) (*caller, error) {
	if in.tokens != nil {
		if who := findToken(in.tokens.get(), token); who != nil {
			who.Scopes = allScopes(in.tools) // the operator gave the token out by hand
			return who, nil
		}
	}
	if in.issuer == nil {
		return nil, errors.New("the token is not known")
	}
	return in.issuer.verify(ctx, token)
}

// listing is what strangers may do under -auth-anonymous-list.
var listing = []string{
	"initialize", "notifications/initialized", "notifications/cancelled", "ping", "server/discover",
	"tools/list", "prompts/list", "resources/list", "resources/templates/list",
}

// permit decides whether a caller may have what messages ask for.
func (in *inbound) permit(who *caller, messages []message) *refused {
	if in == nil {
		return nil
	}
	for _, m := range messages {
		tool := in.catalog.target(m.tool, m.arguments)
		if who == nil && !slices.Contains(listing, m.method) {
			return &refused{status: http.StatusUnauthorized, reason: "a bearer token is needed for this", scopes: in.tools[tool].first()}
		}
		if who == nil || m.method != "tools/call" {
			continue
		}
		if sets := in.tools[tool]; !sets.allow(who.Scopes) {
			return &refused{
				status: http.StatusForbidden, code: "insufficient_scope", reason: tool + " needs more scopes than the token has",
				scopes: sets.wanted(who.Scopes, allScopes(in.tools)),
			}
		}
	}
	return nil
}

// challenge answers a request that may not pass (RFC 6750, 3; RFC 9728, 5.1;
// MCP 2026-07-28, basic/authorization).
func (in *inbound) challenge(w http.ResponseWriter, why *refused) {
	if why.status != http.StatusServiceUnavailable {
		var params []string
		add := func(name, value string) {
			if value != "" {
				params = append(params, name+`="`+quotable(value)+`"`)
			}
		}
		add("error", why.code)
		if why.code != "" {
			add("error_description", why.reason)
		}
		if in.resource != nil {
			add("resource_metadata", in.resource.metadataURL)
			add("scope", strings.Join(why.scopes, " "))
		}
		w.Header().Set("WWW-Authenticate", strings.TrimSpace("Bearer "+strings.Join(params, ", ")))
	}
	refuse(w, why.status, jsonrpc.CodeInvalidRequest, why.reason)
}

// quotable drops what a quoted string in a header cannot hold (RFC 6750, 3).
func quotable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return -1
		}
		return r
	}, text)
}

// asCaller tells the SDK who calls, which holds a session to whoever opened it.
func asCaller(who *caller, next http.Handler) http.Handler {
	if who == nil {
		return next
	}
	known := func(context.Context, string, *http.Request) (*caller, error) { return who, nil }
	return auth.RequireBearerToken(known, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(next)
}

// again asks once more, of what the SDK has made of a message: should it ever
// read one differently than the endpoint did, nobody gains by that.
func (in *inbound) again(next mcp.MethodHandler) mcp.MethodHandler {
	if in == nil {
		return next
	}
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		m := message{method: method}
		if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && params != nil {
			m.tool, m.arguments = params.Name, params.Arguments
		}
		var who *caller
		if extra := req.GetExtra(); extra != nil {
			who = extra.TokenInfo
		}
		if why := in.permit(who, []message{m}); why != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: why.reason}
		}
		return next(ctx, method, req)
	}
}
