package runtime

import (
	"os"
	"syscall"
)

// stdout stays referenced: collected, it would close descriptor 1.
var stdout = os.Stdout

// takeStdout returns standard output for the protocol alone. Whatever else
// writes to it from now on, be it a package that kept os.Stdout or a child
// process, writes to standard error.
func takeStdout() *os.File {
	protocol := stdout
	if fd, err := syscall.Dup(1); err == nil {
		if err := syscall.Dup3(2, 1, 0); err == nil {
			syscall.CloseOnExec(fd)
			protocol = os.NewFile(uintptr(fd), "/dev/stdout")
		}
	}
	os.Stdout = os.Stderr
	return protocol
}
