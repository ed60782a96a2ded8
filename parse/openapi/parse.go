package openapi

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// Parse reads the OpenAPI document at source and makes the server that it
// describes: one tool for each operation. What it finds on the way goes to
// diags; it returns nil when there is an error among it. An operation that
// cannot become a tool is a skip, the others are not affected: [ir.Server.Found]
// is always the number of tools and skips.
func Parse(ctx context.Context, source string, opts Options, diags *diag.List) *ir.Server {
	doc := Load(ctx, source, opts, diags)
	if doc == nil {
		return nil
	}
	b := &builder{doc: doc, opts: opts, diags: diags, followed: map[*node.Node]bool{}, lost: map[place]bool{}}
	b.schemas = schema.New(schemaSource{doc}, diags)
	b.readSchemes()
	s := b.server()
	if diags.HasErrors() {
		return nil
	}
	if err := s.Check(); err != nil {
		diags.Error(diag.Pos{File: doc.Source}, "internal", "this is a mistake in toolmill; please report it with the document", "%v", err)
		return nil
	}
	return s
}

// schemaSource is the document as its schemas see it: nodes made here belong to no
// file and are JSON Schema 2020-12, and references lead to schemas.
type schemaSource struct{ *Document }

// Resolve is [Document.Resolve] that refuses what is plainly no schema.
func (s schemaSource) Resolve(ref *node.Node) (*node.Node, error) {
	target, err := s.Document.Resolve(ref)
	if err != nil {
		return nil, err
	}
	if err := s.refs.fits(ref, target, aSchema); err != nil {
		return nil, err
	}
	return target, nil
}

func (s schemaSource) Dialect(f *node.File) schema.Dialect {
	if f == nil {
		return schema.OpenAPI31
	}
	return s.Document.Dialect(f)
}

// builder makes the model of one document.
type builder struct {
	doc      *Document
	opts     Options
	diags    *diag.List
	schemas  *schema.Converter
	schemes  map[string]*scheme
	unusable []*scheme           // in the order they are first asked for
	followed map[*node.Node]bool // schemas of responses
	lost     map[place]bool      // references of responses that were reported
}

func (b *builder) server() *ir.Server {
	info := b.doc.Info
	s := &ir.Server{
		Title:       prose.OneLine(prose.Plain(info.Get("title").Text())),
		Version:     prose.OneLine(prose.Visible(info.Get("version").Text())),
		Description: prose.Cut(prose.Plain(cmp.Or(info.Get("description").Text(), info.Get("summary").Text())), maxInstructions),
		Source:      b.doc.Source,
	}
	var tools []named
	for _, op := range b.doc.Operations {
		if tool := b.operation(op); tool != nil {
			tools = append(tools, named{op, tool})
		}
	}
	b.warnUnusable()
	s.Name = b.serverName(s.Title)
	b.nameTools(tools)
	s.Groups = b.groups(tools)
	s.Skips = b.doc.Skips
	s.Found = len(tools) + len(b.doc.Skips)
	for _, e := range b.doc.excluded {
		s.Excluded += e.count
	}
	s.Auth = b.usedAuth(s.Tools())
	s.Sort()
	if len(tools) == 0 {
		b.noTools(s)
		return s
	}
	s.Upstreams = b.documentUpstreams()
	return s
}

// groups puts each tool under its operation's first tag.
func (b *builder) groups(tools []named) []ir.Group {
	index := make(map[string]int)
	var out []ir.Group
	for _, t := range tools {
		name := "default"
		if tags := t.op.Node.Get("tags").List(); len(tags) > 0 {
			name = cmp.Or(tags[0].Text(), name)
		}
		i, ok := index[name]
		if !ok {
			i = len(out)
			index[name] = i
			out = append(out, ir.Group{Name: name})
		}
		out[i].Tools = append(out[i].Tools, t.tool)
	}
	for _, tag := range b.doc.Tags.List() {
		if i, ok := index[tag.Get("name").Text()]; ok {
			out[i].Description = prose.Plain(tag.Get("description").Text())
		}
	}
	return out
}

// noTools explains a server without tools: what was there, which rule removed
// it and how to get it back.
func (b *builder) noTools(s *ir.Server) {
	var reasons, hints []string
	counts := make(map[string]int)
	for _, skip := range s.Skips {
		if counts[skip.Code]++; counts[skip.Code] == 1 {
			reasons = append(reasons, skip.Code)
		}
	}
	for i, code := range reasons {
		reasons[i] = fmt.Sprintf("%d skipped as %s", counts[code], code)
		if code == methodSkipped {
			hints = append(hints, allMethodsHint)
		}
	}
	for _, e := range b.doc.excluded {
		reasons = append(reasons, fmt.Sprintf("%d excluded by %s", e.count, e.by))
		hints = append(hints, e.explain())
	}
	if b.doc.Webhooks > 0 {
		reasons = append(reasons, plural(b.doc.Webhooks, "webhook", "webhooks")+" ignored")
		hints = append(hints, "a webhook is a request that the API sends, no operation to call")
	}
	if len(s.Skips) > 0 && len(hints) == 0 {
		hints = append(hints, "each skipped operation says what is wrong with it")
	}
	if s.Found+s.Excluded == 0 {
		hints = append(hints, "operations stand under paths, as get, post and so on")
	}
	detail := ""
	if len(reasons) > 0 {
		detail = " (" + strings.Join(reasons, ", ") + ")"
	}
	b.diags.Error(b.doc.root.Root.Pos(), "no-tools", strings.Join(hints, "\n"),
		"no tool can be made: %s found%s", plural(s.Found+s.Excluded, "operation", "operations"), detail)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
