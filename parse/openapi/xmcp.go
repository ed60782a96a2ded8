package openapi

import (
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
)

// x-mcp on an operation, a path or the document says how operations become
// tools: true or false, or a mapping. For each of its keys the nearest wins; at
// one place it wins over the extensions of other generators.
const extension = "x-mcp"

var (
	mcpShape = shape{
		{"enabled", asBool}, {"name", asText}, {"title", asText}, {"description", asText},
		{"hints", asIs}, {"select", asTexts}, {"confirm", asBool},
	}
	mcpHintsShape = shape{{"readOnly", asBool}, {"destructive", asBool}, {"idempotent", asBool}, {"openWorld", asBool}}
)

// exposure returns the keys of x-mcp that hold at a place inside outer; nil when
// nothing is said. It has one key that is not for authors: tags.
func (n *normalizer) exposure(at, outer *node.Node) *node.Node {
	own := n.mcp(at.Get(extension))
	if name := own.Get("name"); name != nil {
		n.warnHint(name, "misplaced-name", "give each operation a name of its own", "%s.name belongs to an operation; it is ignored", extension)
		own = own.Without("name")
	}
	if text := own.Get("description"); text != nil && at == n.doc.root.Root {
		n.warnHint(text, "shared-description", "describe the server in info.description, each tool at its operation", "%s.description at the root replaces the description of every tool", extension)
	}
	return nearest(own, outer)
}

// operationExposure is exposure for an operation, where other generators' keys
// count too.
func (n *normalizer) operationExposure(op, outer *node.Node) *node.Node {
	return nearest(n.mcp(op.Get(extension)), nearest(n.mcpAliases(op), outer))
}

// nearest adds to own what only outer says.
func nearest(own, outer *node.Node) *node.Node {
	if own == nil {
		return outer
	}
	for key, value := range outer.Pairs() {
		switch mine := own.Get(key.Value); {
		case mine == nil:
			own = with(own, key, value)
		case key.Value == "hints":
			own = own.With(key.Value, nearest(mine, value))
		}
	}
	return own
}

// mcp reads an x-mcp; true and false are short for enabled.
func (n *normalizer) mcp(v *node.Node) *node.Node {
	if v == nil || v.Kind == node.Null {
		return nil
	}
	if v.Kind == node.Bool || v.Kind == node.String {
		enabled := n.coerce(v, asBool, extension)
		if enabled == nil {
			return nil
		}
		return node.Map(v, node.Str(v, "enabled"), enabled)
	}
	v = n.object(v, mcpShape, extension)
	if v == nil || v.Get("hints") == nil {
		return v
	}
	if hints := n.object(v.Get("hints"), mcpHintsShape, extension+".hints"); hints != nil {
		return v.With("hints", hints)
	}
	return v.Without("hints")
}

// mcpAliases reads what an operation says for other generators as if it were
// x-mcp: x-speakeasy-mcp, x-gram and x-kong-mcp-*, of which the first wins. A
// value of another kind is judged as in x-mcp: what was meant to hide a tool must
// not leave it exposed without a word.
func (n *normalizer) mcpAliases(op *node.Node) *node.Node {
	a := aliases{n: n}
	a.speakeasy(op.Get("x-speakeasy-mcp"))
	if gram := a.mapping(op.Get("x-gram"), "x-gram"); gram != nil {
		a.texts(gram, "x-gram")
		a.text("title", gram.Get("summary"), "x-gram.summary")
		a.confirm(gram.Get("confirm"))
	}
	a.disabled(op.Get("x-kong-mcp-exclude"), "x-kong-mcp-exclude")
	a.name(op.Get("x-kong-mcp-tool-name"), "x-kong-mcp-tool-name")
	a.text("description", op.Get("x-kong-mcp-tool-description"), "x-kong-mcp-tool-description")
	return a.out
}

// aliases collects keys; the first value of a key stays.
type aliases struct {
	n   *normalizer
	out *node.Node // nil as long as it is empty
}

func (a *aliases) set(key string, v *node.Node) {
	if a.out == nil {
		a.out = node.Map(v)
	}
	if !a.out.Has(key) {
		a.out.Items = append(a.out.Items, node.Str(v, key), v)
	}
}

func (a *aliases) speakeasy(v *node.Node) {
	const ext = "x-speakeasy-mcp"
	v = a.mapping(v, ext)
	a.disabled(v.Get("disabled"), ext+".disabled")
	a.texts(v, ext)
	for _, hint := range mcpHintsShape {
		a.hint(hint.name, v.Get(hint.name+"Hint"), ext+"."+hint.name+"Hint")
	}
	if scopes := v.Get("scopes"); scopes != nil {
		if scopes = a.n.coerce(scopes, asTexts, ext+".scopes"); len(scopes.List()) > 0 {
			a.set("tags", scopes)
		}
	}
}

