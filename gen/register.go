package gen

import (
	"encoding/json"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"time"

	"github.com/dave/jennifer/jen"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// goPackage is an annotated package with every name of its mcp_gen.go decided.
type goPackage struct {
	*ir.Package
	*imports
	runtime   string // import path
	tools     []tool
	resources []string // handlers
	prompts   []string
	scope     map[string]bool

	values    bool // there is an mcpValues
	providers []string
	env       []envField
}

// envField holds the value of an environment variable.
type envField struct {
	name string // of the field
	env  string
	kind string // type, printed
}

// The names that mcp_gen.go declares beside its handlers. They begin as no one's
// own would; where one does, a number follows.
const (
	toolsVar   = "mcpTools"
	valuesType = "mcpValues"
)

// locals are the variables of a handler or of start. One that the package
// declares too gets another name, because the code may mean the package's.
var locals = []string{"ctx", "call", "in", "err", "result", "v", "s", "deps", "start", "cleanup"}

func newGoPackage(p *ir.Package, runtime string) (*goPackage, error) {
	g := &goPackage{Package: p, runtime: runtime, scope: map[string]bool{}, imports: newImports(p.Scope...)}
	for _, name := range p.Scope {
		g.scope[name] = true
	}
	for _, name := range []string{"error", "nil", "string", "true", "false", ir.RegisterFunc, ir.DepsType} {
		if g.scope[name] {
			return nil, &RefusedError{Code: "taken-name", Message: fmt.Sprintf("package %s declares %s, which %s needs", p.ImportPath, name, ir.RegisterFile),
				Hint: "give it another name"}
		}
	}
	for _, name := range types.Universe.Names() {
		g.avoid[name] = true
	}
	for _, name := range locals {
		g.avoid[g.local(name)] = true
	}
	// A tool may call its results so.
	for n := range 10 {
		g.avoid[fmt.Sprint("result", n)] = true
	}
	g.useAs(runtime, "runtime")
	g.nameHandlers()
	g.nameValues()
	return g, nil
}

// local is what a variable is called.
func (g *goPackage) local(name string) string {
	for g.scope[name] {
		name += "_"
	}
	return name
}

// free is a name of ours for the package's scope.
func (g *goPackage) free(base string) string {
	name := base
	for n := 2; g.scope[name] || g.avoid[name]; n++ {
		name = numbered(base, n)
	}
	g.avoid[name] = true
	return name
}

// nameHandlers names the handlers after what they answer: mcpSearch,
// mcpReadmeResource, mcpReviewPrompt.
func (g *goPackage) nameHandlers() {
	files := toolFileNames(g.Tools)
	for _, t := range g.Tools {
		g.tools = append(g.tools, tool{Tool: t, ident: g.free("mcp" + camel(t.Name)), file: files[t]})
	}
	for _, r := range g.Resources {
		g.resources = append(g.resources, g.free("mcp"+camel(r.Name)+"Resource"))
	}
	for _, p := range g.Prompts {
		g.prompts = append(g.prompts, g.free("mcp"+camel(p.Name)+"Prompt"))
	}
}

// nameValues names the fields of mcpValues.
func (g *goPackage) nameValues() {
	g.values = len(g.Deps)+len(g.Providers) > 0
	used := map[string]bool{"deps": true, "start": true}
	distinct := func(base string) string {
		base = lowerFirst(camel(base))
		if base == "" {
			base = "value"
		}
		name := base
		for n := 2; used[name] || isTaken(name); n++ {
			name = numbered(base, n)
		}
		used[name] = true
		return name
	}
	for _, t := range g.tools {
		used[t.ident] = true
	}
	for _, name := range slices.Concat(g.resources, g.prompts) {
		used[name] = true
	}
	for _, p := range g.Providers {
		g.providers = append(g.providers, distinct(p.Name))
	}
	for _, a := range g.allArgs() {
		if a.Kind == ir.ArgEnv && g.envField(a) == "" {
			g.values = true
			g.env = append(g.env, envField{name: distinct("env_" + strings.ToLower(a.Env)), env: a.Env, kind: g.code(a.Type)})
		}
	}
}

// envField is the field that holds an argument from the environment.
func (g *goPackage) envField(a ir.FuncArg) string {
	kind := g.code(a.Type)
	for _, f := range g.env {
		if f.env == a.Env && f.kind == kind {
			return f.name
		}
	}
	return ""
}

// allArgs are the arguments of everything that is called.
func (g *goPackage) allArgs() []ir.FuncArg {
	var all []ir.FuncArg
	for _, f := range g.funcs() {
		all = append(all, f.Args...)
	}
	for _, p := range g.Providers {
		all = append(all, p.Args...)
	}
	return all
}

func (g *goPackage) funcs() []*ir.Func {
	var all []*ir.Func
	for _, t := range g.Tools {
		all = append(all, t.Func)
	}
	for _, r := range g.Resources {
		all = append(all, r.Func)
	}
	for _, p := range g.Prompts {
		all = append(all, p.Func)
	}
	return all
}

// rt refers to a name of the runtime.
func (g *goPackage) rt(name string) *jen.Statement { return g.qualified(g.runtime, name) }

// declarations prints what mcp_gen.go holds, in reading order.
func (g *goPackage) declarations() ([]jen.Code, error) {
	var out []jen.Code
	add := func(codes ...jen.Code) { out = append(append(out, codes...), jen.Line()) }
	if len(g.Tools) > 0 {
		add(jen.Comment("//go:embed "+toolPatterns("mcp_tools/", g.tools)), jen.Var().Id(g.local(toolsVar)).Add(g.qualified("embed", "FS")))
	}
	if len(g.Deps) > 0 {
		add(g.depsType()...)
	}
	add(g.register()...)
	if g.values {
		add(g.valuesType()...)
		add(g.start()...)
	}
	answer := func(ident string, f *ir.Func, mediaType string) error {
		code, err := g.handler(ident, f, mediaType)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Doc, err)
		}
		add(jen.Comment(comment(ident+" calls "+f.Doc)), code)
		return nil
	}
	for _, t := range g.tools {
		if err := answer(t.ident, t.Func, t.Func.MIME); err != nil {
			return nil, err
		}
	}
	for i, r := range g.Resources {
		mediaType := r.Func.MIME
		if mediaType == "" {
			mediaType = r.MIME
		}
		if err := answer(g.resources[i], r.Func, mediaType); err != nil {
			return nil, err
		}
	}
	for i, p := range g.Prompts {
		if err := answer(g.prompts[i], p.Func, ""); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (g *goPackage) depsType() []jen.Code {
	return []jen.Code{
		jen.Comment(comment(ir.DepsType + " is what the functions of this package need and no provider makes.")),
		jen.Type().Id(ir.DepsType).StructFunc(func(b *jen.Group) {
			for _, d := range g.Deps {
				field := jen.Id(d.Name).Id(g.code(d.Type))
				if doc := line(d.Doc); doc != "" {
					field.Comment("// " + doc)
				}
				b.Add(field)
			}
		}),
	}
}

// register prints RegisterMCP: the registry, one line a tool.
func (g *goPackage) register() []jen.Code {
	s := g.local("s")
	params := []jen.Code{jen.Id(s).Op("*").Add(g.rt("Server"))}
	if len(g.Deps) > 0 {
		params = append(params, jen.Id(g.local("deps")).Id(ir.DepsType))
	}
	return []jen.Code{
		jen.Comment(comment(fmt.Sprintf("%s adds the tools, resources and prompts of package %s to a server.", ir.RegisterFunc, g.Name))),
		jen.Func().Id(ir.RegisterFunc).Params(params...).BlockFunc(func(b *jen.Group) {
			if g.values {
				var fields []jen.Code
				if len(g.Deps) > 0 {
					fields = append(fields, field("deps", jen.Id(g.local("deps"))))
				}
				b.Id(g.local("v")).Op(":=").Op("&").Id(g.local(valuesType)).Values(fields...)
			}
			b.Id(s).Dot("Add").Call(g.rt("Package").Add(g.registry()))
		}),
	}
}

func (g *goPackage) registry() jen.Code {
	var fields []jen.Code
	if len(g.tools) > 0 {
		fields = append(fields, field("Schemas", jen.Id(g.local(toolsVar))), field("Tools", jen.Index().Add(g.rt("Tool")).Add(g.toolEntries())))
	}
	if len(g.Resources) > 0 {
		var items []jen.Code
		for i, r := range g.Resources {
			items = append(items, lines(text("URI", r.URI), text("Name", r.Name), text("Title", r.Title), text("Description", r.Description),
				text("MIME", r.MIME), g.input(r.Input), field("Read", g.handlerValue(g.resources[i], r.Func))))
		}
		fields = append(fields, field("Resources", jen.Index().Add(g.rt("Resource")).Add(lines(items...))))
	}
	if len(g.Prompts) > 0 {
		var items []jen.Code
		for i, p := range g.Prompts {
			items = append(items, lines(text("Name", p.Name), text("Title", p.Title), text("Description", p.Description),
				g.promptArguments(p), g.input(p.Input), field("Get", g.handlerValue(g.prompts[i], p.Func))))
		}
		fields = append(fields, field("Prompts", jen.Index().Add(g.rt("Prompt")).Add(lines(items...))))
	}
	var names []string
	for _, e := range g.env {
		if !slices.Contains(names, e.env) {
			names = append(names, e.env)
		}
	}
	if len(names) > 0 {
		fields = append(fields, field("Environment", jen.Index().String().Values(literals(names)...)))
	}
	if g.values {
		fields = append(fields, field("Start", jen.Id(g.local("v")).Dot("start")))
	}
	return lines(fields...)
}

func (g *goPackage) toolEntries() jen.Code {
	var items []jen.Code
	for _, t := range g.tools {
		fields := []jen.Code{field("Name", jen.Lit(t.Name))}
		if t.file != t.Name+".json" {
			fields = append(fields, field("File", jen.Lit(t.file)))
		}
		fields = append(fields, field("Handle", g.handlerValue(t.ident, t.Func)))
		if t.Func.Timeout != "" {
			fields = append(fields, field("Timeout", g.duration(t.Func.Timeout)))
		}
		items = append(items, jen.Values(fields...).Op(",").Comment("// "+line(t.Func.Doc)))
	}
	return jen.Custom(jen.Options{Open: "{", Close: "}", Multi: true}, items...)
}

// duration prints "30s" as 30 * time.Second.
func (g *goPackage) duration(text string) jen.Code {
	d, err := time.ParseDuration(text)
	if err != nil {
		return jen.Lit(0) // checked by the front end
	}
	for _, unit := range []struct {
		d    time.Duration
		name string
	}{{time.Hour, "Hour"}, {time.Minute, "Minute"}, {time.Second, "Second"}, {time.Millisecond, "Millisecond"}} {
		if d%unit.d == 0 {
			return jen.Lit(int(d / unit.d)).Op("*").Add(g.qualified("time", unit.name))
		}
	}
	return jen.Lit(int(d)).Op("*").Add(g.qualified("time", "Nanosecond"))
}

// noInput is the schema of what takes no arguments, which the runtime supplies.
const noInput = `{"type":"object","properties":{},"additionalProperties":false}`

func (g *goPackage) input(schema json.RawMessage) jen.Code {
	if schema == nil || string(schema) == noInput {
		return jen.Null()
	}
	return field("Input", rawLit(string(schema)))
}

func (g *goPackage) promptArguments(p ir.Prompt) jen.Code {
	if len(p.Arguments) == 0 {
		return jen.Null()
	}
	var items []jen.Code
	for _, a := range p.Arguments {
		items = append(items, jen.Values(text("Name", a.Name), text("Description", a.Description), truth("Required", a.Required)))
	}
	return field("Arguments", jen.Index().Add(g.rt("PromptArgument")).Add(lines(items...)))
}

// handlerValue refers to a handler: a function, or a method of the values that
// it needs.
func (g *goPackage) handlerValue(ident string, f *ir.Func) jen.Code {
	if g.needsValues(f) {
		return jen.Id(g.local("v")).Dot(ident)
	}
	return jen.Id(ident)
}

func (g *goPackage) needsValues(f *ir.Func) bool {
	return f.Receiver != nil || slices.ContainsFunc(f.Args, func(a ir.FuncArg) bool {
		return a.Kind == ir.ArgValue || a.Kind == ir.ArgEnv
	})
}

func (g *goPackage) valuesType() []jen.Code {
	name := g.local(valuesType)
	return []jen.Code{
		jen.Comment(comment(name + " is what the functions are called with beside their arguments: one for a server, made when it starts.")),
		jen.Type().Id(name).StructFunc(func(b *jen.Group) {
			if len(g.Deps) > 0 {
				b.Id("deps").Id(ir.DepsType)
			}
			for i, p := range g.Providers {
				b.Id(g.providers[i]).Id(g.code(p.Type))
			}
			for _, e := range g.env {
				b.Id(e.name).Id(e.kind)
			}
		}),
	}
}

// start prints the method that runs the providers.
func (g *goPackage) start() []jen.Code {
	v, start, err := g.local("v"), g.local("start"), g.local("err")
	check := func(b *jen.Group, call jen.Code) {
		b.If(jen.Id(err).Op(":=").Add(call), jen.Id(err).Op("!=").Nil()).Block(jen.Return(jen.Id(err)))
	}
	body := func(b *jen.Group) {
		if len(g.Deps) > 0 {
			pairs := []jen.Code{jen.Lit(g.Name + "." + ir.DepsType)}
			for _, d := range g.Deps {
				pairs = append(pairs, jen.Lit(d.Name), jen.Id(v).Dot("deps").Dot(d.Name))
			}
			if len(g.env)+len(g.Providers) == 0 {
				b.Return(jen.Id(start).Dot("Need").Call(pairs...))
				return
			}
			check(b, jen.Id(start).Dot("Need").Call(pairs...))
		}
		for _, e := range g.env {
			check(b, jen.Id(start).Dot("Env").Call(jen.Lit(e.env), jen.Op("&").Id(v).Dot(e.name)))
		}
		if slices.ContainsFunc(g.Providers, func(p ir.Provider) bool { return p.Error }) {
			b.Var().Id(err).Error()
		}
		if slices.ContainsFunc(g.Providers, func(p ir.Provider) bool { return p.Cleanup }) {
			b.Var().Id(g.local("cleanup")).Func().Params()
		}
		for i, p := range g.Providers {
			g.provider(b, p, g.providers[i])
		}
		b.Return(jen.Nil())
	}
	return []jen.Code{
		jen.Comment(comment("start makes the values, each once, in an order in which every one finds what it needs.")),
		jen.Func().Params(jen.Id(v).Op("*").Id(g.local(valuesType))).Id("start").
			Params(jen.Id(g.local("ctx")).Add(g.qualified("context", "Context")), jen.Id(start).Op("*").Add(g.rt("Start"))).
			Error().BlockFunc(body),
	}
}

func (g *goPackage) provider(b *jen.Group, p ir.Provider, name string) {
	var args []jen.Code
	for _, a := range p.Args {
		args = append(args, g.argument(a, jen.Id(g.local("start")).Dot("Logger").Call()))
	}
	to := []jen.Code{jen.Id(g.local("v")).Dot(name)}
	cleanup, err := jen.Nil(), jen.Nil()
	if p.Cleanup {
		cleanup = jen.Id(g.local("cleanup"))
		to = append(to, jen.Id(g.local("cleanup")))
	}
	if p.Error {
		err = jen.Id(g.local("err"))
		to = append(to, jen.Id(g.local("err")))
	}
	b.List(to...).Op("=").Id(g.code(p.Callee)).Call(args...)
	if p.Cleanup || p.Error {
		b.If(jen.Id(g.local("err")).Op(":=").Id(g.local("start")).Dot("Made").Call(jen.Lit(p.Doc), cleanup, err),
			jen.Id(g.local("err")).Op("!=").Nil()).Block(jen.Return(jen.Id(g.local("err"))))
	}
}

// camel makes one word of a name, each part with a capital: "list-pets" is
// ListPets.
func camel(name string) string {
	var out []byte
	upper := true
	for i := range len(name) {
		c := name[i]
		switch {
		case !isAlnum(rune(c)):
			upper = true
			continue
		case upper && 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		upper = false
		out = append(out, c)
	}
	return string(out)
}
