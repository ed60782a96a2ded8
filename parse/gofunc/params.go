package gofunc

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

const mcpPath = "github.com/modelcontextprotocol/go-sdk/mcp"

// injected are the types whose values the runtime supplies.
var injected = []struct {
	path, name string
	pointer    bool
	kind       ir.ArgKind
}{
	{"context", "Context", false, ir.ArgContext},
	{mcpPath, "CallToolRequest", true, ir.ArgRequest},
	{mcpPath, "GetPromptRequest", true, ir.ArgPrompt},
	{mcpPath, "ReadResourceRequest", true, ir.ArgResource},
	{mcpPath, "ServerSession", true, ir.ArgSession},
	{mcpPath, "Server", true, ir.ArgServer},
	{"log/slog", "Logger", true, ir.ArgLogger},
}

// arguments are the parameters of a callable, sorted by where they come from.
type arguments struct {
	args   []ir.FuncArg
	params []*param // of the args
	inputs []*param // those that the model gives
	object *param   // the one input whose fields are the arguments
}

// classify finds out where each parameter comes from; false when it reported
// one that comes from nowhere.
func (r *packageReader) classify(c *callable) (*arguments, bool) {
	rest := r.readParams(c)
	out, ok := &arguments{}, true
	for _, p := range c.params {
		arg, use, good := r.argument(c, p)
		ok = ok && good
		if !good || !use {
			continue
		}
		if arg.Kind == ir.ArgContext && slices.ContainsFunc(out.args, func(a ir.FuncArg) bool { return a.Kind == ir.ArgContext }) {
			r.error(c, "unsupported-type", "keep one of them", "parameter %s is a second context.Context", p.name)
			ok = false
		}
		if arg.Kind == ir.ArgInput || arg.Kind == ir.ArgReader {
			out.inputs = append(out.inputs, p)
		} else if about := slices.Concat(p.rules, p.more.all()); len(about) > 0 {
			r.diags.Error(about[0].pos, "bad-directive", "", "%s: parameter %s is no argument, so %s says nothing", c.doc, p.name, about[0].key)
			ok = false
		}
		out.args, out.params = append(out.args, arg), append(out.params, p)
	}
	if len(out.inputs) == 1 && r.isObject(out.inputs[0]) && ok {
		out.object = out.inputs[0]
		i := slices.Index(out.params, out.object)
		_, out.args[i].Pointer = unnamedElem(out.object.typ)
		out.args[i].Kind, out.args[i].Wire = ir.ArgObject, ""
	}
	for _, d := range rest {
		if out.object == nil {
			r.unknownParam(c, d)
			ok = false
			continue
		}
		r.giveParam(c, out.object, strings.Split(d.target.value, "."), d)
	}
	return out, ok
}

// isObject reports whether a parameter's fields can be the arguments.
func (r *packageReader) isObject(p *param) bool {
	if _, named := p.set["name"]; named || isVariadic(p) {
		return false
	}
	t, _ := unnamedElem(p.typ)
	if st, ok := t.Underlying().(*types.Struct); !ok || opaque(st) || isNamed(t, "net/url", "URL") {
		return false
	}
	if own, _ := ownJSONOf(t, in, true); own != noJSON || givenSchema(p.rules) != nil {
		return false
	}
	named, ok := types.Unalias(t).(*types.Named)
	return !ok || !r.sources.of(named.Obj()).notes.has("schema")
}

func isVariadic(p *param) bool {
	_, ok := p.set["variadic"]
	return ok
}

