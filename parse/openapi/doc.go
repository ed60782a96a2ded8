// Package openapi reads an OpenAPI document and makes the model of a server of
// it.
//
// It works in two steps. [Load] turns files into a [Document]: it reads them as
// trees, follows the references between them, repairs what authors get wrong
// and gives Swagger 2.0 the shape of OpenAPI 3. [Parse] goes on from there: it
// names tools and arguments, binds them to the request, converts their schemas
// and hands an [ir.Server] to the generator.
//
// Two layers are kept apart. kin-openapi types the structure (parameters,
// bodies, responses, security), one object at a time and with a number in the
// place of every schema. Schemas never pass through it: it holds numbers as
// float64, forgets the order of properties and ignores what stands beside a
// $ref. They stay nodes of the tree until parse/schema converts them.
//
// Nothing is lost silently. A repair is a warning, an operation that cannot be
// used is a skip with its reason and position, and the rest is generated; only
// what stops everything is an error.
//
// Reading goes by layers, each in its files:
//
//	file*.go       which files may be read, and reading them
//	overlay*.go    changes to the document, before all else
//	refs*.go       where a $ref leads
//	select.go      which operations stay
//	xmcp.go        what the document says of its tools
//	normalize*.go  from paths to operations, parameters, bodies, responses
//	repair.go      fields of the wrong kind
//	swagger.go     Swagger 2.0
//	kin.go         the typed structure, by way of skeleton.go
package openapi
