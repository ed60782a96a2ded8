package gen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// placeMethods are the methods of runtime.Request for a parameter.
var placeMethods = map[ir.In]string{
	ir.InPath:        "Path",
	ir.InQuery:       "Query",
	ir.InHeader:      "Header",
	ir.InCookie:      "Cookie",
	ir.InQuerystring: "Querystring",
	ir.InPart:        "PartHeader",
}

// styleNames are the constants of runtime for a style.
var styleNames = map[ir.Style]string{
	ir.Form:           "Form",
	ir.Simple:         "Simple",
	ir.Label:          "Label",
	ir.Matrix:         "Matrix",
	ir.SpaceDelimited: "SpaceDelimited",
	ir.PipeDelimited:  "PipeDelimited",
	ir.TabDelimited:   "TabDelimited",
	ir.DeepObject:     "DeepObject",
	ir.CookieStyle:    "CookieStyle",
}

// bodyMethods are the methods of runtime.Request for a body, with the media
// type that each takes when none is given.
var bodyMethods = map[ir.BodyKind]struct{ name, mediaType string }{
	ir.JSONBody:      {"JSON", "application/json"},
	ir.FormBody:      {"Form", "application/x-www-form-urlencoded"},
	ir.MultipartBody: {"Multipart", "multipart/form-data"},
	ir.TextBody:      {"Text", "text/plain"},
	ir.BytesBody:     {"Bytes", "application/octet-stream"},
	ir.XMLBody:       {"XML", "application/xml"},
}

// handlers prints the functions of one file.
func (p *plan) handlers(g group) []jen.Code {
	var out []jen.Code
	for i, t := range g.tools {
		if i > 0 {
			out = append(out, jen.Line())
		}
		out = append(out, handlerDoc(t), p.handler(t))
	}
	return out
}

// handlerDoc prints the comment above a handler: the request, how the description
// begins and what it says of the result; the tool file has all of it. It is a
// declaration of its own for jennifer, which would put a space before func, and
// gofmt formats only doc comments that func follows at once.
func handlerDoc(t tool) jen.Code {
	// What stands in for a description would only repeat the line above it.
	description := strings.TrimPrefix(t.Description, ir.Sends(t.Request.Method, t.Request.Path))
	doc := []string{fmt.Sprintf("%s calls %s.", t.ident, line(t.Request.Method+" "+t.Request.Path)), opening(description)}
	if i := strings.LastIndex(description, "\n\n"); i > 0 && strings.HasPrefix(description[i:], "\n\nReturns") {
		doc = append(doc, opening(description[i:]))
	}
	if t.Deprecated {
		doc = append(doc, "Deprecated: the API means to remove this operation.")
	}
	return jen.Comment(comment(doc...))
}

// handler prints one function: what the request is made of, one line an
// argument, and nothing that a reader would have to follow.
func (p *plan) handler(t tool) jen.Code {
	return jen.Func().Id(t.ident).
		Params(jen.Id("ctx").Id("context").Dot("Context"), jen.Id("call").Op("*").Add(rt("Call"))).
		Params(jen.Op("*").Add(rt("Result")), jen.Error()).
		BlockFunc(func(b *jen.Group) {
			r := t.Request
			b.Id("req").Op(":=").Id("call").Dot("Request").Call(jen.Lit(r.Method), jen.Lit(r.Path))
			for _, binding := range r.Bindings {
				b.Add(parameter(binding))
			}
			if r.Body != nil {
				b.Add(body(r.Body))
			}
			if accept := accept(r.Accept); accept != nil {
				b.Add(accept)
			}
			for _, line := range slices.Concat(alternatives(r.Security), p.scopes(r.Security)) {
				b.Add(line)
			}
			for _, u := range r.Upstreams {
				b.Id("req").Dot("Upstream").Call(rt("Upstream").Add(upstream(u)))
			}
			b.Return(jen.Id("call").Dot("Do").Call(jen.Id("ctx"), jen.Id("req")))
		})
}

// argument refers to what the model sent.
func argument(name string) jen.Code { return jen.Id("call").Dot("Arg").Call(jen.Lit(name)) }

// parameter prints one binding: req.Query("page", call.Arg("page")).
func parameter(b ir.Binding) jen.Code {
	method := jen.Id("req").Dot(placeMethods[b.In])
	if b.In == ir.InQuerystring {
		return method.Call(argument(b.Arg), jen.Lit(b.Content))
	}
	if b.In == ir.InPart {
		value := argument(b.Arg)
		if b.Value != "" {
			value = rt("Fixed").Call(jen.Lit(b.Value))
		}
		return method.Call(append([]jen.Code{jen.Lit(b.Part), jen.Lit(b.Wire), value}, paramOptions(b)...)...)
	}
	return method.Call(append([]jen.Code{jen.Lit(b.Wire), argument(b.Arg)}, paramOptions(b)...)...)
}

