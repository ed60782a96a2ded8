package ir

import (
	"slices"
	"strings"
)

// CallerScopes are the OAuth 2 scopes that the document asks of whoever calls
// the operation: one string for each alternative of the security that names
// some, separated by spaces (RFC 6749, 3.3). There are none where the operation
// is open to everyone.
func (r *Request) CallerScopes() []string {
	var out []string
	for _, alternative := range r.Security {
		if len(alternative) == 0 {
			return nil
		}
		var scopes []string
		for _, use := range alternative {
			for _, scope := range use.Scopes {
				// What is no scope cannot be in a token.
				if scope != "" && !strings.ContainsFunc(scope, notScope) && !slices.Contains(scopes, scope) {
					scopes = append(scopes, scope)
				}
			}
		}
		if text := strings.Join(scopes, " "); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// notScope reports whether a scope cannot hold r (RFC 6749, appendix A.4).
func notScope(r rune) bool { return r <= ' ' || r > '~' || r == '"' || r == '\\' }
