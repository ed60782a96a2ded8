// Package shapes has a function of every shape that can be a tool.
//
//mcp:package prefix=sh name=shapes version=1.2.3 title="All shapes" instructions="Call what you like."
package shapes

import (
	"bytes"
	"context"
	"image"
	"io"
	"iter"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Paging is embedded.
type Paging struct {
	//mcp:field default=20 max=100
	Limit int `json:"limit"`
	// Cursor is where to go on.
	Cursor string `json:"cursor,omitempty" validate:"max=64"`
}

// Query is an input.
type Query struct {
	Paging
	Text string        `json:"text" jsonschema:"minLength=1,description=what to look for"`
	Wait time.Duration `json:"wait,omitzero"`
	// Old is not used any more.
	//
	//mcp:field deprecated
	Old    *int     `json:"old"`
	Tags   []string `json:"tags,omitempty" validate:"dive,min=1"`
	Secret string   `json:"secret,omitempty"` //mcp:ignore
}

// Text is text.
type Text string

// Plain takes plain parameters.
//
//mcp:tool
//mcp:param n default=3 min=1
//mcp:param when optional
func Plain(ctx context.Context, s string, n int, when time.Time) {}

// Struct takes one struct.
//
//   - text: what to find
//
//mcp:tool group=searches icon=https://shapes.test/a.png icon=data:,b meta=`{"shapes.test/a": [1]}`
//mcp:param text header=Text
//mcp:param wait desc="how long"
//mcp:param in.tags maxItems=3
func Struct(_ context.Context, in *Query) (*Query, error) { return in, nil }

// Mixed takes a struct among others.
//
//mcp:tool
//mcp:param q.limit default=5
func Mixed(q Query, n int) Query { return q }

// Variadic takes any number.
//
//mcp:tool
func Variadic(sep string, parts ...string) string { return strings.Join(parts, sep) }

// Options takes options that only Go code can give.
//
//mcp:tool
func Options(n int, opts ...func(int)) int { return n }

// Friendly takes what people write.
//
//mcp:tool
//mcp:param d default=1m30s
func Friendly(d time.Duration, u *url.URL, v url.URL) {}

// Stream takes a stream.
//
//mcp:tool
func Stream(body io.Reader) (int, error) { return 0, nil }

// Injected takes what the runtime has.
//
//mcp:tool
//mcp:param report progress
func Injected(req *mcp.CallToolRequest, get *mcp.GetPromptRequest, read *mcp.ReadResourceRequest, session *mcp.ServerSession, server *mcp.Server, log *slog.Logger, report func(float64, float64, string)) {
}

// Elsewhere takes values from other places.
//
//mcp:tool timeout=30s
//mcp:param dry fixed=true
//mcp:param tenant env=TENANT
//mcp:param unused hidden
//mcp:param wait fixed=2s
func Elsewhere(dry bool, tenant string, unused []int, wait time.Duration, n int) {}

// Dependency takes a value of the program.
//
//mcp:tool
func Dependency(b *bytes.Buffer, n int) {}

// Blank has no name.
//
//mcp:tool
//mcp:param 1 name=reason
func Blank(_ string) {}

// NoResult fails or not.
//
//mcp:tool
func NoResult() error { return nil }

// Number returns a value.
//
//mcp:tool
func Number() int { return 0 }

// Named returns a named value.
//
//mcp:tool
func Named() (count int, err error) { return }

// List returns a list.
//
//mcp:tool
func List() []int { return nil }

// Map returns a map.
//
//mcp:tool
func Map() map[string]int { return nil }

// MapByNumber returns a map with numbers as keys.
//
//mcp:tool
func MapByNumber() map[int]int { return nil }

// PointerToNumber returns a pointer to a value.
//
//mcp:tool
func PointerToNumber() *int { return nil }

// Several returns several values.
//
//mcp:tool
//mcp:result 2 name=second desc="the other"
func Several() (int, []string, *Query) { return 0, nil, nil }

// Lookup returns a value and whether it is there.
//
//mcp:tool
func Lookup() (Text, bool) { return "", false }

// Ignored returns something that has no JSON.
//
//mcp:tool
//mcp:result 2 ignore
func Ignored() (*Query, chan int, error) { return nil, nil, nil }

// Texts returns text of a type of its own.
//
//mcp:tool
func Texts() Text { return "" }

// Bytes returns bytes.
//
//mcp:tool mime=image/png maxBytes=10
func Bytes() []byte { return nil }

// Reader returns a stream.
//
//mcp:tool
func Reader() (io.ReadCloser, error) { return nil, nil }

// Buffer returns something that can be read and has no JSON.
//
//mcp:tool
func Buffer() *bytes.Buffer { return nil }

// Image returns an image.
//
//mcp:tool
func Image() image.Image { return nil }

// Gray returns an image of one kind.
//
//mcp:tool
func Gray() *image.Gray { return nil }

// Content returns content.
//
//mcp:tool
func Content() []mcp.Content { return nil }

// Raw returns the result itself.
//
//mcp:tool
func Raw() (*mcp.CallToolResult, error) { return nil, nil }

// Sequence returns values one by one.
//
//mcp:tool maxItems=5
func Sequence() iter.Seq[Query] { return nil }

// Failing returns values and an error.
//
//mcp:tool
func Failing() iter.Seq2[int, error] { return nil }

// Pairs returns pairs.
//
//mcp:tool
func Pairs() iter.Seq2[string, int] { return nil }

// Failure is an error of its own type.
type Failure struct{}

func (*Failure) Error() string { return "" }

// Concrete returns an error of its own type.
//
//mcp:tool
func Concrete() *Failure { return nil }

// NoSchema promises nothing about its result.
//
//mcp:tool out=none
func NoSchema() int { return 0 }

// Clock tells the time.
type Clock struct{ Time time.Time }

// Hour is called on a value that the caller supplies.
//
//mcp:tool
func (c Clock) Hour() int { return c.Time.Hour() }

// Set needs a pointer to it.
//
//mcp:tool
func (c *Clock) Set(t time.Time) {}

// Store is made by a provider.
type Store struct {
	base
	n int
}

type base struct{ n int }

// NewStore makes a Store.
//
//mcp:provider
//mcp:param path env=STORE_PATH
func NewStore(ctx context.Context, path string, log *slog.Logger, clock *Clock) (*Store, func(), error) {
	return nil, nil, nil
}

// Size is called on what a provider makes.
//
//mcp:tool
func (s *Store) Size() int { return s.n }

// Calls is promoted.
//
//mcp:tool
func (b *base) Calls() int { return b.n }

// Use takes what a provider makes.
//
//mcp:tool
func Use(s *Store, n int) {}

// Sizer is what a Store is.
type Sizer interface {
	// Size is called on whatever implements it.
	//
	//mcp:tool name=any_size
	Size() int
}

//mcp:tool
//mcp:param s desc="the text"
var _ = strings.ToUpper

//mcp:tool name=year
var _ = time.Time.Year

//mcp:tool name=replace
var _ = (*strings.Replacer).Replace

var replacer = strings.NewReplacer("a", "b")

//mcp:tool name=replace_a
var _ = replacer.Replace
