package gofunc

import (
	"go/types"
	"slices"
	"strconv"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// result is a result of a function that is no error.
type result struct {
	index int
	name  string // as declared
	typ   types.Type
	kind  ir.ResultKind
	elem  types.Type // of sequences
	key   types.Type // of sequences of pairs
	wire  string
	text  string
	skip  bool
}

// results sorts the results of a function; false when it reported one.
func (r *packageReader) results(c *callable) (list []*result, failure ir.ErrorResult, ok bool) {
	tuple := c.sig.Results()
	for i := range tuple.Len() {
		v := tuple.At(i)
		isError := types.Implements(v.Type(), errorInterface) && isReference(v.Type())
		switch {
		case isError && i < tuple.Len()-1:
			r.error(c, "unsupported-result", "", "result %d is an error, which must be the last result and the only one", i+1)
			return nil, "", false
		case isError && types.Identical(v.Type(), types.Universe.Lookup("error").Type()):
			failure = ir.PlainError
		case isError:
			failure = ir.ConcreteError
		default:
			list = append(list, &result{index: i, name: v.Name(), typ: v.Type()})
		}
	}
	return list, failure, r.readResults(c, list)
}

// isReference reports whether a value of the type can be nil.
func isReference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Interface, *types.Pointer:
		return true
	}
	return false
}

// readResults gives //mcp:result directives to their results.
func (r *packageReader) readResults(c *callable, list []*result) bool {
	for _, d := range c.notes.all("result") {
		n, err := strconv.Atoi(d.target.value)
		i := slices.IndexFunc(list, func(res *result) bool {
			return err == nil && res.index == n-1 || err != nil && res.name == d.target.value
		})
		if i < 0 {
			r.diags.Error(d.target.pos, "unknown-result", "results count from 1; the error is none of them", "%s: there is no result %s", c.doc, d.target.value)
			return false
		}
		for _, a := range d.args {
			switch a.key {
			case "name":
				list[i].wire = a.value
			case "desc":
				list[i].text = a.value
			case "ignore":
				list[i].skip = a.value == "true"
			}
		}
	}
	return true
}

// nameResults names the properties of the result object: as directives and
// declarations say; value and ok; else by number. A single result that is an
// object or content has no name.
func nameResults(list []*result) {
	var kept []*result
	for _, res := range list {
		if !res.skip {
			kept = append(kept, res)
		}
	}
	for _, res := range kept {
		switch {
		case res.wire != "":
		case res.name != "" && res.name != "_":
			res.wire = res.name
		case len(kept) == 1:
			res.wire = "result"
		case len(kept) == 2 && kept[0].name == "" && types.Identical(kept[1].typ, types.Typ[types.Bool]):
			res.wire = []string{"value", "ok"}[slices.Index(kept, res)]
		default:
			res.wire = "result" + strconv.Itoa(slices.Index(kept, res)+1)
		}
	}
	if len(kept) == 1 && wholeResult(kept[0].kind) {
		kept[0].wire = ""
	}
}

// wholeResult reports whether a result of the kind stands for itself.
func wholeResult(k ir.ResultKind) bool {
	switch k {
	case ir.ResultValue, ir.ResultSlice, ir.ResultSeq, ir.ResultSeqErr, ir.ResultSeq2:
		return false
	}
	return true
}

// single is the kind of a result that is the only one.
func (r *packageReader) single(res *result) ir.ResultKind {
	t := types.Unalias(res.typ)
	switch {
	case isPointerTo(t, mcpPath, "CallToolResult"):
		return ir.ResultMCP
	case isNamed(t, mcpPath, "Content"):
		return ir.ResultContent
	case r.implements(t, "image", "Image"):
		return ir.ResultImage
	}
	if s, ok := t.Underlying().(*types.Slice); ok && isNamed(s.Elem(), mcpPath, "Content") {
		return ir.ResultContent
	}
	if r.isReader(t) {
		return ir.ResultReader
	}
	if kind := sequence(res, t); kind != "" {
		return kind
	}
	if own, _ := ownJSONOf(t, out, false); own == noJSON {
		switch u := t.Underlying().(type) {
		case *types.Basic:
			if u.Info()&types.IsString != 0 {
				return ir.ResultText
			}
		case *types.Slice:
			if isByte(u.Elem(), out) {
				return ir.ResultBytes
			}
		}
	}
	return r.jsonKind(t, true)
}

// jsonKind is the kind of a result that becomes JSON: alone, or a property.
func (r *packageReader) jsonKind(t types.Type, alone bool) ir.ResultKind {
	elem, isPointer := unnamedElem(t)
	if r.isObjectResult(elem, isPointer) {
		switch elem.Underlying().(type) {
		case *types.Map:
			if isPointer {
				return ir.ResultValue
			}
			return ir.ResultMap
		default:
			switch {
			case !isPointer:
				return ir.ResultObject
			case alone:
				return ir.ResultPointer
			}
			return ir.ResultValue
		}
	}
	if own, _ := ownJSONOf(t, out, false); own == noJSON {
		if s, ok := t.Underlying().(*types.Slice); ok && !isByte(s.Elem(), out) {
			return ir.ResultSlice
		}
	}
	return ir.ResultValue
}

// isObjectResult reports whether the JSON of a type is always an object.
func (r *packageReader) isObjectResult(t types.Type, addressable bool) bool {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if d := r.sources.of(named.Obj()).notes.first("schema"); d != nil {
			return schemaKind(parseJSON(d.raw)) == "object" && isPlainRoot(parseJSON(d.raw))
		}
	}
	if own, _ := ownJSONOf(t, out, addressable); own != noJSON {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Map:
		return true
	}
	return false
}

