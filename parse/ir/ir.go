package ir

import (
	"encoding/json"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// Server is everything that one generated MCP server offers.
type Server struct {
	Name        string // "petstore": ^[A-Za-z0-9_-]+$, names the binary and prefixes nothing
	Title       string // "Swagger Petstore", from info.title
	Version     string // "1.0.27", the document's version, not ours
	Description string // instructions for the model, plain text, may be empty
	Source      string // "petstore.yaml": base name of the input, never a path

	Upstreams []Upstream // document-level servers, default first; empty: must be set at run time
	Auth      []Auth     // by Name; only schemes that some tool uses
	Groups    []Group    // by Name
	Packages  []*Package // annotated Go packages, by ImportPath; their tools stand in Groups too
	Plain     []string   // folders of packages that were read too and hold no directive, sorted: an mcp_gen.go of ours there is stale
	Skips     []Skip     // by position
	Found     int        // operations or functions seen: tools plus skips
	Excluded  int        // operations left out by choice, beside those found: -include, -exclude, x-mcp
}

// Tools returns the tools of all groups, by name.
func (s *Server) Tools() []*Tool {
	var out []*Tool
	for _, g := range s.Groups {
		out = append(out, g.Tools...)
	}
	sortTools(out)
	return out
}

// Group is an OpenAPI tag or a Go package: one tools_<name>.go.
type Group struct {
	Name        string // the tag as written, "default" for untagged operations
	Description string
	Tools       []*Tool // by Name
}

// Tool is one MCP tool. Exactly one of Request and Func is set.
type Tool struct {
	Name        string // unique, ^[A-Za-z0-9_-]{1,64}$
	Title       string // short, for people
	Description string // plain text, at most 1,024 characters

	Input  json.RawMessage // JSON Schema 2020-12, compact, root type object
	Output json.RawMessage // the same, or nil: none promised
	Full   json.RawMessage // Input before a diet hid parts of it; nil: it hid none
	Hints  Hints
	Icons  []string        // addresses of images, https: or data:
	Meta   json.RawMessage // the tool's _meta, a compact object, or nil

	Select  []string // fields of the result to keep (x-mcp.select); empty: all
	Confirm *bool    // whether people are asked before a call (x-mcp.confirm); nil: nothing is said

	OperationID string // as written in the document, may be empty
	Deprecated  bool
	Request     *Request
	Func        *Func
	Pos         diag.Pos // for diagnostics; never printed into the output
	Pinned      diag.Pos // where the input gives the name (x-mcp.name, a directive's name); none: it is made
}

// HintWords say what a tool's annotations mean and what else people should know
// before they let a model call it. What a read-only tool does not destroy goes
// without saying, and so does that an API is an open world.
func (t *Tool) HintWords() []string {
	var out []string
	switch {
	case t.Hints.ReadOnly:
		out = append(out, "read-only")
	case t.Hints.Destructive:
		out = append(out, "destructive")
	}
	if t.Hints.Idempotent && !t.Hints.ReadOnly {
		out = append(out, "idempotent")
	}
	if t.Confirm != nil && *t.Confirm {
		out = append(out, "asks people")
	}
	if t.Deprecated {
		out = append(out, "deprecated")
	}
	return out
}

// Hints are the four MCP tool annotations (MCP 2025-11-25, ToolAnnotations).
type Hints struct {
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// Request is the HTTP request that a tool sends.
type Request struct {
	Method   string // "GET"; as written for 3.2 additionalOperations
	Path     string // "/pets/{petId}", may carry a fixed query: "/responses?beta=true"; {+name} may hold slashes
	Bindings []Binding
	Body     *Body
	// Security lists the alternatives, first satisfiable wins (OpenAPI 3.1,
	// Security Requirement Object). Empty: no credential. An empty alternative:
	// anonymous is allowed.
	Security  [][]AuthUse
	Upstreams []Upstream // path- or operation-level servers; empty: the Server's
	Accept    []string   // media types of the 2xx responses, JSON first, then document order, no repeats
	Responses []Response // what a mock answers, by document order; nil: none is wanted
}

// Sends is the description of a tool whose document says nothing about it.
func Sends(method, path string) string { return "Sends " + method + " " + path + "." }

// Response is an answer that the document describes (OpenAPI 3.1, Responses
// Object).
type Response struct {
	Status    string          // "200", "4XX", "default"
	MediaType string          // empty: no body
	Body      json.RawMessage // an example: of a JSON type the value, of any other its text as a string; nil: empty
}

// In is where an argument goes in the request.
type In string

// The places of OpenAPI's parameters; Querystring is 3.2's whole-query parameter.
const (
	InPath        In = "path"
	InQuery       In = "query"
	InHeader      In = "header"
	InCookie      In = "cookie"
	InQuerystring In = "querystring"
	InPart        In = "part" // a header of one part of a multipart body
)

// Style is a parameter serialisation (OpenAPI 3.1, Parameter Object, Style
// Values). TabDelimited is Swagger 2.0's collectionFormat tsv.
type Style string

// The styles.
const (
	Form           Style = "form"
	Simple         Style = "simple"
	Label          Style = "label"
	Matrix         Style = "matrix"
	SpaceDelimited Style = "spaceDelimited"
	PipeDelimited  Style = "pipeDelimited"
	TabDelimited   Style = "tabDelimited"
	DeepObject     Style = "deepObject"
	CookieStyle    Style = "cookie" // 3.2: like form, but not percent-encoded
)

// Binding says that argument Arg goes to In under the name Wire. Style and
// Explode are resolved: the defaults of OpenAPI are already applied. DeepObject
// has only one form; Explode is false then.
type Binding struct {
	Arg           string // "filter_name", a property of Tool.Input
	Wire          string // "filter[name]"
	In            In
	Style         Style
	Explode       bool
	Content       string // media type of a `content` parameter, else empty
	AllowReserved bool
	Required      bool
	Part          string // InPart: the property of the body whose part has the header
	Value         string // InPart: JSON that is sent in place of an argument; Arg is empty then
	Pos           diag.Pos
}

// DefaultExplode is OpenAPI's default for a style: true for form and cookie.
func (s Style) DefaultExplode() bool { return s == Form || s == CookieStyle }

// DefaultStyle is OpenAPI's default for a place.
func (in In) DefaultStyle() Style {
	if in == InQuery || in == InCookie {
		return Form
	}
	return Simple
}

// BodyKind is how a body is encoded; it follows from the media type.
type BodyKind string

// The encodings.
const (
	JSONBody      BodyKind = "json" // application/json and every +json
	FormBody      BodyKind = "form" // application/x-www-form-urlencoded
	MultipartBody BodyKind = "multipart"
	TextBody      BodyKind = "text"  // sent as the string says
	BytesBody     BodyKind = "bytes" // base64 in the argument
	XMLBody       BodyKind = "xml"   // built from XML when set
)

// Body is the request body. Its argument is usually "body".
type Body struct {
	Arg       string
	MediaType string // as declared: "application/vnd.api+json; charset=utf-8"
	Kind      BodyKind
	Required  bool
	Fields    []Field     // form and multipart: properties that are not sent the default way, by document order
	XML       *XMLElement // for Kind XMLBody when the schema says enough; nil: the argument is the XML text
	Others    []string    // media types the document offers and we did not choose
	Pos       diag.Pos
}

// Field is the encoding of one property of a form or multipart body (OpenAPI
// 3.1, Encoding Object).
type Field struct {
	Name          string
	ContentType   string // "application/pdf"; empty: by value
	Style         Style  // empty: by value, nested objects of form bodies in brackets; multipart: of an array that is one part
	Explode       bool   // only with Style
	AllowReserved bool
	File          bool // multipart: the value is a file, base64 in the argument
}

// XMLElement describes how a JSON value becomes XML (OpenAPI 3.1, XML Object).
type XMLElement struct {
	Property  string // JSON property this element is made from; empty at the root
	Name      string
	Namespace string
	Prefix    string
	Attribute bool
	Wrapped   bool // arrays: items are wrapped in an element Name
	Item      *XMLElement
	Children  []*XMLElement
}

// Upstream is one server of the document (OpenAPI 3.1, Server Object). URL may
// hold {variables} and is absolute, or starts with / when the document's own
// address is unknown.
type Upstream struct {
	URL         string
	Description string
	Variables   []Variable
}

// Variable is a server variable (OpenAPI 3.1, Server Variable Object).
type Variable struct {
	Name        string
	Default     string
	Enum        []string
	Description string
}

// AuthKind is how a credential is applied.
type AuthKind string

// The kinds. OAuth 2 flows without client credentials and openIdConnect are
// Bearer: the operator supplies a token.
const (
	APIKey            AuthKind = "apiKey"
	Basic             AuthKind = "basic"
	Bearer            AuthKind = "bearer"
	ClientCredentials AuthKind = "clientCredentials"
	MutualTLS         AuthKind = "mutualTLS"
)

// Auth is a security scheme (OpenAPI 3.1, Security Scheme Object).
type Auth struct {
	Name        string // key in components.securitySchemes
	Kind        AuthKind
	In          In     // APIKey: header, query or cookie
	Wire        string // APIKey: "X-API-Key"
	TokenURL    string // ClientCredentials
	Env         string // what its environment variables end in, where that is not EnvName(Name)
	Description string
}

// AuthUse is one scheme of a security requirement.
type AuthUse struct {
	Name   string
	Scopes []string
}

// Skip is an operation or function that became no tool.
type Skip struct {
	What   string // "POST /badref (badRef)"
	Code   string // stable reason, the diagnostic's code: "dangling-ref"
	Reason string // one line
	Pos    diag.Pos
}
