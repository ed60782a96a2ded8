package openapi

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// named is a tool with the operation it was made from.
type named struct {
	op   *Operation
	tool *ir.Tool
}

// nameTools gives every tool its name by the house rules:
//
//  1. an operationId that matches ^[A-Za-z0-9_-]{1,64}$ stays as it is;
//  2. else runs of other characters become "_", trimmed at the ends;
//  3. without an operationId, or when nothing is left of it: the method in
//     lower case and the path's segments, joined by "_", without braces;
//  4. too long: the first 55 characters, "_" and 8 hex digits of the SHA-256
//     of the whole;
//  5. a name that is taken (compared without case, but rule 1 yields only to
//     an equal name): "_2", "_3"… for the later one in the document.
//
// A name that x-mcp gives is used as it is and chosen first.
func (b *builder) nameTools(tools []named) {
	if !b.checkPinned(tools) {
		return
	}
	tools = pinnedFirst(tools)
	claims := make([]ir.Claim, len(tools))
	for i, t := range tools {
		claims[i] = claim(t.op, b.opts.Names)
	}
	names := ir.Distinct(claims, strings.ToLower)
	holder := make(map[string]*Operation, len(tools))
	for i, t := range tools {
		t.tool.Name, t.tool.Pinned = names[i], t.op.mcp.Get("name").Pos()
		holder[strings.ToLower(names[i])] = t.op
	}
	for i, t := range tools {
		if names[i] != claims[i].Name {
			other := holder[strings.ToLower(claims[i].Name)]
			b.warnClash(t, other, claims[i].Name)
		}
	}
	b.warnFolded(tools)
}

// claim makes the name by rules 1 to 4, unless x-mcp gives it.
func claim(op *Operation, style ir.NameStyle) ir.Claim {
	if name := op.mcp.Get("name").Text(); name != "" {
		return ir.Claim{Name: name, Fixed: true}
	}
	id := op.ID()
	if name := ir.ToolName(id, style); name != "" {
		return ir.Claim{Name: name, Fixed: name == id}
	}
	path := strings.NewReplacer("{", "", "}", "").Replace(op.Path)
	words := strings.FieldsFunc(path, func(c rune) bool { return !isWordChar(c) && c != '_' && c != '-' })
	whole := strings.Join(append([]string{strings.ToLower(op.Method)}, words...), "_")
	return ir.Claim{Name: ir.ToolName(whole, style)}
}

func (b *builder) warnClash(t named, other *Operation, name string) {
	code, what := "name-clash", "the name "
	if id := t.op.ID(); id != "" && id == other.ID() {
		code, what = "duplicate-operation-id", "the operationId "
	}
	b.diags.Warn(t.op.Pos, code, "operation %s (%s %s): %s%s belongs to %s %s; the tool is %s",
		t.op.Label(), t.op.Method, t.op.Path, what, quote(name), other.Method, other.Path, t.tool.Name)
}

// warnFolded says once how many operationIds could not be kept.
func (b *builder) warnFolded(tools []named) {
	if b.opts.Names == ir.Snake {
		return
	}
	var first *named
	count := 0
	for i, t := range tools {
		if id := t.op.ID(); id != "" && !ir.IsToolName(id) && t.op.mcp.Get("name") == nil {
			if first == nil {
				first = &tools[i]
			}
			count++
		}
	}
	if first != nil {
		b.diags.Warn(first.op.Pos, "name-folded", "%s not legal as a tool name and changed, first %s to %s",
			plural(count, "operationId is", "operationIds are"), quote(first.op.ID()), first.tool.Name)
	}
}

// pinnedFirst moves the tools whose name x-mcp gives to the front.
func pinnedFirst(tools []named) []named {
	rank := func(t named) int {
		if t.op.mcp.Get("name") != nil {
			return 0
		}
		return 1
	}
	tools = slices.Clone(tools)
	slices.SortStableFunc(tools, func(a, b named) int { return rank(a) - rank(b) })
	return tools
}
