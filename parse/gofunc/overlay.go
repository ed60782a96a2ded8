package gofunc

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strconv"

	"golang.org/x/tools/go/packages"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// overlay puts a stub in the place of the file that we wrote into a package, or
// are going to: whatever state it is in, and whether it exists, callers of
// RegisterMCP type-check. A file of that name that is not ours stays as it is.
func (l *loader) overlay(p *packages.Package) {
	file := filepath.Join(filepath.Dir(p.GoFiles[0]), ir.RegisterFile)
	old, err := os.ReadFile(file)
	if err == nil && !isOurs(old) {
		return
	}
	l.config.Overlay[file] = stub(p.Name, old)
}

// isOurs reports whether a file begins with the header of our output.
func isOurs(data []byte) bool {
	first, _, _ := bytes.Cut(data, []byte("\n"))
	return string(bytes.TrimRight(first, "\r")) == ir.GeneratedHeader
}

// stub is a file that declares what our output declares for callers. RegisterMCP
// takes anything, since the runtime that its first argument comes from may not
// be there; the fields of MCPDeps are those of the old file.
func stub(pkg string, old []byte) []byte {
	var b bytes.Buffer
	b.WriteString(ir.GeneratedHeader + "\n\npackage " + pkg + "\n")
	deps := "struct{}"
	fset := token.NewFileSet()
	if file, _ := parser.ParseFile(fset, "", old, parser.SkipObjectResolution); file != nil {
		if spec := typeSpec(file, ir.DepsType); spec != nil {
			var text bytes.Buffer
			if format.Node(&text, fset, spec.Type) == nil {
				deps = text.String()
				writeImports(&b, file, spec)
			}
		}
	}
	b.WriteString("type " + ir.DepsType + " " + deps + "\n\nfunc " + ir.RegisterFunc + "(...any) {}\n")
	return b.Bytes()
}

func typeSpec(file *ast.File, name string) *ast.TypeSpec {
	for _, d := range file.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range decl.Specs {
			if spec, ok := s.(*ast.TypeSpec); ok && spec.Name.Name == name {
				return spec
			}
		}
	}
	return nil
}

// writeImports writes the imports that a type needs.
func writeImports(b *bytes.Buffer, file *ast.File, spec *ast.TypeSpec) {
	used := map[string]bool{}
	ast.Inspect(spec, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	for _, imp := range file.Imports {
		target, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(target)
		if imp.Name != nil {
			name = imp.Name.Name
		}
		if used[name] {
			b.WriteString("import " + name + " " + strconv.Quote(target) + "\n")
		}
	}
}
