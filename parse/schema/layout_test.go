package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// wide is a schema of about the given size that refers to others.
func wide(size int, refs ...string) string {
	var b strings.Builder
	b.WriteString("{type: object, properties: {")
	for i, ref := range refs {
		fmt.Fprintf(&b, "r%d: {$ref: '#/components/schemas/%s'}, ", i, ref)
	}
	fmt.Fprintf(&b, "a: {type: string, description: %s}}}", strings.Repeat("x", size))
	return b.String()
}

func defsOf(t *testing.T, schema string) []string {
	t.Helper()
	var s struct {
		Defs map[string]json.RawMessage `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range []string{"Big", "Small", "Tiny", "Once", "Outer", "Inner"} {
		if s.Defs[name] != nil {
			names = append(names, name)
		}
	}
	return names
}

func TestSharing(t *testing.T) {
	const limit = inlineLimit
	tests := []struct {
		name    string
		x       string
		schemas string
		want    string
	}{
		{"below the limit nothing is shared", wide(1, "Big", "Big"), "Big: " + wide(limit/2-300), ""},
		{"what is used once stays", wide(2*limit, "Once", "Big"), "Once: " + wide(3000) + ", Big: " + wide(10), ""},
		{"what is used twice is shared", wide(1, "Big", "Big"), "Big: " + wide(limit/2+300), "Big"},
		{"the greatest saving first, until it fits", wide(1, "Big", "Big", "Small", "Small"), "Big: " + wide(limit/2) + ", Small: " + wide(500), "Big"},
		{"all when it does not fit", wide(limit, "Big", "Big", "Small", "Small"), "Big: " + wide(limit/2) + ", Small: " + wide(500), "Big Small"},
		{"nothing that a reference would outgrow", wide(limit, "Tiny", "Tiny", "Tiny"), "Tiny: {type: string}", ""},
		{"used once inside what is shared", wide(limit, "Outer", "Outer"), "Outer: " + wide(300, "Inner") + ", Inner: " + wide(300), "Outer"},
		{"used inside and outside", wide(limit, "Outer", "Outer", "Inner"), "Outer: " + wide(300, "Inner") + ", Inner: " + wide(300), "Outer Inner"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			out, _, err := convert(t, "openapi: 3.0.0\nargs: {x: "+test.x+"}\ncomponents: {schemas: {"+test.schemas+"}}\n")
			if err != nil {
				t.Fatal(err)
			}
			mustHold(t, test.name, []byte(out))
			if got := strings.Join(defsOf(t, out), " "); got != test.want {
				t.Errorf("in $defs: %q, want %q (%d bytes)", got, test.want, len(out))
			}
		})
	}
}

// The size that decides is exactly the size that is written.
func TestLayoutTotal(t *testing.T) {
	d := parse(t, "test.yaml", `
openapi: 3.1.0
args:
  a: {$ref: '#/components/schemas/Node', description: with a note}
  b: {anyOf: [{$ref: '#/components/schemas/Leaf'}, {type: 'null'}], description: or null}
  c: {anyOf: [{$ref: '#/components/schemas/Enum'}, {type: 'null'}]}
  d: {anyOf: [{$ref: '#/components/schemas/Node'}, {type: 'null'}], title: wrapped}
  e: {$ref: '#/components/schemas/Empty', title: t}
  f: {$ref: '#/components/schemas/Empty'}
  g: {}
components:
  schemas:
    Node: {type: object, description: old, properties: {next: {$ref: '#/components/schemas/Node'}, leaf: {$ref: '#/components/schemas/Leaf'}}}
    Leaf: {type: object, description: a leaf, title: The Leaf, properties: {s: {type: string, example: é}}}
    Enum: {type: string, description: values, enum: [a, b]}
    Empty: {}
`)
	c := New(d, &diag.List{})
	w := writer{conversion: c.ways[Input]}
	w.buf = append(w.buf, '{')
	for name, schema := range d.root().Get("args").Pairs() {
		w.key(name.Value)
		if err := w.schema(schema, name.Value, nil); err != nil {
			t.Fatal(err)
		}
	}
	l, err := w.arrange(w.finished())
	if err != nil {
		t.Fatal(err)
	}
	defer l.release()
	for _, shared := range []bool{false, true} {
		for _, u := range l.mentions {
			u.shared = shared || u.def.recursive
		}
		l.measure()
		if out := l.encode(); len(out) != l.total {
			t.Errorf("shared %v: %d bytes, computed %d\n%s", shared, len(out), l.total, out)
		}
	}
}

// A document that would be 2^60 times its size when written out.
func TestDeepSharing(t *testing.T) {
	var b strings.Builder
	b.WriteString("openapi: 3.0.0\nargs: {x: {$ref: '#/components/schemas/S0'}}\ncomponents:\n  schemas:\n")
	for i := range 60 {
		ref := fmt.Sprintf("{$ref: '#/components/schemas/S%d'}", i+1)
		fmt.Fprintf(&b, "    S%d: {type: object, properties: {a: %s, b: %s, c: {type: array, items: %s}, d: {oneOf: [%s, {type: string}]}}}\n", i, ref, ref, ref, ref)
	}
	b.WriteString("    S60: {type: string}\n")
	d := parse(t, "test.yaml", b.String())
	c := New(d, &diag.List{})
	x := d.root().Get("args").Get("x")
	out, err := c.Object([]Property{{Name: "x", Schema: x}})
	if err != nil {
		t.Fatal(err)
	}
	mustHold(t, "deep", out)
	if len(out) > 20<<10 {
		t.Errorf("%d bytes", len(out))
	}
	if out, err = c.Output(x); err != nil || out != nil {
		mustHold(t, "deep output", out)
	}
	c.Example(x, Input)
	c.Shape(x)
}

// What a tool's schema looks like must not depend on which tools came before.
func TestOrderOfTools(t *testing.T) {
	for _, name := range []string{"discord/openapi.json", "docker-engine/swagger.yaml", "redocly-cafe/cafe.yaml"} {
		t.Run(name, func(t *testing.T) {
			d := realDocument(t, name)
			operations := d.operations()
			forward, backward := New(d, &diag.List{}), New(d, &diag.List{})
			want := map[string]string{}
			for _, op := range operations {
				out, err := forward.Object(op.props)
				if err != nil {
					t.Fatal(err)
				}
				want[op.name] = string(out)
			}
			for i := len(operations) - 1; i >= 0; i-- {
				out, err := backward.Object(operations[i].props)
				if err != nil {
					t.Fatal(err)
				}
				if string(out) != want[operations[i].name] {
					t.Errorf("%s differs", operations[i].name)
				}
			}
		})
	}
}
