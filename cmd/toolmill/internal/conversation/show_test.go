package conversation

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestPrintJSON(t *testing.T) {
	long := strings.Repeat("x", maxText+7)
	for _, c := range []struct{ name, in, want string }{
		{"what fits stands on one line", `{"a":[1,{"b":null}],"c":1.50}`, `{"a": [1, {"b": null}], "c": 1.50}`},
		{"empty containers", `{"a":{},"b":[]}`, `{"a": {}, "b": []}`},
		{"order and numbers are kept", `{"z":9007199254740993,"a":0}`, `{"z": 9007199254740993, "a": 0}`},
		{"a long text says how much is missing", `"` + long + `"`, `"` + long[:maxText] + `… (7 more characters)"`},
		{"what is no JSON stays", "not: json\n", "not: json"},
		{"what is too wide is broken", `{"first":"` + strings.Repeat("y", 50) + `","second":"` + strings.Repeat("z", 50) + `"}`,
			"{\n  \"first\": \"" + strings.Repeat("y", 50) + "\",\n  \"second\": \"" + strings.Repeat("z", 50) + "\"\n}"},
		{"a long list keeps its first member", `[` + strings.Repeat(`"`+strings.Repeat("w", 60)+`",`, 8) + `1]`,
			`["` + strings.Repeat("w", 60) + `", "… (8 more like this)"]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			printJSON(&b, []byte(c.in), "")
			if b.String() != c.want {
				t.Errorf("got\n%s\nwant\n%s", b.String(), c.want)
			}
		})
	}
}

// Layout changes white space only.
func FuzzPrintJSON(f *testing.F) {
	f.Add(`{"a":[1,2,{"b":"c"}],"d":"e"}`)
	f.Add(`[[],{},"\u2028",-1e5,true,null]`)
	f.Fuzz(func(t *testing.T, in string) {
		var b strings.Builder
		printJSON(&b, []byte(in), indent)
		var want, got any
		if len(in) > 300 || json.Unmarshal([]byte(in), &want) != nil {
			return
		}
		if err := json.Unmarshal([]byte(b.String()), &got); err != nil {
			t.Fatalf("%s\nis no JSON: %v", b.String(), err)
		}
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%s\nbecame\n%s", in, b.String())
		}
	})
}
