package runtime

import "embed"

// Source is the source of this package and of package otel below it, for the generator to copy. The linker
// leaves it out of programs that do not read it, and so does the copy.
//
//go:embed *.go otel/*.go
var Source embed.FS
