package runtime

import (
	"os"
	"reflect"
	"runtime/debug"
	"strings"
	"sync"
)

// protocolOut is standard output for the protocol alone; see takeStdout.
var protocolOut = sync.OnceValue(func() *os.File { return takeStdout() })

// A package that prints while it is initialised would write between the
// protocol's messages, long before main. The annotated packages import this one,
// so its init comes before theirs, and in a generated server it takes standard
// output at once. Other programs that import them keep theirs.
func init() {
	info, ok := debug.ReadBuildInfo()
	if isMarked(os.Stdout) || ok && isOwner(info.Path, reflect.TypeFor[Server]().PkgPath()) {
		protocolOut()
	}
}

// mark is the name that package early gives standard output in a server that
// imports the runtime.
const mark = "stdout of an MCP server"

func isMarked(out *os.File) bool { return out != nil && out.Name() == mark }

// isOwner reports whether the package main at an import path is the generated
// server that this copy of the runtime was written for: the folder around it.
func isOwner(main, runtime string) bool {
	for _, copied := range []string{"/internal/runtime", "/runtime"} {
		if server, ok := strings.CutSuffix(runtime, copied); ok {
			return server == main
		}
	}
	return false
}
