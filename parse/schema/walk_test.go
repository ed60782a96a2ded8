package schema

import (
	"testing"

	"github.com/seed7346ab69/toolmill/parse/node"
)

const walked = `{"properties":{"a":{"items":{"$ref":"#/$defs/B"},"anyOf":[{"title":"v"}]},"properties":{"default":{"properties":{"x":{}}}}},"$defs":{"B":{"properties":{"b":{"$ref":"#/$defs/B"}}},"Lost":{}}}`

func finished(t *testing.T, text string) *node.Node {
	t.Helper()
	file := &node.File{}
	if err := node.Parse(file, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return file.Root
}

func TestEditReachesEverySchemaAndNothingElse(t *testing.T) {
	root := finished(t, walked)
	var names []string
	out := Edit(root, func(name string, n *node.Node) *node.Node {
		names = append(names, name)
		return n.With("deprecated", node.Boolean(n, true))
	})
	const want = `{"properties":{"a":{"items":{"$ref":"#/$defs/B","deprecated":true},"anyOf":[{"title":"v","deprecated":true}],"deprecated":true},` +
		`"properties":{"default":{"properties":{"x":{}}},"deprecated":true}},` +
		`"$defs":{"B":{"properties":{"b":{"$ref":"#/$defs/B","deprecated":true}},"deprecated":true},"Lost":{"deprecated":true}},"deprecated":true}`
	if got := string(node.AppendJSON(nil, out)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string(node.AppendJSON(nil, root)); got != walked {
		t.Errorf("the input became %s", got)
	}
	if len(names) != 8 || names[1] != "a" || names[4] != "properties" {
		t.Errorf("names %q", names)
	}
	if same := Edit(root, func(_ string, n *node.Node) *node.Node { return n }); same != root {
		t.Error("a copy was made though nothing changed")
	}
}

func TestDepthsFollowReferences(t *testing.T) {
	root := finished(t, walked)
	depths := Depths(root)
	a, b := root.Get("properties").Get("a"), root.Get("$defs").Get("B")
	for _, test := range []struct {
		what string
		n    *node.Node
		want int
	}{
		{"root", root, 0}, {"argument", a, 1}, {"items", a.Get("items"), 2}, {"what items refer to", b, 2},
		{"variant", a.Get("anyOf").Items[0], 2}, {"inside a definition", b.Get("properties").Get("b"), 3},
	} {
		if got := depths[test.n]; got != test.want {
			t.Errorf("%s: %d, want %d", test.what, got, test.want)
		}
	}
	if _, ok := depths[root.Get("$defs").Get("Lost")]; ok {
		t.Error("a definition that nothing refers to has a depth")
	}
}
