package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"maps"
	"math"
	"math/big"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goTool is a tool of an annotated package.
type goTool struct {
	schema string // inputSchema
	handle Handler
}

// goPackage registers tools as the generated code does.
func goPackage(tools map[string]goTool) Package {
	p := Package{}
	files := fstest.MapFS{}
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		p.Tools = append(p.Tools, Tool{Name: name, Handle: tools[name].handle})
		files["mcp_tools/"+name+".json"] = &fstest.MapFile{Data: toolFile(name, tools[name].schema, "")}
	}
	p.Schemas = files
	return p
}

// goServer is a started server with one package.
func goServer(t *testing.T, config Config, p Package) *Server {
	t.Helper()
	config.Log = quiet()
	s := NewServer(config, Definition{Name: "go", Version: "1"})
	s.Add(p)
	if _, err := s.start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// called is the result of a call, or its error of the protocol.
func called(t *testing.T, s *Server, name, arguments string) (*mcp.CallToolResult, error) {
	t.Helper()
	return s.call(t.Context(), s.tools.byName[name], &mcp.CallToolRequest{
		Params: &mcp.CallToolParamsRaw{Name: name, Arguments: json.RawMessage(arguments)}})
}

// summary is a result in one line: "error: " if it is one, the blocks, and the
// structured content after an arrow.
func summary(r *mcp.CallToolResult) string {
	var parts []string
	for _, c := range r.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			parts = append(parts, c.Text)
		case *mcp.ImageContent:
			parts = append(parts, fmt.Sprintf("image %s %d", c.MIMEType, len(c.Data)))
		case *mcp.AudioContent:
			parts = append(parts, fmt.Sprintf("audio %s %d", c.MIMEType, len(c.Data)))
		case *mcp.EmbeddedResource:
			parts = append(parts, fmt.Sprintf("blob %s %s %d", c.Resource.URI, c.Resource.MIMEType, len(c.Resource.Blob)))
		}
	}
	text := strings.Join(parts, " | ")
	if r.IsError {
		text = "error: " + text
	}
	if raw, ok := r.StructuredContent.(json.RawMessage); ok {
		text += " -> " + string(raw)
	}
	return text
}

type sku struct{ text string }

func (s *sku) UnmarshalText(b []byte) error {
	if !strings.Contains(string(b), "-") {
		return fmt.Errorf("bad SKU %q", b)
	}
	s.text = string(b)
	return nil
}

// decoded is what the arguments of TestDecode are decoded into.
type decoded struct {
	ID    int64           `json:"id"`
	Small int8            `json:"small"`
	Max   int             `json:"max"`
	Raw   json.RawMessage `json:"raw"`
	Any   any             `json:"any"`
	Big   *big.Int        `json:"big"`
	SKU   sku             `json:"sku"`
	Addr  netip.Addr      `json:"addr"`
	Wait  Duration        `json:"wait"`
	To    URL             `json:"to"`
	Upper int             `json:"ID"`
	Tree  *tree           `json:"tree"`
	Grid  [][]int         `json:"grid"`
}

type tree struct {
	Name string `json:"name"`
	Size *int   `json:"size"`
	Kids []tree `json:"kids"`
}

const decodedSchema = `{"type":"object","additionalProperties":false,"properties":{
	"id":{"type":"integer"},"small":{"type":"integer"},"max":{"type":"integer"},"raw":{},"any":{},"big":{"type":"integer"},
	"sku":{"type":"string"},"addr":{"type":"string"},"wait":{"type":"string"},"to":{"type":"string"},"ID":{"type":"integer"},
	"tree":{"$ref":"#/$defs/tree"},"grid":{"type":"array","items":{"type":"array","items":{"type":"integer"}}}},
	"$defs":{"tree":{"type":"object","additionalProperties":false,"required":["name"],"properties":{
		"name":{"type":"string"},"size":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/tree"}}}}}}`

