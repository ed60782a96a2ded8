package gofunc

import (
	"go/ast"
	"go/token"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// declaration is a function-like declaration that has directives.
type declaration struct {
	notes annotations
	entry *entry
	name  *ast.Ident
	value ast.Expr // of var _ = value
	pos   diag.Pos
}

// annotator attaches the directives of a package to its declarations.
type annotator struct {
	directiveReader
	sources *sources
	claimed map[*ast.CommentGroup]bool

	clause       annotations    // of the package clause
	declarations []*declaration // in source order
}

// annotate reads all directives of a package's files. Each one stands on a
// declaration that it belongs on, or is reported. It needs no types.
func (a *annotator) annotate(files []*ast.File) {
	a.claimed = map[*ast.CommentGroup]bool{}
	for _, f := range files {
		index := a.sources.files[a.fset.Position(f.Package).Filename]
		a.clause = append(a.clause, a.notes(onClause, f.Doc)...)
		for _, decl := range f.Decls {
			a.declaration(index, decl)
		}
		for _, group := range f.Comments {
			if !a.claimed[group] {
				a.unattached(group)
			}
		}
	}
	a.checkRepeats(a.clause)
}

// types reads the directives of types and constants in a file of a package
// that the patterns do not name.
func (a *annotator) types(index *sourceFile, f *ast.File) {
	for _, d := range f.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE && decl.Tok != token.CONST {
			continue
		}
		for _, spec := range decl.Specs {
			a.spec(index, decl, spec)
		}
	}
}

func (a *annotator) declaration(index *sourceFile, decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		a.function(index, decl.Name, nil, a.notes(onFunc, decl.Doc))
		a.fields(index, decl.Type)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			a.spec(index, decl, spec)
		}
	}
}

func (a *annotator) spec(index *sourceFile, decl *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		notes := a.notes(onType, specDoc(decl, spec.Doc), spec.Comment)
		a.set(index, notes, spec.Name)
		a.fields(index, spec.Type)
	case *ast.ValueSpec:
		groups := []*ast.CommentGroup{specDoc(decl, spec.Doc), spec.Comment}
		if decl.Tok == token.CONST {
			a.set(index, a.notes(onConst, groups...), spec.Names...)
			return
		}
		notes := a.notes(onVar, groups...)
		if len(notes) > 0 && (len(spec.Names) != 1 || spec.Names[0].Name != "_" || len(spec.Values) != 1) {
			a.diags.Error(notes[0].pos, "misplaced-directive", "write var _ = pkg.Function",
				"//mcp:%s on a variable that is not a blank one with a function", notes[0].verb.name)
			return
		}
		if len(spec.Values) == 1 {
			a.function(index, spec.Names[0], spec.Values[0], notes)
		}
	}
}

// fields reads the directives inside a type: of struct fields and methods.
func (a *annotator) fields(index *sourceFile, node ast.Node) {
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.StructType:
			for _, field := range n.Fields.List {
				a.set(index, a.notes(onField, field.Doc, field.Comment), fieldNames(field)...)
			}
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				if len(method.Names) == 1 {
					a.function(index, method.Names[0], nil, a.notes(onFunc, method.Doc, method.Comment))
				}
			}
		}
		return true
	})
}

// function notes a declaration with directives.
func (a *annotator) function(index *sourceFile, name *ast.Ident, value ast.Expr, notes annotations) {
	if len(notes) == 0 || !a.checkRepeats(notes) {
		return
	}
	a.set(index, notes, name)
	d := &declaration{notes: notes, name: name, value: value, pos: a.pos(name.Pos()), entry: none}
	if e := index.entries[entryKey{a.fset.Position(name.Pos()).Line, name.Name}]; e != nil {
		d.entry = e
	}
	role := notes.has("tool") || notes.has("resource") || notes.has("prompt") || notes.has("provider")
	if !role {
		a.diags.Error(notes[0].pos, "misplaced-directive", "add //mcp:tool, //mcp:resource, //mcp:prompt or //mcp:provider",
			"//mcp:%s on a function without //mcp:tool", notes[0].verb.name)
		return
	}
	a.declarations = append(a.declarations, d)
}

// set stores directives where lookups by object find them.
func (a *annotator) set(index *sourceFile, notes annotations, names ...*ast.Ident) {
	if len(notes) == 0 || !a.checkRepeats(notes) {
		return
	}
	for _, name := range names {
		if e := index.entries[entryKey{a.fset.Position(name.Pos()).Line, name.Name}]; e != nil {
			e.notes = notes
		}
	}
}

// notes reads the directives in the comments of a declaration.
func (a *annotator) notes(place host, groups ...*ast.CommentGroup) annotations {
	var out annotations
	for _, group := range groups {
		if group == nil || a.claimed[group] {
			continue
		}
		a.claimed[group] = true
		for _, c := range group.List {
			d := a.read(c)
			if d == nil {
				continue
			}
			if d.verb.hosts&place == 0 {
				a.diags.Error(d.pos, "misplaced-directive", "",
					"//mcp:%s belongs on %s, not on %s", d.verb.name, d.verb.hosts, place)
				continue
			}
			out = append(out, d)
		}
	}
	return out
}

// unattached reports directives in comments that belong to no declaration.
func (a *annotator) unattached(group *ast.CommentGroup) {
	for _, c := range group.List {
		found, ok := ast.ParseDirective(c.Slash, c.Text)
		if !ok || found.Tool != "mcp" {
			a.checkLookalike(c)
			continue
		}
		a.diags.Error(a.pos(c.Slash), "misplaced-directive", "put it in the line above the declaration, without an empty line between",
			"//mcp:%s is not attached to a declaration", found.Name)
	}
}

// checkRepeats reports keys that several lines of one verb give.
func (a *annotator) checkRepeats(notes annotations) bool {
	type given struct{ verb, target, key string }
	seen := map[given]bool{}
	for _, d := range notes {
		if d.verb.raw != nil {
			if seen[given{verb: d.verb.name}] {
				a.diags.Error(d.pos, "bad-directive", "", "//mcp:%s is given twice", d.verb.name)
				return false
			}
			seen[given{verb: d.verb.name}] = true
		}
		for _, arg := range d.args {
			k := given{d.verb.name, d.target.value, arg.key}
			if seen[k] && !d.verb.key(arg.key).repeat {
				a.diags.Error(arg.pos, "bad-directive", "", "//mcp:%s: %s is given twice", d.verb.name, arg.key)
				return false
			}
			seen[k] = true
		}
	}
	return true
}
