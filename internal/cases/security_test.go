package cases

import (
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

var securityCases = []testCase{
	{
		folder: "P82-security-logic", lines: 5,
		calls: []call{
			{env: key, tool: "open", args: `{}`, want: "GET https://api.test/v1/open", headers: []string{"-X-Key", "-Authorization"}},
			{env: key, tool: "maybe", args: `{}`, want: "GET https://api.test/v1/maybe", headers: []string{"X-Key: K"}},
			{env: key, tool: "plain", args: `{}`, want: "GET https://api.test/v1/plain", headers: []string{"X-Key: K"}},
			{env: key, tool: "either", args: `{}`, want: "GET https://api.test/v1/either", headers: []string{"X-Key: K", "-Authorization"}},
			{env: key, tool: "both", args: `{}`, isError: true, says: []string{"tok", "BEARER_TOKEN_TOK"}},
			{env: keyAndToken, tool: "both", args: `{}`, want: "GET https://api.test/v1/both", headers: []string{"X-Key: K", "Authorization: Bearer B"}},
			{env: keyAndToken, tool: "either", args: `{}`, want: "GET https://api.test/v1/either", headers: []string{"-X-Key", "Authorization: Bearer B"}},
			{tool: "open", args: `{}`, want: "GET https://api.test/v1/open", headers: []string{"-X-Key", "-Authorization"}},
			{tool: "maybe", args: `{}`, want: "GET https://api.test/v1/maybe", headers: []string{"-X-Key", "-Authorization"}},
			{tool: "plain", args: `{}`, isError: true, says: []string{"key", "API_KEY_KEY"}},
		},
	},
	{
		folder: "P84-auth-param-hidden", lines: 4,
		schemas: []member{{"quotes", "/inputSchema/properties", `{"symbol":{"type":"string"}}`}},
		calls: []call{
			{env: []string{"API_KEY_K=S"}, tool: "quotes", args: `{"symbol":"A"}`,
				want: "GET https://api.test/v1/quotes?symbol=A", headers: []string{"X-API-Key: S"}},
			{env: []string{"API_KEY_Q=S"}, tool: "quotes", args: `{"symbol":"A"}`, want: "GET https://api.test/v1/quotes?symbol=A&token=S"},
			{env: []string{"API_KEY_Q=sekrit", "BASE_URL=http://127.0.0.1:9/v1"}, tool: "quotes", args: `{"symbol":"A"}`,
				isError: true, says: []string{"refused"}, silent: []string{"sekrit"}},
		},
	},
	{
		folder: "P85-inbound-auth", lines: 4,
		calls: []call{{env: []string{"API_KEY_K=SERVER"}, tool: "mine", args: `{}`, want: "GET https://api.test/v1/mine",
			headers: []string{"X-Api-Key: SERVER", "-Authorization", "-Cookie"}}},
		check: testInboundHeaders,
	},
}

var (
	key         = []string{"API_KEY_KEY=K"}
	keyAndToken = []string{"API_KEY_KEY=K", "BEARER_TOKEN_TOK=B"}
)

// testInboundHeaders calls over HTTP: what reaches the API of a caller's headers.
func testInboundHeaders(t *testing.T, r *run) {
	env := append(r.upstream.Env(), "API_KEY_K=SERVER")
	caller := []string{"Authorization: Bearer CLIENT", "X-Api-Key: USER", "Cookie: a=b"}
	for _, c := range []struct {
		flags   []string
		callers [][]string // one call each
		want    []string   // of the call with the same index
	}{
		{nil, [][]string{caller, nil}, []string{"SERVER", "SERVER"}},
		{[]string{"-pass-header=X-Api-Key"}, [][]string{caller, nil, caller}, []string{"USER", "SERVER", "USER"}},
	} {
		site := r.module.StartHTTP(t, r.pkg, env, c.flags...)
		for i, headers := range c.callers {
			r.upstream.Take()
			r.upstream.Reply(prove.Answer{})
			site.Call("mine", `{}`, headers...)
			seen := r.upstream.Take()
			if len(seen) != 1 || seen[0].URL != "https://api.test/v1/mine" {
				t.Fatalf("%v: call %d: the upstream saw %d requests", c.flags, i, len(seen))
			}
			for _, want := range []string{"X-Api-Key: " + c.want[i], "-Authorization", "-Cookie"} {
				testHeader(t, seen[0], want)
			}
		}
		if code := site.Stop(); code != 0 {
			t.Errorf("exit %d\n%s", code, site.Stderr())
		}
	}
}