func TestDecode(t *testing.T) {
	var in decoded
	s := goServer(t, Config{}, goPackage(map[string]goTool{"tool": {decodedSchema, func(_ context.Context, call *Call) (*Result, error) {
		in = decoded{Max: 10}
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		return Done()
	}}}))
	for _, c := range []struct {
		name, arguments, refused string
		got                      func() any
		want                     any
	}{
		{name: "every digit", arguments: `{"id":9007199254740993}`, got: func() any { return in.ID }, want: int64(9007199254740993)},
		{name: "the largest", arguments: `{"id":9223372036854775807}`, got: func() any { return in.ID }, want: int64(math.MaxInt64)},
		{name: "one more", arguments: `{"id":9223372036854775808}`, refused: "id: 9223372036854775808 is out of range (int64)"},
		{name: "out of a small range", arguments: `{"small":300}`, refused: "small: 300 is out of range (int8)"},
		{name: "two at once", arguments: `{"small":300,"sku":"x"}`, refused: "\n- sku: bad SKU \"x\"\n- small: 300 is out of range (int8)"},
		{name: "an integer with a point", arguments: `{"id":12.0}`, got: func() any { return in.ID }, want: int64(12)},
		{name: "an integer with an exponent", arguments: `{"id":1e3}`, got: func() any { return in.ID }, want: int64(1000)},
		{name: "deep inside", arguments: `{"grid":[[1.0,2],[3e1]],"tree":{"name":"1.0","size":5.0}}`, got: func() any { return fmt.Sprintf("%v %s %d", in.Grid, in.Tree.Name, *in.Tree.Size) }, want: "[[1 2] [30]] 1.0 5"},
		{name: "what is no integer by the schema stays", arguments: `{"raw":[1.0,1e3],"id":1.0}`, got: func() any { return string(in.Raw) }, want: "[1.0,1e3]"},
		{name: "a default", arguments: `{}`, got: func() any { return in.Max }, want: 10},
		{name: "null is absent", arguments: `{"max":null}`, got: func() any { return in.Max }, want: 10},
		{name: "null deep inside is absent", arguments: `{"tree":{"name":"a","size":null,"kids":[{"name":"b","kids":null}]}}`, got: func() any { return in.Tree.Kids[0].Name }, want: "b"},
		{name: "null where a value must be", arguments: `{"tree":{"name":null}}`, refused: "tree.name"},
		{name: "null that is a value", arguments: `{"raw":null}`, got: func() any { return string(in.Raw) }, want: "null"},
		{name: "names that differ in case", arguments: `{"id":1,"ID":2}`, got: func() any { return fmt.Sprint(in.ID, in.Upper) }, want: "1 2"},
		{name: "a name in other case", arguments: `{"Max":2}`, refused: "Max"},
		{name: "a number of any type, as encoding/json has it", arguments: `{"any":9007199254740993}`, got: func() any { return in.Any }, want: float64(1 << 53)},
		{name: "a big number", arguments: `{"big":123456789012345678901234567890}`, got: func() any { return in.Big.String() }, want: "123456789012345678901234567890"},
		{name: "a textual form", arguments: `{"sku":"A-1"}`, got: func() any { return in.SKU.text }, want: "A-1"},
		{name: "a wrong textual form", arguments: `{"sku":"A"}`, refused: `sku: bad SKU "A"`},
		{name: "a wrong address", arguments: `{"addr":"1.2.3"}`, refused: "addr: "},
		{name: "a duration", arguments: `{"wait":"1m30s"}`, got: func() any { return in.Wait.Duration }, want: 90 * time.Second},
		{name: "a wrong duration", arguments: `{"wait":"soon"}`, refused: `wait: want a duration such as "1m30s" or "250ms", got "soon"`},
		{name: "a URL", arguments: `{"to":"https://go.dev/x"}`, got: func() any { return in.To.Host }, want: "go.dev"},
		{name: "no URL", arguments: `{}`, got: func() any { return in.To.URL == nil && in.To.Value().Host == "" }, want: true},
		{name: "a wrong URL", arguments: `{"to":"http://[::1"}`, refused: "to: want a URL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := called(t, s, "tool", c.arguments)
			if err != nil {
				t.Fatal(err)
			}
			switch text := summary(r); {
			case c.refused != "":
				if !r.IsError || !strings.Contains(text, c.refused) {
					t.Errorf("got %s, want %s", text, c.refused)
				}
			case r.IsError:
				t.Error(text)
			case c.got() != c.want:
				t.Errorf("got %v, want %v", c.got(), c.want)
			}
		})
	}
}

