package gofunc

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// packageReader makes the model of one annotated package.
type packageReader struct {
	*converter
	coder
	pkg    *packages.Package
	opts   Options
	clause annotations
	model  *ir.Package

	providers []*provider
	deps      []*dep
	groups    map[*ir.Tool]string // of tools whose directive names one
	later     []diag.Diagnostic   // about style, for when nothing is wrong
}

// callable is an annotated function, method or instance of one.
type callable struct {
	*declaration
	doc    string // "(*Store).Get"
	name   string // "Get"
	sig    *types.Signature
	callee ir.Code
	recv   types.Type // of a method; nil for a function, also for a method expression
	method *types.Func
	about  *entry // where its comment stands
	params []*param
}

// param is a parameter and what directives say about it.
type param struct {
	index int
	name  string // the Go name
	wire  string // the argument's name
	typ   types.Type
	rules []rule
	more  *overrides
	set   map[string]rule // name, hidden, fixed, env, progress
	text  string          // from the function's comment

	defaults []fieldDefault // of fields in it
}

// error reports what is wrong with a function at its declaration.
func (r *packageReader) error(c *callable, code, hint, format string, args ...any) {
	r.diags.Error(c.pos, code, hint, "%s: %s", c.doc, fmt.Sprintf(format, args...))
}

// typeProblem reports a type without JSON.
func (r *packageReader) typeProblem(c *callable, what string, err error) {
	hint := ""
	if e, ok := err.(*typeError); ok {
		hint = e.hint
		r.error(c, "unsupported-type", hint, "%s %s", what, e)
		return
	}
	r.error(c, "unsupported-type", hint, "%s: %s", what, err)
}

// callable resolves a declaration; nil when it was reported.
func (r *packageReader) callable(d *declaration) *callable {
	c := &callable{declaration: d, name: d.name.Name, doc: d.name.Name, about: d.entry}
	if d.value != nil {
		return r.value(c)
	}
	fn, ok := r.pkg.TypesInfo.Defs[d.name].(*types.Func)
	if !ok {
		return nil // its type did not check, which was reported
	}
	c.sig, c.callee = fn.Signature(), ir.Code{{Text: fn.Name()}}
	if recv := c.sig.Recv(); recv != nil {
		c.method, c.recv = fn, recv.Type()
		c.doc = methodDoc(recv.Type(), fn.Name())
	}
	if generic := c.sig.TypeParams().Len() + c.sig.RecvTypeParams().Len(); generic > 0 {
		hint := "expose an instance: var _ = " + c.name + "[int]"
		if c.recv != nil {
			hint = "expose a method of an instance: var _ = (*Type[int])." + c.name
		}
		r.error(c, "generic", hint, "has a type parameter, and a tool needs actual types")
		return nil
	}
	return r.withParams(c)
}

func methodDoc(recv types.Type, name string) string {
	target, isPointer := unnamedElem(recv)
	text := typeText(target)
	if named, ok := types.Unalias(target).(*types.Named); ok {
		text = named.Obj().Name()
	}
	if isPointer {
		text = "(*" + text + ")"
	}
	return text + "." + name
}

// value resolves var _ = f.
func (r *packageReader) value(c *callable) *callable {
	t := r.pkg.TypesInfo.TypeOf(c.declaration.value)
	c.doc = types.ExprString(c.declaration.value)
	sig, ok := types.Unalias(t).(*types.Signature)
	if !ok {
		r.error(c, "no-function", "write var _ = pkg.Function", "is no function")
		return nil
	}
	c.sig = sig
	var err error
	if c.callee, err = r.exprCode(c.declaration.value); err != nil {
		r.error(c, "no-function", "write var _ = pkg.Function", "%s", err)
		return nil
	}
	if fn := r.named(c.declaration.value); fn != nil {
		c.name = fn.Name()
		if own := render(c.about.doc, nil); len(own.blocks) == 0 {
			c.about = r.sources.of(fn)
		}
	}
	return r.withParams(c)
}

// named returns the function that an expression names.
func (r *packageReader) named(e ast.Expr) *types.Func {
	var id *ast.Ident
	for id == nil {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.SelectorExpr:
			id = x.Sel
		case *ast.Ident:
			id = x
		default:
			return nil
		}
	}
	fn, _ := r.pkg.TypesInfo.Uses[id].(*types.Func)
	if fn != nil {
		return fn.Origin()
	}
	return nil
}

