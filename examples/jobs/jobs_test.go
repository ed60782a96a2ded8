package jobs

import (
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

func TestServer(t *testing.T) {
	upstream := prove.NewUpstream(t)
	bin := prove.Build(t, "server")
	for _, test := range []struct {
		name       string
		env        []string
		tool, args string
		request    string
		body       string
		token      string
		answer     string
		result     string
	}{
		{
			name: "search with a token", env: []string{"BEARER_TOKEN_ACCOUNT=t"},
			tool: "search_jobs", args: `{"body":{"skills":["go"],"country":"DK","salary":{"min":600000.50},"limit":50}}`,
			request: "POST https://eu.jobs.example/v1/jobs/search",
			body:    `{"skills":["go"],"country":"DK","salary":{"min":600000.50},"limit":50}`, token: "Bearer t",
			answer: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"total\":0,\"jobs\":[]}",
			result: `{"total":0,"jobs":[]}`,
		},
		{
			name: "search without, elsewhere", env: []string{"SERVER_REGION=us"},
			tool: "search_jobs", args: `{"body":{"remote":true}}`,
			request: "POST https://us.jobs.example/v1/jobs/search", body: `{"remote":true}`,
			answer: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"total\":0,\"jobs\":[]}",
			result: `{"total":0,"jobs":[]}`,
		},
		{
			name: "technologies",
			tool: "get_tech_stack", args: `{"domain":"harbour.example","min_share":0.10,"kinds":["language","cloud"]}`,
			request: "GET https://eu.jobs.example/v1/companies/harbour.example/stack?min_share=0.10&kinds=language&kinds=cloud",
			answer:  "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[{\"slug\":\"go\",\"share\":0.620}]",
			result:  `[{"slug":"go","share":0.620}]`,
		},
		{
			name: "prices need no token", env: []string{"BEARER_TOKEN_ACCOUNT=t"},
			tool: "get_pricing", args: `{}`,
			request: "GET https://eu.jobs.example/v1/pricing",
			answer:  "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[]",
			result:  `[]`,
		},
		{
			name: "documentation is Markdown",
			tool: "search_docs", args: `{"q":"how do filters combine?"}`,
			request: "GET https://eu.jobs.example/docs/search?q=how%20do%20filters%20combine%3F",
			answer:  "HTTP/1.1 200 OK\nContent-Type: text/markdown\n\n# Filters\n\nAll of them.\n",
			result:  "# Filters\n\nAll of them.\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			client := prove.Start(t, append(upstream.Env(), test.env...), bin)
			upstream.Reply(prove.Answer{Raw: test.answer})
			if result := client.Call(test.tool, test.args); result.IsError || result.Text() != test.result {
				t.Errorf("the result is %s, want %s", result.Raw, test.result)
			}
			seen := upstream.Take()
			if len(seen) != 1 {
				t.Fatalf("the API saw %d requests", len(seen))
			}
			req := seen[0]
			if line := req.Method + " " + req.URL; line != test.request || string(req.Body) != test.body {
				t.Errorf("the API saw %s %s, want %s %s", line, req.Body, test.request, test.body)
			}
			if token := req.Header.Get("Authorization"); token != test.token {
				t.Errorf("Authorization was %q, want %q", token, test.token)
			}
		})
	}
}
