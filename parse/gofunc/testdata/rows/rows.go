package rows

import (
	"database/sql"
	"encoding/json"
	"log/slog"
	"math"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"time"
)

// Row is one kind of type.
type Row struct {
	Tool string
	// New makes a variable to decode into.
	New func() any
	// Accepted is JSON that the schema allows and encoding/json decodes.
	Accepted []string
	// Refused is JSON that the schema does not allow.
	Refused []string
	// Values are encoded; the output schema allows the JSON.
	Values []any
}

// box is a row of a type inside a [Box]: JSON stands for its field.
func box[T any](tool string, accepted, refused []string, values ...T) Row {
	r := Row{Tool: tool, New: func() any { return new(Box[T]) }}
	for _, s := range accepted {
		r.Accepted = append(r.Accepted, `{"v":`+s+`}`)
	}
	for _, s := range refused {
		r.Refused = append(r.Refused, `{"v":`+s+`}`)
	}
	var zero T
	for _, v := range append(values, zero) {
		r.Values = append(r.Values, Box[T]{v})
	}
	return r
}

// whole is a row of a type that is an object.
func whole[T any](tool string, accepted, refused []string, values ...T) Row {
	r := Row{Tool: tool, New: func() any { return new(T) }, Accepted: accepted, Refused: refused}
	for _, v := range values {
		r.Values = append(r.Values, v)
	}
	return r
}

type list = []string

//mcp:tool name=bool
var _ = Echo[Box[bool]]

//mcp:tool name=string
var _ = Echo[Box[string]]

//mcp:tool name=float64
var _ = Echo[Box[float64]]

//mcp:tool name=float32
var _ = Echo[Box[float32]]

//mcp:tool name=int
var _ = Echo[Box[int]]

//mcp:tool name=int64
var _ = Echo[Box[int64]]

//mcp:tool name=int8
var _ = Echo[Box[int8]]

//mcp:tool name=uint16
var _ = Echo[Box[uint16]]

//mcp:tool name=uint64
var _ = Echo[Box[uint64]]

//mcp:tool name=bytes
var _ = Echo[Box[[]byte]]

//mcp:tool name=named_bytes
var _ = Echo[Box[Bytes]]

//mcp:tool name=octets
var _ = Echo[Box[[]Octet]]

//mcp:tool name=byte_array
var _ = Echo[Box[[4]byte]]

//mcp:tool name=array
var _ = Echo[Box[[2]float64]]

//mcp:tool name=slice
var _ = Echo[Box[[]string]]

//mcp:tool name=slice_of_slices
var _ = Echo[Box[[][]int]]

//mcp:tool name=map
var _ = Echo[Box[map[string]int]]

//mcp:tool name=int_keys
var _ = Echo[Box[map[int]string]]

//mcp:tool name=uint_keys
var _ = Echo[Box[map[uint8]string]]

//mcp:tool name=text_keys
var _ = Echo[Box[map[netip.Addr]bool]]

//mcp:tool name=enum_keys
var _ = Echo[Box[map[Color]int]]

//mcp:tool name=color
var _ = Echo[Box[Color]]

//mcp:tool name=size
var _ = Echo[Box[Size]]

//mcp:tool name=perm
var _ = Echo[Box[Perm]]

//mcp:tool name=code
var _ = Echo[Box[Code]]

//mcp:tool name=word
var _ = Echo[Box[Word]]

//mcp:tool name=shy
var _ = Echo[Box[Shy]]

//mcp:tool name=shy_pointer
var _ = Echo[Box[*Shy]]

//mcp:tool name=shy_slice
var _ = Echo[Box[[]Shy]]

//mcp:tool name=shy_map
var _ = Echo[Box[map[string]Shy]]

//mcp:tool name=loud
var _ = Echo[Box[Loud]]

//mcp:tool name=opener
var _ = Echo[Box[Opener]]

//mcp:tool name=addr
var _ = Echo[Box[netip.Addr]]

//mcp:tool name=ip
var _ = Echo[Box[net.IP]]

//mcp:tool name=regexp
var _ = Echo[Box[*regexp.Regexp]]

//mcp:tool name=level
var _ = Echo[Box[slog.Level]]

//mcp:tool name=big_float
var _ = Echo[Box[*big.Float]]

//mcp:tool name=big_int
var _ = Echo[Box[*big.Int]]

//mcp:tool name=money
var _ = Echo[Box[Money]]

//mcp:tool name=wild
var _ = Echo[Box[Wild]]

//mcp:tool name=forced
var _ = Echo[Box[Forced]]

