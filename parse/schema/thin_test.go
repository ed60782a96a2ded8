package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// deep is a schema whose levels each hold descriptions of about 30 kB.
func deep() json.RawMessage {
	level := `{"type":"string","description":"deepest"}`
	for depth := 5; depth > 0; depth-- {
		var b strings.Builder
		fmt.Fprintf(&b, `{"type":"object","properties":{"description":%s`, level)
		for i := range 30 {
			fmt.Fprintf(&b, `,"p%d":{"type":"string","description":"level %d %s"}`, i, depth, strings.Repeat("x", 1000))
		}
		level = b.String() + "}}"
	}
	return json.RawMessage(level)
}

func TestThinDropsTheDeepestDescriptionsFirst(t *testing.T) {
	out := string(thin(deep()))
	if !json.Valid([]byte(out)) {
		t.Fatal("not JSON")
	}
	if len(out) > Large {
		t.Errorf("it still takes %d bytes", len(out))
	}
	for _, test := range []struct {
		text string
		want bool
	}{{"level 1", true}, {"level 2", true}, {"level 3", false}, {"level 5", false}, {"deepest", false}} {
		if got := strings.Contains(out, test.text); got != test.want {
			t.Errorf("a description of %s: got %v, want %v", test.text, got, test.want)
		}
	}
	if n := strings.Count(out, `"description":{"type":`); n != 5 {
		t.Errorf("%d of 5 properties called description are left", n)
	}
}

func TestThinKeepsTheFirstLevels(t *testing.T) {
	text := strings.Repeat("x", Large)
	schema := `{"type":"object","properties":{"body":{"$ref":"#/$defs/Pet","description":"Body."}},` +
		`"$defs":{"Pet":{"type":"object","description":"` + text + `","properties":{"tag":{"$ref":"#/$defs/Tag"},"self":{"$ref":"#/$defs/Pet"}}},` +
		`"Tag":{"description":"Tag."}}}`
	if out := string(thin(json.RawMessage(schema))); out != strings.Replace(schema, `"description":"Tag."`, "", 1) {
		t.Errorf("got %.300s", strings.ReplaceAll(out, text, "…"))
	}
	small := json.RawMessage(`{"properties":{"a":{"properties":{"b":{"properties":{"c":{"description":"x"}}}}}}}`)
	if out := thin(small); string(out) != string(small) {
		t.Errorf("a small schema became %s", out)
	}
}
