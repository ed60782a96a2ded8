package cases

const (
	opLong  = "listNotificationPreferenceOverridesForOrganizationMembersByDepartmentAndRegion"
	opShort = "listNotificationPreferenceOverridesForOrganizationMembe_3eae15fa"
	opSheet = "exportQuarterlyRevenueRecognitionScheduleForEverySubsid_6dc9fad9"
	opDoc   = "exportQuarterlyRevenueRecognitionScheduleForEverySubsid_4e18fcf8"
)

var nameCases = []testCase{
	{
		folder: "P01-long-operationid", lines: 4,
		tools: []string{opShort},
		raw:   []string{opLong},
		calls: []call{{tool: opShort, args: `{}`, want: "GET https://api.test/v1/a"}},
	},
	{
		folder: "P02-truncation-collision", lines: 4,
		tools: []string{opDoc, opSheet},
		calls: []call{
			{tool: opSheet, args: `{}`, want: "GET https://api.test/v1/a"},
			{tool: opDoc, args: `{}`, want: "GET https://api.test/v1/b"},
		},
	},
	{
		folder: "P02-truncation-collision", variant: "without b",
		edit: []string{`  /b:
    get:
      operationId: exportQuarterlyRevenueRecognitionScheduleForEverySubsidiaryLedgerAsDocument
      responses: {'200': {description: ok}}
`, ""},
		tools: []string{opSheet},
		calls: []call{{tool: opSheet, args: `{}`, want: "GET https://api.test/v1/a"}},
	},
	{
		folder: "P04-missing-operationid", lines: 4,
		tools: []string{"get_shops_shopId_items", "post_shops_shopId_items"},
		calls: []call{
			{tool: "get_shops_shopId_items", args: `{"shopId":"s1"}`, want: "GET https://api.test/v1/shops/s1/items"},
			{tool: "post_shops_shopId_items", args: `{"shopId":"s1"}`, want: "POST https://api.test/v1/shops/s1/items",
				headers: []string{"-Content-Type"}, body: ""},
		},
	},
	{
		folder: "P05-duplicate-operationid", lines: 3,
		says:  []string{"listThings", "/things", "/old-things"},
		tools: []string{"listThings", "listThings_2"},
		calls: []call{
			{tool: "listThings", args: `{}`, want: "GET https://api.test/v1/things"},
			{tool: "listThings_2", args: `{}`, want: "GET https://api.test/v1/old-things"},
		},
	},
	{
		folder: "P05-duplicate-operationid", variant: "strict",
		flags: []string{"-strict"}, exit: 1, says: []string{"listThings"},
	},
	{
		folder: "P06-opid-go-identifiers", lines: 3, vet: true,
		tools: []string{"3gppSubscribe", "init", "main", "string", "type"},
		calls: []call{
			{tool: "3gppSubscribe", args: `{}`, want: "GET https://api.test/v1/a"},
			{tool: "type", args: `{}`, want: "GET https://api.test/v1/b"},
			{tool: "main", args: `{}`, want: "GET https://api.test/v1/c"},
			{tool: "init", args: `{}`, want: "GET https://api.test/v1/d"},
			{tool: "string", args: `{}`, want: "GET https://api.test/v1/e"},
		},
	},
	{
		// That no two files differ only in case is checked for every output.
		folder: "P08-opid-case-only", lines: 3,
		tools: []string{"GETUSER", "GetUser", "getUser"},
		calls: []call{
			{tool: "getUser", args: `{}`, want: "GET https://api.test/v1/a"},
			{tool: "GetUser", args: `{}`, want: "GET https://api.test/v1/b"},
			{tool: "GETUSER", args: `{}`, want: "GET https://api.test/v1/c"},
			{tool: "getuser", args: `{}`, rpcError: -32602},
		},
	},
	{
		folder: "P09-valid-name-untouched", lines: 3,
		silent: []string{"warning"},
		tools:  []string{"Get_Information__v2", "list-service-requests"},
		calls: []call{
			{tool: "list-service-requests", args: `{}`, want: "GET https://api.test/v1/a"},
			{tool: "Get_Information__v2", args: `{}`, want: "GET https://api.test/v1/b"},
		},
	},
	{
		folder: "P104-filter-tags", lines: 5,
		flags: []string{"-include", "tag:users", "-exclude", "tag:admin"},
		says:  []string{"excluded 4 of 5 operations"},
		tools: []string{"listUsers"},
		calls: []call{
			{tool: "listUsers", args: `{}`, want: "GET https://api.test/v1/users"},
			{tool: "dropUser", args: `{"id":"7"}`, rpcError: -32602},
			{tool: "audit", args: `{}`, rpcError: -32602},
		},
		check: countsExcluded,
	},
	{
		folder: "P104-filter-tags", variant: "exclude alone", // x-mcp: false is honoured
		flags: []string{"-exclude", "tag:admin", "-strict"},
		tools: []string{"listUsers", "misc"},
		calls: []call{
			{tool: "misc", args: `{}`, want: "GET https://api.test/v1/misc"},
			{tool: "hidden", args: `{}`, rpcError: -32602},
		},
	},
	{
		folder: "P104-filter-tags", variant: "methods",
		flags: []string{"-include", "method:GET"},
		tools: []string{"audit", "listUsers", "misc"},
		calls: []call{{tool: "dropUser", args: `{"id":"7"}`, rpcError: -32602}},
	},
	{
		// An error with or without -strict: a filter does what it says.
		folder: "P104-filter-tags", variant: "nothing matches",
		flags: []string{"-include", "op:nosuch"}, exit: 1,
		says: []string{"-include op:nosuch matched nothing", "listUsers"},
	},
	{
		folder: "P105-annotations", lines: 5,
		tools: []string{"dropIt", "makeIt", "readIt", "setIt", "tweakIt"},
		schemas: []member{
			{"readIt", "/annotations/readOnlyHint", "true"},
			{"readIt", "/title", `"Read it"`},
			{"setIt", "/annotations/readOnlyHint", "false"},
			{"setIt", "/annotations/idempotentHint", "true"},
			{"dropIt", "/annotations/readOnlyHint", "false"},
			{"dropIt", "/annotations/destructiveHint", "true"},
			{"dropIt", "/annotations/idempotentHint", "true"},
			{"makeIt", "/annotations/readOnlyHint", "false"},
			{"makeIt", "/annotations/idempotentHint", "false"},
			{"tweakIt", "/annotations/readOnlyHint", "false"},
			{"tweakIt", "/annotations/idempotentHint", "false"},
		},
	},
	{
		folder: "P105-annotations", variant: "read-only",
		flags: []string{"-include", "is:read-only"},
		tools: []string{"readIt"},
	},
	{
		folder: "P140-all-deprecated", lines: 3, // kept by default, as the last line allows
		tools:   []string{"oldA", "oldB"},
		schemas: []member{{"oldA", "/description", "*"}},
		raw:     []string{"eprecated"},
		calls: []call{
			{tool: "oldA", args: `{}`, want: "GET https://api.test/v1/v0/a"},
			{tool: "oldB", args: `{}`, want: "GET https://api.test/v1/v0/b"},
		},
		check: bothDeprecated,
	},
	{
		folder: "P140-all-deprecated", variant: "excluded",
		flags: []string{"-exclude", "is:deprecated"}, exit: 1,
		says: []string{"2 operations found (2 excluded by -exclude is:deprecated)", "leave out -exclude is:deprecated"},
	},
}
