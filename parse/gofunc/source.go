package gofunc

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"

	"golang.org/x/tools/go/packages"
)

// sources finds what the source says about an object: comments, and for the
// annotated packages directives. Export data gives the file and line of every
// object, but no column, and with -trimpath no folder; so a declaration is
// looked up by package, base name of the file, line and name. Files of
// dependencies are parsed when they are first asked for.
type sources struct {
	fset     *token.FileSet
	packages map[string]*packages.Package // by import path
	files    map[string]*sourceFile       // by path
	// ours is called for a file of the main module that the patterns do not
	// name: its types may have directives.
	ours func(*sourceFile, *ast.File)
}

// sourceFile is the declarations of one file.
type sourceFile struct {
	entries map[entryKey]*entry
}

type entryKey struct {
	line int
	name string
}

// entry is what stands at one declaration. It is shared by names declared
// together.
type entry struct {
	doc     *ast.CommentGroup
	comment *ast.CommentGroup // at the end of the line
	order   int               // of declarations within the file
	notes   annotations
}

func newSources(fset *token.FileSet, roots []*packages.Package) *sources {
	s := &sources{fset: fset, packages: map[string]*packages.Package{}, files: map[string]*sourceFile{}}
	packages.Visit(roots, nil, func(p *packages.Package) { s.packages[p.PkgPath] = p })
	for _, p := range roots {
		for _, f := range p.Syntax {
			s.files[fset.Position(f.Package).Filename] = indexFile(fset, f)
		}
	}
	return s
}

// none is what is known about an object without source.
var none = &entry{}

// of returns what the source says about an object, never nil.
func (s *sources) of(obj types.Object) *entry {
	if obj == nil || obj.Pkg() == nil || !obj.Pos().IsValid() {
		return none
	}
	pos := s.fset.Position(obj.Pos())
	file := s.file(obj.Pkg().Path(), pos.Filename)
	if file == nil {
		return none
	}
	if e := file.entries[entryKey{pos.Line, obj.Name()}]; e != nil {
		return e
	}
	return none
}

// file returns the index of a file of a package.
func (s *sources) file(pkg, name string) *sourceFile {
	if f, ok := s.files[name]; ok {
		return f
	}
	p := s.packages[pkg]
	if p == nil {
		return nil
	}
	base := filepath.Base(name)
	for _, list := range [][]string{p.GoFiles, p.CompiledGoFiles} {
		for _, path := range list {
			if filepath.Base(path) != base {
				continue
			}
			f, ok := s.files[path]
			if !ok {
				f = s.parse(path, p.Module != nil && p.Module.Main)
			}
			s.files[path], s.files[name] = f, f
			return f
		}
	}
	return nil
}

// parse reads a file of a dependency; nil when it cannot be read, in which case
// there are no comments, as for a package without sources.
func (s *sources) parse(path string, ours bool) *sourceFile {
	f, _ := parser.ParseFile(s.fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if f == nil {
		return nil
	}
	index := indexFile(s.fset, f)
	if ours && s.ours != nil {
		s.ours(index, f)
	}
	return index
}

// indexFile notes every declaration of a file outside function bodies.
func indexFile(fset *token.FileSet, f *ast.File) *sourceFile {
	out := &sourceFile{entries: map[entryKey]*entry{}}
	order := 0
	add := func(e *entry, names ...*ast.Ident) {
		for _, name := range names {
			order++
			at := *e
			at.order = order
			out.entries[entryKey{fset.Position(name.Pos()).Line, name.Name}] = &at
		}
	}
	var group *ast.GenDecl
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt, *ast.FuncLit:
			return false
		case *ast.FuncDecl:
			add(&entry{doc: n.Doc}, n.Name)
		case *ast.GenDecl:
			group = n
		case *ast.TypeSpec:
			add(&entry{doc: specDoc(group, n.Doc), comment: n.Comment}, n.Name)
		case *ast.ValueSpec:
			add(&entry{doc: specDoc(group, n.Doc), comment: n.Comment}, n.Names...)
		case *ast.StructType:
			for _, field := range n.Fields.List {
				add(&entry{doc: field.Doc, comment: field.Comment}, fieldNames(field)...)
			}
		case *ast.InterfaceType:
			for _, method := range n.Methods.List {
				add(&entry{doc: method.Doc, comment: method.Comment}, method.Names...)
			}
		}
		return true
	})
	return out
}

// specDoc is the comment of one declaration: its own or, outside parentheses,
// the one above the keyword.
func specDoc(decl *ast.GenDecl, own *ast.CommentGroup) *ast.CommentGroup {
	if own == nil && decl != nil && !decl.Lparen.IsValid() {
		return decl.Doc
	}
	return own
}

// fieldNames returns the names of a struct field; an embedded one has the name
// of its type.
func fieldNames(field *ast.Field) []*ast.Ident {
	if len(field.Names) > 0 {
		return field.Names
	}
	t := field.Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.SelectorExpr:
			return []*ast.Ident{x.Sel}
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return []*ast.Ident{x}
		default:
			return nil
		}
	}
}
