package gofunc

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// The interfaces by which a type decides about its own JSON.
var (
	jsonMarshaler   = methodInterface("MarshalJSON", true)
	jsonUnmarshaler = methodInterface("UnmarshalJSON", false)
	textMarshaler   = methodInterface("MarshalText", true)
	textUnmarshaler = methodInterface("UnmarshalText", false)
	errorInterface  = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
)

// methodInterface is interface{ name() ([]byte, error) } or
// interface{ name([]byte) error }.
func methodInterface(name string, marshals bool) *types.Interface {
	data := types.NewTuple(types.NewVar(token.NoPos, nil, "", types.NewSlice(types.Typ[types.Byte])))
	failure := types.NewVar(token.NoPos, nil, "", types.Universe.Lookup("error").Type())
	sig := types.NewSignatureType(nil, nil, nil, data, types.NewTuple(failure), false)
	if marshals {
		sig = types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(data.At(0), failure), false)
	}
	return types.NewInterfaceType([]*types.Func{types.NewFunc(token.NoPos, nil, name, sig)}, nil).Complete()
}

// methodOf returns the method by which a value of the type, in a variable if
// addressable, implements the interface of one method; nil if it does not.
func methodOf(t types.Type, iface *types.Interface, addressable bool) *types.Func {
	if types.IsInterface(t) {
		return nil
	}
	if !types.Implements(t, iface) {
		if _, isPointer := t.Underlying().(*types.Pointer); isPointer || !addressable || !types.Implements(types.NewPointer(t), iface) {
			return nil
		}
		t = types.NewPointer(t)
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, nil, iface.Method(0).Name())
	method, _ := obj.(*types.Func)
	return method
}

// ownJSON is how a type decides about its JSON.
type ownJSON uint8

const (
	noJSON   ownJSON = iota // encoding/json goes by the kind of the type
	textJSON                // a string that the type encodes
	anyJSON                 // JSON that the type encodes: only it knows which
)

// ownJSONOf says how a type encodes or decodes itself, and by which method.
// Decoding always has a variable to decode into.
func ownJSONOf(t types.Type, m mode, addressable bool) (ownJSON, *types.Func) {
	asJSON, asText := jsonMarshaler, textMarshaler
	if m == in {
		asJSON, asText, addressable = jsonUnmarshaler, textUnmarshaler, true
	}
	if method := methodOf(t, asJSON, addressable); method != nil {
		return anyJSON, method
	}
	if method := methodOf(t, asText, addressable); method != nil {
		return textJSON, method
	}
	return noJSON, nil
}

// knownJSON holds the schemas of types that encode themselves, by the type that
// declares the method: a struct that embeds time.Time is one string too.
var knownJSON = map[string]*node.Node{
	"time.Time":                object("type", "string", "format", "date-time"),
	"encoding/json.RawMessage": object(),
	"math/big.Int":             object("type", "integer"),
	"log/slog.Level":           object("type", "string"),

	"github.com/shopspring/decimal.Decimal":           object("type", "string", "pattern", `^-?[0-9]+(\.[0-9]+)?$`),
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       object("type", "string", "format", "date-time"),
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  object("type", "string", "format", "date-time"),
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   object("type", "string"),
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   object("type", "string"),
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": object("anyOf", node.Seq(nil, object("type", "integer"), object("type", "string"))),
}

// knownOf returns the schema of what a method of a known type reads or writes.
func knownOf(method *types.Func) *node.Node {
	recv := method.Signature().Recv()
	if recv == nil {
		return nil
	}
	t, _ := unnamedElem(recv.Type())
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return nil
	}
	return knownJSON[typePath(named)]
}

// typePath is the import path and name of a type, without its arguments.
func typePath(named *types.Named) string {
	obj := named.Obj()
	if obj.Pkg() == nil {
		return obj.Name()
	}
	// A vendored package has the vendoring folder before its path.
	path := obj.Pkg().Path()
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		path = path[i+len("/vendor/"):]
	}
	return path + "." + obj.Name()
}

// isNamed reports whether t is the type, or the alias, name of the package path.
func isNamed(t types.Type, path, name string) bool {
	for {
		alias, ok := t.(*types.Alias)
		if !ok {
			break
		}
		if obj := alias.Obj(); obj.Name() == name && obj.Pkg() != nil && obj.Pkg().Path() == path {
			return true
		}
		t = alias.Rhs()
	}
	named, ok := t.(*types.Named)
	return ok && typePath(named) == path+"."+name
}

// isPointerTo reports whether t is a pointer to the type name of the package.
func isPointerTo(t types.Type, path, name string) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && isNamed(p.Elem(), path, name)
}