// argument says where one parameter comes from. use is false for one that the
// call leaves out.
func (r *packageReader) argument(c *callable, p *param) (arg ir.FuncArg, use, ok bool) {
	arg = ir.FuncArg{Kind: ir.ArgInput, Name: p.name, Wire: p.wire, Variadic: c.sig.Variadic() && p.index == c.sig.Params().Len()-1}
	if arg.Variadic {
		p.set["variadic"] = rule{}
		if elem := p.typ.(*types.Slice).Elem(); isOption(elem) {
			return arg, false, true
		}
	}
	if done, ok := r.given(c, p, &arg); done {
		return arg, true, ok && r.withType(c, p, &arg)
	}
	for _, j := range injected {
		if !j.pointer && isNamed(p.typ, j.path, j.name) || j.pointer && isPointerTo(p.typ, j.path, j.name) {
			arg.Kind, arg.Wire = j.kind, ""
			return arg, true, true
		}
	}
	if v, ok := r.provided(c, p.typ); !isNamed(p.typ, "io", "Reader") && (v != nil || !ok) {
		arg.Kind, arg.From, arg.Wire = ir.ArgValue, v, ""
		return arg, true, ok
	}
	if isDependency(p.typ) {
		v := r.dependency(p.typ, c)
		arg.Kind, arg.From, arg.Wire = ir.ArgValue, v, ""
		return arg, true, v != nil
	}
	switch {
	case isNamed(p.typ, "io", "Reader"):
		arg.Kind = ir.ArgReader
	case isNamed(p.typ, "time", "Duration"):
		arg.Codec = ir.CodecDuration
	case isNamed(p.typ, "net/url", "URL"), isPointerTo(p.typ, "net/url", "URL"):
		arg.Codec = ir.CodecURL
	}
	return arg, true, r.withType(c, p, &arg)
}

// isOption reports whether a variadic parameter holds options of the API
// rather than values: functions, or an interface with methods.
func isOption(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return !u.Empty()
	}
	return false
}

// isDependency reports whether a type can only be a value of the program, such
// as *sql.DB: a pointer to a struct without visible fields or JSON of its own.
func isDependency(t types.Type) bool {
	elem, isPointer := unnamedElem(t)
	st, ok := elem.Underlying().(*types.Struct)
	if !ok || !isPointer || !opaque(st) {
		return false
	}
	own, _ := ownJSONOf(elem, in, true)
	return own == noJSON
}

func (r *packageReader) withType(c *callable, p *param, arg *ir.FuncArg) bool {
	code, err := r.typeCode(p.typ)
	if err != nil {
		r.error(c, "unsupported-type", "", "parameter %s: %s", p.name, err)
		return false
	}
	arg.Type = code
	return true
}

// given handles the directives that take a parameter from the model.
func (r *packageReader) given(c *callable, p *param, arg *ir.FuncArg) (done, ok bool) {
	count := 0
	for _, key := range ownKeys[1:] {
		a, given := p.set[key]
		if !given || a.value == "false" {
			continue
		}
		if count++; count > 1 {
			r.diags.Error(a.pos, "bad-directive", "", "%s: parameter %s cannot come from two places", c.doc, p.name)
			return true, false
		}
		switch key {
		case "hidden":
			arg.Kind = ir.ArgZero
		case "fixed":
			arg.Kind = ir.ArgFixed
			if arg.Fixed, ok = r.fixed(c, p, a); !ok {
				return true, false
			}
		case "env":
			arg.Kind, arg.Env = ir.ArgEnv, a.value
			if isNamed(p.typ, "time", "Duration") {
				arg.Codec = ir.CodecDuration
			} else if !isScalar(p.typ) {
				r.diags.Error(a.pos, "bad-directive", "use a string, number or boolean", "%s: parameter %s: an environment variable is text, not %s", c.doc, p.name, typeText(p.typ))
				return true, false
			}
		case "progress":
			arg.Kind = ir.ArgProgress
			if !isProgress(p.typ) {
				r.diags.Error(a.pos, "bad-directive", "its type is func(done, total float64, message string)", "%s: parameter %s cannot report progress", c.doc, p.name)
				return true, false
			}
		}
	}
	if count > 0 {
		arg.Wire = ""
	}
	return count > 0, true
}

