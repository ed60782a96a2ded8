package gofunc

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// coder writes types and expressions as pieces, for code that stands in the
// annotated package.
type coder struct {
	pkg  *types.Package
	info *types.Info
}

// mark stands around the path of a package in the text of a type.
const mark = "\x00"

// typeCode is a type as Go code.
func (c coder) typeCode(t types.Type) (ir.Code, error) {
	text := types.TypeString(t, func(p *types.Package) string {
		if p == c.pkg {
			return ""
		}
		return mark + p.Path() + mark
	})
	var out ir.Code
	for {
		before, rest, found := strings.Cut(text, mark)
		if before != "" {
			out = append(out, ir.CodePiece{Text: before})
		}
		if !found {
			return out, nil
		}
		path, after, _ := strings.Cut(rest, mark+".")
		n := strings.IndexFunc(after, func(r rune) bool { return !isIdentRune(r) })
		if n < 0 {
			n = len(after)
		}
		piece := ir.CodePiece{Path: path, Name: after[:n]}
		if err := c.visible(piece); err != nil {
			return nil, err
		}
		out, text = append(out, piece), after[n:]
	}
}

func isIdentRune(r rune) bool {
	return r == '_' || token.IsIdentifier("x"+string(r))
}

// visible says why the package cannot use a name of another one.
func (c coder) visible(p ir.CodePiece) error {
	if !token.IsExported(p.Name) {
		return fmt.Errorf("%s.%s is not exported", p.Path, p.Name)
	}
	parent, internal := cutInternal(p.Path)
	if internal && (parent == "" || c.pkg.Path() != parent && !strings.HasPrefix(c.pkg.Path(), parent+"/")) {
		return fmt.Errorf("package %s is internal", p.Path)
	}
	return nil
}

// cutInternal returns what stands before the last element "internal" of an
// import path: only packages below it may import the package.
func cutInternal(path string) (parent string, found bool) {
	i := strings.LastIndex("/"+path+"/", "/internal/")
	if i < 0 {
		return path, false
	}
	return strings.TrimSuffix(path[:i], "/"), true
}

// exprCode is an expression that names a function: pkg.Func, F[int],
// (*T).Method, value.Method.
func (c coder) exprCode(e ast.Expr) (ir.Code, error) {
	switch e := e.(type) {
	case *ast.Ident:
		return c.identCode(e)
	case *ast.ParenExpr:
		return c.around("(", e.X, ")")
	case *ast.StarExpr:
		return c.around("*", e.X, "")
	case *ast.SelectorExpr:
		if id, ok := e.X.(*ast.Ident); ok {
			if name, ok := c.info.Uses[id].(*types.PkgName); ok {
				return ir.Code{{Path: name.Imported().Path(), Name: e.Sel.Name}}, nil
			}
		}
		return c.around("", e.X, "."+e.Sel.Name)
	case *ast.IndexExpr:
		return c.instance(e.X, e.Index)
	case *ast.IndexListExpr:
		return c.instance(e.X, e.Indices...)
	}
	return nil, fmt.Errorf("only names of functions can stand here")
}

func (c coder) identCode(id *ast.Ident) (ir.Code, error) {
	obj := c.info.Uses[id]
	if obj != nil && obj.Pkg() != nil && obj.Pkg() != c.pkg {
		return ir.Code{{Path: obj.Pkg().Path(), Name: id.Name}}, nil // by a dot import
	}
	return ir.Code{{Text: id.Name}}, nil
}

func (c coder) around(before string, e ast.Expr, after string) (ir.Code, error) {
	code, err := c.exprCode(e)
	if err != nil {
		return nil, err
	}
	if before != "" {
		code = append(ir.Code{{Text: before}}, code...)
	}
	if after != "" {
		code = append(code, ir.CodePiece{Text: after})
	}
	return code, nil
}

// instance writes type arguments by their types, since they may be any type.
func (c coder) instance(f ast.Expr, args ...ast.Expr) (ir.Code, error) {
	code, err := c.exprCode(f)
	if err != nil {
		return nil, err
	}
	for i, arg := range args {
		sep := ", "
		if i == 0 {
			sep = "["
		}
		t, err := c.typeCode(c.info.TypeOf(arg))
		if err != nil {
			return nil, err
		}
		code = append(append(code, ir.CodePiece{Text: sep}), t...)
	}
	return append(code, ir.CodePiece{Text: "]"}), nil
}