//mcp:tool name=time
var _ = Echo[Box[time.Time]]

//mcp:tool name=time_pointer
var _ = Echo[Box[*time.Time]]

//mcp:tool name=stamp
var _ = Echo[Box[Stamp]]

//mcp:tool name=duration
var _ = Echo[Box[time.Duration]]

//mcp:tool name=month
var _ = Echo[Box[time.Month]]

//mcp:tool name=raw
var _ = Echo[Box[json.RawMessage]]

//mcp:tool name=number
var _ = Echo[Box[json.Number]]

//mcp:tool name=url
var _ = Echo[Box[url.URL]]

//mcp:tool name=null_string
var _ = Echo[Box[sql.NullString]]

//mcp:tool name=null_int
var _ = Echo[Box[sql.Null[int]]]

//mcp:tool name=pointer
var _ = Echo[Box[*int]]

//mcp:tool name=pointer_pointer
var _ = Echo[Box[**int]]

//mcp:tool name=any
var _ = Echo[Box[any]]

//mcp:tool name=anonymous
var _ = Echo[Box[struct{ A, B int }]]

//mcp:tool name=alias
var _ = Echo[Box[Names[int]]]

//mcp:tool name=nothing
var _ = Echo[Box[Nothing]]

//mcp:tool name=tags
var _ = Echo[Tags]

//mcp:tool name=quoted
var _ = Echo[Quoted]

//mcp:tool name=embedding
var _ = Echo[Embedding]

//mcp:tool name=shadow
var _ = Echo[Shadow]

//mcp:tool name=twice
var _ = Echo[Twice]

//mcp:tool name=tagged_wins
var _ = Echo[TaggedWins]

//mcp:tool name=loose
var _ = Echo[Loose]

//mcp:tool name=tree
var _ = Echo[Tree]

var (
	one     = 1
	pointer = &one
	moment  = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
)

