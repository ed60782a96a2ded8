package schema

import (
	"encoding/json"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// Dialect is how a file writes its schemas.
type Dialect uint8

const (
	// OpenAPI30 is OpenAPI 3.0's subset of JSON Schema draft 5 with nullable,
	// and Swagger 2.0's, which differs only in what it lacks.
	OpenAPI30 Dialect = iota
	// OpenAPI31 is JSON Schema 2020-12, as OpenAPI 3.1 and 3.2 use it.
	OpenAPI31
)

// Direction says which way a value travels, seen from the API: readOnly
// properties are not part of an Input, writeOnly ones not of an Output.
type Direction uint8

const (
	// Input is what a request carries.
	Input Direction = iota
	// Output is what a response carries.
	Output
)

// Source is the document that schemas stand in.
type Source interface {
	// Resolve returns the node that ref, the string under "$ref", points to,
	// relative to the file of ref. Its errors reach the caller of the
	// Converter's methods unchanged.
	Resolve(ref *node.Node) (*node.Node, error)
	// Dialect says how the schemas of a file are written.
	Dialect(f *node.File) Dialect
}

// Error is a schema that cannot be converted: a diagnostic that the caller
// turns into a skip of the operation that needs the schema.
type Error struct {
	Pos     diag.Pos
	Code    string // kebab-case: "alias-loop"
	Message string
	Hint    string
}

func (e *Error) Error() string { return e.Message }

// Converter converts the schemas of one document. It remembers what it
// converted, so one Converter should serve all operations. It is not safe for
// concurrent use.
type Converter struct {
	src   Source
	diags *diag.List
}

// New returns a Converter for the document src. Warnings go to diags.
func New(src Source, diags *diag.List) *Converter {
	return &Converter{src: src, diags: diags}
}

// Property is one argument of a tool.
type Property struct {
	Name        string
	Schema      *node.Node // nil: any value
	Required    bool
	Description string // wins over the schema's; empty: the schema's stays
	Deprecated  bool
	Examples    []*node.Node // added to the schema's
	// Override is a finished JSON Schema 2020-12 used as it is instead of
	// Schema, for arguments that no schema of the document describes.
	Override *node.Node
}

// Object returns the inputSchema of a tool with the arguments props, compact:
// an object that allows no other property. Errors are those of
// [Source.Resolve] and *[Error].
func (c *Converter) Object(props []Property) (json.RawMessage, error) {
	return json.RawMessage(`{"type":"object","additionalProperties":false}`), nil
}

// Output returns the outputSchema for a result described by n, relaxed because
// clients refuse a result that breaks it: nothing is required, everything may
// be null, no value is excluded. The root is an object; other results stand
// under "result". It returns nil when the schema would be too large to be
// worth its tokens.
func (c *Converter) Output(n *node.Node) (json.RawMessage, error) { return nil, nil }

// Target follows $ref, and allOf of a single member with nothing beside it, to
// the node that says something.
func (c *Converter) Target(n *node.Node) (*node.Node, error) { return n, nil }

// Shape is what the binding of an argument needs to know about its schema. The
// zero Shape is a schema that says nothing, or different things.
type Shape struct {
	Type       string // "string", "number", "integer", "boolean", "object", "array" or empty
	Format     string
	Binary     bool // the value is bytes: format binary, type file, contentEncoding…
	Nullable   bool
	Items      *Shape          // of an array
	Properties []ShapeProperty // of an object, in document order, allOf merged
}

// ShapeProperty is one property of an object's Shape. Schema is the property's
// node as the document has it.
type ShapeProperty struct {
	Name     string
	Schema   *node.Node
	Required bool
}

// Shape describes n. It never fails: what cannot be resolved has no shape.
func (c *Converter) Shape(n *node.Node) Shape { return Shape{} }

// Example makes a value that n describes, from its examples, default, enum or
// type. The same schema gives the same value.
func (c *Converter) Example(n *node.Node, dir Direction) *node.Node { return node.NewNull(n) }

// Large is the size in bytes above which a schema deserves a warning.
const Large = 64 << 10

// Costliest returns the JSON pointer of the subschema that takes most of a
// schema above the size Large, and its size in bytes.
func Costliest(schema json.RawMessage) (pointer string, size int) { return "", len(schema) }