// withParams lists the parameters and gives them their directives.
func (r *packageReader) withParams(c *callable) *callable {
	for i := range c.sig.Params().Len() {
		v := c.sig.Params().At(i)
		name := v.Name()
		if i == 0 && (name == "" || name == "_") && r.isMethodExpr(c) {
			name = receiverName(v.Type())
		}
		c.params = append(c.params, &param{index: i, name: name, wire: name, typ: v.Type(), set: map[string]rule{}, more: &overrides{}})
	}
	return c
}

func (r *packageReader) isMethodExpr(c *callable) bool {
	sel, ok := c.declaration.value.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	s := r.pkg.TypesInfo.Selections[sel]
	return s != nil && s.Kind() == types.MethodExpr
}

// receiverName names the receiver of a method expression after its type.
func receiverName(t types.Type) string {
	t, _ = unnamedElem(t)
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return lowerFirst(named.Obj().Name())
	}
	return "receiver"
}

// lowerFirst writes the first word of a name in small letters: DBConn is dbConn.
func lowerFirst(s string) string {
	runes := []rune(s)
	for i, c := range runes {
		if i > 0 && (!unicode.IsUpper(c) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			break
		}
		runes[i] = unicode.ToLower(c)
	}
	return string(runes)
}

// directParam returns the parameter that a directive's target names, by name
// or by number from 1, and the path below it.
func (c *callable) directParam(target string) (p *param, path []string) {
	head, rest, below := strings.Cut(target, ".")
	if below {
		path = strings.Split(rest, ".")
	}
	if n, err := strconv.Atoi(head); err == nil {
		if n < 1 || n > len(c.params) {
			return nil, nil
		}
		return c.params[n-1], path
	}
	i := slices.IndexFunc(c.params, func(p *param) bool { return p.name == head && head != "_" })
	if i < 0 {
		return nil, nil
	}
	return c.params[i], path
}

// readParams gives the //mcp:param directives to their parameters. Those that
// name none are returned: they may name fields of the one input.
func (r *packageReader) readParams(c *callable) (rest []*directive) {
	for _, d := range c.notes.all("param") {
		p, path := c.directParam(d.target.value)
		if p == nil {
			rest = append(rest, d)
			continue
		}
		r.giveParam(c, p, path, d)
	}
	return rest
}

// ownKeys are the keys of //mcp:param that say where a parameter comes from,
// not what its value may be.
var ownKeys = []string{"name", "hidden", "fixed", "env", "progress"}

func (r *packageReader) giveParam(c *callable, p *param, path []string, d *directive) {
	var rules []rule
	for _, a := range d.args {
		switch {
		case !slices.Contains(ownKeys, a.key):
			rules = append(rules, a)
		case len(path) > 0:
			r.diags.Error(a.pos, "bad-directive", "", "%s: %s is about a parameter, and %s is a field", c.doc, a.key, d.target.value)
		default:
			p.set[a.key] = a
		}
	}
	if len(path) == 0 {
		p.rules = append(p.rules, rules...)
		if name, ok := p.set["name"]; ok {
			if ir.IsArgName(name.value) {
				p.wire = name.value
			} else {
				r.diags.Error(name.pos, "bad-name", "use letters, digits, _, - and .", "%s: the argument name %s is not legal", c.doc, quote(name.value))
			}
		}
		return
	}
	o := p.more.at(path, d.target)
	o.rules = append(o.rules, rules...)
}

// unknownParam reports a directive about no parameter.
func (r *packageReader) unknownParam(c *callable, d *directive) {
	var names []string
	for _, p := range c.params {
		if p.name != "" && p.name != "_" {
			names = append(names, p.name)
		}
	}
	hint := suggestion(d.target.value, names, "the parameters are %s")
	r.diags.Error(d.target.pos, "unknown-parameter", hint, "%s: there is no parameter %s", c.doc, d.target.value)
}

// at is the place of the first directive with the verb, for clashes of names.
func (c *callable) at(verb string) diag.Pos { return c.notes.first(verb).pos }