// Rows are all rows, one for each tool.
var Rows = []Row{
	box[bool]("bool", list{`true`}, list{`"true"`, `1`, `null`}, true),
	box[string]("string", list{`""`, `"ä"`}, list{`1`, `null`}, "<a>"),
	box[float64]("float64", list{`1`, `0.1`, `-1e300`}, list{`"1"`}, math.MaxFloat64, 0.1),
	box[float32]("float32", list{`1.5`}, list{`"1"`}, math.MaxFloat32),
	box[int]("int", list{`9007199254740993`, `-1`}, list{`1.5`, `"1"`, `null`}, math.MaxInt, math.MinInt),
	box[int64]("int64", list{`9223372036854775807`}, list{`1.5`}, math.MaxInt64),
	box[int8]("int8", list{`-128`, `127`}, list{`128`, `-129`}, -128, 127),
	box[uint16]("uint16", list{`0`, `65535`}, list{`65536`, `-1`}, 65535),
	box[uint64]("uint64", list{`18446744073709551615`}, list{`-1`}, math.MaxUint64),

	box[[]byte]("bytes", list{`""`, `"aGk="`}, list{`[104]`, `null`}, []byte("hi"), []byte{}),
	box[Bytes]("named_bytes", list{`"aGk="`}, list{`[104]`}, Bytes("hi")),
	box[[]Octet]("octets", list{`"aGk="`}, list{`[104]`}, []Octet{104}),
	box[[4]byte]("byte_array", list{`[1,2,3,255]`}, list{`"AQID"`, `[1,2,3]`, `[1,2,3,256]`}, [4]byte{1, 2, 3, 255}),
	box[[2]float64]("array", list{`[1,2.5]`}, list{`[1]`, `[1,2,3]`}, [2]float64{1, 2.5}),
	box[[]string]("slice", list{`[]`, `["a"]`}, list{`null`, `"a"`, `[1]`}, []string{"a"}, []string{}),
	box[[][]int]("slice_of_slices", list{`[[1],[]]`}, list{`[null]`}, [][]int{{1}, nil}),
	box[map[string]int]("map", list{`{}`, `{"a":1}`}, list{`null`, `{"a":"1"}`}, map[string]int{"a": 1}),
	box[map[int]string]("int_keys", list{`{"-7":"x"}`}, list{`{"x":"y"}`}, map[int]string{-7: "x"}),
	box[map[uint8]string]("uint_keys", list{`{"7":"x"}`}, list{`{"-7":"x"}`}, map[uint8]string{7: "x"}),
	box[map[netip.Addr]bool]("text_keys", list{`{"::1":true}`}, list{`{"::1":1}`}, map[netip.Addr]bool{netip.IPv6Loopback(): true}),
	box[map[Color]int]("enum_keys", list{`{"red":1}`}, list{`{"blue":1}`}, map[Color]int{Red: 1, "": 2}),

	box[Color]("color", list{`"red"`, `"green"`}, list{`""`, `"blue"`}, Red),
	box[Size]("size", list{`0`, `1`}, list{`2`, `"small"`}, Large, 0),
	box[Perm]("perm", list{`0`, `7`}, list{`-1`, `"read"`}, Read|Write),
	box[Code]("code", list{`200`, `500`}, list{`"200"`}, OK),
	box[Word]("word", list{`"low"`}, list{`"middle"`, `0`}, 1),
	box[Shy]("shy", list{`{"N":1}`}, list{`"n1"`}, Shy{1}),
	box[*Shy]("shy_pointer", list{`{"N":1}`}, list{`"n1"`}, &Shy{1}),
	box[[]Shy]("shy_slice", list{`[{"N":1}]`}, list{`["n1"]`}, []Shy{{1}}),
	box[map[string]Shy]("shy_map", list{`{"a":{"N":1}}`}, list{`{"a":"n1"}`}, map[string]Shy{"a": {1}}),
	box[Loud]("loud", list{`{"N":1}`}, list{`"n1"`}, Loud{1}),
	box[Opener]("opener", list{`"1"`}, list{`{"N":1}`}, Opener{1}),
	box[netip.Addr]("addr", list{`"::1"`, `""`}, list{`1`}, netip.IPv6Loopback()),
	box[net.IP]("ip", list{`"127.0.0.1"`}, list{`[1]`}, net.IPv4(127, 0, 0, 1)),
	box[*regexp.Regexp]("regexp", list{`"a+"`}, list{`{}`}, regexp.MustCompile("a+")),
	box[slog.Level]("level", list{`"INFO"`, `"DEBUG+2"`}, list{`4`}, slog.LevelWarn),
	box[*big.Float]("big_float", list{`"1.5"`}, list{`1.5`}, big.NewFloat(1.5)),
	box[*big.Int]("big_int", list{`123456789012345678901234567890`}, list{`"1"`, `1.5`}, big.NewInt(7)),

	box[Money]("money", list{`"12 EUR"`}, list{`12`, `"12"`}, NewMoney("12 EUR")),
	box[Wild]("wild", list{`1`, `null`, `{"a":[]}`}, nil, NewWild([]any{1, nil})),
	box[Forced]("forced", list{`{"name":"a"}`}, list{`"a"`, `{"nam":"a"}`}, Forced{"a"}),
	box[time.Time]("time", list{`"2026-01-02T03:04:05Z"`}, list{`"yesterday"`, `0`}, moment),
	box[*time.Time]("time_pointer", list{`"2026-01-02T03:04:05+02:00"`}, list{`"yesterday"`}, &moment),
	box[Stamp]("stamp", list{`"2026-01-02T03:04:05Z"`}, list{`{"Note":"a"}`}, Stamp{moment, "n"}),
	box[time.Duration]("duration", list{`3000000000`}, list{`"3s"`}, time.Second),
	box[time.Month]("month", list{`1`, `12`}, list{`0`, `13`, `"May"`}, time.May),
	box[json.RawMessage]("raw", list{`1`, `null`, `{"a":1}`}, nil, json.RawMessage(`[1]`)),
	box[json.Number]("number", list{`1`, `12345678901234567890.5`}, list{`"1"`}, json.Number("1.5")),
	box[url.URL]("url", list{`{"Scheme":"http","Opaque":"","Host":"h","Path":"/","Fragment":"","RawQuery":"","RawPath":"","RawFragment":"","ForceQuery":false,"OmitHost":false}`},
		list{`"http://h/"`}, url.URL{Scheme: "http", User: url.User("u")}),
	box[sql.NullString]("null_string", list{`{"String":"a","Valid":true}`}, list{`"a"`, `{"String":"a"}`}, sql.NullString{String: "a", Valid: true}),
	box[sql.Null[int]]("null_int", list{`{"V":1,"Valid":true}`}, list{`1`}, sql.Null[int]{V: 1, Valid: true}),
	box[*int]("pointer", list{`1`}, list{`"1"`}, pointer),
	box[**int]("pointer_pointer", list{`1`}, list{`"1"`}, &pointer),
	box[any]("any", list{`1`, `null`, `[{}]`}, nil, 1, []int(nil), map[string]any{"a": nil}),
	box[struct{ A, B int }]("anonymous", list{`{"A":1,"B":2}`}, list{`{"A":1}`, `{"A":1,"B":2,"C":3}`}, struct{ A, B int }{1, 2}),
	box[Names[int]]("alias", list{`[{"v":1}]`}, list{`[{}]`}, Names[int]{{1}}),
	box[Nothing]("nothing", list{`{}`}, list{`{"a":1}`}, Nothing{}),

	whole[Tags]("tags",
		list{
			`{"required":"a","-":"d","NoTag":true,"BadName":1}`,
			`{"required":"a","-":"d","NoTag":true,"BadName":1,"empty":"e","zero":{"v":1},"still":{"v":1},"pointer":1,"absent":1,"list":[1]}`,
		},
		list{
			`{"-":"d","NoTag":true,"BadName":1}`, `{"required":"a","NoTag":true,"BadName":1}`,
			`{"required":"a","-":"d","NoTag":true,"BadName":1,"Hidden":"h"}`,
			`{"required":"a","-":"d","NoTag":true,"BadName":1,"private":1}`,
			`{"required":"a","-":"d","notag":true,"BadName":1}`,
		},
		Tags{}, Tags{Empty: "e", Zero: Box[int]{1}, Pointer: pointer, Absent: pointer, List: []int{1}}),
	whole[Quoted]("quoted",
		list{
			`{"int":"-7","uint":"7","bool":"true","float":"1.5e3","string":"\"a\"","list":[1]}`,
			`{"int":"-7","uint":"7","bool":"false","float":"-1","string":"\"a\"","pointer":"7","list":[1]}`,
		},
		list{
			`{"int":7,"uint":"7","bool":"true","float":"1.5","string":"\"a\"","list":[1]}`,
			`{"int":"x","uint":"7","bool":"true","float":"1.5","string":"\"a\"","list":[1]}`,
			`{"int":"7","uint":"-7","bool":"true","float":"1.5","string":"\"a\"","list":[1]}`,
			`{"int":"7","uint":"7","bool":"yes","float":"1.5","string":"\"a\"","list":[1]}`,
			`{"int":"7","uint":"7","bool":"true","float":"x","string":"\"a\"","list":[1]}`,
			`{"int":"7","uint":"7","bool":"true","float":"1.5","string":"a","list":[1]}`,
		},
		Quoted{}, Quoted{Int: -1, Uint: 255, Bool: true, Float: 1e30, String: "a", Pointer: pointer, List: []int{1}}),
	whole[Embedding]("embedding",
		list{
			`{"id":1,"name":"a","shown":2,"Text":"t","Labels":{"a":"b"},"named":{"id":1,"name":"b"},"inner":{"x":1}}`,
			`{"id":1,"name":"a","shown":2,"Text":"t","Labels":{},"named":{"id":1,"name":"b"},"inner":{"x":1},"distance":3}`,
		},
		list{
			`{"Base":{"id":1,"name":"a"},"shown":2,"Text":"t","Labels":{},"named":{"id":1,"name":"b"},"inner":{"x":1}}`,
			`{"id":1,"name":"a","shown":2,"Text":"t","Labels":{},"named":{"id":1,"name":"b"},"x":1}`,
		},
		Embedding{}, Embedding{Far: &Far{1}, Labels: Labels{"a": "b"}}),
	whole[Shadow]("shadow", list{`{"id":1,"name":2}`}, list{`{"id":1,"name":"a"}`}, Shadow{}, Shadow{Name: 1}),
	whole[Twice]("twice", list{`{"OnlyA":1,"OnlyB":2,"own":3}`}, list{`{"same":1,"OnlyA":1,"OnlyB":2,"own":3}`}, Twice{}),
	whole[TaggedWins]("tagged_wins", list{`{"Value":"a"}`}, list{`{"Value":1}`}, TaggedWins{C: C{1}}),
	whole[Loose]("loose", list{`{"any":null}`, `{"any":[1]}`}, list{`{"any":1,"error":{}}`, `{"any":1,"Func":1}`},
		Loose{}, Loose{Any: map[string]int{}, Error: &net.AddrError{Err: "e"}}),
	whole[Tree]("tree",
		list{`{"label":"a"}`, `{"label":"a","kids":[{"label":"b","named":{"c":{"label":"d"}}}],"next":{"head":{"label":"e"},"tail":{"head":{"label":"f"}}}}`},
		list{`{"label":"a","kids":[{"lable":"b"}]}`, `{"label":"a","next":{"head":{}}}`},
		Tree{}, Tree{Kids: []*Tree{{Label: "b"}, nil}, Named: map[string]*Tree{"c": nil}, Next: &List[Tree]{Tail: &List[Tree]{}}}),
}
