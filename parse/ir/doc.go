// Package ir is the model between an input and the output: one [Server] in, one
// generated server out.
//
// A front end (parse/openapi, parse/gofunc) fills it, gen prints it. Every name
// a model or a client will see is final here, every default of the input
// format is applied, every schema is finished JSON; nothing is left to decide
// but Go identifiers and file names, which belong to gen. There are no maps, so
// that nothing can be ranged in random order on the way to the output, and no
// pointers back into the front ends.
//
// Start reading at [Server], then [Tool], then [Request].
package ir
