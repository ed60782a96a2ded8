// Package golden holds whole outputs and whole conversations, to be read in
// review.
//
//	openapi/<case>/in/         the documents
//	openapi/<case>/args        the arguments of toolmill generate, one a line
//	openapi/<case>/calls.txtar tools/call, raw request, raw response, result
//	openapi/<case>/out/        the output, byte for byte
//	openapi/<case>/same        in place of out: the case whose output this must equal
//	errors/<case>.txtar        files, args, and what generate says about them
//
// Every output is generated twice, compiled, vetted and called before it is
// compared. "go test ./golden -update" rewrites out, calls and messages; what is
// new is then in the diff. A new case needs in, args and the call and response
// sections of calls.txtar.
//
// The outputs are packages of this module, so ./... compiles them too. One case,
// module, is a module of its own with a copy of the runtime; its
// internal/runtime is compared with the runtime itself rather than kept twice.
package golden
