package cases

func ok(contentType, body string) string {
	return "HTTP/1.1 200 OK\nContent-Type: " + contentType + "\n\n" + body
}

var responseCases = []testCase{
	{
		folder: "P40-int64-result", lines: 3,
		calls: []call{{
			tool: "getAd", args: `{"n":1}`, want: "GET https://api.test/v1/ads/1",
			answer: ok("application/json", `{"z":1,"id":1234567890123456789,"p":1.10}`),
			text:   `{"z":1,"id":1234567890123456789,"p":1.10}`, structured: `{"z":1,"id":1234567890123456789,"p":1.10}`,
		}},
	},
	{
		folder: "P42-response-drift", lines: 3,
		calls: []call{{
			tool: "whoAmI", args: `{}`, want: "GET https://api.test/v1/me",
			answer: ok("application/json", `{"id":"7","bio":null,"more":[1]}`),
			text:   `{"id":"7","bio":null,"more":[1]}`, structured: `{"id":"7","bio":null,"more":[1]}`,
		}},
	},
	{
		folder: "P42-response-drift", variant: "output schema", flags: []string{"-output-schema"},
		schemas: []member{
			{"whoAmI", "/outputSchema/type", `"object"`},
			{"whoAmI", "/outputSchema/required", ""},
		},
		calls: []call{{
			tool: "whoAmI", args: `{}`, want: "GET https://api.test/v1/me",
			answer: ok("application/json", `{"id":7,"bio":null,"more":[1]}`),
			text:   `{"id":7,"bio":null,"more":[1]}`, structured: `{"id":7,"bio":null,"more":[1]}`,
		}, {
			tool: "whoAmI", args: `{}`, want: "GET https://api.test/v1/me",
			answer:  ok("application/json", `{"id":"7","bio":null,"more":[1]}`),
			isError: true, says: []string{`id: must be an integer or null, got the string "7"`, `{"id":"7","bio":null,"more":[1]}`}, structured: "-",
		}},
	},
	{
		folder: "P76-text-response", lines: 5,
		calls: []call{
			{tool: "report", args: `{}`, want: "GET https://api.test/v1/report", answer: ok("text/csv", "a,b\n1,2\n"), text: "a,b\n1,2\n"},
			{tool: "report", args: `{}`, want: "GET https://api.test/v1/report", answer: ok("application/json", "null"), text: "null", structured: "-"},
			{tool: "report", args: `{}`, want: "GET https://api.test/v1/report", answer: ok("application/json", "{broken"), says: []string{"{broken"}, structured: "-"},
			{tool: "report", args: `{}`, want: "GET https://api.test/v1/report", answer: ok("text/plain; charset=iso-8859-1", "caf\xe9"), text: "café"},
			{tool: "report", args: `{}`, want: "GET https://api.test/v1/report", answer: "HTTP/1.1 200 OK\n\n{\"a\":1}", text: `{"a":1}`},
		},
	},
	{
		folder: "P77-binary-response", lines: 3,
		calls: []call{
			{tool: "thumb", args: `{"id":1}`, want: "GET https://api.test/v1/thumb/1", answer: ok("image/png", "\x89PNG"),
				headers: []string{"Accept: ~image/png", "Accept: ~application/pdf"},
				content: `[{"type":"image","mimeType":"image/png","data":"iVBORw=="}]`},
			{tool: "thumb", args: `{"id":1}`, want: "GET https://api.test/v1/thumb/1", answer: ok("application/pdf", "%PDF"), check: pdfResource},
		},
	},
	{
		folder: "P78-error-body", lines: 5,
		calls: []call{
			{tool: "addUser", args: `{"body":{"mail":"a"}}`, want: "POST https://api.test/v1/users", body: `{"mail":"a"}`,
				answer:  "HTTP/1.1 422 Unprocessable Entity\nContent-Type: application/problem+json\n\n" + `{"title":"Bad","errors":{"mail":"taken"}}`,
				isError: true, says: []string{"422", `{"title":"Bad","errors":{"mail":"taken"}}`}, structured: "-"},
			{tool: "addUser", args: `{"body":{}}`, want: "POST https://api.test/v1/users", body: "{}",
				answer: "HTTP/1.1 500 Internal Server Error\n\n", isError: true, says: []string{"500"}},
			{env: []string{"BASE_URL=http://127.0.0.1:9/v1"}, tool: "addUser", args: `{"body":{}}`, isError: true,
				says: []string{"POST", "127.0.0.1", "refused"}, silent: []string{"goroutine", ".go:", ":9"}},
			{tool: "addUser", args: `{"body":{}}`, want: "POST https://api.test/v1/users", body: "{}",
				answer: "HTTP/1.1 302 Found\n\n", isError: true, says: []string{"302"}},
			{tool: "addUser", args: `{"body":{}}`, want: "POST https://api.test/v1/users", body: "{}",
				answer: "HTTP/1.1 304 Not Modified\n\n", isError: true, says: []string{"304"}},
		},
	},
	{
		folder: "P80-big-response", lines: 5,
		check: bigResponse,
	},
	{
		folder: "P81-rate-limit", lines: 3,
		calls: []call{{
			tool: "send", args: `{}`, want: "POST https://api.test/v1/send",
			answer:  "HTTP/1.1 429 Too Many Requests\nRetry-After: 3600\nContent-Type: application/json\n\n" + `{"m":"cap"}`,
			isError: true, says: []string{"429", "3600", "cap"},
		}},
		check: hangs,
	},
}
