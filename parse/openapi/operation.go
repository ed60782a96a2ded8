package openapi

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// operation makes a tool of an operation, without a name, or skips it.
func (b *builder) operation(op *Operation) *ir.Tool {
	if !b.opts.AllMethods && slices.Contains([]string{"HEAD", "OPTIONS", "TRACE"}, op.Method) {
		b.doc.Skip(op, fault(op.Pos, methodSkipped, allMethodsHint,
			"%s has no result that a model could use", op.Method), b.diags)
		return nil
	}
	tool, err := b.tool(op)
	if err != nil {
		b.doc.Skip(op, err, b.diags)
		return nil
	}
	return tool
}

// The code of operations that are left out by default, and what brings them back.
const (
	methodSkipped  = "method-skipped"
	allMethodsHint = "-all-methods makes tools of HEAD, OPTIONS and TRACE"
)

func (b *builder) tool(op *Operation) (*ir.Tool, error) {
	a, err := b.arguments(op)
	if err != nil {
		return nil, err
	}
	tool := &ir.Tool{
		Title:       title(op),
		OperationID: op.ID(),
		Deprecated:  op.Node.Get("deprecated").Is(true),
		Hints:       toolHints(op),
		Pos:         op.Pos,
		Request: &ir.Request{
			Method:    op.Method,
			Path:      op.Template,
			Bindings:  a.bindings,
			Body:      a.body,
			Security:  a.security,
			Upstreams: b.upstreams(op.Servers),
			Accept:    accept(op),
		},
	}
	if tool.Input, err = b.schemas.Object(a.props); err != nil {
		return nil, err
	}
	if b.opts.OutputSchema {
		if tool.Output, err = b.output(op); err != nil {
			return nil, err
		}
	}
	if b.opts.Mock {
		tool.Request.Responses = b.responses(op)
	}
	b.checkResponses(op)
	tool.Description = b.describe(op, tool)
	b.expose(op, tool)
	return tool, nil
}

// accept lists the media types of the good responses, JSON first: an API takes
// the first that it knows, and a model reads JSON best.
func accept(op *Operation) []string {
	var json, other []string
	add := func(r *Response) {
		for _, m := range r.Media {
			switch e := encodingOf(m.Type); {
			case slices.Contains(json, m.Type) || slices.Contains(other, m.Type):
			case e.kind == ir.JSONBody && e.rank < rankAny:
				json = append(json, m.Type)
			case validMediaType(m.Type):
				other = append(other, m.Type)
			}
		}
	}
	any2xx := false
	for i := range op.Responses {
		if strings.HasPrefix(op.Responses[i].Status, "2") {
			any2xx = true
			add(&op.Responses[i])
		}
	}
	if r := success(op); !any2xx && r != nil {
		add(r)
	}
	return append(json, other...)
}

// output is the outputSchema: that of the first JSON answer of a good response.
func (b *builder) output(op *Operation) ([]byte, error) {
	r := success(op)
	if r == nil {
		return nil, nil
	}
	for _, m := range r.Media {
		if m.Schema != nil && encodingOf(m.Type).kind == ir.JSONBody {
			return b.schemas.Output(m.Schema)
		}
	}
	return nil, nil
}
