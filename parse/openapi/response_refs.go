package openapi

import (
	"errors"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// checkResponses warns of references that lead nowhere in the schemas of the
// good responses. A call does not need them, so the operation stays; what it
// returns is described less well.
func (b *builder) checkResponses(op *Operation) {
	fallback := success(op)
	for i := range op.Responses {
		r := &op.Responses[i]
		if !strings.HasPrefix(r.Status, "2") && r != fallback {
			continue
		}
		where := "operation " + op.Label() + ": response " + r.Status
		for _, m := range r.Media {
			b.checkRefs(m.Schema, where)
			b.checkRefs(m.ItemSchema, where)
		}
	}
}

// checkRefs follows the references below a schema, each schema once, and
// reports each target that is not there once.
func (b *builder) checkRefs(n *node.Node, where string) {
	if n == nil || len(n.Items) == 0 || b.followed[n] {
		return
	}
	b.followed[n] = true
	if n.Kind == node.Sequence {
		for _, item := range n.Items {
			b.checkRefs(item, where)
		}
		return
	}
	for key, value := range n.Pairs() {
		switch key.Value {
		case "$ref":
			if value.Kind == node.String {
				b.checkRef(value, where)
			}
		case "properties", "patternProperties", "dependentSchemas", "$defs", "definitions":
			for _, s := range value.Pairs() { // any name, be it that of a keyword
				b.checkRefs(s, where)
			}
		case "example", "examples", "default", "enum", "const":
		default:
			if !strings.HasPrefix(key.Value, "x-") {
				b.checkRefs(value, where)
			}
		}
	}
}

// checkRef follows one reference, but not into the network: nothing is fetched
// that no call needs.
func (b *builder) checkRef(ref *node.Node, where string) {
	doc, _, _ := strings.Cut(ref.Value, "#")
	if isRemote(doc) || doc != "" && isRemote(ref.File.Location) {
		return
	}
	target, err := schemaSource{b.doc}.Resolve(ref)
	if err == nil {
		b.checkRefs(target, where)
		return
	}
	var e *schema.Error
	if at := (place{ref.File, ref.Value}); errors.As(err, &e) && !b.lost[at] {
		b.lost[at] = true
		b.diags.Add(diag.Diagnostic{Pos: e.Pos, Severity: diag.Warning, Code: e.Code, Message: where + ": " + e.Message, Hint: e.Hint})
	}
}