type pageResult struct2

type struct2 struct {
	Items []string `json:"items"`
}

// reader counts how it is used.
type reader struct {
	io.Reader
	closed int
}

func (r *reader) Close() error { r.closed++; return nil }

func TestResults(t *testing.T) {
	var nilMap map[string]int
	var nilPointer *struct2
	var nilBlock *mcp.TextContent
	closed := &reader{Reader: strings.NewReader("log")}
	long := &reader{Reader: strings.NewReader(strings.Repeat("x", 50))}
	for _, c := range []struct {
		name   string
		handle Handler
		want   string
	}{
		{"nothing", func(context.Context, *Call) (*Result, error) { return Done() }, ""},
		{"an object", func(context.Context, *Call) (*Result, error) { return Object(pageResult{Items: []string{"<a>"}}) }, `{"items":["<a>"]} -> {"items":["<a>"]}`},
		{"a nil map", func(context.Context, *Call) (*Result, error) { return Object(nilMap) }, "{} -> {}"},
		{"a nil pointer", func(context.Context, *Call) (*Result, error) { return Object(nilPointer) }, "error: no result"},
		{"a nil interface", func(context.Context, *Call) (*Result, error) { return Object(nil) }, "error: no result"},
		{"a value", func(context.Context, *Call) (*Result, error) { return Value("result", int64(math.MaxInt64)) }, `9223372036854775807 -> {"result":9223372036854775807}`},
		{"a nil slice", func(context.Context, *Call) (*Result, error) { return Value("result", []int(nil)) }, `[] -> {"result":[]}`},
		{"what JSON has not", func(context.Context, *Call) (*Result, error) { return Value("result", math.NaN()) }, "error: the result cannot be written as JSON: unsupported value: NaN"},
		{"several", func(context.Context, *Call) (*Result, error) { return Results("lo", 1, "all", []int(nil), "m", nilMap) },
			`{"lo":1,"all":[],"m":{}} -> {"lo":1,"all":[],"m":{}}`},
		{"text only", func(context.Context, *Call) (*Result, error) { return TextOnly(Value("result", 3)) }, "3"},
		{"an error", func(context.Context, *Call) (*Result, error) { return Failed(errors.New("order 7: not found")) }, "error: order 7: not found"},
		{"an error that says nothing", func(context.Context, *Call) (*Result, error) { return Failed(errors.New("")) }, "error: it failed with an error that says nothing (*errors.errorString)"},
		{"bytes that are text", func(_ context.Context, c *Call) (*Result, error) { return c.Blob([]byte("plain"), "") }, "plain"},
		{"bytes that are an image", func(_ context.Context, c *Call) (*Result, error) { return c.Blob([]byte("\x89PNG\r\n\x1a\n"), "") }, "image image/png 8"},
		{"bytes that are anything", func(_ context.Context, c *Call) (*Result, error) { return c.Blob([]byte{0, 1}, "application/pdf") }, "blob result:///tool application/pdf 2"},
		{"too many bytes", func(_ context.Context, c *Call) (*Result, error) {
			return c.Blob(make([]byte, maxBinary+1), "image/png")
		},
			"error: the result is 8388 kB of data. That is more than the 8388 kB which this server passes on."},
		{"a reader", func(ctx context.Context, c *Call) (*Result, error) { return c.Stream(ctx, closed, "text/plain", 0) }, "log"},
		{"a long reader", func(ctx context.Context, c *Call) (*Result, error) { return c.Stream(ctx, long, "", 20) },
			strings.Repeat("x", 20) + " | Note: these are the first 20 bytes; there is more."},
		{"a long reader of data", func(ctx context.Context, c *Call) (*Result, error) {
			return c.Stream(ctx, strings.NewReader("\x89PNG\r\n\x1a\nrest"), "image/png", 9)
		}, "error: the result is longer than the 9 bytes which this tool passes on."},
		{"no reader", func(ctx context.Context, c *Call) (*Result, error) { return c.Stream(ctx, nil, "", 0) }, "error: no result"},
		{"a nil image", func(_ context.Context, c *Call) (*Result, error) { return c.Image((*image.Gray)(nil)) }, "error: no result"},
		{"an image without size", func(_ context.Context, c *Call) (*Result, error) {
			return c.Image(image.NewGray(image.Rect(0, 0, 0, 0)))
		},
			"error: the image cannot be written as PNG: png: invalid format: invalid image size: 0x0"},
		{"content", func(context.Context, *Call) (*Result, error) {
			return Contents(&mcp.TextContent{Text: "a"}, nilBlock, nil)
		}, "a"},
		{"nil content", func(context.Context, *Call) (*Result, error) { return Contents(nilBlock) }, "error: no result"},
		{"a result for the protocol", func(context.Context, *Call) (*Result, error) {
			return AsIs(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "raw"}}, StructuredContent: map[string]any{"n": 3}})
		}, `raw -> {"n":3}`},
		{"a nil result for the protocol", func(context.Context, *Call) (*Result, error) { return AsIs((*mcp.CallToolResult)(nil)) }, "error: no result"},
		{"a panic", func(context.Context, *Call) (*Result, error) { return Value("result", []int{}[1]) },
			"error: tool failed because of a defect in this server. Calling it again in the same way will not help."},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := goServer(t, Config{}, goPackage(map[string]goTool{"tool": {handle: c.handle}}))
			r, err := called(t, s, "tool", `{}`)
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(r); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	if closed.closed != 1 || long.closed != 1 {
		t.Errorf("closed %d and %d times, want once each", closed.closed, long.closed)
	}
}

