package cases

var loadCases = []testCase{
	{
		folder: "P116-code-injection", lines: 4, source: "openapi.json", vet: true,
		tools: []string{"op_os_Exit_3"},
		check: harmless,
	},
	{
		folder: "P132-path-required-missing", lines: 3,
		says:     []string{`"id"`, `"no"`},
		mentions: map[string]int{"warning": 2},
		schemas:  []member{{"getShip", "/inputSchema/required", `["id","no"]`}},
		calls: []call{
			{tool: "getShip", args: `{"id":"a","no":2}`, want: "GET https://api.test/v1/docks/a/ships/2"},
			{tool: "getShip", args: `{"id":"a"}`, isError: true, says: []string{"no: "}},
		},
	},
	{
		folder: "P14-alias-loop", lines: 4,
		says:     []string{"bad", "A -> B -> A"},
		mentions: map[string]int{"A -> B -> A": 1},
		tools:    []string{"good"},
		calls:    []call{{tool: "good", args: `{"body":{"x":1}}`, want: "POST https://api.test/v1/b", body: `{"x":1}`}},
	},
	{
		folder: "P14-alias-loop", variant: "strict", flags: []string{"-strict"}, exit: 1, says: []string{"A -> B -> A"},
	},
	{
		folder: "P48-component-refs", lines: 3,
		schemas: []member{
			{"savePage", "/inputSchema/required", `["slug","body"]`},
			{"savePage", "dry/type", `"boolean"`},
			{"savePage", "body/required", `["html"]`},
		},
		calls: []call{
			{tool: "savePage", args: `{"slug":"a","dry":true,"body":{"html":"<b>"}}`,
				want: "PUT https://api.test/v1/pages/a?dry=true", body: `{"html":"<b>"}`},
			{tool: "savePage", args: `{"slug":"a","body":{"html":"<b>"}}`,
				want: "PUT https://api.test/v1/pages/a", body: `{"html":"<b>"}`},
		},
	},
	{
		folder: "P92-external-refs", lines: 3,
		tools: []string{"putUser"},
		schemas: []member{
			{"putUser", "id/type", `"integer"`},
			{"putUser", "/inputSchema/required", `["id","body"]`},
		},
		raw: []string{`"zip"`, `"team"`, `"lead"`},
		calls: []call{
			{tool: "putUser", args: `{"id":1,"body":{"name":"a","address":{"zip":"12345"}}}`,
				want: "PUT https://api.test/v1/users/1", body: `{"name":"a","address":{"zip":"12345"}}`},
			{tool: "putUser", args: `{"id":1,"body":{"name":"a","address":{"zip":"1234"}}}`, isError: true, says: []string{"zip"}},
			{tool: "putUser", args: `{"id":1,"body":{"name":"a","team":{"lead":{"name":"b","team":{"lead":{}}}}}}`, isError: true, says: []string{"name"}},
			{tool: "putUser", args: `{"id":1,"body":{}}`, isError: true, says: []string{"name"}},
		},
		check: anyDirectory,
	},
	{
		folder: "P93-shared-pathitem", lines: 3,
		tools: []string{"get_archived-pets_petId", "get_pets_petId"},
		calls: []call{
			{tool: "get_pets_petId", args: `{"petId":5}`, want: "GET https://api.test/v1/pets/5"},
			{tool: "get_archived-pets_petId", args: `{"petId":5}`, want: "GET https://api.test/v1/archived-pets/5"},
		},
	},
	{
		folder: "P93-shared-pathitem", variant: "with an operationId", edit: []string{"get:\n", "get:\n  operationId: getPet\n"},
		mentions: map[string]int{"getPet_2": 1},
		tools:    []string{"getPet", "getPet_2"},
		calls: []call{
			{tool: "getPet", args: `{"petId":5}`, want: "GET https://api.test/v1/pets/5"},
			{tool: "getPet_2", args: `{"petId":5}`, want: "GET https://api.test/v1/archived-pets/5"},
		},
	},
	{
		// Everything in the document is refused, so there is nothing to write.
		folder: "P94-ref-outside-root", lines: 4, source: "api/openapi.yaml", exit: 1,
		says:   []string{"http://127.0.0.1:9/latest/x.yaml", "secret.yaml"},
		silent: []string{"outside the spec directory"},
		check:  nothingFetched,
	},
	{
		folder: "P94-ref-outside-root", variant: "allowed", source: "api/openapi.yaml", flags: []string{"-allow-ref=$FOLDER"},
		says:  []string{"http://127.0.0.1:9/latest/x.yaml"},
		tools: []string{"opA"},
		check: nothingFetched,
	},
	{
		folder: "P96-not-operations", lines: 3,
		says:    []string{"headSubs", "traceSubs"},
		tools:   []string{"subscribe"},
		schemas: []member{{"subscribe", "dry/type", `"boolean"`}},
		calls:   []call{{tool: "subscribe", args: `{"dry":true}`, want: "POST https://api.test/v1/subs?dry=true"}},
	},
	{
		folder: "P96-not-operations", variant: "all methods", flags: []string{"-all-methods"},
		tools: []string{"headSubs", "subscribe", "traceSubs"},
		calls: []call{{tool: "headSubs", args: `{"dry":true}`, want: "HEAD https://api.test/v1/subs?dry=true"}},
	},
	{
		folder: "P97-webhooks-only", lines: 3,
		pending: map[string]string{"With that option": "there is no option for an empty server, which nobody can use"},
		exit:    1, says: []string{"0 operations", "1 webhook ignored"}, silent: []string{"panic"},
	},
	{
		folder: "P98-partial-bad-op", lines: 4,
		says:  []string{"badRef", "badParam", "4 operations", "#/components/schemas/Missing"},
		tools: []string{"fine", "noResp"},
		calls: []call{
			{tool: "fine", args: `{}`, want: "GET https://api.test/v1/ok"},
			{tool: "noResp", args: `{}`, want: "GET https://api.test/v1/noresp"},
		},
		check: skipsCounted,
	},
	{
		folder: "P98-partial-bad-op", variant: "strict", flags: []string{"-strict"}, exit: 1, says: []string{"badRef", "badParam"},
	},
}
