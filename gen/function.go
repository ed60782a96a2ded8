package gen

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// handler prints the function that calls a Go function: arguments in, call,
// results out, with nothing between that a reader would have to follow.
func (g *goPackage) handler(ident string, f *ir.Func, mediaType string) (jen.Code, error) {
	end, err := g.ending(f, mediaType)
	if err != nil {
		return nil, err
	}
	fields, err := g.inputFields(f)
	if err != nil {
		return nil, err
	}
	fn := jen.Func()
	if g.needsValues(f) {
		fn.Params(jen.Id(g.local("v")).Op("*").Id(g.local(valuesType)))
	}
	return fn.Id(ident).
		Params(jen.Id(g.local("ctx")).Add(g.qualified("context", "Context")), jen.Id(g.local("call")).Op("*").Add(g.rt("Call"))).
		Params(jen.Op("*").Add(g.rt("Result")), jen.Error()).
		BlockFunc(func(b *jen.Group) {
			g.decode(b, f, fields)
			g.invoke(b, f)
			b.Return(end)
		}), nil
}

// inputField is one field of the struct that arguments are decoded into.
type inputField struct {
	name, kind, wire string
}

// inputFields gives each argument a field. A function that takes its whole
// input as one struct has none.
func (g *goPackage) inputFields(f *ir.Func) ([]inputField, error) {
	var fields []inputField
	used := map[string]bool{}
	for _, a := range f.Args {
		if a.Kind != ir.ArgInput && a.Kind != ir.ArgReader {
			continue
		}
		if f.Input != nil {
			return nil, fmt.Errorf("argument %s beside a whole input object", a.Name)
		}
		base := fieldName(a.Wire)
		name := base
		for n := 2; used[name]; n++ {
			name = numbered(base, n)
		}
		used[name] = true
		field := inputField{name: name, wire: a.Wire}
		switch {
		case a.Kind == ir.ArgReader:
			field.kind = "string"
		case a.Codec == ir.CodecDuration:
			field.kind = g.use(g.runtime) + ".Duration"
		case a.Codec == ir.CodecURL:
			field.kind = g.use(g.runtime) + ".URL"
		default:
			field.kind = g.code(a.Type)
		}
		fields = append(fields, field)
	}
	return fields, nil
}

