package openapi

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// TestResolveKeepsIdentity: however a node is referred to, it is one node.
func TestResolveKeepsIdentity(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "openapi.yaml", "openapi: 3.0.3\npaths: {}\nrefs: [{$ref: p.yaml}, {$ref: ./p.yaml}, {$ref: 'p.yaml#'}, {$ref: 'sub/../p.yaml'}, {$ref: 'sub/q.yaml#/up'}]\n")
	write(t, "p.yaml", "type: string\n")
	write(t, "sub/q.yaml", "up: {$ref: ../p.yaml}\n")
	var diags diag.List
	d := Load(context.Background(), "openapi.yaml", Options{}, &diags)
	var first *node.Node
	for i, item := range d.root.Root.Get("refs").List() {
		target, err := d.Resolve(item.Get("$ref"))
		if err != nil {
			t.Fatal(err)
		}
		if ref := link(target); ref != nil {
			if target, err = d.Resolve(ref); err != nil {
				t.Fatal(err)
			}
		}
		if first == nil {
			first = target
		}
		if target != first {
			t.Errorf("reference %d gives a node of its own", i)
		}
	}
}

func TestResolveErrorsAreTyped(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "openapi.yaml", "openapi: 3.0.3\npaths: {}\na: {$ref: '#/gone'}\nb: {$ref: [1]}\n")
	var diags diag.List
	d := Load(context.Background(), "openapi.yaml", Options{}, &diags)
	for key, code := range map[string]string{"a": codeDangling, "b": codeRefKind, "c": codeRefKind} {
		_, err := d.Resolve(d.root.Root.Get(key).Get("$ref"))
		var e *schema.Error
		if !errors.As(err, &e) || e.Code != code {
			t.Errorf("%s: %v, want %s", key, err, code)
		}
	}
}

// TestLongChain holds that references in a row may be many.
func TestLongChain(t *testing.T) {
	var components strings.Builder
	components.WriteString("components:\n  schemas:\n    S5000: {type: integer}\n")
	for i := range 5000 {
		fmt.Fprintf(&components, "    S%d: {$ref: '#/components/schemas/S%d'}\n", i, i+1)
	}
	s, _ := mustParse(t, post("{content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}", components.String()), Options{})
	if input := string(tool(t, s, s.Tools()[0].Name).Input); !strings.Contains(input, "integer") {
		t.Errorf("the body is not an integer: %s", input)
	}
}

func TestDialect(t *testing.T) {
	d := &Document{Version: "3.0.3"}
	for version, want := range map[string]schema.Dialect{
		"": schema.OpenAPI30, "2.0": schema.OpenAPI30, "3.0.0": schema.OpenAPI30, "3.1": schema.OpenAPI31, "3.1.1": schema.OpenAPI31, "3.2.0": schema.OpenAPI31,
	} {
		f := &node.File{Root: node.Map(nil)}
		if version != "" {
			f.Root = node.Map(nil, node.Str(nil, "openapi"), node.Str(nil, version))
		}
		if got := d.Dialect(f); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
}

// FuzzResolve: no reference and no document makes the resolver panic or hang,
// and what it refuses is a typed error at the reference.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{
		"#/a/b", "#", "", "#/", "#/a~1b", "#/%2", "#x", "#/$defs/X", "http://x/#y", "//", "a#b#c", "#/a/0", "#/a/-1", "#/$ref", "file:", "#/s/$ref/x", "?", "%zz", "\x00",
	} {
		f.Add(seed, "a: {b: {$ref: '#/a'}}\nlist: [{$ref: '#/list/0'}]\ns: {$ref: '#/s/x'}\n$defs: {X: {$id: 'http://x/', $anchor: y}}\n")
	}
	f.Fuzz(func(t *testing.T, ref, text string) {
		file := &node.File{Name: "openapi.yaml", Location: "/nonexistent/openapi.yaml"}
		if node.Parse(file, []byte(text)) != nil {
			return
		}
		var diags diag.List
		files := newFiles(context.Background(), Options{}, &diags)
		files.allowFolder("/nonexistent")
		files.known[file.Location] = opened{file, nil}
		d := &Document{Version: "3.1.0", root: file, refs: newResolver(files, file)}
		refs := []*node.Node{{Kind: node.String, Value: ref, File: file, Line: 1, Col: 1}}
		walk(file.Root, map[*node.Node]bool{}, func(n *node.Node) {
			if r := link(n); r != nil {
				refs = append(refs, r)
			}
		})
		for _, r := range refs[:min(len(refs), 20)] {
			target, err := d.Resolve(r)
			var e *schema.Error
			if (target == nil) == (err == nil) || err != nil && (!errors.As(err, &e) || e.Pos.File == "") {
				t.Fatalf("%q: %v, %v", r.Value, target, err)
			}
		}
	})
}