// paramOptions says what differs from OpenAPI's default for the place. A word on
// explode follows a style, which gives it its meaning.
func paramOptions(b ir.Binding) []jen.Code {
	if b.Content != "" {
		return []jen.Code{rt("Content").Call(jen.Lit(b.Content))}
	}
	var options []jen.Code
	explode := b.Explode != b.Style.DefaultExplode()
	if explode || b.Style != b.In.DefaultStyle() {
		options = append(options, style(b.Style))
	}
	if explode {
		if b.Explode {
			options = append(options, rt("Explode"))
		} else {
			options = append(options, rt("NoExplode"))
		}
	}
	if b.AllowReserved {
		options = append(options, rt("AllowReserved"))
	}
	return options
}

func style(s ir.Style) jen.Code {
	if name := styleNames[s]; name != "" {
		return rt(name)
	}
	return rt("Style").Call(jen.Lit(string(s)))
}

// body prints req.JSON(call.Arg("body")) and its kin.
func body(b *ir.Body) jen.Code {
	method := bodyMethods[b.Kind]
	args := []jen.Code{argument(b.Arg)}
	if b.MediaType != method.mediaType {
		args = append(args, rt("MediaType").Call(jen.Lit(b.MediaType)))
	}
	for _, f := range b.Fields {
		args = append(args, formField(f))
	}
	if b.XML != nil {
		args = append(args, rt("Element").Add(element(b.XML)))
	}
	call := jen.Id("req").Dot(method.name)
	if len(b.Fields) > 1 {
		return call.Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}, args...)
	}
	return call.Call(args...)
}

func formField(f ir.Field) jen.Code {
	fields := []jen.Code{text("Name", f.Name), text("ContentType", f.ContentType)}
	if f.Style != "" {
		fields = append(fields, field("Style", style(f.Style)), truth("Explode", f.Explode))
	}
	return rt("Field").Values(append(fields, truth("AllowReserved", f.AllowReserved), truth("File", f.File))...)
}

// element prints what stands between the braces of a runtime.Element. One with
// parts has a line for each.
func element(x *ir.XMLElement) jen.Code {
	fields := []jen.Code{
		text("Property", x.Property), text("Name", x.Name), text("Namespace", x.Namespace), text("Prefix", x.Prefix),
		truth("Attribute", x.Attribute), truth("Wrapped", x.Wrapped),
	}
	if x.Item != nil {
		fields = append(fields, field("Item", jen.Op("&").Add(rt("Element")).Add(element(x.Item))))
	}
	if len(x.Children) > 0 {
		var children []jen.Code
		for _, c := range x.Children {
			children = append(children, element(c))
		}
		fields = append(fields, field("Children", jen.Index().Add(rt("Element")).Add(lines(children...))))
	}
	return jen.Values(fields...)
}

// accept prints the media types to ask for, unless they are the default.
func accept(types []string) jen.Code {
	if len(types) == 0 || len(types) == 1 && types[0] == "application/json" {
		return nil
	}
	return jen.Id("req").Dot("Accept").Call(literals(types)...)
}

// alternatives prints the security, a line an alternative: all its schemes are
// needed. Those that differ in scopes alone are one.
func alternatives(security [][]ir.AuthUse) []jen.Code {
	var out []jen.Code
	var printed [][]string
	for _, alternative := range security {
		var names []string
		for _, use := range alternative {
			names = append(names, use.Name)
		}
		if slices.ContainsFunc(printed, func(other []string) bool { return slices.Equal(names, other) }) {
			continue
		}
		printed = append(printed, names)
		out = append(out, jen.Id("req").Dot("Auth").Call(literals(names)...))
	}
	return out
}

// scopes prints what to ask for where the runtime fetches the token itself.
func (p *plan) scopes(security [][]ir.AuthUse) []jen.Code {
	var out []jen.Code
	for _, a := range p.server.Auth {
		if a.Kind != ir.ClientCredentials {
			continue
		}
		var scopes []string
		for _, use := range slices.Concat(security...) {
			if use.Name != a.Name {
				continue
			}
			for _, s := range use.Scopes {
				if !slices.Contains(scopes, s) {
					scopes = append(scopes, s)
				}
			}
		}
		if len(scopes) > 0 {
			out = append(out, jen.Id("req").Dot("Scopes").Call(literals(append([]string{a.Name}, scopes...))...))
		}
	}
	return out
}

func literals(values []string) []jen.Code {
	var out []jen.Code
	for _, v := range values {
		out = append(out, jen.Lit(v))
	}
	return out
}
