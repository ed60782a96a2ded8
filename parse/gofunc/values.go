package gofunc

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// Values exist once per server: what providers make, and what the caller of
// RegisterMCP must supply because no provider makes it. They are found by type
// within one package.

// provider is a function with //mcp:provider.
type provider struct {
	*callable
	typ   types.Type
	model ir.Provider
	state providerState
	index int // in the model, when resolved
}

type providerState uint8

const (
	unused providerState = iota
	resolving
	resolved
	failed
)

// dep is a value that the caller supplies.
type dep struct {
	typ    types.Type
	users  []string
	values []*ir.Value
}

// addProvider checks the results of a provider.
func (r *packageReader) addProvider(c *callable) {
	list, failure, ok := r.results(c)
	if !ok {
		return
	}
	p := &provider{callable: c, model: ir.Provider{Doc: c.doc, Callee: c.callee, Pos: c.pos, Error: failure == ir.PlainError}}
	if n := len(list); n == 2 && isCleanup(list[1].typ) {
		p.model.Cleanup, list = true, list[:1]
	}
	if len(list) != 1 || failure == ir.ConcreteError || c.recv != nil {
		r.error(c, "bad-provider", "a provider returns T, (T, error), (T, func()) or (T, func(), error) and is no method", "is no provider")
		return
	}
	p.typ = list[0].typ
	for _, other := range r.providers {
		if types.Identical(other.typ, p.typ) {
			r.error(c, "duplicate-provider", "keep one of them", "makes a %s, as %s at %s does", typeText(p.typ), other.doc, other.pos)
			return
		}
	}
	code, err := r.typeCode(p.typ)
	if err != nil {
		r.error(c, "unsupported-type", "", "%s", err)
		return
	}
	p.model.Type, p.model.Name = code, receiverName(p.typ)
	r.providers = append(r.providers, p)
}

func isCleanup(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	return ok && sig.Params().Len() == 0 && sig.Results().Len() == 0
}

// provided returns the value of a type that a provider makes, nil without one;
// ok is false when it reported that there are several, or that it cannot be
// made.
func (r *packageReader) provided(c *callable, t types.Type) (v *ir.Value, ok bool) {
	var found []*provider
	for _, p := range r.providers {
		if types.Identical(p.typ, t) {
			found = []*provider{p}
			break
		}
		if iface, isInterface := t.Underlying().(*types.Interface); isInterface && !iface.Empty() && types.Implements(p.typ, iface) {
			found = append(found, p)
		}
	}
	return r.one(c, t, found)
}

// one uses the only provider of a list.
func (r *packageReader) one(c *callable, t types.Type, found []*provider) (v *ir.Value, ok bool) {
	switch len(found) {
	case 0:
		return nil, true
	case 1:
		return r.use(c, found[0])
	}
	var names []string
	for _, p := range found {
		names = append(names, p.doc)
	}
	r.error(c, "ambiguous-provider", "let one function provide the type itself", "needs a %s, which %s make", typeText(t), strings.Join(names, " and "))
	return nil, false
}

// use returns the value that a provider makes and resolves what it needs.
func (r *packageReader) use(c *callable, p *provider) (*ir.Value, bool) {
	switch p.state {
	case resolving:
		r.error(p.callable, "provider-loop", "", "needs a value that is made from its own")
		return nil, false
	case failed:
		return nil, false
	case unused:
		p.state = resolving
		args, ok := r.providerArgs(p)
		if !ok {
			p.state = failed
			return nil, false
		}
		p.state, p.model.Args, p.index = resolved, args, len(r.model.Providers)
		r.model.Providers = append(r.model.Providers, p.model)
	}
	return &ir.Value{Provider: p.index, Dep: -1}, true
}

// providerArgs finds the parameters of a provider: injected, provided, or asked
// from the caller.
func (r *packageReader) providerArgs(p *provider) ([]ir.FuncArg, bool) {
	c := p.callable
	for _, d := range r.readParams(c) {
		r.unknownParam(c, d)
		return nil, false
	}
	var out []ir.FuncArg
	for _, param := range c.params {
		arg := ir.FuncArg{Name: param.name}
		if c.sig.Variadic() && param.index == c.sig.Params().Len()-1 {
			continue // options of the constructor
		}
		done, ok := r.given(c, param, &arg)
		switch {
		case !ok:
			return nil, false
		case arg.Kind == ir.ArgProgress:
			r.error(c, "bad-provider", "", "parameter %s: there is no progress at start", param.name)
			return nil, false
		case done:
			if !r.withType(c, param, &arg) {
				return nil, false
			}
		case isNamed(param.typ, "context", "Context"):
			arg.Kind = ir.ArgContext
		case isPointerTo(param.typ, "log/slog", "Logger"):
			arg.Kind = ir.ArgLogger
		default:
			v, ok := r.provided(c, param.typ)
			if !ok {
				return nil, false
			}
			if v == nil {
				v = r.dependency(param.typ, c)
			}
			if v == nil {
				return nil, false
			}
			arg.Kind, arg.From = ir.ArgValue, v
		}
		out = append(out, arg)
	}
	return out, true
}

