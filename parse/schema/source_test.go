package schema

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// document is a Source of one file: what a loader does, without its repairs.
type document struct {
	file *node.File
}

func parse(t testing.TB, name, text string) document {
	t.Helper()
	d := document{&node.File{Name: name, Location: "/" + name}}
	if err := node.Parse(d.file, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d document) root() *node.Node { return d.file.Root }

func (d document) Dialect(*node.File) Dialect {
	if strings.HasPrefix(d.root().Get("openapi").Text(), "3.0") || d.root().Has("swagger") {
		return OpenAPI30
	}
	return OpenAPI31
}

func (d document) Files() []*node.File { return []*node.File{d.file} }

func (d document) Resolve(ref *node.Node) (*node.Node, error) {
	pointer, ok := strings.CutPrefix(ref.Value, "#")
	at := d.root()
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if pointer == "" {
			break
		}
		part = unescape(part)
		if i, err := strconv.Atoi(part); err == nil && at != nil && at.Kind == node.Sequence && 0 <= i && i < len(at.Items) {
			at = at.Items[i]
		} else {
			at = at.Get(part)
		}
	}
	if !ok || at == nil {
		return nil, &Error{Pos: ref.Pos(), Code: "dangling-ref", Message: fmt.Sprintf("%q leads nowhere", ref.Value)}
	}
	return at, nil
}

// convert gives the inputSchema of a tool whose arguments are the entries of
// the document's mapping args.
func convert(t testing.TB, text string) (string, *diag.List, error) {
	t.Helper()
	d := parse(t, "test.yaml", text)
	diags := &diag.List{}
	c := New(d, diags)
	var props []Property
	for name, schema := range d.root().Get("args").Pairs() {
		props = append(props, Property{Name: name.Value, Schema: schema})
	}
	out, err := c.Object(props)
	return string(out), diags, err
}
