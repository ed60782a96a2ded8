package prove

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Root returns the folder of the repository: the nearest one above the working
// directory that holds go.mod.
func Root(tb testing.TB) string {
	tb.Helper()
	root, err := findRoot()
	if err != nil {
		tb.Fatal(err)
	}
	return root
}

var findRoot = sync.OnceValues(func() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", os.ErrNotExist
		}
		dir = parent
	}
})

// Shared returns a path below the folder "shared" that may lie beside the
// repository (cases, real documents) and skips the test where it is missing.
func Shared(tb testing.TB, elem ...string) string {
	tb.Helper()
	path := filepath.Join(append([]string{filepath.Dir(Root(tb)), "shared"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		tb.Skipf("%s is missing: this test needs the shared cases and documents beside the repository", filepath.Join(append([]string{"..", "shared"}, elem...)...))
	}
	return path
}
