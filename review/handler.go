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

// styles are those of OpenAPI by their constants in the runtime.
var styles = map[string]ir.Style{
	"Form": ir.Form, "Simple": ir.Simple, "Label": ir.Label, "Matrix": ir.Matrix, "SpaceDelimited": ir.SpaceDelimited,
	"PipeDelimited": ir.PipeDelimited, "TabDelimited": ir.TabDelimited, "DeepObject": ir.DeepObject, "CookieStyle": ir.CookieStyle,
}

// handlerRequest reads a handler: one call of req for each part of its request.
// It is nil for a function that makes none.
func handlerRequest(f *ast.FuncDecl) *Request {
	var r *Request
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
			r = newRequest(text(call.Args[0]), text(call.Args[1]))
		case on.Name == "req" && r != nil:
			r.part(method.Sel.Name, call.Args)
		}
		return true
	})
	if r == nil {
		return nil
	}
	for _, line := range strings.Split(f.Doc.Text(), "\n") {
		if strings.HasPrefix(line, "Deprecated: the API means to remove") {
			r.Deprecated = true
		}
	}
	return r
}

// part takes one call of a method of req.
func (r *Request) part(method string, args []ast.Expr) {
	in, isPlace := placeNames[method]
	mediaType, isBody := bodyTypes[method]
	switch {
	case isPlace && len(args) > 1:
		r.bind(withOptions(ir.Binding{In: in, Wire: text(args[0]), Arg: argument(args[1])}, args[2:]))
	case method == "PartHeader" && len(args) > 2:
		b := ir.Binding{In: ir.InPart, Part: text(args[0]), Wire: text(args[1]), Arg: argument(args[2])}
		if value := argumentOf("Fixed", args[2:3]); value != nil {
			b.Value = text(value)
		}
		r.bind(withOptions(b, args[3:]))
	case method == "Querystring" && len(args) > 1:
		r.bind(ir.Binding{In: ir.InQuerystring, Arg: argument(args[0]), Content: text(args[1])})
	case isBody && len(args) > 0:
		b := &ir.Body{Arg: argument(args[0]), MediaType: mediaType}
		if other := argumentOf("MediaType", args); other != nil {
			b.MediaType = text(other)
		}
		for _, a := range args[1:] {
			switch kind := literalType(a); kind {
			case "Field":
				b.Fields = append(b.Fields, bodyField(a))
			case "Element":
				b.XML = xmlElement(a)
			}
		}
		r.send(b)
	case method == "Accept":
		r.Accept = texts(args)
	case method == "Auth":
		r.Auth = append(r.Auth, strings.Join(texts(args), " + "))
	case method == "Upstream" && len(args) == 1:
		r.Upstreams = append(r.Upstreams, addresses([]ir.Upstream{upstream(args[0])})...)
	}
}

// withOptions gives a binding what its line says of style, where OpenAPI's default
// is silent.
func withOptions(b ir.Binding, options []ast.Expr) ir.Binding {
	if media := argumentOf("Content", options); media != nil {
		b.Content = text(media)
		return b
	}
	b.Style = b.In.DefaultStyle()
	for _, o := range options {
		if s, ok := styles[selected(o)]; ok {
			b.Style = s
		}
	}
	if other := argumentOf("Style", options); other != nil {
		b.Style = ir.Style(text(other))
	}
	b.Explode = b.Style.DefaultExplode()
	for _, o := range options {
		switch selected(o) {
		case "Explode", "NoExplode":
			b.Explode = selected(o) == "Explode"
		case "AllowReserved":
			b.AllowReserved = true
		}
	}
	return b
}

func bodyField(e ast.Expr) ir.Field {
	f := fields(e)
	style := ir.Style(styles[selected(f["Style"])])
	if other := argumentOf("Style", []ast.Expr{f["Style"]}); other != nil {
		style = ir.Style(text(other))
	}
	return ir.Field{
		Name: text(f["Name"]), ContentType: text(f["ContentType"]), Style: style,
		Explode: f["Explode"] != nil, AllowReserved: f["AllowReserved"] != nil, File: f["File"] != nil,
	}
}

// xmlElement reads a runtime.Element, or a pointer to one.
func xmlElement(e ast.Expr) *ir.XMLElement {
	if pointer, ok := e.(*ast.UnaryExpr); ok {
		e = pointer.X
	}
	f := fields(e)
	x := &ir.XMLElement{
		Property: text(f["Property"]), Name: text(f["Name"]), Namespace: text(f["Namespace"]), Prefix: text(f["Prefix"]),
		Attribute: f["Attribute"] != nil, Wrapped: f["Wrapped"] != nil,
	}
	if f["Item"] != nil {
		x.Item = xmlElement(f["Item"])
	}
	for c := range elements(f["Children"]) {
		x.Children = append(x.Children, xmlElement(c))
	}
	return x
}

func upstream(e ast.Expr) ir.Upstream {
	f := fields(e)
	u := ir.Upstream{URL: text(f["URL"])}
	for item := range elements(f["Variables"]) {
		v := fields(item)
		variable := ir.Variable{Name: text(v["Name"]), Default: text(v["Default"])}
		for value := range elements(v["Enum"]) {
			variable.Enum = append(variable.Enum, text(value))
		}
		u.Variables = append(u.Variables, variable)
	}
	return u
}

// argumentOf is the argument of the first call of runtime.NAME(x), or nil.
func argumentOf(name string, list []ast.Expr) ast.Expr {
	for _, e := range list {
		if call, ok := e.(*ast.CallExpr); ok && selected(call.Fun) == name && len(call.Args) == 1 {
			return call.Args[0]
		}
	}
	return nil
}

// literalType is T of a literal runtime.T{…}.
func literalType(e ast.Expr) string {
	if literal, ok := e.(*ast.CompositeLit); ok {
		return selected(literal.Type)
	}
	return ""
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
