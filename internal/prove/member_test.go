package prove

import "testing"

func TestMember(t *testing.T) {
	const text = `{"a":{"b/c":[1, 2.50]},"n":null}`
	for pointer, want := range map[string]string{
		"": text, "/a/b~1c/1": "2.50", "/n": "null", "/x": "", "/a/b~1c/2": "", "/a/b~1c/x": "", "/n/x": "",
	} {
		if got := string(Member([]byte(text), pointer)); got != want {
			t.Errorf("%q: got %q, want %q", pointer, got, want)
		}
	}
}

func TestSameJSON(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[2]}`, `{ "b": [2], "a": 1 }`, true},
		{`1.0`, `1`, false},
		{`9007199254740993`, `9007199254740992`, false},
		{`{`, `{`, false},
	} {
		if got := SameJSON([]byte(test.a), []byte(test.b)); got != test.want {
			t.Errorf("%s and %s: %v", test.a, test.b, got)
		}
	}
}

func TestCheckTool(t *testing.T) {
	for _, test := range []struct {
		name, schema string
		want         int
	}{
		{"fine", `{"type":"object","properties":{"a":{"type":"array","items":{}}},"additionalProperties":false}`, 0},
		{"no root type", `{}`, 1},
		{"union at the root", `{"type":"object","anyOf":[{}]}`, 1},
		{"dangling reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/X"}}}`, 1},
		{"boolean, array, foreign keyword", `{"type":"object","properties":{"a":true,"b":{"type":["array","null"]},"c":{"nullable":true}}}`, 3},
		{"argument name", `{"type":"object","properties":{"a[b]":{}}}`, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			errs := CheckTool(Tool{Name: "a", Description: "d", InputSchema: []byte(test.schema)})
			if len(errs) != test.want {
				t.Errorf("got %v, want %d", errs, test.want)
			}
		})
	}
}
