package gen

import (
	"cmp"
	"slices"

	"golang.org/x/mod/module"
)

// Tree is a generated output: files by path.
type Tree struct {
	Files    []File         // by Path
	Packages []PackageFiles // in the annotated packages

	module   string           // module path of the output's own go.mod, or empty
	requires []module.Version // what the module around the output must require; no version: any
}

// File is one file of the output.
type File struct {
	Path string // slash-separated, relative to the output folder
	Data []byte
	// Once marks a file that belongs to the user as soon as it exists: it is
	// written when missing and never again.
	Once bool
}

// PackageFiles is what toolmill has in the folder of a Go package: nothing, for
// one that has no directive any more.
type PackageFiles struct {
	Dir        string // relative to the working directory
	ImportPath string
	Files      []File // by Path, which is relative to Dir
}

// File returns the file at path in the output folder, or nil.
func (t *Tree) File(path string) *File { return findFile(t.Files, path) }

func findFile(files []File, path string) *File {
	i, found := slices.BinarySearchFunc(files, path, func(f File, path string) int {
		return cmp.Compare(f.Path, path)
	})
	if !found {
		return nil
	}
	return &files[i]
}
