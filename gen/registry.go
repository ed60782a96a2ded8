package gen

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// authKinds are the constants of runtime for a kind of credential.
var authKinds = map[ir.AuthKind]string{
	ir.APIKey:            "APIKey",
	ir.Basic:             "Basic",
	ir.Bearer:            "Bearer",
	ir.ClientCredentials: "ClientCredentials",
	ir.MutualTLS:         "MutualTLS",
}

// registryFile prints server.go: the embedded tool files and New.
func (p *plan) registryFile() ([]byte, error) {
	im := newImports()
	im.useAs(p.runtime, "runtime")
	var decls []jen.Code
	doc := "New returns the server: what it is and what its packages offer."
	if len(p.groups) > 0 {
		im.use("embed")
		decls = append(decls, jen.Comment("//go:embed "+toolPatterns("tools/", p.tools())), jen.Var().Id("tools").Id("embed").Dot("FS"), jen.Line())
		doc = "New returns the server: what it is, where its requests go, and one line a tool."
	}
	if p.mock {
		decls = append(decls, jen.Comment("//go:embed mock/*.json"), jen.Var().Id("mock").Id("embed").Dot("FS"), jen.Line())
	}
	if p.otel {
		im.useAs(p.runtime+"/otel", "otel")
	}
	if len(p.packages) > 0 && p.runtime == RuntimePath {
		im.names[RuntimePath+"/early"] = "_"
	}
	server := rt("NewServer").Call(jen.Id("config"), rt("Definition").Add(p.definition()))
	decls = append(decls, jen.Comment(comment(doc)),
		jen.Func().Id("New").Params(jen.Id("config").Add(rt("Config"))).Op("*").Add(rt("Server")).BlockFunc(func(b *jen.Group) {
			if len(p.packages) == 0 {
				b.Return(server)
				return
			}
			b.Id("s").Op(":=").Add(server)
			for _, pkg := range p.packages {
				im.names[pkg.ImportPath], im.plain[pkg.ImportPath] = pkg.alias, pkg.alias == pkg.Name
				args := []jen.Code{jen.Id("s")}
				if len(pkg.Deps) > 0 {
					args = append(args, jen.Id(pkg.alias+"Deps").Call())
				}
				b.Id(pkg.alias).Dot(ir.RegisterFunc).Call(args...)
			}
			b.Return(jen.Id("s"))
		}))
	return render("main", p.server.Source, im.declaration(), decls)
}

func (p *plan) definition() jen.Code {
	s := p.server
	fields := []jen.Code{text("Name", s.Name), text("Title", s.Title), text("Version", s.Version)}
	if s.Description != "" {
		fields = append(fields, field("Instructions", prose(s.Description)))
	}
	if len(s.Upstreams) > 0 {
		var items []jen.Code
		for _, u := range s.Upstreams {
			items = append(items, upstream(u))
		}
		fields = append(fields, field("Upstreams", jen.Index().Add(rt("Upstream")).Add(lines(items...))))
	}
	if p.detached() {
		fields = append(fields, field("Detached", jen.True()))
	}
	if len(s.Auth) > 0 {
		var items []jen.Code
		for _, a := range s.Auth {
			items = append(items, scheme(a))
		}
		fields = append(fields, field("Auth", jen.Index().Add(rt("Auth")).Add(lines(items...))))
	}
	if len(p.groups) > 0 {
		fields = append(fields,
			field("Schemas", jen.Id("tools")),
			field("Tools", jen.Index().Add(rt("Tool")).Add(p.entries())))
	}
	if p.mock {
		fields = append(fields, field("Mock", jen.Id("mock")))
	}
	if p.otel {
		fields = append(fields, field("Observe", jen.Id("otel").Dot("Observe")))
	}
	return lines(fields...)
}

// detached reports whether every request has an upstream of its own that stands
// on no other, so that the server needs none to start.
func (p *plan) detached() bool {
	for _, g := range p.groups {
		for _, t := range g.tools {
			own := t.Request.Upstreams
			// The first one counts; a relative one stands on the server's.
			if len(own) == 0 || !strings.HasPrefix(own[0].URL, "https://") && !strings.HasPrefix(own[0].URL, "http://") {
				return false
			}
		}
	}
	return len(p.groups) > 0
}

// prose is a literal with one source line a line of text, so that an edit shows
// where it is.
func prose(s string) jen.Code {
	var out *jen.Statement
	for l := range strings.Lines(s) {
		if out == nil {
			out = jen.Lit(l)
		} else {
			out = out.Op("+").Line().Lit(l)
		}
	}
	return out
}

func upstream(u ir.Upstream) jen.Code {
	fields := []jen.Code{text("URL", u.URL)}
	if len(u.Variables) > 0 {
		var items []jen.Code
		for _, v := range u.Variables {
			items = append(items, variableLiteral(v))
		}
		list := jen.Values(items...)
		if len(items) > 1 {
			list = lines(items...)
		}
		fields = append(fields, field("Variables", jen.Index().Add(rt("Variable")).Add(list)))
	}
	return jen.Values(fields...)
}

func variableLiteral(v ir.Variable) jen.Code {
	fields := []jen.Code{text("Name", v.Name), text("Default", v.Default)}
	if len(v.Enum) > 0 {
		fields = append(fields, field("Enum", jen.Index().String().Values(literals(v.Enum)...)))
	}
	return jen.Values(fields...)
}

func scheme(a ir.Auth) jen.Code {
	return jen.Values(text("Name", a.Name), field("Kind", rt(authKinds[a.Kind])),
		text("In", string(a.In)), text("Wire", a.Wire), text("TokenURL", a.TokenURL), text("Env", a.Env))
}

// entries prints the tools, one a line with its request, group after group. Items
// bring their own commas, because a comment stands between groups.
func (p *plan) entries() jen.Code {
	var items []jen.Code
	for i, g := range p.groups {
		if len(p.groups) > 1 {
			if i > 0 {
				items = append(items, jen.Line())
			}
			items = append(items, jen.Comment("// "+g.file))
		}
		for _, t := range g.tools {
			fields := []jen.Code{field("Name", jen.Lit(t.Name))}
			if t.file != t.Name+".json" {
				fields = append(fields, field("File", jen.Lit(t.file)))
			}
			fields = append(fields,
				field("Request", jen.Lit(t.Request.Method+" "+t.Request.Path)),
				field("Handle", jen.Id(t.ident)))
			if len(p.groups) > 1 {
				fields = append(fields, field("Group", jen.Lit(g.Name)))
			}
			if scopes := t.Request.CallerScopes(); len(scopes) > 0 {
				fields = append(fields, field("Scopes", jen.Index().String().Values(literals(scopes)...)))
			}
			if len(t.Select) > 0 {
				fields = append(fields, field("Select", jen.Index().String().Values(literals(t.Select)...)))
			}
			if t.Confirm != nil && *t.Confirm {
				fields = append(fields, field("Confirm", jen.True()))
			}
			items = append(items, jen.Values(fields...).Op(","))
		}
	}
	return jen.Custom(jen.Options{Open: "{", Close: "}", Multi: true}, items...)
}