// FuzzLoad: no document makes the loader panic or hang.
func FuzzLoad(f *testing.F) {
	f.Add(minimal)
	f.Add(strings.ReplaceAll(minimal, "openapi: 3.0.3", "swagger: '2.0'"))
	f.Add("openapi: 3.2.0\npaths: {$ref: '#/paths', /a: {$ref: '#/x', get: {parameters: [{$ref: '#/paths'}]}}}\nx: {post: {requestBody: {$ref: '#/x/post'}}}\n")
	f.Add("swagger: 2\nschemes: [[]]\nhost: {}\npaths: {'': {put: {parameters: [{in: formData, name: a, type: file}, {in: body, name: b}], responses: {1: {schema: {type: file}, examples: {}, headers: {x: 1}}}}}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		file := &node.File{Name: "openapi.yaml", Location: "/nonexistent/openapi.yaml"}
		if node.Parse(file, []byte(text)) != nil || !file.Root.IsMap() {
			return
		}
		var diags diag.List
		files := newFiles(context.Background(), Options{}, &diags)
		files.known[file.Location] = opened{file, nil}
		d := &Document{Version: "3.1.0", Location: file.Location, root: file, refs: newResolver(files, file)}
		if err := newNormalizer(d, newSelection(Options{}), &diags).document(file.Root); err != nil && err.Pos.File == "" {
			t.Fatalf("no position: %v", err)
		}
		for _, o := range d.Operations {
			if o.Kin == nil || len(o.Kin.Parameters) != len(o.Params) || strings.ContainsAny(pathVariable.ReplaceAllString(o.Template, ""), "{}") {
				t.Fatalf("%s is not finished", o.Label())
			}
			for _, p := range o.Params {
				if p.Schema == nil || p.Kin.Name == "" {
					t.Fatalf("%s: parameter %v", o.Label(), p.Kin)
				}
			}
		}
	})
}

// walk visits the mappings below n.
func walk(n *node.Node, seen map[*node.Node]bool, visit func(*node.Node)) {
	if n == nil || seen[n] {
		return
	}
	seen[n] = true
	if n.IsMap() {
		visit(n)
	}
	for _, item := range n.Items {
		walk(item, seen, visit)
	}
}

// A reference to nothing is told what there is.
func TestDanglingHints(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "other.yaml", "{}")
	for _, tt := range []struct{ name, ref, hint string }{
		{"misspelt", "#/components/parameters/Limitt", "did you mean #/components/parameters/Limit?"},
		{"unlike anything", "#/components/parameters/Zzz", "#/components/parameters has Limit, Page"},
		{"no such section", "#/components/responses/R", "add #/components/responses, which the file does not have, or refer to another place"},
		{"an empty section", "#/components/headers/H", "add it to #/components/headers, which has no keys, or refer to another place"},
		{"an anchor", "#zzz", "a name behind the # is the $anchor of a schema, and none has it"},
		{"another file", "other.yaml#/x", "correct what stands behind the #: other.yaml has no such part"},
	} {
		write(t, "api.yaml", head+"paths: {/a: {get: {parameters: [{$ref: '"+tt.ref+"'}], responses: {}}}}\n"+
			"components: {headers: {}, parameters: {Limit: {name: limit, in: query, schema: {}}, Page: {name: page, in: query, schema: {}}}}\n")
		_, got := loadPrinted(t, "api.yaml", Options{})
		if !strings.Contains(got, "[dangling-ref]\n\thint: "+tt.hint+"\n") {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}
