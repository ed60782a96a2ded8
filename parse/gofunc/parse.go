package gofunc

import (
	"cmp"
	"context"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// maxInstructions is the length of a server's instructions in characters that
// clients do not cut themselves.
const maxInstructions = 2000

// Parse reads the packages that the patterns name and returns the server of
// their annotated functions. It returns nil when it has added an error: a
// package that does not compile, a directive or a function that cannot be used.
func Parse(ctx context.Context, patterns []string, opts Options, diags *diag.List) *ir.Server {
	found := &diag.List{}
	server := parse(ctx, patterns, opts, found)
	diags.Append(found)
	if found.HasErrors() {
		return nil
	}
	return server
}

func parse(ctx context.Context, patterns []string, opts Options, diags *diag.List) *ir.Server {
	l, err := newLoader(ctx, opts, diags)
	if err != nil {
		diags.Error(diag.Pos{}, "load", "", "%s", err)
		return nil
	}
	roots := l.load(patterns)
	if roots == nil {
		return nil
	}
	conv := &converter{
		positions: l.positions, sources: newSources(l.fset, roots), roots: map[*types.Package]bool{},
		diags: diags, enums: map[*types.TypeName]*enum{}, looped: map[string]bool{},
		pointered: map[*types.Named]bool{},
	}
	var readers []*packageReader
	for _, p := range roots {
		conv.roots[p.Types] = true
		readers = append(readers, newPackageReader(conv, p, opts))
	}
	// All directives are attached before the first type is converted: types of
	// one package stand in functions of another.
	annotators := make([]*annotator, len(readers))
	for i, r := range readers {
		annotators[i] = &annotator{directiveReader: directiveReader{l.positions, diags}, sources: conv.sources}
		annotators[i].annotate(r.pkg.Syntax)
	}
	conv.sources.ours = func(index *sourceFile, f *ast.File) {
		a := &annotator{directiveReader: directiveReader{l.positions, diags}, sources: conv.sources, claimed: map[*ast.CommentGroup]bool{}}
		a.types(index, f)
	}
	for i, r := range readers {
		r.read(annotators[i])
	}
	readers = slices.DeleteFunc(readers, func(r *packageReader) bool {
		if r.empty() && ownOutput(r.pkg) != "" {
			l.plain = append(l.plain, r.model.Dir)
		}
		return r.empty()
	})
	checkNames(readers, diags)
	if len(readers) == 0 && !diags.HasErrors() {
		l.noDirective(patterns, len(roots))
	}
	if diags.HasErrors() {
		return nil
	}
	for _, r := range readers {
		for _, d := range r.later {
			diags.Add(d)
		}
	}
	server := newServer(readers, opts, diags)
	if server != nil {
		server.Plain = slices.Sorted(slices.Values(l.plain))
	}
	return server
}

func newPackageReader(conv *converter, p *packages.Package, opts Options) *packageReader {
	dir := "."
	if len(p.GoFiles) > 0 {
		dir = conv.relative(p.GoFiles[0])
		dir = strings.TrimSuffix(dir[:strings.LastIndex(dir, "/")+1], "/")
		dir = cmp.Or(dir, ".")
	}
	return &packageReader{
		converter: conv, coder: coder{pkg: p.Types, info: p.TypesInfo}, pkg: p, opts: opts,
		model: &ir.Package{ImportPath: p.PkgPath, Name: p.Name, Dir: dir}, groups: map[*ir.Tool]string{},
	}
}

// empty reports whether the package offers nothing.
func (r *packageReader) empty() bool {
	return len(r.model.Tools)+len(r.model.Resources)+len(r.model.Prompts) == 0
}

// read makes the model of the package.
func (r *packageReader) read(a *annotator) {
	r.clause = a.clause
	if why, hint := importable(r.pkg, r.opts.Package); why != "" && len(a.declarations) > 0 {
		r.diags.Error(r.pos(r.pkg.Syntax[0].Name.Pos()), "not-importable", hint, "package %s: %s", r.pkg.PkgPath, why)
	}
	r.scope()
	for _, d := range a.declarations {
		if d.notes.has("provider") {
			if c := r.callable(d); c != nil {
				r.addProvider(c)
			}
		}
	}
	for _, role := range []struct {
		verb string
		make func(*callable)
	}{{"tool", r.tool}, {"resource", r.resource}, {"prompt", r.prompt}} {
		for _, d := range a.declarations {
			if !d.notes.has(role.verb) {
				continue
			}
			if c := r.callable(d); c != nil {
				role.make(c)
			}
		}
	}
	r.warnUnused()
	r.finishDeps()
	slices.SortFunc(r.model.Tools, func(a, b *ir.Tool) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(r.model.Resources, func(a, b ir.Resource) int { return cmp.Compare(a.URI, b.URI) })
	slices.SortFunc(r.model.Prompts, func(a, b ir.Prompt) int { return cmp.Compare(a.Name, b.Name) })
}

// scope lists what the package declares, and reports what our file is going to
// declare.
func (r *packageReader) scope() {
	ours := map[string]bool{ir.RegisterFunc: true, ir.DepsType: true}
	for _, f := range r.pkg.Syntax {
		for _, id := range declared(f) {
			if ours[id.Name] {
				r.diags.Error(r.pos(id.Pos()), "reserved-name", "rename it", "%s is declared by "+ir.RegisterFile, id.Name)
			}
			r.model.Scope = append(r.model.Scope, id.Name)
		}
	}
	slices.Sort(r.model.Scope)
	r.model.Scope = slices.Compact(r.model.Scope)
}

// declared returns the identifiers that a file declares in its package.
func declared(f *ast.File) []*ast.Ident {
	var out []*ast.Ident
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				out = append(out, d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					out = append(out, s.Name)
				case *ast.ValueSpec:
					out = append(out, s.Names...)
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(id *ast.Ident) bool { return id.Name == "_" || id.Name == "init" })
}

// claimedName is a name and the places where it is given.
type claimedName struct {
	what, name string
	pos        diag.Pos
}

// checkNames reports names that two functions have. Names made from methods
// leave out the type, so that it is for people to say which is meant.
func checkNames(readers []*packageReader, diags *diag.List) {
	var names []claimedName
	for _, r := range readers {
		for _, t := range r.model.Tools {
			names = append(names, claimedName{"tool", t.Name, t.Pos})
		}
		for _, res := range r.model.Resources {
			names = append(names, claimedName{"resource", res.URI, res.Pos})
		}
		for _, p := range r.model.Prompts {
			names = append(names, claimedName{"prompt", p.Name, p.Pos})
		}
	}
	slices.SortStableFunc(names, func(a, b claimedName) int {
		return cmp.Or(strings.Compare(a.pos.File, b.pos.File), cmp.Compare(a.pos.Line, b.pos.Line))
	})
	for i, n := range names {
		j := slices.IndexFunc(names[:i], func(o claimedName) bool { return o.what == n.what && strings.EqualFold(o.name, n.name) })
		if j >= 0 {
			diags.Error(n.pos, "duplicate-name", "give one of them another: name=", "%s %s: the name is taken at %s", n.what, n.name, names[j].pos)
		}
	}
}

// newServer puts the packages together.
func newServer(readers []*packageReader, opts Options, diags *diag.List) *ir.Server {
	s := &ir.Server{Name: opts.Name}
	for _, r := range readers {
		text := func(key string) string { return r.clause.text("package", key) }
		s.Name = cmp.Or(s.Name, text("name"))
		s.Title = cmp.Or(s.Title, text("title"))
		s.Version = cmp.Or(s.Version, text("version"))
		s.Description = ir.JoinText(s.Description, text("instructions"))
		s.Packages = append(s.Packages, r.model)
		s.Groups = r.addGroups(s.Groups, groupName(readers, r))
		s.Found += len(r.model.Tools)
	}
	first := readers[0]
	s.Name = cmp.Or(s.Name, ir.ToolName(first.model.Name, ir.AsWritten), "server")
	s.Source = first.model.Name
	if s.Description == "" && len(readers) == 1 {
		s.Description = first.about()
	}
	s.Sort()
	if err := s.Check(); err != nil {
		diags.Error(diag.Pos{}, "internal", "this is a mistake in toolmill", "%s", oneLine(err.Error()))
		return nil
	}
	return s
}

// addGroups adds the package's group and those that directives name, which may
// be there already.
func (r *packageReader) addGroups(groups []ir.Group, own string) []ir.Group {
	add := func(name string) *ir.Group {
		i := slices.IndexFunc(groups, func(g ir.Group) bool { return g.Name == name })
		if i < 0 {
			i = len(groups)
			groups = append(groups, ir.Group{Name: name})
		}
		return &groups[i]
	}
	add(own).Description = r.synopsis()
	for _, t := range r.model.Tools {
		g := add(cmp.Or(r.groups[t], own))
		g.Tools = append(g.Tools, t)
	}
	return groups
}

// groupName is the package's name or, when several have it, its path.
func groupName(readers []*packageReader, r *packageReader) string {
	for _, other := range readers {
		if other != r && other.model.Name == r.model.Name {
			return r.model.ImportPath
		}
	}
	return r.model.Name
}

// about is the package comment, as far as a client shows it.
func (r *packageReader) about() string {
	for _, f := range r.pkg.Syntax {
		if p := render(f.Doc, nil); len(p.blocks) > 0 {
			text, _ := p.short(maxInstructions)
			return text
		}
	}
	return ""
}

func (r *packageReader) synopsis() string {
	first, _, _ := strings.Cut(r.about(), "\n\n")
	return summary(first)
}
