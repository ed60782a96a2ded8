package cases

const formType = "Content-Type: application/x-www-form-urlencoded"

var bodyCases = []testCase{
	{
		folder: "P61-merge-patch-null", lines: 3,
		calls: []call{
			{tool: "patchUser", args: `{"id":1,"body":{"nick":null}}`, want: "PATCH https://api.test/v1/users/1",
				headers: []string{"Content-Type: application/merge-patch+json"}, body: `{"nick":null}`},
			{tool: "patchUser", args: `{"id":1,"body":{}}`, want: "PATCH https://api.test/v1/users/1", body: `{}`},
		},
	},
	{
		folder: "P67-form-body", lines: 4,
		schemas: []member{{"charge", "body/required", `["amount"]`}},
		calls: []call{{
			tool: "charge", args: `{"body":{"amount":500,"note":"a & b","tag":["x","y"],"metadata":{"order":"o 1"}}}`,
			want: "POST https://api.test/v1/charges", headers: []string{formType},
			pairs: []string{"amount=500", "note=a & b", "tag=x", "tag=y", "metadata[order]=o 1"},
		}},
	},
	{
		folder: "P68-multipart", lines: 5,
		raw: []string{"base64"},
		calls: []call{
			{tool: "uploadDoc", args: `{"body":{"file":"JVBERi0x","title":"T","meta":{"k":"v"}}}`,
				want: "POST https://api.test/v1/docs", check: multipartParts, body: "*"},
			{tool: "uploadDoc", args: `{"body":{"file":"@@@"}}`, isError: true, says: []string{"file"}},
		},
	},
	{
		folder: "P69-vendor-json-body", lines: 4,
		calls: []call{{
			tool: "addArticle", args: `{"body":{"data":{"type":"a"}}}`,
			answer: "HTTP/1.1 201 Created\nContent-Type: application/vnd.api+json;version=2\n\n" + `{"data":{"id":"1"}}`,
			want:   "POST https://api.test/v1/articles", body: `{"data":{"type":"a"}}`,
			headers: []string{"Content-Type: application/vnd.api+json; charset=utf-8", "Accept: ~application/vnd.api+json;version=2"},
			says:    []string{`{"data":{"id":"1"}}`}, structured: `{"data":{"id":"1"}}`,
		}},
	},
	{
		folder: "P70-octet-body", lines: 3,
		calls: []call{
			{tool: "putBlob", args: `{"name":"a","body":"AP8Q"}`, want: "PUT https://api.test/v1/blobs/a",
				headers: []string{"Content-Type: application/octet-stream", "Content-Length: 3"}, body: "\x00\xff\x10"},
			{tool: "putBlob", args: `{"name":"a","body":"@@@"}`, isError: true, says: []string{"body"}},
			{tool: "putText", args: `{"name":"a","body":"héllo"}`, want: "PUT https://api.test/v1/text/a",
				headers: []string{"Content-Type: ~text/plain"}, body: "héllo"},
		},
	},
	{
		folder: "P72-multi-content", lines: 3,
		calls: []call{
			{tool: "both", args: `{"body":{"n":1}}`, want: "POST https://api.test/v1/a",
				headers: []string{"Content-Type: application/json"}, body: `{"n":1}`},
			{tool: "xmlOnly", args: `{"body":"<n>1</n>"}`, want: "POST https://api.test/v1/b",
				headers: []string{"Content-Type: application/xml"}, body: `<n>1</n>`},
		},
	},
	{
		folder: "P133-get-with-body", lines: 4,
		says:    []string{"searchLogs"},
		tools:   []string{"purgeLogs", "searchLogs"},
		schemas: []member{{"searchLogs", "/inputSchema/properties", `{"n":{"type":"integer"}}`}},
		calls: []call{
			{tool: "searchLogs", args: `{"n":3}`, want: "GET https://api.test/v1/logs?n=3", headers: []string{"-Content-Type"}},
			{tool: "purgeLogs", args: `{"body":{"before":"2026"}}`, want: "DELETE https://api.test/v1/logs",
				headers: []string{"Content-Type: application/json"}, body: `{"before":"2026"}`},
		},
	},
	{
		folder: "P133-get-with-body", variant: "forced", flags: []string{"-get-body"},
		calls: []call{{tool: "searchLogs", args: `{"body":{"q":"x"}}`, want: "GET https://api.test/v1/logs",
			headers: []string{"Content-Type: application/json"}, body: `{"q":"x"}`}},
	},
	{
		folder: "P134-form-body-ref", lines: 3,
		schemas: []member{
			{"login", "body/required", `["username","password"]`},
			{"login", "body/properties/grant_type/type", `"string"`},
			{"login", "body/properties/grant_type/enum", `["password","refresh"]`},
			{"login", "body/properties/scope", "*"},
		},
		calls: []call{{
			tool: "login", args: `{"body":{"username":"a@b","password":"p&q=1"}}`, want: "POST https://api.test/v1/login",
			headers: []string{formType}, pairs: []string{"username=a@b", "password=p&q=1"},
		}},
	},
	{
		folder: "P138-form-array-of-objects", lines: 4,
		calls: []call{{
			tool: "subscribe", args: `{"body":{"items":[{"price":"p1","qty":2},{"price":"p2"}],"shipping":{"address":{"city":"Köln"}}}}`,
			want: "POST https://api.test/v1/subscriptions", headers: []string{formType},
			pairs: []string{"items[0][price]=p1", "items[0][qty]=2", "items[1][price]=p2", "shipping[address][city]=Köln"},
		}},
	},
	{
		folder: "P73-swagger2", lines: 4, source: "swagger.yaml",
		pending: map[string]string{"Alternative: exit with an error": "Swagger 2.0 is supported"},
		calls: []call{
			{tool: "editPet", args: `{"id":5,"tags":["a","b"],"ids":[1,2],"body":{"name":"Rex"}}`,
				want:    "POST https://api.test/v2/pets/5?tags=a,b&ids=1&ids=2",
				headers: []string{formType}, body: "name=Rex"},
			{tool: "putPet", args: `{"body":{"name":"Rex"}}`, want: "PUT https://api.test/v2/pets", body: `{"name":"Rex"}`},
		},
	},
}
