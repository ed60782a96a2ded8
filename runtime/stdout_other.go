//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd)

package runtime

import "os"

// takeStdout returns standard output for the protocol alone: Go code that
// writes to os.Stdout from now on writes to standard error.
func takeStdout() *os.File {
	protocol := os.Stdout
	os.Stdout = os.Stderr
	return protocol
}
