// Package directives has directives that are wrong.
package directives

import "strings"

//mcp:toool // want error "there is no directive //mcp:toool"
func Typo(a int) {}

// mcp:tool // want error "has no space after the slashes"
func Space(a int) {}

// mcp:Tool // want error "reads //mcp:tool"
func Capital(a int) {}

// mcp-tool // want error "reads //mcp:tool"
func Hyphen(a int) {}

// +mcp:tool // want error "reads //mcp:tool"
func Plus(a int) {}

//mcp:tool readnly
func Flag(a int) {} // want -1 error "there is no key readnly"

//mcp:tool read-only
func Dash(a int) {} // want -1 error "there is no key read-only"

//mcp:tool name
func NoValue(a int) {} // want -1 error "name wants a value"

//mcp:tool name=
func Empty(a int) {} // want -1 error "is empty"

//mcp:tool readonly=yes
func Yes(a int) {} // want -1 error "is true or false"

//mcp:tool out=some
func Out(a int) {} // want -1 error "is one of auto, full, none, text"

//mcp:tool timeout=soon
func Timeout(a int) {} // want -1 error "write a duration"

//mcp:tool timeout=-1s
func Negative(a int) {} // want -1 error "must be above zero"

//mcp:tool maxItems=-1
func Count(a int) {} // want -1 error "is not a whole number from 0"

//mcp:tool name="has space"
func Name(a int) {} // want -1 error "the name \"has space\" is not legal"

//mcp:tool

func Detached(a int) {} // want -2 error "not attached to a declaration"

//mcp:tool
type T struct { // want -1 error "belongs on a function or method or a var _ = function, not on a type"
	//mcp:tool
	A int // want -1 error "not on a struct field"
	B int //mcp:enum a
	C int // want -1 error "belongs on a type, not on a struct field"
}

//mcp:field min=1
func Field() {} // want -1 error "belongs on a struct field"

//mcp:tool
const (
	One   = 1 // want -2 error "not attached"
	Two   = 2 //mcp:tool
	Three = 3 // want -1 error "not on a constant"
)

//mcp:tool
var Named = strings.ToUpper // want -1 error "on a variable that is not a blank one"

//mcp:tool
var _, _ = strings.ToUpper, strings.ToLower // want -1 error "on a variable that is not a blank one"

//mcp:tool
//mcp:param b min=1
func NoParam(a int) {} // want -1 error "there is no parameter b"

//mcp:tool
//mcp:param 3 name=c
func NoNumber(a, b int) {} // want -1 error "there is no parameter 3"

//mcp:tool
//mcp:param min=1
func NoTarget(a int) {} // want -1 error "does not say what it is about"

//mcp:tool
//mcp:param a b
func TwoTargets(a, b int) {} // want -1 error "there is no key b"

//mcp:tool
//mcp:result 2 name=b
func NoResult() int { return 0 } // want -1 error "there is no result 2"

//mcp:tool name=same
func First() {}

//mcp:tool name=SAME
func Second() {} // want -1 error "the name is taken at testdata/reported/directives/directives.go:99:1"

//mcp:tool name=x name=y
func Repeated() {} // want -1 error "name is given twice"

//mcp:tool name=x2
//mcp:tool name=y2
func RepeatedLine() {} // want -1 error "name is given twice"

//mcp:tool
//mcp:param a min=1
//mcp:param a min=2
func RepeatedParam(a int) {} // want -1 error "min is given twice"

//mcp:enum open
//mcp:enum closed
type Enum string // want -1 error "given twice"

//mcp:tool readonly destructive
func Contradiction() {} // want -1 error "readonly and destructive contradict"

//mcp:param a min=1
func ParamOnly(a int) {} // want -1 error "on a function without //mcp:tool"

//mcp:tool title="open
func Quote() {} // want -1 error "the quote is not closed"

//mcp:tool title="a"b
func Glued() {} // want -1 error "text follows the closing quote"

//mcp:schema {"type":
type Schema string // want -1 error "is not a JSON object"

func inner() {
	//mcp:tool
	f := func() {} // want -1 error "not attached"
	f()
}

var _ = inner
