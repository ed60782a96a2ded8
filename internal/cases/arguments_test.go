package cases

var argumentCases = []testCase{
	{
		folder: "P30-bracket-params", lines: 3,
		// filter_bundleId is itself a parameter, so the folded name gives way.
		schemas: []member{
			{"listApps", "filter_bundleId_2", "*"},
			{"listApps", "filter_bundleId", "*"},
			{"listApps", "ids", "*"},
			{"listApps", "top", "*"},
		},
		calls: []call{
			{tool: "listApps", args: `{"filter_bundleId_2":"x","ids":[1,2],"top":5}`,
				want: "GET https://api.test/v1/apps?filter%5BbundleId%5D=x&ids%5B%5D=1&ids%5B%5D=2&%24top=5"},
			{tool: "listApps", args: `{"filter_bundleId":"x"}`, want: "GET https://api.test/v1/apps?filter_bundleId=x"},
		},
	},
	{
		folder: "P32-unknown-argument", lines: 4,
		calls: []call{
			{tool: "findBooks", args: `{"author":"K","limt":5}`, isError: true, says: []string{"limt", "author", "limit"}},
			{tool: "findBooks", args: `{"limit":5}`, isError: true, says: []string{"author"}},
			{tool: "findBooks", args: `{"author":"K","limit":"x"}`, isError: true, says: []string{"limit"}},
		},
	},
	{
		folder: "P36-defaults-not-sent", lines: 3,
		schemas: []member{
			{"listSongs", "limit/default", "100"},
			{"listSongs", "from/default", "0"},
			{"listSongs", "sort/default", `"asc"`},
			{"listSongs", "/inputSchema/required", ""},
		},
		calls: []call{
			{tool: "listSongs", args: `{}`, want: "GET https://api.test/v1/songs"},
			{tool: "listSongs", args: `{"from":0}`, want: "GET https://api.test/v1/songs?from=0"},
		},
	},
	{
		folder: "P39-int64-path", lines: 4,
		calls: []call{
			{tool: "getOrder", args: `{"id":9007199254740993,"after":2932809024865746956}`,
				want: "GET https://api.test/v1/orders/9007199254740993?after=2932809024865746956"},
			{tool: "getOrder", args: `{"id":"9007199254740993"}`, want: "GET https://api.test/v1/orders/9007199254740993"},
			{tool: "getOrder", args: `{"id":1.5}`, isError: true, says: []string{"id"}},
			{tool: "getOrder", args: `{"id":"abc"}`, isError: true, says: []string{"id"}},
		},
	},
	{
		folder: "P49-same-name-diff-in", lines: 4,
		schemas: []member{
			{"getResult", "/inputSchema/required", `["id__path","id__query"]`},
			{"getResult", "id__path/type", `"integer"`},
			{"getResult", "id__query/type", `"integer"`},
			{"getResult", "id__header/type", `"string"`},
			{"getResult", "id__cookie/type", `"string"`},
		},
		calls: []call{{
			tool: "getResult", args: `{"id__path":1,"id__query":2,"id__header":"h","id__cookie":"c"}`,
			want: "GET https://api.test/v1/tests/1/results?id=2", headers: []string{"Id: h", "Cookie: id=c"},
		}},
	},
	{
		folder: "P50-body-path-collision", lines: 3,
		schemas: []member{
			{"replaceItem", "/inputSchema/required", `["id","body"]`},
			{"replaceItem", "body/required", `["id","name"]`},
		},
		calls: []call{
			{tool: "replaceItem", args: `{"id":7,"body":{"id":9,"name":"x"}}`, want: "PUT https://api.test/v1/items/7", body: `{"id":9,"name":"x"}`},
			{tool: "replaceItem", args: `{"id":7,"body":{"name":"x"}}`, isError: true, says: []string{"id"}},
		},
	},
	{
		folder: "P56-path-repeat-undeclared", lines: 3,
		says:    []string{"region"},
		schemas: []member{{"getDevice", "/inputSchema/required", `["tenant","device","region"]`}},
		calls: []call{
			{tool: "getDevice", args: `{"tenant":"t","device":"d","region":"r"}`, want: "GET https://api.test/v1/t/t/devices/d/r"},
			{tool: "getDevice", args: `{"tenant":"t","device":"d"}`, isError: true, says: []string{"region"}},
		},
	},
	{
		folder: "P60-null-args", lines: 3,
		calls: []call{
			{tool: "findPeople", args: `{"a":null,"n":null,"X-Trace":null,"c":"v"}`,
				want: "GET https://api.test/v1/people?c=v", headers: []string{"-X-Trace"}},
			{tool: "findPeople", args: `{"c":null}`, isError: true, says: []string{"c: "}},
			{tool: "findPeople", args: `{"a":"","c":"v"}`, want: "GET https://api.test/v1/people?a=&c=v"},
		},
	},
	{
		folder: "P66-stringified-args", lines: 4,
		calls: []call{
			{tool: "editIssue", args: `{"body":{"fields":"{\"n\":1}","tags":"[\"a\"]","raw":"{\"keep\":true}"}}`,
				want: "POST https://api.test/v1/issues", body: `{"fields":{"n":1},"tags":["a"],"raw":"{\"keep\":true}"}`},
			{flags: []string{"-strict-arguments"}, tool: "editIssue", args: `{"body":{"fields":"{\"n\":1}"}}`, isError: true, says: []string{"fields"}},
			{flags: []string{"-strict-arguments"}, tool: "editIssue", args: `{"body":{"fields":{"n":1},"raw":"{\"keep\":true}"}}`,
				want: "POST https://api.test/v1/issues", body: `{"fields":{"n":1},"raw":"{\"keep\":true}"}`},
		},
	},
}
