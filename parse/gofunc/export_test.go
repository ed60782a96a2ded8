package gofunc

import "golang.org/x/tools/go/packages"

// LoadBare loads a package with export data and does nothing with it: what
// reading it costs at least.
func LoadBare(pattern string) error {
	_, err := packages.Load(&packages.Config{Mode: loadMode}, pattern)
	return err
}
