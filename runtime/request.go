package runtime

// Request records what a handler says about one HTTP request: where each
// argument goes and how it is written. Nothing is encoded before [Call.Do], so
// a handler is a plain list of lines, and a value that cannot be sent becomes
// one result that names its argument.
//
// The methods follow OpenAPI's words (OpenAPI 3.1, Parameter Object and Request
// Body Object). An argument that the model left out is not sent; nor is a
// parameter that is null.
type Request struct {
	method    string
	path      string // template: "/pets/{petId}", maybe with a fixed query
	params    []param
	body      *body
	accept    []string
	security  []requirement
	scopes    map[string][]string // by scheme
	upstreams []Upstream          // empty: the server's
}

// Request starts a request. The path is the document's template; it may carry a
// fixed query ("/responses?beta=true").
func (c *Call) Request(method, path string) *Request {
	return &Request{method: method, path: path, params: make([]param, 0, 4)}
}

// Path fills {name} wherever it stands in the template. Default: style simple.
func (r *Request) Path(name string, arg Arg, options ...ParamOption) {
	r.add(inPath, name, arg, Simple, options)
}

// Query adds a query parameter. Default: style form, explode.
func (r *Request) Query(name string, arg Arg, options ...ParamOption) {
	r.add(inQuery, name, arg, Form, options)
}

// Querystring makes the whole query from one argument (OpenAPI 3.2, in:
// querystring), encoded by its media type.
func (r *Request) Querystring(arg Arg, mediaType string) {
	r.add(inQuerystring, "", arg, Form, []ParamOption{Content(mediaType)})
}

// Header adds a header. Default: style simple.
func (r *Request) Header(name string, arg Arg, options ...ParamOption) {
	r.add(inHeader, name, arg, Simple, options)
}

// Cookie adds a cookie. Default: style form, explode.
func (r *Request) Cookie(name string, arg Arg, options ...ParamOption) {
	r.add(inCookie, name, arg, Form, options)
}

// PartHeader adds a header to the parts that a property of a multipart body
// becomes (OpenAPI 3.1, Encoding Object, headers). Default: style simple.
func (r *Request) PartHeader(property, name string, arg Arg, options ...ParamOption) {
	if arg.Given() {
		r.add(inPart, name, arg, Simple, options)
		r.params[len(r.params)-1].part = property
	}
}

func (r *Request) add(in place, name string, arg Arg, style Style, options []ParamOption) {
	if in != inPath && !arg.Given() {
		return
	}
	p := param{in: in, name: name, arg: arg, style: style}
	for _, o := range options {
		o.param(&p)
	}
	r.params = append(r.params, p)
}

// JSON sends the argument's bytes as they are. Default: application/json.
func (r *Request) JSON(arg Arg, options ...BodyOption) {
	r.setBody(jsonBody, "application/json", arg, options)
}

// Form sends an object as application/x-www-form-urlencoded. Without a [Field]
// an array repeats its name, an object nests in brackets: "a[b]=1".
func (r *Request) Form(arg Arg, options ...BodyOption) {
	r.setBody(formBody, "application/x-www-form-urlencoded", arg, options)
}

// Multipart sends an object as multipart/form-data, one part a property, in the
// order of the argument. Without a [Field] strings and numbers are text,
// objects are JSON, and an array repeats its part.
func (r *Request) Multipart(arg Arg, options ...BodyOption) {
	r.setBody(multipartBody, "multipart/form-data", arg, options)
}

// Text sends a string as it is. Default: text/plain.
func (r *Request) Text(arg Arg, options ...BodyOption) {
	r.setBody(textBody, "text/plain", arg, options)
}

// Bytes sends a file: base64 in the argument, or a path inside the operator's
// files folder. Default: application/octet-stream.
func (r *Request) Bytes(arg Arg, options ...BodyOption) {
	r.setBody(bytesBody, "application/octet-stream", arg, options)
}

// XML sends XML: made from the argument by an [Element], or without one the
// argument is the XML text. Default: application/xml.
func (r *Request) XML(arg Arg, options ...BodyOption) {
	r.setBody(xmlBody, "application/xml", arg, options)
}

func (r *Request) setBody(kind bodyKind, mediaType MediaType, arg Arg, options []BodyOption) {
	if arg.Value == nil {
		return
	}
	r.body = &body{kind: kind, mediaType: mediaType, arg: arg}
	for _, o := range options {
		o.body(r.body)
	}
}

// Accept sets the media types to ask for, best first. Default: application/json.
func (r *Request) Accept(mediaTypes ...string) { r.accept = mediaTypes }