// mapping returns an extension that is a mapping. A boolean in its place says
// whether the operation is a tool.
func (a *aliases) mapping(v *node.Node, name string) *node.Node {
	switch {
	case v == nil || v.Kind == node.Null || v.IsMap():
		return v
	case v.Kind == node.Bool || v.Kind == node.String:
		enabled := a.n.coerce(v, asBool, name)
		if enabled == nil {
			return nil
		}
		a.n.warn(v, "wrong-type", "%s is a boolean and must be a mapping; it is read as whether the operation is a tool", name)
		a.set("enabled", enabled)
		return nil
	}
	a.n.warn(v, "wrong-type", "%s is a %s and must be a mapping; it is ignored", name, v.Kind)
	return nil
}

// boolean returns a boolean, nil where there is none.
func (a *aliases) boolean(v *node.Node, name string) *node.Node {
	if v == nil {
		return nil
	}
	return a.n.coerce(v, asBool, name)
}

// disabled takes the opposite of enabled.
func (a *aliases) disabled(v *node.Node, name string) {
	if v = a.boolean(v, name); v != nil {
		a.set("enabled", node.Boolean(v, v.Is(false)))
	}
}

// confirm takes always and never. What else there may be is not known here.
func (a *aliases) confirm(v *node.Node) {
	if when := v.Text(); when == "always" || when == "never" {
		a.set("confirm", node.Boolean(v, when == "always"))
	} else if v != nil && v.Kind != node.Null {
		a.n.warn(v, "wrong-type", "x-gram.confirm is neither always nor never; it is ignored")
	}
}

func (a *aliases) text(key string, v *node.Node, name string) {
	if v == nil {
		return
	}
	if v = a.n.coerce(v, asText, name); v != nil && strings.TrimSpace(v.Value) != "" {
		a.set(key, v)
	}
}

func (a *aliases) texts(v *node.Node, name string) {
	a.name(v.Get("name"), name+".name")
	a.text("title", v.Get("title"), name+".title")
	a.text("description", v.Get("description"), name+".description")
}

// name takes a name that another generator may allow and we do not.
func (a *aliases) name(v *node.Node, where string) {
	if v == nil {
		return
	}
	v = a.n.coerce(v, asText, where)
	if name := v.Text(); name != "" && !ir.IsToolName(name) {
		folded := ir.ToolName(name, ir.AsWritten)
		a.n.warn(v, "name-folded", "the name %s is not legal as a tool name and changed to %s", quote(name), quote(folded))
		v = node.Str(v, folded)
	}
	a.text("name", v, where)
}

func (a *aliases) hint(key string, v *node.Node, name string) {
	if v = a.boolean(v, name); v == nil {
		return
	}
	if a.out.Get("hints") == nil {
		a.set("hints", node.Map(v))
	}
	hints := a.out.Get("hints")
	hints.Items = append(hints.Items, node.Str(v, key), v)
}

// toolHints are the hints of the method with those that x-mcp states. A tool
// that is said to be read-only destroys nothing, unless that is said too.
func toolHints(op *Operation) ir.Hints {
	h, stated := hints(op.Method), op.mcp.Get("hints")
	if stated.Get("readOnly").Is(true) {
		h.Destructive = false
	}
	for i, hint := range []*bool{&h.ReadOnly, &h.Destructive, &h.Idempotent, &h.OpenWorld} {
		if v := stated.Get(mcpHintsShape[i].name); v != nil {
			*hint = v.Is(true)
		}
	}
	return h
}

// expose gives a tool what x-mcp says, but for its name.
func (b *builder) expose(op *Operation, tool *ir.Tool) {
	if text := op.mcp.Get("title").Text(); text != "" {
		tool.Title = prose.Cut(prose.OneLine(prose.Visible(text)), maxTitle)
	}
	if text := strings.TrimSpace(prose.Visible(op.mcp.Get("description").Text())); text != "" {
		if !b.opts.FullDescriptions {
			text = prose.Cut(text, maxDescription)
		}
		tool.Description = text
	}
	for _, field := range op.mcp.Get("select").List() {
		tool.Select = append(tool.Select, field.Text())
	}
	if confirm := op.mcp.Get("confirm"); confirm != nil {
		ask := confirm.Is(true)
		tool.Confirm = &ask
	}
}

// checkPinned refuses names that x-mcp gives and that no tool can have, or two.
// It reports whether there were none.
func (b *builder) checkPinned(tools []named) bool {
	ok := true
	holder := make(map[string]*node.Node)
	for _, t := range tools {
		name := t.op.mcp.Get("name")
		if name == nil {
			continue
		}
		if !ir.IsToolName(name.Value) {
			hint := "use letters, digits, - and _, at most 64"
			if folded := ir.ToolName(name.Value, ir.AsWritten); folded != "" {
				hint += ", for example " + folded
			}
			b.diags.Error(name.Pos(), "bad-tool-name", hint, "operation %s: %s.name %s is no tool name", t.op.Label(), extension, quote(name.Value))
			ok = false
			continue
		}
		if first := holder[name.Value]; first != nil {
			b.diags.Error(name.Pos(), "duplicate-name", "give one of them another name",
				"operation %s: the name %s is given at %s too", t.op.Label(), quote(name.Value), first.Pos())
			ok = false
			continue
		}
		holder[name.Value] = name
	}
	return ok
}
