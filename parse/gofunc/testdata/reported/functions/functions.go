// Package functions has functions that cannot be tools.
package functions

import (
	"context"
	"io"
	"iter"
	"net/http"
	"sync"
	"unsafe"
)

type shape interface{ Area() float64 }

type deep struct {
	OK    int
	Inner struct {
		Fn func() `json:"fn"`
	} `json:"inner"`
}

//mcp:tool
func Channel(c chan int) {} // want error "Channel: parameter c: chan int has no JSON form"

//mcp:tool
func Pointer(p *[]chan int) {} // want error "parameter p[]: chan int"

//mcp:tool
func Callback(f func(int) error) {} // want error "parameter f: func(int) error"

//mcp:tool
func Interface(s shape) {} // want error "parameter s: functions.shape is an interface"

//mcp:tool
func Complex(c complex128) {} // want error "complex128"

//mcp:tool
func Unsafe(p unsafe.Pointer) {} // want error "unsafe.Pointer"

//mcp:tool
func Uintptr(p uintptr) {} // want error "uintptr"

//mcp:tool
func Keys(m map[bool]int) {} // want error "map[bool]int has keys"

//mcp:tool
func AnyKeys(m map[any]int) {} // want error "has keys"

//mcp:tool
func Nested(x int, d deep) {} // want error "d.inner.fn: func()"

//mcp:tool
func Opaque(fast bool, wg sync.Once) {} // want error "wg: sync.Once has no exported fields"

//mcp:tool
func Generic[T any](x T) T { return x } // want error "type parameter"

type box[T any] struct{ v T }

//mcp:tool
func (b box[T]) Method() T { return b.v } // want error "box.Method: has a type parameter"

//mcp:tool
func Unnamed(int, string) {} // want error "parameter 1 has no name"

//mcp:tool
func Blank(_ int) {} // want error "parameter 1 has no name"

//mcp:tool
func Größe(größe int) {} // want error "parameter größe: arguments are named"

//mcp:tool name=two_errors
func TwoErrors() (error, error) { return nil, nil } // want error "result 1 is an error"

//mcp:tool
func ErrorFirst() (error, int) { return nil, 0 } // want error "must be the last"

//mcp:tool
func Writer(w io.Writer) {} // want error "w: io.Writer"

//mcp:tool
func OutChannel() <-chan int { return nil } // want error "<-chan int"

//mcp:tool
func OutFunc() (int, func()) { return 0, nil } // want error "result result2: func()"

//mcp:tool
func TwoContexts(a, b context.Context) {} // want error "parameter b is a second context.Context"

//mcp:tool
func Sequence() iter.Seq[chan int] { return nil } // want error "chan int has no JSON form"

//mcp:tool name=response
var _ = http.Get // want error "result"

//mcp:tool
var _ = 1 // want error "1: is no function"

//mcp:tool
var _ = func() {} // want error "only names of functions"

//mcp:prompt
func Numbers() int { return 0 } // want error "a prompt returns"

//mcp:prompt
func Lists(list []string) string { return "" } // want error "argument list is given as text"

//mcp:resource uri=x://two
func Two() (int, int) { return 0, 0 } // want error "returns one value"

//mcp:resource uri=x://none
func None() {} // want error "returns one value"

//mcp:resource uri=x://{id}/{other}
func Variable(id int) string { return "" } // want -1 error "there is no parameter other"

//mcp:resource uri=x://fixed
func Constant(id int) string { return "" } // want -1 error "parameter id is no variable"

//mcp:resource uri=products/{id}
func Relative(id int) string { return "" } // want -1 error "not an absolute URI"

//mcp:resource name=nowhere
func Nowhere() string { return "" } // want -1 error "a resource needs a URI"