// isPlainRoot reports whether a schema can be the root of a tool's: clients
// refuse compositions there.
func isPlainRoot(n *node.Node) bool {
	return !slices.ContainsFunc([]string{"oneOf", "anyOf", "allOf", "not", "enum", "if", "$ref"}, n.Has)
}

// isReader reports whether a result is a stream: io.Reader and io.ReadCloser,
// or what implements io.Reader and has no JSON.
func (r *packageReader) isReader(t types.Type) bool {
	if isNamed(t, "io", "Reader") || isNamed(t, "io", "ReadCloser") {
		return true
	}
	if !r.implements(t, "io", "Reader") {
		return false
	}
	elem, _ := unnamedElem(t)
	st, isStruct := elem.Underlying().(*types.Struct)
	return types.IsInterface(t) || isStruct && opaque(st)
}

// implements reports whether a type implements an interface of a package that
// is among those loaded; of one that is not, it cannot.
func (r *packageReader) implements(t types.Type, path, name string) bool {
	if isNamed(t, path, name) {
		return true
	}
	p := r.sources.packages[path]
	if p == nil || p.Types == nil {
		return false
	}
	obj := p.Types.Scope().Lookup(name)
	if obj == nil {
		return false
	}
	iface, ok := obj.Type().Underlying().(*types.Interface)
	return ok && !iface.Empty() && types.Implements(t, iface)
}

// sequence recognises iter.Seq and iter.Seq2, by any name.
func sequence(res *result, t types.Type) ir.ResultKind {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok || sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return ""
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	if !ok || yield.Results().Len() != 1 || !types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool]) {
		return ""
	}
	switch yield.Params().Len() {
	case 1:
		res.elem = yield.Params().At(0).Type()
		return ir.ResultSeq
	case 2:
		res.elem = yield.Params().At(1).Type()
		if types.Identical(res.elem, types.Universe.Lookup("error").Type()) {
			res.elem = yield.Params().At(0).Type()
			return ir.ResultSeqErr
		}
		res.key = yield.Params().At(0).Type()
		return ir.ResultSeq2
	}
	return ""
}

// outputSchema makes the schema of the results, nil when there is none.
func (r *packageReader) outputSchema(c *callable, list []*result) (*document, bool) {
	var properties []*result
	for _, res := range list {
		if res.skip {
			continue
		}
		switch res.kind {
		case ir.ResultText, ir.ResultBytes, ir.ResultReader, ir.ResultImage, ir.ResultContent, ir.ResultMCP:
			return nil, true
		}
		properties = append(properties, res)
	}
	if len(properties) == 0 {
		return nil, true
	}
	d, err := r.document(out, c.pos, c.doc, func(conv *conversion) (*node.Node, error) {
		if first := properties[0]; first.wire == "" {
			return conv.resultSchema(first, place{addressable: first.kind == ir.ResultPointer})
		}
		var props []property
		for _, res := range properties {
			n, err := conv.resultSchema(res, place{path: res.wire, depth: 1})
			if err != nil {
				return nil, err
			}
			props = append(props, property{name: res.wire, schema: withFieldText(n, res.text)})
		}
		return objectSchema(props, out), nil
	})
	if err != nil {
		r.typeProblem(c, "result", err)
		return nil, false
	}
	return d, true
}

// resultSchema is the schema of one result. Nil slices and maps become empty
// ones before they are encoded.
func (c *conversion) resultSchema(res *result, p place) (*node.Node, error) {
	switch res.kind {
	case ir.ResultSeq, ir.ResultSeqErr:
		items, err := c.schema(res.elem, p.elem("[]", false))
		if err != nil {
			return nil, err
		}
		return object("type", "array", "items", items), nil
	case ir.ResultSeq2:
		key, err := c.schema(res.key, p.elem("[].key", false))
		if err != nil {
			return nil, err
		}
		value, err := c.schema(res.elem, p.elem("[].value", false))
		if err != nil {
			return nil, err
		}
		pair := objectSchema([]property{{name: "key", schema: key}, {name: "value", schema: value}}, out)
		return object("type", "array", "items", pair), nil
	case ir.ResultPointer:
		t, _ := unnamedElem(res.typ)
		return c.schema(t, p)
	}
	n, err := c.schema(res.typ, p)
	if err == nil && (res.kind == ir.ResultSlice || res.kind == ir.ResultMap) {
		n = notNull(n)
	}
	return n, err
}

// notNull undoes nullable.
func notNull(n *node.Node) *node.Node {
	if kind := n.Get("type"); kind != nil && kind.Kind == node.Sequence {
		return n.With("type", kind.Items[0])
	}
	if list := n.Get("anyOf").List(); len(list) == 2 && schemaKind(list[1]) == "null" {
		return list[0]
	}
	return n
}

// funcResults are the results for the model. A type that the package cannot
// name has no code: the result goes into a new variable.
func (r *packageReader) funcResults(list []*result) []ir.FuncResult {
	var out []ir.FuncResult
	for _, res := range list {
		f := ir.FuncResult{Name: res.wire, Kind: res.kind, Skip: res.skip}
		if code, err := r.typeCode(res.typ); err == nil {
			f.Type = code
		}
		out = append(out, f)
	}
	return out
}