// Auth adds one alternative of the operation's security (OpenAPI 3.1, Security
// Requirement Object): all schemes named together are needed. The first
// alternative whose credentials the operator has set is used. Without a name:
// anonymous is allowed.
func (r *Request) Auth(schemes ...string) { r.security = append(r.security, schemes) }

// Scopes sets the OAuth 2 scopes to ask for when scheme gets its token.
func (r *Request) Scopes(scheme string, scopes ...string) {
	if r.scopes == nil {
		r.scopes = map[string][]string{}
	}
	r.scopes[scheme] = scopes
}

// Upstream adds a server of the path or operation, which takes the place of the
// document's. A base URL set by the operator does not replace it.
func (r *Request) Upstream(u Upstream) { r.upstreams = append(r.upstreams, u) }

// place is where a parameter goes.
type place uint8

const (
	inPath place = iota
	inQuery
	inQuerystring
	inHeader
	inCookie
	inPart
)

// param is one parameter as the handler gave it.
type param struct {
	in       place
	name     string // on the wire
	part     string // inPart: of the part
	arg      Arg
	style    Style
	explode  explodeOption
	reserved bool
	content  Content
}

// exploded resolves the default: true for form and cookie.
func (p *param) exploded() bool {
	if p.explode == explodeDefault {
		return p.style == Form || p.style == CookieStyle
	}
	return p.explode == Explode
}

// ParamOption says how a parameter is written: a [Style], [Explode] or
// [NoExplode], [AllowReserved], a [Content].
type ParamOption interface{ param(*param) }

// Style is a serialisation (OpenAPI 3.1, Style Values).
type Style string

// The styles. TabDelimited is Swagger 2.0's collectionFormat tsv, CookieStyle is
// OpenAPI 3.2's cookie: like form, but not percent-encoded.
const (
	Form           Style = "form"
	Simple         Style = "simple"
	Label          Style = "label"
	Matrix         Style = "matrix"
	SpaceDelimited Style = "spaceDelimited"
	PipeDelimited  Style = "pipeDelimited"
	TabDelimited   Style = "tabDelimited"
	DeepObject     Style = "deepObject"
	CookieStyle    Style = "cookie"
)

func (s Style) param(p *param) { p.style = s }

type explodeOption uint8

// Explode and NoExplode say whether each item of an array or object stands for
// itself. Default: true for form and cookie, else false.
const (
	explodeDefault explodeOption = iota
	Explode
	NoExplode
)

func (e explodeOption) param(p *param) { p.explode = e }

type reservedOption struct{}

func (reservedOption) param(p *param) { p.reserved = true }

// AllowReserved keeps RFC 3986 reserved characters and percent-encoded triples
// as they are.
var AllowReserved ParamOption = reservedOption{}

// Content makes a parameter the text of a media type (OpenAPI 3.1, Parameter
// Object, content): JSON, usually.
type Content string

func (c Content) param(p *param) { p.content = c }

// bodyKind is how a body is encoded.
type bodyKind uint8

const (
	jsonBody bodyKind = iota
	formBody
	multipartBody
	textBody
	bytesBody
	xmlBody
)

// body is a request body as the handler gave it.
type body struct {
	kind      bodyKind
	mediaType MediaType
	arg       Arg
	fields    []Field
	element   *Element
}

// BodyOption says how a body is written: a [MediaType], [Field] or [Element].
type BodyOption interface{ body(*body) }

// MediaType is the Content-Type of a body, as the document writes it.
type MediaType string

func (m MediaType) body(b *body) { b.mediaType = m }

// Field says how one property of a form or multipart body is written (OpenAPI
// 3.1, Encoding Object). Name is the property's.
type Field struct {
	Name          string
	ContentType   string // of the part: "application/pdf"; empty: by value
	Style         Style  // empty: by value; multipart: of an array
	Explode       bool   // only with Style
	AllowReserved bool   // only with Style
	File          bool   // multipart: the value is a file
}

func (f Field) body(b *body) { b.fields = append(b.fields, f) }

// Element says how a JSON value becomes XML (OpenAPI 3.1, XML Object).
type Element struct {
	Property  string // of the JSON object this stands for; empty at the root and for items
	Name      string // of the element or attribute
	Namespace string
	Prefix    string
	Attribute bool
	Wrapped   bool     // arrays: the items stand inside an element Name
	Item      *Element // arrays: what each item becomes
	Children  []Element
}

func (e Element) body(b *body) { b.element = &e }

// requirement is one alternative of a security requirement.
type requirement []string
