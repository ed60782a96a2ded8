package gofunc

import "github.com/seed7346ab69/toolmill/parse/ir"

// Options is what a user can decide about reading Go packages. The zero Options
// are the defaults of the command line.
type Options struct {
	// Dir is the folder that patterns and positions are relative to; empty is
	// the working directory.
	Dir string
	// Tags are build tags, separated by commas.
	Tags string
	// Name is the server's name, ^[A-Za-z0-9_-]+$; empty: what a
	// //mcp:package directive says, else the package's.
	Name string
	// Names is how tools are named; empty is [ir.Snake].
	Names ir.NameStyle
	// Package is the import path of the output, which must be allowed to import
	// the annotated packages; empty: not known.
	Package string
}
