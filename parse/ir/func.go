package ir

import (
	"encoding/json"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// The file that an annotated package gets, and the identifiers it declares. A
// front end reads around them, gen writes them.
const (
	RegisterFile = "mcp_gen.go"
	RegisterFunc = "RegisterMCP"
	DepsType     = "MCPDeps"
)

// Package is an annotated Go package: one mcp_gen.go with a RegisterMCP.
type Package struct {
	ImportPath string   // "example.com/shop/internal/shop"
	Name       string   // "shop", the package clause
	Dir        string   // folder, relative to the working directory
	Scope      []string // identifiers the package declares, sorted: generated names keep clear of them

	Tools     []*Tool    // by Name; each has Func set
	Resources []Resource // by URI
	Prompts   []Prompt   // by Name
	Providers []Provider // in the order in which they run
	Deps      []Dep      // what the caller of RegisterMCP supplies, by Name
}

// Func is the call behind a tool, resource or prompt.
type Func struct {
	Doc    string // "(*Store).Get", for comments and messages
	Callee Code   // what is called: Search, sort.Strings, slices.Max[[]int]; for methods only the name
	// Receiver is the value a method is called on, nil for functions.
	Receiver *Value
	Args     []FuncArg    // the call's arguments, in order
	Input    *Code        // the one struct parameter whose fields are the tool's arguments; nil: a struct of the Args
	Results  []FuncResult // without the error
	Error    ErrorResult
	Package  string // import path of the annotated package
	Out      OutPolicy
	MIME     string // of []byte, reader and image results; empty: sniffed
	MaxItems int    // of iterators; 0: the runtime's default
	MaxBytes int    // of readers; 0: the runtime's default
	Timeout  string // "30s", a time.Duration; empty: none of its own
	Pos      diag.Pos
}

// Code is a Go expression or type in pieces, so that gen can name the imports:
// text as it stands, and names of other packages.
type Code []CodePiece

// CodePiece is Text, or the identifier Name of the package Path.
type CodePiece struct {
	Text string
	Path string
	Name string
}

// ArgKind says where one argument of the Go call comes from.
type ArgKind string

// The kinds.
const (
	ArgInput    ArgKind = "input"    // decoded from the tool's argument Wire
	ArgObject   ArgKind = "object"   // the whole input object (Func.Input), or a pointer to it
	ArgContext  ArgKind = "context"  // context.Context
	ArgRequest  ArgKind = "request"  // *mcp.CallToolRequest
	ArgSession  ArgKind = "session"  // *mcp.ServerSession
	ArgServer   ArgKind = "server"   // *mcp.Server
	ArgLogger   ArgKind = "logger"   // *slog.Logger
	ArgProgress ArgKind = "progress" // func(done, total float64, message string)
	ArgReader   ArgKind = "reader"   // io.Reader over the text of argument Wire
	ArgValue    ArgKind = "value"    // From: a provided value or a dependency
	ArgFixed    ArgKind = "fixed"    // JSON Fixed, decoded
	ArgEnv      ArgKind = "env"      // environment variable Env, read at start
	ArgZero     ArgKind = "zero"     // the zero value
)

// FuncArg is one argument of the Go call.
type FuncArg struct {
	Kind     ArgKind
	Name     string // the Go parameter
	Wire     string // the tool's argument
	Type     Code   // as declared; of a variadic parameter the slice, []T
	Pointer  bool   // ArgObject: the parameter is a pointer
	Variadic bool   // the last one, passed with "...": Type is the slice
	Optional bool
	Default  string         // JSON as the model would send it, empty: none
	Defaults []FieldDefault // of fields below an ArgInput or ArgObject, set before decoding
	Codec    Codec          // how Wire is decoded when encoding/json is not what people expect
	Fixed    string         // JSON
	Env      string         // TENANT: with Codec or as text of a string, boolean or number
	From     *Value
}

// FieldDefault is the value of a field whose key is absent.
type FieldDefault struct {
	Field string // Go selector below the argument: "Paging.Limit"
	Type  Code
	JSON  string
}

// Codec is a decoding of ours for a direct parameter.
type Codec string

// The codecs; empty is encoding/json.
const (
	CodecDuration Codec = "duration" // time.Duration from "1m30s"
	CodecURL      Codec = "url"      // url.URL and *url.URL from its text
)

// Value is something that exists once per server: what a provider made, or a
// dependency. Exactly one of Provider and Dep is an index, the other is -1.
type Value struct {
	Provider int    // into Package.Providers
	Dep      int    // into Package.Deps
	Field    string // a promoted method's path below it, usually empty
}

// Provider makes a value once, before the first call.
type Provider struct {
	Doc     string // "NewStore"
	Callee  Code
	Type    Code      // what it makes
	Name    string    // suggested local name: "store"
	Args    []FuncArg // ArgContext, ArgLogger, ArgValue, ArgEnv, ArgFixed, ArgZero
	Cleanup bool      // returns a func() after the value
	Error   bool
	Pos     diag.Pos
}

// Dep is a field of the struct that RegisterMCP takes.
type Dep struct {
	Name string // "Clock"
	Type Code
	Doc  string // "needed by (Clock).Unix"
}

// FuncResult is one result of the Go call.
type FuncResult struct {
	Name string // property in the result object; empty: the result is the whole of it, or content
	Kind ResultKind
	Type Code
	Skip bool // left out by a directive
}

// ResultKind is how a result becomes content.
type ResultKind string

// The kinds.
const (
	ResultObject  ResultKind = "object"  // its JSON is an object
	ResultPointer ResultKind = "pointer" // *T with object JSON: nil is "no result"
	ResultValue   ResultKind = "value"   // any other JSON value, wrapped under Name
	ResultSlice   ResultKind = "slice"   // nil becomes []
	ResultMap     ResultKind = "map"     // nil becomes {}
	ResultText    ResultKind = "text"    // string, or a type of that kind: convert
	ResultBytes   ResultKind = "bytes"   // []byte, or a type of that kind: convert
	ResultReader  ResultKind = "reader"  // io.Reader, io.ReadCloser
	ResultImage   ResultKind = "image"   // image.Image
	ResultContent ResultKind = "content" // mcp.Content, []mcp.Content
	ResultMCP     ResultKind = "mcp"     // *mcp.CallToolResult
	ResultSeq     ResultKind = "seq"     // iter.Seq[T]: an array of T
	ResultSeqErr  ResultKind = "seqErr"  // iter.Seq2[T, error]: an array of T, the first error ends it
	ResultSeq2    ResultKind = "seq2"    // iter.Seq2[K, V]: an array of {"key": K, "value": V}

	ResultMessages ResultKind = "messages" // of prompts: []*mcp.PromptMessage or one of them
	ResultPrompt   ResultKind = "prompt"   // of prompts: *mcp.GetPromptResult
	ResultResource ResultKind = "resource" // of resources: *mcp.ReadResourceResult
)

// ErrorResult says whether the last result is an error.
type ErrorResult string

// The forms.
const (
	NoError       ErrorResult = ""
	PlainError    ErrorResult = "error"
	ConcreteError ErrorResult = "concrete" // a type of its own, whose nil pointer is no error
)

// OutPolicy is the directive's out=.
type OutPolicy string

// The policies; auto leaves the output schema out when it is large.
const (
	OutAuto OutPolicy = "auto"
	OutFull OutPolicy = "full"
	OutNone OutPolicy = "none"
	OutText OutPolicy = "text"
)

// Resource is an MCP resource or, when URI holds {variables}, a template.
type Resource struct {
	URI         string
	Name        string
	Title       string
	Description string
	MIME        string
	Input       json.RawMessage // schema of the variables, each of which is text in the URI
	Func        *Func
	Pos         diag.Pos
}

// Template reports whether the URI holds variables.
func (r Resource) Template() bool { return strings.Contains(r.URI, "{") }

// Prompt is an MCP prompt.
type Prompt struct {
	Name        string
	Title       string
	Description string
	Arguments   []PromptArgument // in the function's order
	Input       json.RawMessage  // schema of the arguments, each of which is text on the wire
	Func        *Func
	Pos         diag.Pos
}

// PromptArgument is a string that the client gives for a prompt.
type PromptArgument struct {
	Name        string
	Description string
	Required    bool
}
