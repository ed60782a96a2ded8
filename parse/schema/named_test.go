package schema

import "testing"

func TestNamedEnum(t *testing.T) { runAll(t, namedEnumCases) }

var namedEnumCases = []conversionCase{
	{name: "names and descriptions", x: `{type: integer, description: Class., enum: [1, 2, 3], x-enum-varnames: [Economy, Express, '3'], x-enum-descriptions: [Slow, Next  day, '']}`,
		want: `{"type":"integer","description":"Class.\n1 Economy: Slow; 2 Express: Next day","enum":[1,2,3]}`, valid: "1\n3", invalid: "4"},
	{name: "the names of NSwag", x: `{type: integer, enum: [1, 2], x-enumNames: [Economy, Express]}`,
		want: `{"type":"integer","description":"1 Economy; 2 Express","enum":[1,2]}`},
	{name: "descriptions by value", x: `{type: integer, enum: [1, 2], x-enum-descriptions: {'2': Next day, '9': never}}`,
		want: `{"type":"integer","description":"2 Next day","enum":[1,2]}`},
	{name: "names that only repeat the value", x: `{type: string, enum: [in-use, active, a, n], x-enum-varnames: [IN_USE, StatusActive, Alpha, N]}`,
		want: `{"type":"string","description":"\"a\" Alpha","enum":["in-use","active","a","n"]}`},
	{name: "no names for null", x: `{type: integer, nullable: true, enum: [1, 2], x-enum-varnames: [Economy, Express]}`,
		want: `{"type":["integer","null"],"description":"1 Economy; 2 Express","enum":[1,2,null]}`, valid: "null"},
	{name: "of values read in the type", x: `{type: integer, enum: ['1', two, '2'], x-enum-varnames: [Economy, Two, Express]}`,
		want: `{"type":"integer","description":"1 Economy; 2 Express","enum":[1,2]}`},
	{name: "of the items of an array", x: `{type: array, enum: [1, 2], x-enum-varnames: [Economy, Express]}`,
		want: `{"type":"array","items":{"type":"integer","description":"1 Economy; 2 Express","enum":[1,2]}}`},
	{name: "under another description", x: `{description: Mine., minimum: 1, allOf: [{$ref: '#/components/schemas/L'}]}`,
		schemas: `{L: {type: integer, description: Its., enum: [1, 2], x-enum-varnames: [Economy, Express]}}`,
		want:    `{"type":"integer","description":"Mine.\n1 Economy; 2 Express","enum":[1,2],"minimum":1}`},
	{name: "one of the values", x: `{allOf: [{$ref: '#/components/schemas/L'}, {enum: [2]}]}`,
		schemas: `{L: {type: integer, enum: [1, 2], x-enum-varnames: [Economy, Express]}}`,
		want:    `{"type":"integer","description":"2 Express","enum":[2]}`},
	{name: "a list of another length", x: `{type: integer, enum: [1, 2], x-enum-varnames: [Economy]}`,
		want: `{"type":"integer","enum":[1,2]}`},
	{name: "neither list nor mapping", x: `{type: integer, enum: [1, 2], x-enum-varnames: Economy}`,
		want: `{"type":"integer","enum":[1,2]}`},
	{name: "without an enum", x: `{type: integer, x-enum-varnames: [Economy]}`, want: `{"type":"integer"}`},
}
