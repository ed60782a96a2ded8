package openapi

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/theory/jsonpath"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// overlaid applies overlays, each given as its actions or as a whole, and
// returns the document as JSON, or nothing after an error.
func overlaid(t *testing.T, document string, overlays ...string) (string, *diag.List) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "api.yaml", document)
	opts := Options{}
	for i, text := range overlays {
		if !strings.HasPrefix(text, "overlay") {
			text = "overlay: 1.1.0\ninfo: {title: O, version: '1'}\nactions:\n" + text
		}
		name := string(rune('a'+i)) + ".overlay.yaml"
		write(t, name, text)
		opts.Overlays = append(opts.Overlays, name)
	}
	var diags diag.List
	f := newFiles(context.Background(), opts, &diags)
	root, err := f.root("api.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !f.overlay(root) {
		return "", &diags
	}
	return string(node.AppendJSON(nil, root.Root)), &diags
}

func TestOverlay(t *testing.T) {
	for _, tt := range []struct{ name, document, actions, want string }{
		{"update of the root", "a: 1", "- {target: $, update: {b: 2}}", `{"a":1,"b":2}`},
		{"update of a value", "a: 1", "- {target: $.a, update: 2}", `{"a":2}`},
		{"a value in a mapping", "a: {b: 1, c: x}", "- {target: $.a, update: {b: [1], d: y}}", ""},
		{"mappings merge", "a: {b: {c: 1, d: 2}}", "- {target: $.a, update: {b: {d: 3, e: 4}}}", `{"a":{"b":{"c":1,"d":3,"e":4}}}`},
		{"lists join", "a: {b: [1]}", "- {target: $.a, update: {b: [2, 3]}}", `{"a":{"b":[1,2,3]}}`},
		{"a list is selected", "a: [1]", "- {target: $.a, update: [2, 3]}", `{"a":[1,2,3]}`},
		{"a member for a list", "a: [1]", "- {target: $.a, update: {x: 2}}", `{"a":[1,{"x":2}]}`},
		{"a key without a value", "a:\nb: 1", "- {target: $, update: {a: {c: 1}}}", `{"a":{"c":1},"b":1}`},
		{"null for a value", "a: 1", "- {target: $, update: {a: null}}", `{"a":null}`},
		{"many places", "p: {x: {get: {a: 1}}, y: {get: {a: 1}, put: {}}}", "- {target: $.p.*.get, update: {z: 1}}", `{"p":{"x":{"get":{"a":1,"z":1}},"y":{"get":{"a":1,"z":1},"put":{}}}}`},
		{"places in places", "a: {n: 1, a: {n: 2}}", "- {target: $..a, update: {z: 1}}", `{"a":{"n":1,"a":{"n":2,"z":1},"z":1}}`},
		{"a filter", "l: [{n: a, v: 1}, {n: b, v: 1}]", "- {target: \"$.l[?@.n == 'b']\", update: {v: 2}}", `{"l":[{"n":"a","v":1},{"n":"b","v":2}]}`},
		{"a filter on numbers", "l: [{n: 1}, {n: 2.0}, {n: '2'}]", "- {target: '$.l[?@.n == 2]', remove: true}", `{"l":[{"n":1},{"n":"2"}]}`},
		{"numbers stay exact", "a: 12345678901234567890.10\nb: 1", "- {target: $.b, update: 0.10}", `{"a":12345678901234567890.10,"b":0.10}`},
		{"remove a key", "a: {b: 1, c: 2}", "- {target: $.a.b, remove: true}", `{"a":{"c":2}}`},
		{"remove members", "l: [a, b, a, c]", "- {target: \"$.l[?@ == 'a']\", remove: true}", `{"l":["b","c"]}`},
		{"remove what is inside of what is removed", "a: {x: {x: 1}, y: 1}", "- {target: $..x, remove: true}", `{"a":{"y":1}}`},
		{"remove beats update", "a: 1\nb: 2", "- {target: $.a, update: 3, remove: true}", `{"b":2}`},
		{"remove: false", "a: 1", "- {target: $.a, remove: false}", `{"a":1}`},
		{"remove, then make again", "a: [1, 2]", "- {target: $.a, remove: true}\n- {target: $, update: {a: [3]}}", `{"a":[3]}`},
		{"an action sees the one before", "a: {}", "- {target: $.a, update: {b: {}}}\n- {target: $.a.b, update: {c: 1}}", `{"a":{"b":{"c":1}}}`},
		{"copy", "a: {x: {y: 1}}\nb: {z: 2}", "- {target: $.b, copy: $.a}", `{"a":{"x":{"y":1}},"b":{"z":2,"x":{"y":1}}}`},
		{"copy of a value", "a: text\nl: [x]\nb: old", "- {target: $.b, copy: $.a}\n- {target: $.l, copy: $.a}", `{"a":"text","l":["x","text"],"b":"text"}`},
		{"move", "p: {/a: {get: {}}}", "- {target: $.p, update: {/b: {}}}\n- {target: \"$.p['/b']\", copy: \"$.p['/a']\"}\n- {target: \"$.p['/a']\", remove: true}", `{"p":{"/b":{"get":{}}}}`},
		{"into itself", "a: {b: 1}", "- {target: $.a, update: {c: {}}}\n- {target: $.a.c, copy: $.a}", `{"a":{"b":1,"c":{"b":1,"c":{}}}}`},
		{"aliases stay apart", "a: &x {n: 1}\nb: *x", "- {target: $.a, update: {n: 2}}", `{"a":{"n":2},"b":{"n":1}}`},
		{"names with quotes and slashes", `{"a'b": {"/p/{id}": 1}}`, `- {target: "$[\"a'b\"]['/p/{id}']", update: 2}`, `{"a'b":{"/p/{id}":2}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, diags := overlaid(t, tt.document, tt.actions)
			if got != tt.want {
				t.Errorf("got %s\nwant %s\n%s", got, tt.want, printed(diags))
			}
			if (tt.want == "") != (printed(diags) != "") {
				t.Errorf("diagnostics:\n%s", printed(diags))
			}
		})
	}
}

func TestOverlayMistakes(t *testing.T) {
	const document = "openapi: 3.1.0\npaths:\n  /pets: {get: {summary: s, tags: [a]}}\n  /pets/{id}: {get: {}}\n"
	for _, tt := range []struct{ name, overlay, want, hint string }{
		{"nothing at a name", "- target: $.paths['/pet'].get\n  update: {x: 1}", `a.overlay.yaml:4:11: error: the target "$.paths['/pet'].get" matched nothing [overlay-no-match]`, "did you mean /pets in place of /pet?"},
		{"nothing at a later name", "- target: $.paths['/pets'].get.sumary\n  remove: true", "matched nothing", "did you mean summary in place of sumary?"},
		{"nothing at a filter", "- target: $.paths[?@.put]\n  remove: true", "matched nothing", `$["paths"] is there, but nothing at [?@["put"]] in it`},
		{"nothing at the root", "- target: $.tags\n  update: [x]", "matched nothing", `$ is there, but nothing at ["tags"] in it`},
		{"copies of copies", strings.Repeat("- {target: \"$.paths['/pets'].get.tags\", copy: \"$.paths['/pets'].get.tags\"}\n", 40), "overlays may add 1000000 nodes to a document", ""},
		{"no source of a copy", "- target: $\n  copy: $.path", `the copy "$.path" matched nothing`, "did you mean paths in place of path?"},
		{"many sources of a copy", "- target: $.paths\n  copy: $.paths.*", "matched 2 places", "select it alone"},
		{"no query", "- target: $.paths[\n  remove: true", `a.overlay.yaml:4:11: error: "$.paths[" is no JSONPath query: `, "RFC 9535"},
		{"a name that wants brackets", "- target: $.x-a\n  remove: true", `"$.x-a" is no JSONPath query`, "stands in brackets: $['x-name']"},
		{"a JSON pointer", "- target: /paths\n  remove: true", `"/paths" is no JSONPath query`, "RFC 9535"},
		{"no target", "- update: {}", "the action has no target", "JSONPath"},
		{"remove is no boolean", "- {target: $.paths, remove: 'yes'}", "remove is a string and must be true or false", ""},
		{"the whole document", "- {target: $, remove: true}", "the whole document cannot be removed", ""},
		{"update and copy", "- {target: $, update: {}, copy: $.paths}", "the action has update and copy", "make two actions"},
		{"an action that is none", "- remove", "an action is a string and must be a mapping", ""},
		{"a value into a mapping", "- {target: $.paths, update: 3}", "a.overlay.yaml:4:29: error: a number cannot be merged with the mapping at api.yaml:3:3 [overlay-conflict]", "remove the old value"},
		{"a mapping into a value", "- {target: $.openapi, update: {a: 1}}", "a mapping cannot be merged with the string at api.yaml:1:10", "remove the old value"},
		{"null into a mapping", "- {target: $, update: {paths: null}}", "a null cannot be merged with the mapping", ""},
		{"places of several kinds", "- {target: \"$.paths['/pets'].get.*\", update: a}", "the target selects a string at api.yaml:3:26 and a list at api.yaml:3:35", "make an action for each kind"},
		{"1.0 has no copy", "overlay: 1.0.0\nactions:\n- {target: $, copy: $.paths}", "a.overlay.yaml:3:15: error: Overlay 1.0 has no copy", "write overlay: 1.1.0"},
		{"a later version", "overlay: 2.0.0\nactions: []", `a.overlay.yaml:1:10: error: Overlay version "2.0.0" is not supported [unsupported-version]`, "1.0 and 1.1"},
		{"no version", "overlays: 1.0.0\nactions: []", "does not say which version of Overlay it is", "overlay: 1.1.0"},
		{"no actions", "overlay: 1.0.0\nactions: []", "the overlay has no list of actions", "actions"},
		{"a document", "overlay: 1.0.0\nopenapi: 3.1.0", "it is an OpenAPI document and no overlay", "SOURCE"},
		{"no mapping", "overlay", "does not say which version", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, diags := overlaid(t, document, tt.overlay)
			if out := printed(diags); got != "" || !strings.Contains(out, tt.want) || !strings.Contains(out, tt.hint) {
				t.Errorf("got %s\n%s\nwant %s\nand the hint %s", got, out, tt.want, tt.hint)
			}
		})
	}
}

// TestOverlayLimit fills a document with what an overlay may add, to the last
// node, and then goes beyond. What is far beyond is refused before it is made.
func TestOverlayLimit(t *testing.T) {
	object := func(keys int) *node.Node {
		n := &node.Node{Kind: node.Mapping}
		for i := range keys {
			n.Items = append(n.Items, &node.Node{Kind: node.String, Value: fmt.Sprint("k", i)}, &node.Node{Kind: node.Number, Value: "1"})
		}
		return n
	}
	list := func(items int) *node.Node {
		n := &node.Node{Kind: node.Sequence}
		for range items {
			n.Items = append(n.Items, &node.Node{Kind: node.Number, Value: "1"})
		}
		return n
	}
	path, err := jsonpath.Parse("$.*")
	if err != nil {
		t.Fatal(err)
	}
	target := &query{path, node.Str(object(0), "$.*")}
	for _, test := range []struct {
		name   string
		place  *node.Node
		places int
		update *node.Node
		fits   bool
	}{
		{"keys, all that may be", object(0), 1000, object(500), true},
		{"keys, more", object(0), 1001, object(500), false},
		{"keys that are there already", object(500), 1001, object(500), true},
		{"in place of null, all that may be", &node.Node{Kind: node.Null}, 1000, object(500), true},
		{"in place of null, more", &node.Node{Kind: node.Null}, 1001, object(500), false},
		{"items, all that may be", list(1), 1000, list(1000), true},
		{"items, more", list(1), 1001, list(1000), false},
		{"far more", object(0), 30_000, object(30_000), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := list(0)
			for range test.places {
				root.Items = append(root.Items, test.place)
			}
			p := &patcher{root: root, views: map[*node.Node]any{}}
			err := p.apply(&action{target: target, update: test.update})
			if (err == nil) != test.fits || err != nil && !strings.Contains(err.Message, "overlays may add") {
				t.Errorf("got %v", err)
			}
			if err == nil && p.sizes.of(p.root).nodes > p.limit {
				t.Errorf("%d nodes of %d", p.sizes.of(p.root).nodes, p.limit)
			}
		})
	}
}

// All mistakes are reported, of all overlays.
func TestOverlayReportsAll(t *testing.T) {
	_, diags := overlaid(t, "a: 1", "- {target: $.x, remove: true}\n- {target: $.y, remove: true}", "overlay: 3", "- {target: $.z, remove: true}")
	if n := diags.Count(diag.Error); n != 4 {
		t.Errorf("%d errors:\n%s", n, printed(diags))
	}
}

func TestOverlaysInOrder(t *testing.T) {
	got, _ := overlaid(t, "a: 1", "- {target: $.a, update: 2}\n- {target: $, update: {b: {}}}", "- {target: $.a, update: 3}\n- {target: $.b, update: {c: 1}}")
	if want := `{"a":3,"b":{"c":1}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestOverlayWarnings(t *testing.T) {
	for _, tt := range []struct{ name, overlay, want string }{
		{"another document", "overlay: 1.0.0\nextends: ./other.yaml\nactions: [{target: $, update: {}}]", `a.overlay.yaml:2:10: warning: the overlay extends "./other.yaml" and is applied to "api.yaml" [overlay-extends]`},
		{"this document", "overlay: 1.0.0\nextends: ./api.yaml\nactions: [{target: $, update: {}}]", ""},
		{"this document at its address", "overlay: 1.0.0\nextends: https://api.test/v1/api.yaml?raw=1\nactions: [{target: $, update: {}}]", ""},
		{"an unknown key", "overlay: 1.0.0\nactoins: []\nactions: [{target: $, update: {}, x-a: 1}]", "actoins is an unknown key; it is ignored [unknown-key]\n\thint: did you mean actions?"},
		{"nothing to do", "overlay: 1.0.0\nactions: [{target: $}]", "a.overlay.yaml:2:11: warning: the action does nothing [empty-action]\n\thint: add update, remove: true or copy"},
		{"an unknown key of an action", "overlay: 1.0.0\nactions: [{target: $, update: {}, updates: {}}]", "did you mean update?"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, diags := overlaid(t, "a: 1", tt.overlay)
			if out := printed(diags); got != `{"a":1}` || !strings.Contains(out, tt.want) || tt.want == "" && out != "" {
				t.Errorf("got %s\n%s\nwant %s", got, out, tt.want)
			}
		})
	}
}

// What an overlay adds is part of the document: references in it lead there, and
// mistakes in it point to the overlay.
func TestOverlayIsPartOfTheDocument(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"api/api.yaml":     head + "paths:\n  /a: {get: {operationId: a, responses: {'200': {description: ok}}}}\ncomponents: {schemas: {Pet: {type: object, properties: {name: {type: string}}}}}\n",
		"api/schemas.yaml": "Size: {type: integer}\n",
		"my.overlay.yaml": `overlay: 1.0.0
info: {title: O, version: '1'}
actions:
  - target: $.paths['/a']
    update:
      post:
        operationId: addPet
        parameters: [{name: size, in: query, schema: {$ref: 'schemas.yaml#/Size'}}]
        requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}}
        responses: {'200': {description: ok}}
      put:
        operationId: bad
        parameters: [{$ref: '#/components/parameters/Missing'}]
        responses: {'200': {description: ok}}
`,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, name, text)
	}
	var diags diag.List
	s := Parse(context.Background(), "api/api.yaml", Options{Overlays: []string{"my.overlay.yaml"}}, &diags)
	if s == nil {
		t.Fatal(printed(&diags))
	}
	input := string(tool(t, s, "addPet").Input)
	if !strings.Contains(input, `"size":{"type":"integer"}`) || !strings.Contains(input, `"name":{"type":"string"}`) {
		t.Errorf("got %s", input)
	}
	if out := printed(&diags); !strings.Contains(out, "my.overlay.yaml:13:29: skipped: operation bad") {
		t.Errorf("diagnostics:\n%s", out)
	}
}

func TestOverlayFiles(t *testing.T) {
	for _, tt := range []struct{ name, source, want string }{
		{"missing", "none.yaml", "none.yaml: error: there is no such file [unreadable-file]"},
		{"an address", "https://api.test/o.yaml", "-allow-remote"},
		{"a folder", ".", "it cannot be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := parse(t, operations("a"), Options{Overlays: []string{tt.source}})
			if out := printed(diags); s != nil || !strings.Contains(out, tt.want) {
				t.Errorf("got %s, want %s", out, tt.want)
			}
		})
	}
}

