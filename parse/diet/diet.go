package diet

import (
	"cmp"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// Cut is what one step did.
type Cut struct {
	Step  string `json:"step"`
	Tools int    `json:"tools"` // that it made smaller
	Bytes int    `json:"bytes"` // less in tools/list
}

// Apply takes the tools of s through the plan and returns what each step cut,
// those that cut something. Tools that stay above [Large] get a warning.
func (p *Plan) Apply(s *ir.Server, diags *diag.List) []Cut {
	cuts := make([]Cut, len(steps))
	for _, t := range s.Tools() {
		p.apply(t, cuts)
		warnLarge(t, diags)
	}
	var out []Cut
	for i, c := range cuts {
		if c.Bytes > 0 {
			c.Step = steps[i].Name
			out = append(out, c)
		}
	}
	return out
}

func (p *Plan) apply(t *ir.Tool, cuts []Cut) {
	file := &node.File{}
	if node.Parse(file, t.Input) != nil {
		return // a tool's schema is JSON: ir.Server.Check has seen to it
	}
	root, before := file.Root, len(t.Input)+len(t.Output)
	for i, s := range steps {
		if !p.takes(s) {
			continue
		}
		smaller := s.cut(t, root)
		if smaller != root {
			if s.hides && t.Full == nil {
				t.Full = t.Input
			}
			root, t.Input = smaller, node.AppendJSON(nil, smaller)
		}
		if after := len(t.Input) + len(t.Output); after < before {
			cuts[i].Tools++
			cuts[i].Bytes += before - after
			before = after
		}
	}
	if t.Full != nil {
		t.Description = withPointer(t)
	}
}

// warnLarge names a tool that is too large for a model, and why.
func warnLarge(t *ir.Tool, diags *diag.List) {
	object := t.AppendJSON(nil)
	if len(object) <= Large {
		return
	}
	pointer, part := Costliest(t.Input)
	diags.Warn(t.Pos, "large-tool", "tool %s takes %d kB, about %d tokens; %d kB of it are its input schema's %s",
		t.Name, len(object)/1000, ir.Tokens(object), part/1000, cmp.Or(pointer, "root"))
}
