package cases

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
		pending: map[string]string{
			"Server in HTTP mode":              overHTTP,
			"Default: GET /v1/mine":            overHTTP,
			"With allow-list":                  overHTTP,
			"Authorization is never forwarded": overHTTP,
		},
		calls: []call{{env: []string{"API_KEY_K=SERVER"}, tool: "mine", args: `{}`, want: "GET https://api.test/v1/mine",
			headers: []string{"X-Api-Key: SERVER", "-Authorization", "-Cookie"}}},
	},
}

var (
	key         = []string{"API_KEY_KEY=K"}
	keyAndToken = []string{"API_KEY_KEY=K", "BEARER_TOKEN_TOK=B"}
)

const overHTTP = "inbound headers exist only over Streamable HTTP, which is not part of this version; on stdio the operator's credential is sent"
