// Package early tells the runtime that it is part of a generated server, before
// a package of that server can print.
//
// Output of a package that is being initialised would stand between the
// protocol's messages. The runtime takes standard output when it is initialised,
// which is before every package that imports it, but not in other programs that
// import annotated packages; a runtime that is not copied into a server cannot
// tell one from the other. So the server imports this package. Packages are
// initialised by import path as far as their imports allow (Go specification,
// "Program initialization"), so that this one, which needs only os, comes before
// net/http, and with it before the runtime, which needs that.
package early

import (
	"os"
	"syscall"
)

// Name is what [os.Stdout] is called until the runtime has taken it. It is the
// only thing that the two packages can both see.
const Name = "stdout of an MCP server"

// Collected, it would close standard output.
var stdout = os.Stdout

func init() {
	if stdout != nil {
		os.Stdout = os.NewFile(uintptr(syscall.Stdout), Name)
	}
}