// fixed reads the value of fixed= as encoding/json would decode it.
func (r *packageReader) fixed(c *callable, p *param, a rule) (value string, ok bool) {
	d, err := r.document(in, c.pos, c.doc, func(conv *conversion) (*node.Node, error) {
		n, err := conv.schema(p.typ, place{path: p.name, depth: 1})
		if err == nil {
			value, ok = conv.value(n, p.typ, a)
		}
		return n, err
	})
	if err != nil || d == nil {
		r.typeProblem(c, "parameter", err)
		return "", false
	}
	return value, ok
}

// isScalar reports whether a type is text, a number or a boolean.
func isScalar(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsString|types.IsBoolean|types.IsInteger|types.IsFloat) != 0 && b.Kind() != types.Uintptr
}

// isProgress reports whether a type is func(float64, float64, string).
func isProgress(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 3 || sig.Results().Len() != 0 || sig.Variadic() {
		return false
	}
	for i, want := range []types.BasicKind{types.Float64, types.Float64, types.String} {
		if !types.Identical(sig.Params().At(i).Type(), types.Typ[want]) {
			return false
		}
	}
	return true
}

// describeParams reads the comment of the function and moves what it says about
// parameters to them.
func (r *packageReader) describeParams(c *callable, a *arguments) prose {
	known := func(name string) bool {
		if p, path := c.directParam(name); p != nil && len(path) == 0 {
			return true
		}
		if slices.ContainsFunc(c.params, func(p *param) bool { return p.wire == name }) {
			return true
		}
		return a.object != nil && fieldAt(a.object.typ, strings.Split(name, "."))
	}
	p := render(c.about.doc, known)
	if len(p.blocks) == 0 && len(p.params) == 0 {
		p = render(c.about.comment, known)
	}
	for _, param := range c.params {
		for _, name := range []string{param.name, param.wire} {
			if text := p.params[name]; text != "" {
				param.text = text
			}
		}
	}
	if a.object != nil {
		r.describeFields(c, a.object, p)
	}
	return p
}

// describeFields turns texts about fields of the input into rules.
func (r *packageReader) describeFields(c *callable, object *param, p prose) {
	var names []string
	for name := range p.params {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		path := strings.Split(name, ".")
		if !fieldAt(object.typ, path) {
			continue
		}
		o := object.more.at(path, rule{value: name, pos: c.pos})
		o.rules = addRules(o.rules, []rule{{"desc", p.params[name], c.pos}})
	}
}

// fieldAt reports whether a struct has a field at the path of JSON names.
func fieldAt(t types.Type, path []string) bool {
	for _, name := range path {
		t, _ = unnamedElem(t)
		st, ok := t.Underlying().(*types.Struct)
		if !ok {
			return false
		}
		fields := jsonFields(st)
		i := slices.IndexFunc(fields, func(f jsonField) bool { return f.name == name })
		if i < 0 {
			return false
		}
		t = fields[i].typ
	}
	return true
}

// inputSchema makes the schema of the inputs and completes their arguments.
func (r *packageReader) inputSchema(c *callable, a *arguments) (*document, bool) {
	ok := true
	d, err := r.document(in, c.pos, c.doc, func(conv *conversion) (*node.Node, error) {
		if a.object != nil {
			return conv.inputObject(a.object)
		}
		var properties []property
		for i := range a.args {
			arg := &a.args[i]
			if arg.Kind != ir.ArgInput && arg.Kind != ir.ArgReader {
				continue
			}
			prop, err := conv.parameter(a.params[i], arg)
			if err != nil {
				r.typeProblem(c, "parameter", err)
				ok = false
				continue
			}
			properties = append(properties, prop)
		}
		return objectSchema(properties, in), nil
	})
	if err != nil {
		r.typeProblem(c, "parameter", err)
		return nil, false
	}
	for i, p := range a.params {
		var err error
		if a.args[i].Defaults, err = r.fieldDefaults(p.defaults); err != nil {
			r.error(c, "unsupported-type", "", "parameter %s: %s", p.name, err)
			ok = false
		}
	}
	return d, ok && r.checkOverrides(c)
}