// dependency returns a value that the caller of RegisterMCP supplies; nil when
// it reported that the caller cannot.
func (r *packageReader) dependency(t types.Type, user *callable) *ir.Value {
	named := namedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		r.error(user, "no-provider", "write //mcp:param NAME env=VARIABLE or fixed=VALUE, or use a type of your own",
			"nothing supplies a %s", typeText(t))
		return nil
	}
	if !named.Obj().Exported() {
		r.error(user, "no-provider", "write a function with //mcp:provider that makes it",
			"nothing supplies a %s, and no other package can: its name is not exported", typeText(t))
		return nil
	}
	i := slices.IndexFunc(r.deps, func(d *dep) bool { return types.Identical(d.typ, t) })
	if i < 0 {
		r.deps = append(r.deps, &dep{typ: t})
		i = len(r.deps) - 1
	}
	return r.deps[i].use(user)
}

func (d *dep) use(user *callable) *ir.Value {
	if !slices.Contains(d.users, user.doc) {
		d.users = append(d.users, user.doc)
	}
	v := &ir.Value{Provider: -1}
	d.values = append(d.values, v)
	return v
}

func namedOf(t types.Type) *types.Named {
	t, _ = unnamedElem(t)
	named, _ := types.Unalias(t).(*types.Named)
	return named
}

// receiver finds the value that a method is called on: one that a provider
// makes of the type or a pointer to it, the one value that embeds it, or a
// dependency.
func (r *packageReader) receiver(c *callable) (*ir.Value, bool) {
	if types.IsInterface(c.recv) {
		v, ok := r.provided(c, c.recv)
		if v == nil && ok {
			v = r.dependency(c.recv, c)
		}
		return v, v != nil
	}
	base, isPointer := unnamedElem(c.recv)
	var found, embedding []*provider
	for _, p := range r.providers {
		elem, _ := unnamedElem(p.typ)
		if types.Identical(elem, base) {
			found = append(found, p)
		} else if r.promotes(p.typ, c.method) {
			embedding = append(embedding, p)
		}
	}
	if len(found) == 0 {
		found = embedding
	}
	if v, ok := r.one(c, c.recv, found); v != nil || !ok {
		return v, ok
	}
	// One dependency serves the methods of the type and of its pointer.
	for _, d := range r.deps {
		if elem, _ := unnamedElem(d.typ); types.Identical(elem, base) {
			if isPointer {
				d.typ = c.recv
			}
			return d.use(c), true
		}
	}
	v := r.dependency(c.recv, c)
	return v, v != nil
}

// promotes reports whether the method is one of the type's by embedding.
func (r *packageReader) promotes(t types.Type, method *types.Func) bool {
	if types.IsInterface(t) {
		return false
	}
	obj, index, _ := types.LookupFieldOrMethod(t, true, method.Pkg(), method.Name())
	return obj == method && len(index) > 1
}

// finishDeps names the dependencies and gives every use its index.
func (r *packageReader) finishDeps() {
	taken := map[string]int{}
	var deps []ir.Dep
	for _, d := range r.deps {
		named := namedOf(d.typ)
		name := capital(named.Obj().Name())
		if taken[name]++; taken[name] > 1 {
			name = capital(named.Obj().Pkg().Name()) + name
			if taken[name]++; taken[name] > 1 {
				name += fmt.Sprint(taken[name])
			}
		}
		code, err := r.typeCode(d.typ)
		if err != nil {
			r.diags.Error(r.pos(named.Obj().Pos()), "unsupported-type", "", "dependency %s: %s", name, err)
			continue
		}
		deps = append(deps, ir.Dep{Name: name, Type: code, Doc: "needed by " + strings.Join(d.users, ", ")})
		for _, v := range d.values {
			v.Dep = len(deps) - 1
		}
	}
	order := make([]int, len(deps))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(deps[a].Name, deps[b].Name) })
	for _, i := range order {
		r.model.Deps = append(r.model.Deps, deps[i])
	}
	for _, d := range r.deps {
		for _, v := range d.values {
			v.Dep = slices.Index(order, v.Dep)
		}
	}
}

// warnUnused tells about providers that nothing needs.
func (r *packageReader) warnUnused() {
	for _, p := range r.providers {
		if p.state == unused {
			r.style(p.pos, "unused-provider", "", "%s: no tool, resource or prompt needs a %s", p.doc, typeText(p.typ))
		}
	}
}
