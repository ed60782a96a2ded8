package openapi

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

func TestSecurity(t *testing.T) {
	const components = `
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    tok: {type: http, scheme: Bearer}
    digest: {type: http, scheme: digest}
    odd: {type: apiKey, in: body, name: k}
    oauth: {type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.test', scopes: {}}}}
`
	tests := []struct{ name, security, want, diags string }{
		{"P82: inherited", "", "auth key\n", ""},
		{"P82: overridden by nothing", "security: []", "", ""},
		{"P82: anonymous first", "security: [{}, {key: []}]", "auth \nauth key\n", ""},
		{"P82: both", "security: [{key: [], tok: []}]", "auth key+tok\n", ""},
		{"P82: either", "security: [{tok: []}, {key: []}]", "auth tok\nauth key\n", ""},
		{"the same alternative twice", "security: [{key: [a]}, {key: [b]}]", "auth key\n", ""},
		{"the same scheme with other scopes", "security: [{oauth: [a]}, {oauth: [b]}, {oauth: [a]}]", "auth oauth(a)\nauth oauth(b)\n", ""},
		{"roles are no scopes", "security: [{tok: [admin]}]", "auth tok\n", ""},
		{
			"unsupported", "security: [{digest: []}]", "",
			`unsupported-security: operation op: security scheme "digest": HTTP authentication "digest" is not supported, only basic and bearer; calls are sent without it
`,
		},
		{
			"unsupported beside another", "security: [{digest: []}, {key: [], odd: []}]", "auth key\n",
			`unsupported-security: operation op: security scheme "digest": HTTP authentication "digest" is not supported, only basic and bearer; calls are sent without it
unsupported-security: operation op: security scheme "odd": an apiKey needs a name, and in: header, query or cookie; calls are sent without it
`,
		},
		{
			"unknown", "security: [{nosuch: []}]", "",
			`unknown-security: operation op: security scheme "nosuch": not defined in components.securitySchemes; calls are sent without it
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := mustParse(t, head+"security: [{key: []}]\npaths:\n  /a:\n    get:\n      operationId: op\n      responses: {'200': {description: ok}}\n      "+
				tt.security+"\n"+components, Options{})
			if got := strings.TrimPrefix(show(s.Tools()[0].Request), "GET /a\n"); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			if got := codes(diags); got != tt.diags {
				t.Errorf("diagnostics\n%swant\n%s", got, tt.diags)
			}
		})
	}
}

func TestUnknownSecurity(t *testing.T) {
	const operation = "{operationId: %s, security: [{%s: []}], responses: {'200': {description: ok}}}"
	const undefined = "components.securitySchemes; calls are sent without it [unknown-security]"
	tests := []struct{ name, document, want string }{
		{
			"misspelt, of several operations",
			head + "paths:\n  /a:\n    get: " + fmt.Sprintf(operation, "a", "bearrAuth") + "\n    put: " + fmt.Sprintf(operation, "b", "bearrAuth") +
				"\n    post: " + fmt.Sprintf(operation, "c", "bearerAuth") + "\ncomponents: {securitySchemes: {bearerAuth: {type: http, scheme: bearer}}}\n",
			`operation a and 1 more: security scheme "bearrAuth": not defined in ` + undefined + "\n\thint: did you mean bearerAuth?",
		},
		{
			"nothing near",
			head + "paths:\n  /a:\n    get: " + fmt.Sprintf(operation, "a", "token") +
				"\ncomponents: {securitySchemes: {key: {type: apiKey, in: query, name: k}, other: {type: http, scheme: basic}}}\n",
			`operation a: security scheme "token": not defined in ` + undefined + "\n\thint: the schemes are key, other",
		},
		{
			"no scheme at all",
			head + "paths:\n  /a:\n    get: " + fmt.Sprintf(operation, "a", "token"),
			`operation a: security scheme "token": not defined in ` + undefined,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, diags := mustParse(t, tt.document, Options{})
			var got []string
			for _, d := range diags.All() {
				d.Pos = diag.Pos{}
				got = append(got, d.String())
			}
			if want := "warning: " + tt.want; strings.Join(got, "\n") != want {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
			}
		})
	}
}

func TestSchemes(t *testing.T) {
	tests := []struct {
		name, scheme string
		want         ir.Auth
	}{
		{"basic", "{type: http, scheme: basic}", ir.Auth{Kind: ir.Basic}},
		{"bearer", "{type: http, scheme: bearer, bearerFormat: JWT}", ir.Auth{Kind: ir.Bearer}},
		{"cookie key", "{type: apiKey, in: cookie, name: SID}", ir.Auth{Kind: ir.APIKey, In: ir.InCookie, Wire: "SID"}},
		{
			"client credentials", "{type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.test', scopes: {}}, clientCredentials: {tokenUrl: 'https://a.test/token', scopes: {}}}}",
			ir.Auth{Kind: ir.ClientCredentials, TokenURL: "https://a.test/token"},
		},
		{
			"relative token URL", "{type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {}}}}",
			ir.Auth{Kind: ir.ClientCredentials, TokenURL: "https://api.test/token"},
		},
		{"other flows", "{type: oauth2, flows: {implicit: {authorizationUrl: 'https://a.test', scopes: {}}}}", ir.Auth{Kind: ir.Bearer}},
		{"OpenID Connect", "{type: openIdConnect, openIdConnectUrl: 'https://a.test'}", ir.Auth{Kind: ir.Bearer}},
		{"mutual TLS", "{type: mutualTLS, description: 'A **certificate**.'}", ir.Auth{Kind: ir.MutualTLS, Description: "A certificate."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := mustParse(t, get("/a", "[]", "components: {securitySchemes: {x: "+tt.scheme+"}}\nsecurity: [{x: [read]}]\n"), Options{})
			tt.want.Name = "x"
			if len(s.Auth) != 1 || s.Auth[0] != tt.want {
				t.Errorf("got %+v, want %+v", s.Auth, tt.want)
			}
			want := ""
			if strings.Contains(tt.scheme, "oauth2") || strings.Contains(tt.scheme, "openIdConnect") {
				want = "read"
			}
			if got := strings.Join(s.Tools()[0].Request.Security[0][0].Scopes, " "); got != want {
				t.Errorf("scopes %q, want %q", got, want)
			}
			if out := codes(diags); out != "" {
				t.Error(out)
			}
		})
	}
}

// Schemes whose names make one environment variable get one each, whatever the
// operations use.
func TestVariableClash(t *testing.T) {
	const document = head + `paths:
  /a: {get: {operationId: op, security: [{a b: [], tok: []}, {A_B: []}, {a.b: []}], responses: {'200': {description: ok}}}}
components:
  securitySchemes:
    a/b: {type: apiKey, in: header, name: X-A}
    a b: {type: apiKey, in: query, name: b}
    A_B: {type: http, scheme: bearer}
    a.b: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://a.test/token', scopes: {}}}}
    a_b: {type: http, scheme: digest}
    tok: {type: http, scheme: bearer}
`
	s, diags := mustParse(t, document, Options{})
	var got []string
	for _, a := range s.Auth {
		got = append(got, a.Name+"="+a.Env)
	}
	if want := "A_B=,a b=A_B_2,a.b=A_B_2,tok="; strings.Join(got, ",") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ","), want)
	}
	want := `9:10: warning: security scheme "a b": its environment variables end in A_B_2, because those of scheme "a/b" end in A_B [variable-clash]
11:10: warning: security scheme "a.b": its environment variables end in A_B_2, because those of scheme "A_B" end in A_B [variable-clash]`
	var lines []string
	for _, d := range diags.All() {
		_, at, _ := strings.Cut(d.String(), ".yaml:")
		lines = append(lines, at)
	}
	if all := strings.Join(lines, "\n"); all != want {
		t.Errorf("got\n%s\nwant\n%s", all, want)
	}
}
