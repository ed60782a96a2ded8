// Package gen prints an [ir.Server]: the Go files, tool files and documents of
// one generated MCP server.
//
// The order of work is decide, print, write. plan.go decides every file name
// and Go identifier; then one function a declaration prints it (handler.go,
// registry.go) and one a document (surface.go); the result is a [Tree], a list
// of paths and bytes, and [Generate] touches no disk. write.go is the only file
// that does: it compares a Tree with a folder and changes what differs, all or
// nothing.
//
// Text of the input enters Go in two ways only: as a literal through jennifer's
// Lit, or through [comment] in comment.go. Nothing of toolmill's own version,
// of the time or of the machine enters at all: same input, same bytes.
//
// Start reading at [Generate].
package gen
