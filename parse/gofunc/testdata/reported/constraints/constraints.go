// Package constraints has limits that nothing can keep.
package constraints

import (
	"context"
	"net/url"
	"time"
)

type color string

const (
	red  color = "red"
	blue color = "blue"
)

var _ = []color{red, blue}

type order struct {
	Count int    `json:"count"`
	Name  string `json:"name"`
}

//mcp:tool
//mcp:param a min=x
func Number(a int) {} // want -1 error "min=x: is not a number"

//mcp:tool
//mcp:param a min=3 max=2
func Order(a int) {} // want -1 error "no value is allowed: min is 3 and max is 2"

//mcp:tool
//mcp:param a exclusiveMin=2 exclusiveMax=2
func Exclusive(a float64) {} // want -1 error "no value is allowed"

//mcp:tool
//mcp:param a minLength=3 maxLength=2
func Length(a string) {} // want -1 error "no value is allowed"

//mcp:tool
//mcp:param a pattern=^[
func Pattern(a string) {} // want -1 error "is not a regular expression"

//mcp:tool
//mcp:param a minLength=1
func Kind(a int) {} // want -1 error "minLength is for string, and the value is of type integer"

//mcp:tool
//mcp:param a min=1
func Text(a string) {} // want -1 error "min is for number and integer, and the value is of type string"

//mcp:tool
//mcp:param a enum=1,2 default=3
func Default(a int) {} // want -1 error "3 is not one of 1, 2"

//mcp:tool
//mcp:param a default=green
func Enum(a color) {} // want -1 error "green is not one of \"red\", \"blue\""

//mcp:tool
//mcp:param a enum=red,green
func EnumOfEnum(a []color) {} // want -1 error "green is not one of"

//mcp:tool
//mcp:param a max=5 default=6
func Maximum(a int) {} // want -1 error "6 breaks maximum 5"

//mcp:tool
//mcp:param a exclusiveMin=0 default=0
func Above(a int) {} // want -1 error "0 breaks exclusiveMinimum 0"

//mcp:tool
//mcp:param a maxLength=2 default=abc
func Long(a string) {} // want -1 error "abc breaks maxLength 2"

//mcp:tool
//mcp:param a pattern=^[a-z]$ example=7
func Example(a string) {} // want -1 error "7 breaks pattern"

//mcp:tool
//mcp:param a maxItems=1 default=[1,2]
func Items(a []int) {} // want -1 error "breaks maxItems 1"

//mcp:tool
//mcp:param a default=1.5
func Integer(a int) {} // want -1 error "1.5 is not an integer"

//mcp:tool
//mcp:param a default=300
func Small(a int8) {} // want -1 error "300 breaks maximum 127"

//mcp:tool
//mcp:param a default=9223372036854775808
func Large(a int64) {} // want -1 error "does not fit into int64"

//mcp:tool
//mcp:param a default=yes
func Bool(a bool) {} // want -1 error "yes is not true or false"

//mcp:tool
//mcp:param a default={
func JSON(a map[string]int) {} // want -1 error "{ is not JSON"

//mcp:tool
//mcp:param a default=[]
func Shape(a map[string]int) {} // want -1 error "[] is not of type object"

//mcp:tool
//mcp:param a default=1fortnight
func Duration(a time.Duration) {} // want -1 error "1fortnight is not a duration"

//mcp:tool
//mcp:param a default=%zz
func URL(a url.URL) {} // want -1 error "%zz is not a URL"

//mcp:tool
//mcp:param a default=yesterday
func Time(a time.Time) {} // want -1 error "yesterday is not a time"

//mcp:tool
//mcp:param a optional required
func Both(a int) {} // want -1 error "optional and required contradict"

//mcp:tool
//mcp:param a name="a b"
func Name(a int) {} // want -1 error "the argument name \"a b\" is not legal"

//mcp:tool
//mcp:param a name=b
func Same(a, b int) {} // want error "two arguments are named b"

//mcp:tool
//mcp:param a hidden fixed=1
func Places(a int) {} // want -1 error "cannot come from two places"

//mcp:tool
//mcp:param a fixed=x
func Fixed(a int) {} // want -1 error "x is not an integer"

//mcp:tool
//mcp:param a env=LIST
func Env(a []int) {} // want -1 error "an environment variable is text, not []int"

//mcp:tool
//mcp:param a progress
func Progress(a func(int)) {} // want -1 error "parameter a cannot report progress"

//mcp:tool
//mcp:param ctx min=1
func Injected(ctx context.Context) {} // want -1 error "parameter ctx is no argument"

//mcp:tool
//mcp:param in.amount min=1
func Field(in order) {} // want -1 error "there is no field in.amount"

//mcp:tool
//mcp:param a.amount min=1
func Below(a order, b int) {} // want -1 error "there is no field a.amount"

//mcp:tool
//mcp:param a.count name=n
func FieldName(a order, b int) {} // want -1 error "name is about a parameter, and a.count is a field"

//mcp:tool
//mcp:param in min=1
func Whole(in order) {} // want -1 error "in is the whole input"

//mcp:tool
//mcp:param a header="a b"
func HeaderName(a string) {} // want -1 error "is no name of an HTTP header"

//mcp:tool
//mcp:param a header=A
func HeaderKind(a float64) {} // want -1 error "header is for string and integer and boolean"

//mcp:tool
//mcp:param a header=A
func HeaderAny(a any) {} // want error "a is no text, integer or boolean"

//mcp:tool
//mcp:param a header=X
//mcp:param b header=x
func HeaderTwice(a, b string) {} // want error "b has the same header as another argument, x"

type routed struct {
	//mcp:field header=Region
	Region string `json:"region"`
}

//mcp:tool
func HeaderItems(list []routed) {} // want error "list[].region is not one value of the call"

//mcp:prompt
//mcp:param a header=A
func HeaderPrompt(a string) string { return a } // want error "only the arguments of a tool become headers"

//mcp:tool icon=http://x.test/a.png
func Icon() {} // want -1 error "is no https: or data: URI"

//mcp:tool meta=[]
func Meta() {} // want -1 error "is not a JSON object"
