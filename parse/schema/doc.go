// Package schema turns the schemas of an OpenAPI document into the JSON Schema
// 2020-12 that a model sees as inputSchema and outputSchema.
//
// A [Converter] serves one document. [Converter.Object] makes the input of a
// tool from its arguments, [Converter.Output] the relaxed promise about its
// result; [Converter.Shape] tells the bindings what kind of value an argument
// is.
//
// What comes out keeps to the portable profile, the part of JSON Schema that
// every known MCP client accepts: the root is an object without composition,
// no schema is a boolean, every array has items, every $ref stays inside the
// schema, numbers are the literals of the document and properties keep its
// order.
package schema
