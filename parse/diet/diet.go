package diet

import (
	"encoding/json"

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
	input, output := parsed(t.Input), parsed(t.Output)
	for i, s := range steps {
		if s.hides || !p.takes(s) {
			continue
		}
		before := len(input.text) + len(output.text)
		if s.of&inputs != 0 {
			input = input.after(s)
		}
		if s.of&outputs != 0 && (s.of == both || t.Func == nil) {
			// A function's directive says whether its result is worth a schema.
			output = output.after(s)
		}
		cuts[i].add(before - len(input.text) - len(output.text))
	}
	t.Input, t.Output = input.text, output.text
	p.hide(t, input, cuts)
}

// hide takes a tool through the steps that hide, as far as they pay: the line that
// says where the whole schema stands costs tokens too.
func (p *Plan) hide(t *ir.Tool, whole form, cuts []Cut) {
	pointer := ir.Tokens([]byte(`\n\n` + ir.WholeSchema(t.Name)))
	least, taken := ir.Tokens(whole.text), 0
	forms := []form{whole}
	for i, s := range steps {
		next := forms[i]
		if s.hides && p.takes(s) {
			next = next.after(s)
		}
		forms = append(forms, next)
		if string(next.text) == string(forms[i].text) {
			continue
		}
		if cost := ir.Tokens(next.text) + pointer; cost < least {
			least, taken = cost, i+1
		}
	}
	if taken == 0 {
		return
	}
	t.Full, t.Input = whole.text, forms[taken].text
	described := len(t.Description)
	t.Description = withPointer(t)
	saved, most := make([]int, taken), 0
	for i := range saved {
		saved[i] = len(forms[i].text) - len(forms[i+1].text)
		if saved[i] > saved[most] {
			most = i
		}
	}
	saved[most] -= len(t.Description) - described
	for i, size := range saved {
		cuts[i].add(size)
	}
}

// add counts what a step cut of one tool.
func (c *Cut) add(size int) {
	c.Bytes += size
	if size > 0 {
		c.Tools++
	}
}

// form is a schema in both its forms; without both there is none.
type form struct {
	root *node.Node
	text json.RawMessage
}

func parsed(text json.RawMessage) form {
	file := &node.File{}
	if node.Parse(file, text) != nil || file.Root == nil {
		return form{text: text} // a tool's schema is JSON: ir.Server.Check has seen to it
	}
	return form{file.Root, text}
}

// after is the form that a step leaves.
func (f form) after(s Step) form {
	if f.root == nil {
		return f
	}
	switch root := s.cut(f.root, len(f.text)); root {
	case f.root:
		return f
	case nil:
		return form{}
	default:
		return form{root, node.AppendJSON(nil, root)}
	}
}

// warnLarge names a tool that is too large for a model, and why.
func warnLarge(t *ir.Tool, diags *diag.List) {
	object := t.AppendJSON(nil)
	if len(object) <= Large {
		return
	}
	path, part := Costliest(t)
	diags.Warn(t.Pos, "large-tool", "tool %s takes %d kB, about %d tokens; %d kB of it at %s",
		t.Name, len(object)/1000, ir.Tokens(object), part/1000, path)
}