func TestProtocolErrors(t *testing.T) {
	says := &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "rpc says no"}
	for _, err := range []error{says, fmt.Errorf("outer: %w", says)} {
		s := goServer(t, Config{}, goPackage(map[string]goTool{"tool": {handle: func(context.Context, *Call) (*Result, error) { return Failed(err) }}}))
		_, got := called(t, s, "tool", `{}`)
		if coded := (*jsonrpc.Error)(nil); !errors.As(got, &coded) || coded.Code != says.Code || coded.Message != says.Message {
			t.Errorf("%v gave %v", err, got)
		}
	}
}

// blockedReader blocks until it is closed.
type blockedReader struct{ done chan struct{} }

func (r *blockedReader) Read([]byte) (int, error) { <-r.done; return 0, io.ErrClosedPipe }
func (r *blockedReader) Close() error             { close(r.done); return nil }

// TestDeadline ends a function that waits, and tells why.
func TestDeadline(t *testing.T) {
	p := goPackage(map[string]goTool{
		"waits": {handle: func(ctx context.Context, _ *Call) (*Result, error) {
			<-ctx.Done()
			return Failed(fmt.Errorf("halfway: %w", ctx.Err()))
		}},
		"reads": {handle: func(ctx context.Context, c *Call) (*Result, error) {
			return c.Stream(ctx, &blockedReader{make(chan struct{})}, "", 0)
		}},
	})
	for i := range p.Tools {
		p.Tools[i].Timeout = time.Millisecond
	}
	s := goServer(t, Config{}, p)
	for _, c := range []struct{ tool, want string }{
		{"waits", "error: waits did not finish within 1ms: halfway: context deadline exceeded"},
		{"reads", "error: reads did not finish within 1ms: context deadline exceeded"},
	} {
		r, err := called(t, s, c.tool, `{}`)
		if err != nil || summary(r) != c.want {
			t.Errorf("%s: %v %v, want %s", c.tool, err, summary(r), c.want)
		}
	}
}

