// Package schema turns the schemas of an OpenAPI document into the JSON Schema
// 2020-12 that a model sees as inputSchema and outputSchema.
//
// A [Converter] serves one document. [Converter.Object] makes the input of a
// tool from its arguments, [Converter.Output] the relaxed promise about its
// result; [Converter.Shape] tells the bindings what kind of value an argument
// is. Read them in this order: normalise.go (what OpenAPI writes differently),
// flatten.go and merge.go (allOf), conversion.go (direction, unions,
// discriminators), encode.go (text with gaps for what is referred to), layout.go
// (what fills the gaps).
//
// What comes out keeps to the portable profile, the part of JSON Schema that
// every known MCP client accepts: the root is an object without composition, no
// schema is a boolean but additionalProperties false, every array has items,
// every $ref stays inside the schema, numbers are the literals of the document
// and properties keep its order.
//
// The meaning is that of the document, with these exceptions, all on the side
// of accepting what an author means:
//
//   - a description beside a $ref of OpenAPI 3.0 is kept, though the
//     specification has it ignored;
//   - a list under items in OpenAPI 3.0, which does not know tuples, lists the
//     kinds of items;
//   - nullable beside allOf or a reference in it admits null;
//   - properties without a type describe an object, items an array;
//   - values written in another type than the schema's, as "1" under integer,
//     are read in the schema's type, and keywords with impossible values are
//     left out;
//   - a pattern that is no regular expression of ECMA-262 with the flag u is told
//     in the description: clients refuse the schema else;
//   - additionalProperties false in a member of allOf speaks of the merged
//     object;
//   - oneOf becomes anyOf where a value made for one variant would pass another
//     too, as no format is checked and read-only properties are gone.
package schema