// fieldName makes an exported identifier of a wire name.
func fieldName(wire string) string {
	name := strings.Map(func(r rune) rune {
		if isAlnum(r) || r == '_' {
			return r
		}
		return '_'
	}, wire)
	if name == "" || !isAlnum(rune(name[0])) || '0' <= name[0] && name[0] <= '9' {
		return "Arg" + name
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// decode prints the struct of the arguments, its defaults, and its decoding.
func (g *goPackage) decode(b *jen.Group, f *ir.Func, fields []inputField) {
	if f.Input == nil && len(fields) == 0 {
		return
	}
	in, err := g.local("in"), g.local("err")
	if f.Input != nil {
		b.Var().Id(in).Id(g.code(*f.Input))
	} else {
		b.Var().Id(in).StructFunc(func(s *jen.Group) {
			for _, field := range fields {
				tag := field.wire
				if tag == "-" {
					tag = "-," // the name, not the instruction
				}
				s.Id(field.name).Id(field.kind).Tag(map[string]string{"json": tag})
			}
		})
	}
	next := 0
	for _, a := range f.Args {
		target := in
		switch a.Kind {
		case ir.ArgInput, ir.ArgReader:
			target += "." + fields[next].name
			next++
			if a.Default != "" {
				b.Add(g.setDefault(target, a.Type, a.Codec, a.Default))
			}
		case ir.ArgObject:
		default:
			continue
		}
		for _, d := range a.Defaults {
			b.Add(g.setDefault(target+"."+d.Field, d.Type, "", d.JSON))
		}
	}
	b.If(jen.Id(err).Op(":=").Id(g.local("call")).Dot("Decode").Call(jen.Op("&").Id(in)), jen.Id(err).Op("!=").Nil()).
		Block(jen.Return(jen.Nil(), jen.Id(err)))
}

func (g *goPackage) setDefault(target string, kind ir.Code, codec ir.Codec, value string) jen.Code {
	if literal := g.literal(kind, value); literal != nil && codec == "" {
		return jen.Id(target).Op("=").Add(literal)
	}
	return g.rt("Default").Call(jen.Op("&").Id(target), rawLit(value))
}

// literal prints a JSON value as a Go literal of a predeclared type, or nil.
func (g *goPackage) literal(kind ir.Code, value string) jen.Code {
	name := local(kind)
	if g.scope[name] {
		return nil
	}
	switch name {
	case "string":
		var s string
		if json.Unmarshal([]byte(value), &s) == nil {
			return jen.Lit(s)
		}
	case "bool":
		if value == "true" || value == "false" {
			return jen.Id(value)
		}
	case "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64", "byte", "rune":
		if strings.Trim(strings.TrimPrefix(value, "-"), "0123456789") == "" {
			return jen.Id(value)
		}
	case "float32", "float64":
		if json.Valid([]byte(value)) && strings.Trim(value, "+-.eE0123456789") == "" {
			return jen.Id(value)
		}
	}
	return nil
}

// argument prints one argument of a call.
func (g *goPackage) argument(a ir.FuncArg, logger jen.Code) jen.Code {
	call := func(method string, args ...jen.Code) jen.Code {
		return jen.Id(g.local("call")).Dot(method).Call(args...)
	}
	switch a.Kind {
	case ir.ArgContext:
		return jen.Id(g.local("ctx"))
	case ir.ArgRequest:
		return call("ToolRequest")
	case ir.ArgPrompt:
		return call("PromptRequest")
	case ir.ArgResource:
		return call("ResourceRequest")
	case ir.ArgSession:
		return call("Session")
	case ir.ArgServer:
		return call("Protocol")
	case ir.ArgLogger:
		return logger
	case ir.ArgProgress:
		return call("Progress", jen.Id(g.local("ctx")))
	case ir.ArgValue:
		return jen.Id(g.value(a.From))
	case ir.ArgEnv:
		return jen.Id(g.local("v")).Dot(g.envField(a))
	case ir.ArgFixed:
		if literal := g.literal(a.Type, a.Fixed); literal != nil {
			return literal
		}
		return g.rt("Constant").Types(jen.Id(g.code(a.Type))).Call(rawLit(a.Fixed))
	}
	return g.rt("Zero").Types(jen.Id(g.code(a.Type))).Call()
}

// value prints where a provided value or dependency is.
func (g *goPackage) value(from *ir.Value) string {
	at := g.local("v") + "."
	if from.Provider >= 0 {
		at += g.providers[from.Provider]
	} else {
		at += "deps." + g.Deps[from.Dep].Name
	}
	if from.Field != "" {
		at += "." + from.Field
	}
	return at
}

// inputArgument prints an argument that the model sent.
func (g *goPackage) inputArgument(a ir.FuncArg, field string) jen.Code {
	at := jen.Id(g.local("in")).Dot(field)
	switch {
	case a.Kind == ir.ArgReader:
		return g.qualified("strings", "NewReader").Call(at)
	case a.Codec == ir.CodecDuration:
		return at.Dot("Duration")
	case a.Codec == ir.CodecURL && begins(a.Type, "*"):
		return at.Dot("URL")
	case a.Codec == ir.CodecURL:
		return at.Dot("Value").Call()
	case a.Variadic:
		return at.Op("...")
	}
	return at
}

// invoke prints the call and what follows from its error.
func (g *goPackage) invoke(b *jen.Group, f *ir.Func) {
	fields, _ := g.inputFields(f) // printed before
	var args []jen.Code
	for _, a := range f.Args {
		switch a.Kind {
		case ir.ArgInput, ir.ArgReader:
			args = append(args, g.inputArgument(a, fields[0].name))
			fields = fields[1:]
		case ir.ArgObject:
			in := jen.Id(g.local("in"))
			if a.Pointer {
				in = jen.Op("&").Add(in)
			}
			args = append(args, in)
		default:
			args = append(args, g.argument(a, jen.Id(g.local("call")).Dot("Logger").Call()))
		}
	}
	callee := g.code(f.Callee)
	if f.Receiver != nil {
		callee = g.value(f.Receiver) + "." + callee
	}
	call := jen.Id(callee).Call(args...)
	err := g.local("err")
	failed := func(cond ...jen.Code) {
		b.If(append(cond, jen.Id(err).Op("!=").Nil())...).Block(jen.Return(g.rt("Failed").Call(jen.Id(err))))
	}
	results, taken := g.resultNames(f)
	switch {
	case len(results) == 0 && f.Error == ir.NoError:
		b.Add(call)
	case len(results) == 0:
		failed(jen.Id(err).Op(":=").Add(call))
	default:
		assign := "="
		if taken > 0 || f.Error != ir.NoError {
			assign = ":="
		}
		if f.Error != ir.NoError {
			results = append(results, jen.Id(err))
		}
		b.List(results...).Op(assign).Add(call)
		if f.Error != ir.NoError {
			failed()
		}
	}
}

// resultNames names the variables that hold the results, and tells how many are
// not skipped.
func (g *goPackage) resultNames(f *ir.Func) (names []jen.Code, taken int) {
	for _, r := range f.Results {
		if !r.Skip {
			taken++
		}
	}
	n := 0
	for _, r := range f.Results {
		switch {
		case r.Skip:
			names = append(names, jen.Id("_"))
		case taken == 1:
			names = append(names, jen.Id(g.local("result")))
		default:
			n++
			names = append(names, jen.Id(fmt.Sprint("result", n)))
		}
	}
	return names, taken
}

// ending prints what the handler returns: the results, made content.
func (g *goPackage) ending(f *ir.Func, mediaType string) (jen.Code, error) {
	var kept []ir.FuncResult
	for _, r := range f.Results {
		if !r.Skip {
			kept = append(kept, r)
		}
	}
	var end jen.Code
	switch len(kept) {
	case 0:
		return g.rt("Done").Call(), nil
	case 1:
		var err error
		if end, err = g.single(f, kept[0], mediaType); err != nil {
			return nil, err
		}
	default:
		var pairs []jen.Code
		for i, r := range kept {
			pairs = append(pairs, jen.Lit(r.Name), jen.Id(fmt.Sprint("result", i+1)))
		}
		end = g.rt("Results").Call(pairs...)
	}
	if f.Out == ir.OutText {
		return g.rt("TextOnly").Call(end), nil
	}
	return end, nil
}

// single prints the content of the one result.
func (g *goPackage) single(f *ir.Func, r ir.FuncResult, mediaType string) (jen.Code, error) {
	result, ctx, call := jen.Id(g.local("result")), jen.Id(g.local("ctx")), jen.Id(g.local("call"))
	spread := func() jen.Code {
		if begins(r.Type, "[]") {
			return result.Clone().Op("...")
		}
		return result
	}
	collect := func(name string) jen.Code {
		return g.rt(name).Call(ctx, call, jen.Lit(r.Name), result, jen.Lit(f.MaxItems))
	}
	switch r.Kind {
	case ir.ResultObject, ir.ResultPointer, ir.ResultMap, ir.ResultValue, ir.ResultSlice:
		if r.Name == "" {
			return g.rt("Object").Call(result), nil
		}
		return g.rt("Value").Call(jen.Lit(r.Name), result), nil
	case ir.ResultText:
		if local(r.Type) != "string" {
			result = jen.String().Call(result)
		}
		return jen.List(g.rt("Text").Call(result), jen.Nil()), nil
	case ir.ResultBytes:
		return call.Dot("Blob").Call(result, jen.Lit(mediaType)), nil
	case ir.ResultReader:
		return call.Dot("Stream").Call(ctx, result, jen.Lit(mediaType), jen.Lit(f.MaxBytes)), nil
	case ir.ResultImage:
		return call.Dot("Image").Call(result), nil
	case ir.ResultContent:
		return g.rt("Contents").Call(spread()), nil
	case ir.ResultMessages:
		return g.rt("Messages").Call(spread()), nil
	case ir.ResultMCP, ir.ResultPrompt, ir.ResultResource:
		return g.rt("AsIs").Call(result), nil
	case ir.ResultSeq:
		return collect("Collect"), nil
	case ir.ResultSeqErr:
		return collect("CollectErr"), nil
	case ir.ResultSeq2:
		return collect("CollectPairs"), nil
	}
	return nil, errors.New("unknown kind of result " + string(r.Kind))
}
