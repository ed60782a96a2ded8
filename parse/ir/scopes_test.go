package ir

import (
	"slices"
	"testing"
)

func TestCallerScopes(t *testing.T) {
	use := func(scopes ...string) AuthUse { return AuthUse{Name: "oauth", Scopes: scopes} }
	for _, test := range []struct {
		name     string
		security [][]AuthUse
		want     []string
	}{
		{"no security", nil, nil},
		{"a key", [][]AuthUse{{{Name: "key"}}}, nil},
		{"two scopes", [][]AuthUse{{use("read", "write")}}, []string{"read write"}},
		{"either", [][]AuthUse{{use("read")}, {use("admin")}}, []string{"read", "admin"}},
		{"either is the same", [][]AuthUse{{use("read")}, {{Name: "oidc", Scopes: []string{"read"}}}}, []string{"read"}},
		{"of two schemes", [][]AuthUse{{use("read"), {Name: "oidc", Scopes: []string{"openid", "read"}}}}, []string{"read openid"}},
		{"a key or scopes", [][]AuthUse{{{Name: "key"}}, {use("read")}}, []string{"read"}},
		{"scopes or nothing", [][]AuthUse{{use("read")}, {}}, nil},
		{"no scope", [][]AuthUse{{use("", "a b", "c\"d", "e\nf", "ü")}}, nil},
	} {
		if got := (&Request{Security: test.security}).CallerScopes(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
