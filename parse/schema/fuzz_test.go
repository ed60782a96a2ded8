package schema

import (
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// FuzzConverter feeds documents with any schemas: nothing panics or hangs, and
// what comes out is portable, compiles, and is the same a second time.
func FuzzConverter(f *testing.F) {
	for _, cases := range [][]conversionCase{dialectCases, repairCases, referenceCases, allOfCases, directionCases, unionCases, discriminatorCases} {
		for _, c := range cases {
			f.Add(c.text())
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		d := document{&node.File{Name: "fuzz.yaml"}}
		if len(text) > 4<<10 || node.Parse(d.file, []byte(text)) != nil {
			t.Skip()
		}
		diags := &diag.List{}
		c := New(d, diags)
		var props []Property
		for name, schema := range d.root().Get("args").Pairs() {
			props = append(props, Property{Name: name.Value, Schema: schema})
			c.Shape(schema)
			if _, err := c.Target(schema); err == nil {
				node.AppendJSON(nil, c.Example(schema, Input))
				node.AppendJSON(nil, c.Example(schema, Output))
			}
			if out, err := c.Output(schema); err == nil && out != nil {
				mustHold(t, "output", out)
			}
		}
		out, err := c.Object(props)
		if err != nil {
			return
		}
		mustHold(t, "input", out)
		again, err := New(d, diags).Object(props)
		if err != nil || string(again) != string(out) {
			t.Errorf("a second converter gives\n%s, %v\nnot\n%s", again, err, out)
		}
	})
}
