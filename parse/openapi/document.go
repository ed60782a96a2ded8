package openapi

import (
	"cmp"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// Document is a loaded document: its structure is repaired, its references
// between structural objects are followed, and Swagger 2.0 has OpenAPI 3 shape.
// Schemas are left as they stand in the files; [Document.Resolve] follows their
// references. It implements [schema.Source].
type Document struct {
	Source   string // base name of the root file
	Location string // absolute path or URL of the root file
	Version  string // "3.1.0", "2.0", as written

	Info            *node.Node // nil when missing
	Servers         *node.Node // list of Server Objects, nil when there are none
	Security        *node.Node // list of requirements, nil when missing
	Tags            *node.Node // list of Tag Objects, nil when missing
	Extensions      *node.Node // mapping of the root's x- fields
	SecuritySchemes []Named    // document order
	Operations      []*Operation
	Skips           []ir.Skip // operations that cannot be used, with the reason
	Webhooks        int       // webhooks, which are no operations

	root     *node.File
	refs     *resolver
	excluded []exclusion  // operations left out by choice
	schemas  []*node.Node // by the number in x-toolmill-node
}

var _ schema.Source = (*Document)(nil)

// Named is an entry of a mapping.
type Named struct {
	Name string
	Node *node.Node
}

// Operation is one operation of the document.
type Operation struct {
	Method   string // "GET"; custom methods as written
	Path     string // key under paths, as written
	Template string // Path as it is sent: {name} for every variable, no fragment
	Pointer  string // "#/paths/~1pets/get", for messages

	Node     *node.Node // repaired, references of the structure followed
	PathItem *node.Node
	// Kin is the typed structure. In place of schemas it holds numbers, see
	// [Document.Schema]; examples, callbacks, links and extensions are left out.
	Kin       *openapi3.Operation
	Params    []*Param // path item's and operation's, merged by place and name
	Body      *RequestBody
	Responses []Response // document order
	Servers   *node.Node // the operation's, else the path item's; nil: the document's
	Security  *node.Node // the operation's; nil: the document's
	Pos       diag.Pos

	mcp *node.Node // what x-mcp says, see normalizer.exposure; nil: nothing
}

// ID returns the operationId, which may be empty.
func (o *Operation) ID() string { return o.Node.Get("operationId").Text() }

// Label names the operation in messages: its operationId, else method and path.
func (o *Operation) Label() string { return cmp.Or(o.ID(), o.Method+" "+o.Path) }

// What names the operation in a list of skips: "GET /pets (listPets)".
func (o *Operation) What() string {
	if id := o.ID(); id != "" {
		return o.Method + " " + o.Path + " (" + id + ")"
	}
	return o.Method + " " + o.Path
}

// Param is a parameter; several operations share one that they refer to.
type Param struct {
	Kin    *openapi3.Parameter
	Node   *node.Node // the Parameter Object, repaired
	Schema *node.Node // never nil; an empty mapping when the document has none
	// ContentType is the media type of a parameter with content, else empty.
	ContentType string
}

// RequestBody is a request body.
type RequestBody struct {
	Node     *node.Node
	Required bool
	Media    []Media // document order
}

// Response is the answer for one status.
type Response struct {
	Status string // "200", "4XX", "default"
	Node   *node.Node
	Media  []Media // document order
}

// Media is a Media Type Object.
type Media struct {
	Type       string // "application/json; charset=utf-8", as written
	Node       *node.Node
	Schema     *node.Node // nil when missing
	ItemSchema *node.Node // OpenAPI 3.2, of one item of a sequence; nil when missing
	Encoding   *node.Node // mapping of property to Encoding Object; nil when missing
	Headers    []PartHeader
}

// PartHeader is a header of one part of a multipart request body, read as a
// parameter in header (OpenAPI 3.1, Encoding Object, headers).
type PartHeader struct {
	Part string // the property
	*Param
}

// Files lists the files that were read so far, the root first. Files of text are
// not among them.
func (d *Document) Files() []*node.File { return d.refs.files.read }

// Schema returns the node of a schema in [Operation.Kin], or nil.
func (d *Document) Schema(ref *openapi3.SchemaRef) *node.Node {
	if ref == nil || ref.Value == nil {
		return nil
	}
	i, ok := ref.Value.Extensions[schemaKey].(float64)
	if !ok || i < 0 || int(i) >= len(d.schemas) {
		return nil
	}
	return d.schemas[int(i)]
}

// schemaKey marks the place of a schema in what kin-openapi decodes.
const schemaKey = "x-toolmill-node"

// Dialect says how the schemas of a file are written: as its own version field
// has it, else as the document's.
func (d *Document) Dialect(f *node.File) schema.Dialect {
	version := d.Version
	if f != nil && f.Root != nil {
		version = cmp.Or(f.Root.Get("openapi").Text(), f.Root.Get("swagger").Text(), version)
	}
	return dialect(version)
}

func dialect(version string) schema.Dialect {
	if len(version) >= 3 && version[:2] == "3." && version[2] >= '1' {
		return schema.OpenAPI31
	}
	return schema.OpenAPI30
}
