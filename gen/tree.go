package gen

import (
	"cmp"
	"slices"

	"golang.org/x/mod/module"
)

// Tree is a generated output: files by path.
type Tree struct {
	Files []File // by Path

	module   string           // module path of the output's own go.mod, or empty
	requires []module.Version // what the module around the output must require
}

// File is one file of the output.
type File struct {
	Path string // slash-separated, relative to the output folder
	Data []byte
	// Once marks a file that belongs to the user as soon as it exists: it is
	// written when missing and never again.
	Once bool
}

// File returns the file at path, or nil.
func (t *Tree) File(path string) *File {
	i, found := slices.BinarySearchFunc(t.Files, path, func(f File, path string) int {
		return cmp.Compare(f.Path, path)
	})
	if !found {
		return nil
	}
	return &t.Files[i]
}