func TestIterators(t *testing.T) {
	ended := false
	count := func(yield func(int) bool) {
		defer func() { ended = true }()
		for i := 0; yield(i); i++ {
		}
	}
	fails := func(yield func(int, error) bool) {
		_ = yield(1, nil) && yield(0, errors.New("the second is broken"))
	}
	for _, c := range []struct {
		name   string
		config Config
		handle Handler
		want   string
	}{
		{"all", Config{}, func(ctx context.Context, c *Call) (*Result, error) {
			return Collect(ctx, c, "result", slices.Values([]string{"a", "b"}), 0)
		}, `["a","b"] -> {"result":["a","b"]}`},
		{"none", Config{}, func(ctx context.Context, c *Call) (*Result, error) {
			return Collect(ctx, c, "result", iter.Seq[int](nil), 0)
		}, `[] -> {"result":[]}`},
		{"at most so many", Config{}, func(ctx context.Context, c *Call) (*Result, error) { return Collect(ctx, c, "result", count, 3) },
			`[0,1,2] | Note: these are the first 3 items; there are more. -> {"result":[0,1,2]}`},
		{"exactly so many", Config{}, func(ctx context.Context, c *Call) (*Result, error) {
			return Collect(ctx, c, "result", slices.Values([]int{1, 2}), 2)
		}, `[1,2] -> {"result":[1,2]}`},
		{"no more bytes than a model sees", Config{MaxResponse: 9}, func(ctx context.Context, c *Call) (*Result, error) { return Collect(ctx, c, "result", count, 0) },
			`[0,1,2,3] | Note: these are the first 4 items; the rest would be too long. -> {"result":[0,1,2,3]}`},
		{"an error", Config{}, func(ctx context.Context, c *Call) (*Result, error) { return CollectErr(ctx, c, "result", fails, 0) }, "error: the second is broken"},
		{"pairs", Config{}, func(ctx context.Context, c *Call) (*Result, error) {
			return CollectPairs(ctx, c, "result", slices.All([]string{"a"}), 0)
		}, `[{"key":0,"value":"a"}] -> {"result":[{"key":0,"value":"a"}]}`},
		{"what JSON has not", Config{}, func(ctx context.Context, c *Call) (*Result, error) {
			return Collect(ctx, c, "result", slices.Values([]float64{math.Inf(1)}), 0)
		}, "error: the result cannot be written as JSON: unsupported value: +Inf"},
		{"until the call ends", Config{Timeout: time.Millisecond}, func(ctx context.Context, c *Call) (*Result, error) {
			return Collect(ctx, c, "result", func(yield func(int) bool) {
				<-ctx.Done()
				count(yield)
			}, 0)
		}, "error: tool did not finish within 1ms: context deadline exceeded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := goServer(t, c.config, goPackage(map[string]goTool{"tool": {handle: c.handle}}))
			r, err := called(t, s, "tool", `{}`)
			if err != nil || summary(r) != c.want {
				t.Errorf("got  %s (%v)\nwant %s", summary(r), err, c.want)
			}
		})
	}
	if !ended {
		t.Error("an iterator that was cut short did not end")
	}
}

func FuzzIntegers(f *testing.F) {
	for _, seed := range []string{`{"id":1.0}`, `{"grid":[[1e2, 2.50]],"raw":1.0}`, `{"tree":{"kids":[{"size":-0.0}]}}`, `{"id":"1.0","x":"\""}`, `1E+2`} {
		f.Add(seed)
	}
	doc, err := decode(json.RawMessage(decodedSchema))
	if err != nil {
		f.Fatal(err)
	}
	sc := &schema{doc: doc}
	f.Fuzz(func(t *testing.T, text string) {
		before, err := decode(json.RawMessage(text))
		if err != nil || !json.Valid([]byte(text)) || !utf8.ValidString(text) { // the transport refuses the rest
			return
		}
		after, err := decode(sc.integers(sc.doc, json.RawMessage(strings.TrimSpace(text))))
		if err != nil || !sameValue(before, after) {
			t.Errorf("%s became another value: %v (%v)", text, after, err)
		}
	})
}

// sameValue compares decoded JSON; numbers by what they are.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case json.Number:
		other, ok := b.(json.Number)
		x, fine := new(big.Rat).SetString(a.String())
		y, alsoFine := new(big.Rat).SetString(other.String())
		return ok && fine && alsoFine && x.Cmp(y) == 0
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, sameValue)
	case map[string]any:
		other, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, other, sameValue)
	}
	return a == b
}
