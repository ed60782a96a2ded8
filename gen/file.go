package gen

import (
	"bytes"

	"github.com/dave/jennifer/jen"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// header is the first line of every Go file that is ours. It has the form that
// the go command documents for generated files ("go help generate").
const header = ir.GeneratedHeader

// goFile prints a file of package main that imports std and the runtime. The
// imports are written down and not collected from use, because then they are
// grouped, and nothing that the declarations say can add one.
func (p *plan) goFile(std []string, decls ...jen.Code) ([]byte, error) {
	im := newImports()
	for _, path := range std {
		im.use(path)
	}
	im.useAs(p.runtime, "runtime")
	return render("main", p.server.Source, im.declaration(), decls)
}

// render prints a file that is ours.
func render(pkg, source string, imports jen.Code, decls []jen.Code) ([]byte, error) {
	f := jen.NewFile(pkg)
	f.HeaderComment(header)
	if source := line(source); source != "" {
		f.HeaderComment("// Source: " + source)
	}
	f.Add(imports)
	f.Line()
	for _, d := range decls {
		f.Add(d)
	}
	var b bytes.Buffer
	if err := f.Render(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// rt refers to a name of the runtime.
func rt(name string) *jen.Statement { return jen.Id("runtime").Dot(name) }

// lines lays out items one a line, each with its comma.
func lines(items ...jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, items...)
}

// field is one key and value of a composite literal.
func field(name string, value jen.Code) jen.Code { return jen.Id(name).Op(":").Add(value) }

// text is a field that is left out when empty.
func text(name, value string) jen.Code {
	if value == "" {
		return jen.Null()
	}
	return field(name, jen.Lit(value))
}

// truth is a field that is left out when false.
func truth(name string, value bool) jen.Code {
	if !value {
		return jen.Null()
	}
	return field(name, jen.True())
}
