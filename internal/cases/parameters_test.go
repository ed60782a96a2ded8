package cases

var parameterCases = []testCase{
	{
		folder: "P52-path-encoding", lines: 4,
		calls: []call{
			{tool: "fileInfo", args: `{"key":"a/b c?d#e%2F~é"}`, want: "GET https://api.test/v1/files/a%2Fb%20c%3Fd%23e%252F~%C3%A9/info"},
			{tool: "fileInfo", args: `{"key":"x:y@z,1;2"}`,
				want: "GET https://api.test/v1/files/x%3Ay%40z%2C1%3B2/info", or: "GET https://api.test/v1/files/x:y@z,1;2/info"},
			{tool: "fileInfo", args: `{"key":""}`, isError: true, says: []string{"key"}},
		},
	},
	{
		folder: "P53-path-dotdot", lines: 5,
		calls: []call{
			{tool: "recordDetail", args: `{"id":".."}`, isError: true, says: []string{"id"}},
			{tool: "recordDetail", args: `{"id":"."}`, isError: true, says: []string{"id"}},
			{tool: "recordDetail", args: `{"id":"../../admin"}`, want: "GET https://api.test/v1/records/..%2F..%2Fadmin/detail"},
			{tool: "recordDetail", args: `{"id":"%2e%2e"}`, want: "GET https://api.test/v1/records/%252e%252e/detail"},
			{tool: "recordDetail", args: `{"id":"..\\x"}`, want: "GET https://api.test/v1/records/..%5Cx/detail"},
			{tool: "recordDetail", args: `{"id":"//evil.test/x"}`, want: "GET https://api.test/v1/records/%2F%2Fevil.test%2Fx/detail"},
			{tool: "recordDetail", args: `{"id":"@evil.test"}`,
				want: "GET https://api.test/v1/records/%40evil.test/detail", or: "GET https://api.test/v1/records/@evil.test/detail"},
		},
	},
	{
		folder: "P54-path-array", lines: 3,
		calls: []call{
			{tool: "selectDays", args: `{"days":["monday","a/b"],"opts":{"x":1,"y":2},"color":["red","blue"]}`,
				want: "PUT https://api.test/v1/select/monday,a%2Fb/map/x=1,y=2/m;color=red,blue"},
			{tool: "selectDays", args: `{"days":[],"opts":{"x":1},"color":["red"]}`, isError: true, says: []string{"days"}},
		},
	},
	{
		folder: "P57-query-arrays", lines: 4,
		calls: []call{
			{tool: "search", args: `{"a":["r","g"],"b":["r","g,h"],"c":["r","g"],"d":["r","g"],"e":["r","g"]}`,
				want: "GET https://api.test/v1/search?a=r&a=g&b=r,g%2Ch&c=r%7Cg&d=r%20g&e=r&e=g"},
			{tool: "search", args: `{"a":[]}`, want: "GET https://api.test/v1/search"},
			{tool: "search", args: `{"a":"r"}`, check: scalarForArray, want: "*"},
		},
	},
	{
		folder: "P58-deepobject", lines: 4,
		calls: []call{
			{tool: "findSurveys", args: `{"target":{"id":"5 7","kinds":["a","b"]},"page":{"size":10,"no":2},"geo":{"lat":1.5,"lon":-2}}`,
				want: "GET https://api.test/v1/surveys?target%5Bid%5D=5%207&target%5Bkinds%5D=a&target%5Bkinds%5D=b&size=10&no=2&geo=lat,1.5,lon,-2"},
		},
	},
	{
		folder: "P62-ignored-headers", lines: 3,
		schemas: []member{
			{"listIncidents", "/inputSchema/required", `["Api-Version"]`},
			{"listIncidents", "/inputSchema/properties", `{"Api-Version":{"type":"string"}}`},
		},
		calls: []call{{
			tool: "listIncidents", args: `{"Api-Version":"2025-01"}`, want: "GET https://api.test/v1/incidents",
			headers: []string{"Api-Version: 2025-01", "Accept: application/json", "-Content-Type", "-Authorization"},
		}},
	},
	{
		folder: "P64-cookie-param", lines: 3,
		schemas: []member{{"getCart", "SID", ""}},
		calls: []call{{
			env: []string{"API_KEY_SESS=s3"}, tool: "getCart", args: `{"cart_id":"c 1","debug":0}`,
			want: "GET https://api.test/v1/cart", check: cookiePairs("SID=s3", "cart_id=c%201", "debug=0"),
		}},
	},
	{
		folder: "P65-scalar-format", lines: 3,
		calls: []call{
			{tool: "calc", args: `{"b":true,"f":0.1,"i":1000000,"s":"a+b&c=d é","r":"a/b:c?d"}`,
				want: "GET https://api.test/v1/calc?b=true&f=0.1&i=1000000&s=a%2Bb%26c%3Dd%20%C3%A9&r=a/b:c?d"},
			{tool: "calc", args: `{"f":1e3}`, want: "GET https://api.test/v1/calc?f=1e3", or: "GET https://api.test/v1/calc?f=1000"},
		},
	},
}
