package schema

import (
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
	// Files lists the files of the document that were read so far, its root
	// first.
	Files() []*node.File
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
//
// A schema goes through three stages. Each looks at one level only, the
// keywords about one value; schemas below wait until they are reached, so that
// recursion is no special case.
//
//  1. normalise: what stands in the document, as 2020-12
//  2. flatten: with allOf merged
//  3. finish: for a direction, with unions and discriminators settled
type Converter struct {
	src   Source
	diags *diag.List

	steps    map[*node.Node]step       // by $ref
	normal   map[*node.Node]*node.Node // stage 1
	flats    map[*node.Node]flat       // stage 2
	names    map[*node.Node]string     // of what references point to
	mappings map[*node.Node]*node.Node // by value of a discriminator mapping
	kids     map[*node.Node][]child    // by schema with a discriminator
	unions   map[*node.Node]*node.Node // of children, by the same
	kin      family
	made     map[variantKey]*node.Node // variants with their tag
	variants map[*node.Node]bool       // the same
	pairs    map[pair]*node.Node       // merged schemas of one place
	parts    map[*node.Node]pair       // and what they are made of
	patterns map[string]bool           // those already checked
	warned   map[warning]bool
	ways     [Output + 1]*conversion // stage 3
}

// New returns a Converter for the document src. Warnings go to diags.
func New(src Source, diags *diag.List) *Converter {
	c := &Converter{
		src: src, diags: diags,
		steps:    map[*node.Node]step{},
		normal:   map[*node.Node]*node.Node{},
		flats:    map[*node.Node]flat{},
		names:    map[*node.Node]string{},
		mappings: map[*node.Node]*node.Node{},
		kids:     map[*node.Node][]child{},
		unions:   map[*node.Node]*node.Node{},
		made:     map[variantKey]*node.Node{},
		variants: map[*node.Node]bool{},
		pairs:    map[pair]*node.Node{},
		parts:    map[*node.Node]pair{},
		patterns: map[string]bool{},
		warned:   map[warning]bool{},
	}
	for way := range c.ways {
		c.ways[way] = &conversion{
			Converter: c, dir: Direction(way),
			views:    map[*node.Node]*node.Node{},
			defs:     map[*node.Node]*def{},
			stripped: map[stripKey]*node.Node{},
			origins:  map[*node.Node]*node.Node{},
		}
	}
	return c
}

// warn reports what is wrong at a node, once, however many uses it has.
func (c *Converter) warn(at *node.Node, code, format string, args ...any) {
	if w := (warning{at, code}); !c.warned[w] {
		c.warned[w] = true
		c.diags.Warn(at.Pos(), code, format, args...)
	}
}

type warning struct {
	at   *node.Node
	code string
}
