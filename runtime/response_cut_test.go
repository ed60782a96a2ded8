package runtime

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestShorten(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, tc := range []struct {
		name, json string
		limit      int
		want, cuts string
	}{
		{"fits", `{"a":1}`, 7, `{"a":1}`, ""},
		{"fits without its space", "{ \"a\" : 1 }", 7, `{"a":1}`, ""},
		{"array", `[1,2,3,4,5]`, 7, `[1,2,3]`, "showing 3 of 5 items"},
		{"array that almost fits", `[1,2,3,4,5]`, 10, `[1,2,3,4]`, "showing 4 of 5 items"},
		{"array of one long item", `["` + long + `"]`, 17, `["xxxxxxxxxx…"]`, "[0]: showing 10 of 100 bytes"},
		{"array without room", `[123456789]`, 5, `[]`, "showing 0 of 1 item"},
		{"small properties stay", `{"a":1,"list":[1,2,3,4,5,6,7,8],"z":true}`, 33, `{"a":1,"list":[1,2,3],"z":true}`, "list: showing 3 of 8 items"},
		{"two large ones share", `{"a":"` + long + `","b":"` + long + `"}`, 40, `{"a":"xxxxxxxxx…","b":"xxxxxxxxx…"}`, "a: showing 9 of 100 bytes, b: showing 9 of 100 bytes"},
		{"no room for all properties", `{"aaaa":"x","bbbb":"x","cccc":"x"}`, 14, `{"aaaa":"x"}`, "showing 1 of 3 properties"},
		{"a thousand properties", "{" + strings.Repeat(`"a":1,`, 999) + `"a":1}`, 20, `{"a":1,"a":1,"a":1}`, "showing 3 of 1000 properties"},
		{"nested", `{"data":{"items":[10,20,30]},"n":1}`, 34, `{"data":{"items":[10,20]},"n":1}`, "data.items: showing 2 of 3 items"},
		{"runes stay whole", `"éééééééééé"`, 12, `"ééé…"`, "showing 6 of 20 bytes"},
		{"escapes take room", `"\n\n\n\n\n\n\n\n\n\n"`, 12, `"\n\n\n…"`, "showing 3 of 10 bytes"},
		{"long number", strings.Repeat("1", 20), 10, `null`, "left out"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			short, cuts, _ := shorten(json.RawMessage(tc.json), tc.limit)
			if string(short) != tc.want || strings.Join(cuts, ", ") != tc.cuts {
				t.Errorf("got  %s (%s)\nwant %s (%s)", short, strings.Join(cuts, ", "), tc.want, tc.cuts)
			}
		})
	}
	many := "[" + strings.Repeat(`"`+long+`",`, 9) + `0]`
	many = `{"a":` + many + `,"b":` + many + `,"c":` + many + `,"d":` + many + `,"e":` + many + `,"f":` + many + `,"g":` + many + `}`
	if _, cuts, _ := shorten(json.RawMessage(many), 2000); len(cuts) != maxCuts+1 || cuts[maxCuts] != "and 2 more cuts" {
		t.Errorf("cuts: %q", cuts)
	}
	few := `{"long":"` + strings.Repeat("x", 200) + `"` + strings.Repeat(`,"a":1`, 300) + "}"
	if short, cuts, _ := shorten(json.RawMessage(few), 100); len(short) > 100 || !json.Valid(short) || strings.Join(cuts, ", ") != "showing 16 of 301 properties" {
		t.Errorf("many properties: %s %q", short, cuts)
	}
	deep := strings.Repeat("[", 5000) + strings.Repeat("]", 5000)
	if short, _, _ := shorten(json.RawMessage(deep), 500); !json.Valid(short) || len(short) > 500 {
		t.Errorf("deep: %.100s", short)
	}
}

// FuzzShorten says that what is shortened parses and keeps to its limit.
func FuzzShorten(f *testing.F) {
	f.Add(`{"a":[1,"é\n",{"b":null}],"c":"xxxxxxxxxxxxxxxxxxxxx"}`, 20)
	f.Add(`[[[[["\ud83d\ude00"]]]]]`, 9)
	f.Add(`{"":"","":[],"x":1e400}`, 4)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		if !json.Valid([]byte(text)) || limit < 4 || limit > 1<<16 {
			return
		}
		value := json.RawMessage(strings.TrimSpace(text))
		short, cuts, _ := shorten(value, limit)
		if !json.Valid(short) {
			t.Fatalf("%s does not parse", short)
		}
		if len(short) > limit {
			t.Fatalf("%s has %d bytes, the limit is %d", short, len(short), limit)
		}
		if len(compact(value)) > limit == (len(cuts) == 0) {
			t.Fatalf("%s from %s with cuts %q", short, value, cuts)
		}
	})
}
