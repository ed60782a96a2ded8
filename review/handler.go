package review

import (
	"go/ast"
	"go/token"
	"iter"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// bodyTypes are the methods of runtime.Request for a body, with the media type
// that each sends when the handler names no other.
var bodyTypes = map[string]string{
	"JSON": jsonType, "Form": "application/x-www-form-urlencoded", "Multipart": "multipart/form-data",
	"Text": "text/plain", "Bytes": "application/octet-stream", "XML": "application/xml",
}

// placeNames are the methods of runtime.Request for a parameter.
var placeNames = map[string]ir.In{
	"Path": ir.InPath, "Query": ir.InQuery, "Header": ir.InHeader, "Cookie": ir.InCookie,
}

// handlerRequest reads a handler: one call of req for each part of its request.
// It is nil for a function that makes none.
func handlerRequest(f *ast.FuncDecl) *Request {
	r := &Request{Places: map[string]string{}, Accept: []string{jsonType}}
	for _, line := range strings.Split(f.Doc.Text(), "\n") {
		if strings.HasPrefix(line, "Deprecated: the API means to remove") {
			r.Deprecated = true
		}
	}
	ast.Inspect(f.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		switch on, _ := method.X.(*ast.Ident); {
		case on == nil:
		case on.Name == "call" && method.Sel.Name == "Request" && len(call.Args) == 2:
			r.Method = text(call.Args[0])
			r.Calls = r.Method + " " + text(call.Args[1])
		case on.Name == "req":
			r.part(method.Sel.Name, call.Args)
		}
		return true
	})
	if r.Calls == "" {
		return nil
	}
	return r
}

// part takes one call of a method of req.
func (r *Request) part(method string, args []ast.Expr) {
	in, isPlace := placeNames[method]
	mediaType, isBody := bodyTypes[method]
	switch {
	case isPlace && len(args) > 1:
		r.Places[argument(args[1])] = place(string(in), "", text(args[0]))
	case method == "PartHeader" && len(args) > 2 && argument(args[2]) != "":
		r.Places[argument(args[2])] = place(string(ir.InPart), text(args[0]), text(args[1]))
	case method == "Querystring" && len(args) > 0:
		r.Places[argument(args[0])] = place(string(ir.InQuerystring), "", "")
	case isBody:
		r.Body = mediaType
		for _, a := range args[min(1, len(args)):] {
			if call, ok := a.(*ast.CallExpr); ok && selected(call.Fun) == "MediaType" && len(call.Args) == 1 {
				r.Body = text(call.Args[0])
			}
		}
	case method == "Accept":
		r.Accept = texts(args)
	case method == "Auth":
		r.Auth = append(r.Auth, strings.Join(texts(args), " + "))
	case method == "Upstream" && len(args) == 1:
		r.Upstreams = append(r.Upstreams, text(fields(args[0])["URL"]))
	}
}

// argument is x of call.Arg("x").
func argument(e ast.Expr) string {
	if call, ok := e.(*ast.CallExpr); ok && selected(call.Fun) == "Arg" && len(call.Args) == 1 {
		return text(call.Args[0])
	}
	return ""
}

// find returns the value of the first field of that name in a file, or nil.
func find(file *ast.File, name string) ast.Expr {
	var found ast.Expr
	ast.Inspect(file, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok && found == nil {
			if id, ok := pair.Key.(*ast.Ident); ok && id.Name == name {
				found = pair.Value
			}
		}
		return found == nil
	})
	return found
}

// elements yields the members of a composite literal.
func elements(e ast.Expr) iter.Seq[ast.Expr] {
	return func(yield func(ast.Expr) bool) {
		literal, ok := e.(*ast.CompositeLit)
		if !ok {
			return
		}
		for _, item := range literal.Elts {
			if !yield(item) {
				return
			}
		}
	}
}

// fields returns the fields of a struct literal by name.
func fields(e ast.Expr) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	for item := range elements(e) {
		if pair, ok := item.(*ast.KeyValueExpr); ok {
			if id, ok := pair.Key.(*ast.Ident); ok {
				out[id.Name] = pair.Value
			}
		}
	}
	return out
}

// selected is b of a.b.
func selected(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}

// text is the value of a string literal, or of several that are added.
func text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			s, _ := strconv.Unquote(e.Value) // what parsed can be unquoted
			return s
		}
	case *ast.BinaryExpr:
		return text(e.X) + text(e.Y)
	}
	return ""
}

func texts(args []ast.Expr) []string {
	var out []string
	for _, a := range args {
		out = append(out, text(a))
	}
	return out
}
