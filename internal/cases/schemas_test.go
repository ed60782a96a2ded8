package cases

// That every $ref resolves inside its schema, that no root is a union, that
// arrays have items and nothing is a boolean schema is checked for every tool.

var schemaCases = []testCase{
	{
		folder: "P13-recursive-schema", lines: 3,
		tools: []string{"createFolder", "ping"},
		schemas: []member{
			{"ping", "/inputSchema", `{"type":"object","additionalProperties":false}`},
			{"createFolder", "/inputSchema/$defs/Folder", "*"},
		},
		calls: []call{{
			tool: "createFolder", args: `{"body":{"name":"a","children":[{"name":"b","children":[]}]}}`,
			want: "POST https://api.test/v1/folders", body: `{"name":"a","children":[{"name":"b","children":[]}]}`,
		}},
	},
	{
		folder: "P16-shared-type-inline", lines: 3,
		rawNot: []string{`"$ref"`, `"$defs"`, `"definitions"`},
		schemas: []member{
			{"planTrip", "body/properties/start/required", `["lat","lon"]`},
			{"planTrip", "body/properties/end/required", `["lat","lon"]`},
			{"planTrip", "body/properties/end/properties", `{"lat":{"type":"number"},"lon":{"type":"number"}}`},
		},
		calls: []call{{
			tool: "planTrip", args: `{"body":{"start":{"lat":1,"lon":2},"end":{"lat":3.5,"lon":-4}}}`,
			want: "POST https://api.test/v1/trips", body: `{"start":{"lat":1,"lon":2},"end":{"lat":3.5,"lon":-4}}`,
		}},
	},
	{
		folder: "P17-oneof-body", lines: 3,
		calls: []call{
			{tool: "pay", args: `{"body":{"card":"4"}}`, want: "POST https://api.test/v1/payments", body: `{"card":"4"}`},
			{tool: "pay", args: `{"body":{"iban":"X"}}`, want: "POST https://api.test/v1/payments", body: `{"iban":"X"}`},
		},
	},
	{
		folder: "P18-array-body", lines: 3,
		schemas: []member{
			{"setLabels", "/inputSchema/required", `["body"]`},
			{"setQuota", "/inputSchema/required", `["body"]`},
		},
		calls: []call{
			{tool: "setLabels", args: `{"body":["a","b"]}`, want: "PUT https://api.test/v1/labels",
				headers: []string{"Content-Type: application/json"}, body: `["a","b"]`},
			{tool: "setQuota", args: `{"body":5}`, want: "PUT https://api.test/v1/quota", body: `5`},
		},
	},
	{
		folder: "P20-discriminator-parent", lines: 3,
		raw: []string{"payloadKg", "gears"},
		calls: []call{
			{tool: "addVehicle", args: `{"body":{"kind":"van","payloadKg":800}}`,
				want: "POST https://api.test/v1/vehicles", body: `{"kind":"van","payloadKg":800}`},
			{tool: "addVehicle", args: `{"body":{"kind":"bike","gears":7}}`,
				want: "POST https://api.test/v1/vehicles", body: `{"kind":"bike","gears":7}`},
			{tool: "addVehicle", args: `{"body":{"kind":"car"}}`, isError: true, says: []string{"kind"}},
		},
	},
	{
		folder: "P21-discriminator-tag", lines: 3,
		rawNot: []string{`"discriminator"`},
		calls: []call{
			{tool: "addShape", args: `{"body":{"r":1}}`, isError: true, says: []string{"body.t: "}},
			{tool: "addShape", args: `{"body":{"t":"Triangle"}}`, isError: true, says: []string{"Circle", "Square"}},
			{tool: "addShape", args: `{"body":{"t":"Circle","r":1}}`, want: "POST https://api.test/v1/shapes", body: `{"t":"Circle","r":1}`},
			{tool: "addShape", args: `{"body":{"t":"Square","a":1}}`, want: "POST https://api.test/v1/shapes", body: `{"t":"Square","a":1}`},
		},
	},
	{
		folder: "P22-nullable-30", lines: 3,
		rawNot: []string{"nullable"},
		schemas: []member{
			{"patchCard", "body/properties/title", `{"type":"string"}`},
			{"patchCard", "body/properties/due/type", `["string","null"]`},
			{"patchCard", "body/properties/color/enum", `["red","blue",null]`},
			{"patchCard", "body/properties/color/type", `["string","null"]`},
		},
		calls: []call{
			{tool: "patchCard", args: `{"id":7,"body":{"due":null}}`, want: "PATCH https://api.test/v1/cards/7", body: `{"due":null}`},
			{tool: "patchCard", args: `{"id":7,"body":{"color":null}}`, want: "PATCH https://api.test/v1/cards/7", body: `{"color":null}`},
			{tool: "patchCard", args: `{"id":7,"body":{"color":"green"}}`, isError: true, says: []string{"color"}},
			{tool: "patchCard", args: `{"id":7,"body":{"title":null}}`, isError: true, says: []string{"title"}},
		},
	},
	{
		folder: "P23-type-array-31", lines: 3,
		schemas: []member{
			{"findRooms", "floor/type", `["integer","null"]`},
			{"findRooms", "code/type", `["string","integer"]`},
			{"findRooms", "/inputSchema/required", ""},
		},
		calls: []call{
			{tool: "findRooms", args: `{"floor":null,"code":12}`, want: "GET https://api.test/v1/rooms?code=12"},
			{tool: "findRooms", args: `{"code":"12"}`, want: "GET https://api.test/v1/rooms?code=12"},
		},
	},
	{
		folder: "P24-enum-null-dup", lines: 4,
		schemas: []member{
			{"listJobs", "state/enum", `["open","done"]`},
			{"listJobs", "owner/enum", `["me","",null]`},
			{"listJobs", "owner/type", `["string","null"]`},
		},
		calls: []call{{tool: "listJobs", args: `{"owner":""}`, want: "GET https://api.test/v1/jobs?owner="}},
	},
	{
		folder: "P24-enum-null-dup", variant: "gemini profile", flags: []string{"-profile", "gemini"},
		schemas: []member{
			{"listJobs", "owner/enum", `["me"]`},
			{"listJobs", "owner/type", `"string"`},
		},
	},
	{
		folder: "P25-int-enum", lines: 3,
		schemas: []member{
			{"setAlarm", "body/properties/level", `{"type":"integer","enum":[1,2,3]}`},
			{"setAlarm", "body/properties/loud", `{"type":"boolean","enum":[true]}`},
		},
		calls: []call{
			{tool: "setAlarm", args: `{"body":{"level":2}}`, want: "POST https://api.test/v1/alarms", body: `{"level":2}`},
			{tool: "setAlarm", args: `{"body":{"level":4}}`, isError: true, says: []string{"level"}},
		},
	},
	{
		folder: "P26-array-no-items", lines: 3,
		schemas: []member{{"bulk", "body/properties/rows/items", "{}"}},
		calls: []call{{tool: "bulk", args: `{"body":{"rows":[1,"a",{"k":true}]}}`,
			want: "POST https://api.test/v1/bulk", body: `{"rows":[1,"a",{"k":true}]}`}},
	},
	{
		folder: "P28-exclusive-minimum-30", lines: 3,
		schemas: []member{
			{"quote", "amount", `{"type":"number","exclusiveMinimum":0}`},
			{"quote", "years", `{"type":"integer","minimum":1,"maximum":30}`},
		},
		calls: []call{
			{tool: "quote", args: `{"amount":0}`, isError: true, says: []string{"amount"}},
			{tool: "quote", args: `{"amount":0.5}`, want: "GET https://api.test/v1/loans?amount=0.5"},
		},
	},
	{
		folder: "P29-pattern-lookahead", lines: 3,
		mentions: map[string]int{"warning": 2},
		schemas: []member{
			{"lookup", "host/pattern", `"^(?!-)[a-z0-9-]{1,63}(?<!-)$"`},
			{"lookup", "blob/pattern", `"^[a-z]{1,4000}$"`},
		},
		calls: []call{{tool: "lookup", args: `{"host":"web-1","blob":"abc"}`, want: "GET https://api.test/v1/hosts?host=web-1&blob=abc"},
			{tool: "lookup", args: `{"host":"web-1"}`, want: "GET https://api.test/v1/hosts?host=web-1"}},
	},
	{
		folder: "P33-readonly-fields", lines: 3,
		schemas: []member{
			{"addNote", "body/required", `["text","pin"]`},
			{"addNote", "body/properties/id", ""},
			{"addNote", "body/properties/text", "*"},
			{"addNote", "body/properties/pin", "*"},
			{"addNote", "/outputSchema", ""},
		},
		calls: []call{{tool: "addNote", args: `{"body":{"text":"a","pin":"1"}}`,
			want: "POST https://api.test/v1/notes", body: `{"text":"a","pin":"1"}`}},
	},
	{
		folder: "P33-readonly-fields", variant: "output schema", flags: []string{"-output-schema"},
		schemas: []member{
			{"addNote", "/outputSchema/properties/id", "*"},
			{"addNote", "/outputSchema/properties/text", "*"},
			{"addNote", "/outputSchema/properties/pin", ""},
			{"addNote", "/outputSchema/required", ""},
		},
	},
	{
		folder: "P34-ref-siblings", lines: 3,
		schemas: []member{
			{"findCars", "plate/type", `"string"`},
			{"findCars", "plate/minLength", `2`},
			{"findCars", "plate/maxLength", `8`},
			{"findCars", "plate/default", `"AB"`},
			{"findCars", "plate/description", `"Number plate"`},
		},
		calls: []call{
			{tool: "findCars", args: `{"plate":"ABCDEFGHI"}`, isError: true, says: []string{"plate"}},
			{tool: "findCars", args: `{"plate":"AB"}`, want: "GET https://api.test/v1/cars?plate=AB"},
		},
	},
	{
		folder: "P34-ref-siblings", variant: "3.0", edit: []string{"openapi: 3.1.0", "openapi: 3.0.3"},
		schemas: []member{
			{"findCars", "plate/minLength", `2`},
			{"findCars", "plate/maxLength", ""},
			{"findCars", "plate/default", ""},
			// Documented leniency: a description beside a $ref is never wrong.
			{"findCars", "plate/description", `"Number plate"`},
		},
	},
	{
		folder: "P37-param-description", lines: 3,
		rawNot: []string{`"example":`},
		schemas: []member{
			{"listTalks", "confId/description", `"Conference id in kebab-case, for example agile-2025."`},
			{"listTalks", "confId/examples", `["agile-2025"]`},
			{"listTalks", "old/deprecated", `true`},
		},
	},
	{
		folder: "P38-huge-description", lines: 3,
		check: shortDescription,
	},
	{
		folder: "P38-huge-description", variant: "full", flags: []string{"-full-descriptions"},
		check: fullDescription,
	},
	{
		folder: "P41-unknown-format", lines: 3,
		schemas: []member{
			{"sendSms", "body/properties/to/format", `"phone-number"`},
			{"sendSms", "body/properties/at/format", `"unix-time"`},
			{"sendSms", "body/properties/fee/format", `"decimal"`},
		},
		calls: []call{{tool: "sendSms", args: `{"body":{"to":"anything","at":1}}`,
			want: "POST https://api.test/v1/sms", body: `{"to":"anything","at":1}`}},
		check: formatsUnsaid,
	},
	{
		folder: "P142-spec-number-literals", lines: 4,
		raw: []string{
			`"maximum":9223372036854775807`, `"default":9007199254740993`,
			`"enum":[9007199254740992,9007199254740993]`, `18446744073709551615`, `"multipleOf":0.01`,
		},
		calls: []call{
			{tool: "listRows", args: `{"after":9223372036854775807,"shard":9007199254740993,"step":0.07}`,
				want: "GET https://api.test/v1/rows?after=9223372036854775807&shard=9007199254740993&step=0.07"},
			{tool: "listRows", args: `{"after":9223372036854775808}`, isError: true, says: []string{"after"}},
			{tool: "listRows", args: `{"shard":9007199254740994}`, isError: true, says: []string{"shard"}},
		},
	},
}
