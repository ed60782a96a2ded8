package cases

var serverCases = []testCase{
	{
		folder: "P137-swagger2-no-host", lines: 3, source: "swagger.yaml",
		says:  []string{"BASE_URL"},
		calls: []call{{env: []string{"BASE_URL=https://b.test/p"}, tool: "listCups", args: `{}`, want: "GET https://b.test/p/cups"}},
		check: refusesToStart(nil, "BASE_URL"),
	},
	{
		folder: "P137-swagger2-no-host", variant: "from a URL",
		source: "https://host.test:8443/docs/swagger.yaml", flags: []string{"-allow-remote"},
		calls: []call{{tool: "listCups", args: `{"size":1}`, want: "GET https://host.test:8443/api/cups?size=1"}},
	},
	{
		folder: "P88-server-basepath", lines: 3,
		says:  []string{"/api/v3/"},
		calls: []call{{env: []string{"BASE_URL=http://stage.test:8080/x/"}, tool: "listPets", args: `{}`, want: "GET http://stage.test:8080/x/pets"}},
		check: refusesToStart(nil, "/api/v3/", "BASE_URL"),
	},
	{
		folder: "P88-server-basepath", variant: "from a URL",
		source: "https://host.test/spec/openapi.yaml", flags: []string{"-allow-remote"},
		calls: []call{
			{tool: "listPets", args: `{}`, want: "GET https://host.test/api/v3/pets"},
			{tool: "root", args: `{}`, want: "GET https://host.test/api/v3/"},
			{tool: "trail", args: `{}`, want: "GET https://host.test/api/v3/trail/"},
		},
	},
	{
		folder: "P89-server-override", lines: 5,
		calls: []call{
			{tool: "listFiles", args: `{}`, want: "GET https://files.test/files"},
			{tool: "upload", args: `{}`, want: "POST https://upload.test/up/files"},
			{tool: "listUsers", args: `{}`, want: "GET https://api.test/v1/users"},
			{env: stage, tool: "listUsers", args: `{}`, want: "GET https://stage.test/users"},
			{env: stage, tool: "upload", args: `{}`, want: "POST https://upload.test/up/files"},
			{env: stage, tool: "listFiles", args: `{}`, want: "GET https://files.test/files"},
		},
	},
	{
		folder: "P90-server-variables", lines: 5,
		calls: []call{
			{tool: "opA", args: `{}`, want: "GET https://demo.api.test:8443/v2/a"},
			{env: []string{"SERVER_TENANT=acme"}, tool: "opA", args: `{}`, want: "GET https://acme.api.test:8443/v2/a"},
			{env: []string{"SERVER_PORT=443"}, tool: "opA", args: `{}`, want: "GET https://demo.api.test/v2/a", or: "GET https://demo.api.test:443/v2/a"},
			{flags: []string{"-upstream=1"}, tool: "opA", args: `{}`, want: "GET https://backup.test/a"},
		},
		check: refusesToStart([]string{"SERVER_PORT=80"}, "8443", "443"),
	},
	{
		folder: "P90-server-variables", variant: "host stays",
		check: refusesToStart([]string{"SERVER_TENANT=evil.test/"}, "tenant"),
	},
}

var stage = []string{"BASE_URL=https://stage.test"}