// FuzzOverlay looks for what stops the patcher: a document, and an action on it.
func FuzzOverlay(f *testing.F) {
	for _, seed := range [][3]string{
		{"a: {b: [1, {c: x}]}", "$..c", "{d: 1}"},
		{"[1, .inf, 0x1F, null]", "$[?@ > 1]", "2"},
		{"a: &x {b: *y}\nc: &y [1]", "$.*", "[]"},
		{"a", "$", "b"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, document, target, update string) {
		root, value := &node.File{Name: "api.yaml"}, &node.File{Name: "o.yaml"}
		path, err := jsonpath.Parse(target)
		if err != nil || node.Parse(root, []byte(document)) != nil || node.Parse(value, []byte(update)) != nil || len(document) > 1000 {
			t.Skip()
		}
		before := string(node.AppendJSON(nil, root.Root))
		at := &query{path, node.Str(value.Root, target)}
		for _, a := range []action{{target: at, update: value.Root}, {target: at, remove: true}, {target: at, from: at}} {
			p := &patcher{root: root.Root, views: map[*node.Node]any{}}
			if p.apply(&a) == nil && !json.Valid(node.AppendJSON(nil, p.root)) {
				t.Errorf("%q, %q: not JSON any more", document, target)
			}
		}
		if after := string(node.AppendJSON(nil, root.Root)); after != before {
			t.Errorf("%q became %q", before, after)
		}
	})
}
