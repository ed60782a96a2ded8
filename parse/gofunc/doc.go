// Package gofunc reads annotated Go functions and makes the model of a server
// of them.
//
// A directive above an ordinary function makes it a tool:
//
//	// Search finds products whose name contains the query.
//	//
//	//   - limit: the most products to return
//	//
//	//mcp:tool readonly
//	//mcp:param limit default=10 max=50
//	func (s *Shop) Search(ctx context.Context, query string, limit int) ([]Product, error)
//
// [Parse] goes through five steps, each in its files:
//
//	load.go, output.go    the packages, and the comments of what they import (source.go)
//	directive*.go         the directives: what there are, how they are written
//	annotate.go           which declaration a directive stands on
//	convert*.go, …        a Go type becomes a JSON Schema
//	params.go, results.go what a function takes and returns; values.go what exists
//	                      once; roles.go makes tools, resources and prompts of them
//
// Three rules decide most questions. What encoding/json does is what a schema
// says: one type has a schema for reading and another for writing, because
// pointers, nil slices, omitempty, constants and methods of the type's own make
// them differ. A number in a value of type any is a float64, as ever; a field
// of type json.Number or json.RawMessage keeps every digit. What people wrote once is not asked for again: descriptions are
// comments, of parameters, fields and constants too, wherever they are
// declared. And nothing is ignored: a directive that is misspelt, stands on the
// wrong thing or contradicts itself, a parameter that nothing can supply and a
// type without JSON are errors with their place, all in one run.
package gofunc