func (r *packageReader) fieldDefaults(list []fieldDefault) (out []ir.FieldDefault, err error) {
	for _, d := range list {
		code, err := r.typeCode(d.typ)
		if err != nil {
			return nil, err
		}
		out = append(out, ir.FieldDefault{Field: d.selector, Type: code, JSON: d.json})
	}
	return out, nil
}

// inputObject is the schema of a struct whose fields are the arguments.
func (c *conversion) inputObject(p *param) (*node.Node, error) {
	t, _ := unnamedElem(p.typ)
	for _, r := range p.rules {
		c.badRule(r, "%s is the whole input; write //mcp:param %s.FIELD", p.name, p.name)
	}
	n, err := c.schema(t, place{reachable: true, more: p.more})
	p.defaults = c.defaults
	return n, err
}

// parameter is the property of one parameter.
func (c *conversion) parameter(p *param, arg *ir.FuncArg) (property, error) {
	at := place{path: p.name, depth: 1, more: p.more, reachable: true}
	if at.path == "" || at.path == "_" {
		at.path = p.wire
	}
	n, err := c.parameterSchema(p, arg, at)
	if err != nil {
		return property{}, err
	}
	text, given := ruleText(p.rules)
	if !given {
		text = p.text
	}
	if text == "" {
		text = c.typeSummary(p.typ)
	}
	n, given2 := c.limit(withFieldText(n, text), p.typ, p.rules)
	arg.Default = given2.fallback
	_, isPointer := p.typ.Underlying().(*types.Pointer)
	arg.Optional = given2.optional(isPointer || arg.Variadic)
	return property{name: p.wire, schema: n, optional: arg.Optional}, nil
}

func (c *conversion) parameterSchema(p *param, arg *ir.FuncArg, at place) (*node.Node, error) {
	if given := givenSchema(p.rules); given != nil {
		return given, nil
	}
	switch {
	case arg.Codec == ir.CodecDuration:
		return object("type", "string", "description", `A duration such as "1m30s".`), nil
	case arg.Codec == ir.CodecURL:
		return object("type", "string", "format", "uri-reference"), nil
	case arg.Kind == ir.ArgReader:
		return object("type", "string"), nil
	}
	before := len(c.defaults)
	n, err := c.schema(p.typ, at)
	p.defaults = c.defaults[before:]
	return n, err
}

// checkOverrides reports //mcp:param lines about fields that are not there.
func (r *packageReader) checkOverrides(c *callable) bool {
	ok := true
	for _, p := range c.params {
		if u := p.more.unused(); u != nil {
			r.diags.Error(u.pos.pos, "unknown-parameter", "fields have their JSON names", "%s: there is no field %s", c.doc, u.pos.value)
			ok = false
		}
	}
	return ok
}

// checkWires reports inputs without a usable name, and two of one name.
func (r *packageReader) checkWires(c *callable, a *arguments) bool {
	ok := true
	seen := map[string]bool{}
	for _, p := range a.inputs {
		if p == a.object {
			continue
		}
		switch {
		case p.wire == "" || p.wire == "_":
			r.error(c, "no-name", fmt.Sprintf("name it, or write //mcp:param %d name=…", p.index+1), "parameter %d has no name", p.index+1)
			return false
		case !ir.IsArgName(p.wire):
			r.error(c, "bad-name", fmt.Sprintf("write //mcp:param %d name=…", p.index+1), "parameter %s: arguments are named with letters, digits, _, - and .", p.wire)
			ok = false
		case seen[p.wire]:
			r.error(c, "duplicate-name", "", "two arguments are named %s", p.wire)
			ok = false
		}
		seen[p.wire] = true
	}
	return ok
}
