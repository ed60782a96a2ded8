package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// Action is what happens to one file.
type Action string

// The actions.
const (
	Add    Action = "add"
	Update Action = "update"
	Remove Action = "remove" // ours once, no longer part of the output
)

// Change is one file in which a folder differs from a [Tree].
type Change struct {
	Action Action `json:"action"`
	Path   string `json:"path"` // slash-separated, relative to the folder
}

// Changes are all differences between folders and a [Tree].
type Changes struct {
	Files    []Change // of the output folder: added and updated ones by path, then removed ones by path
	Packages []PackageChanges
	// Warnings tell of files that are the user's now and no longer fit.
	Warnings []diag.Diagnostic
}

// PackageChanges are the differences in the folder of a Go package.
type PackageChanges struct {
	Dir   string
	Files []Change
}

// Count is the number of files that differ.
func (c *Changes) Count() int {
	n := len(c.Files)
	for _, p := range c.Packages {
		n += len(p.Files)
	}
	return n
}

// RefusedError says that the output cannot be made or written as it was asked
// for, and that nothing changed.
type RefusedError struct {
	Code    string // of the diagnostic: "not-ours"
	Message string
	Hint    string
}

func (e *RefusedError) Error() string { return e.Message }

// Diagnostic returns the error in the form that is printed.
func (e *RefusedError) Diagnostic() diag.Diagnostic {
	return diag.Diagnostic{Severity: diag.Error, Code: e.Code, Message: e.Message, Hint: e.Hint}
}

func notOurs(file string) error {
	return &RefusedError{Code: "not-ours", Message: fmt.Sprintf("%s exists and toolmill did not write it", file),
		Hint: "move it away, or choose another output folder"}
}

// Diff compares the output folder dir, and those of the packages, with the tree
// and changes nothing. A folder that does not exist is empty. A [*RefusedError]
// means that the tree must not be written there: files that toolmill does not
// own are in the way.
func (t *Tree) Diff(dir string) (*Changes, error) {
	set, err := t.open(dir)
	if err != nil {
		return nil, err
	}
	defer set.close()
	return set.changes(t)
}

// target is one folder, what it shall hold, and how that differs.
type target struct {
	*output
	want    []File
	changes []Change
}

// targets are the output folder and then those of the packages.
type targets []*target

// open reads all folders of the tree.
func (t *Tree) open(dir string) (targets, error) {
	o, err := openOutput(dir, outputLayout)
	if err != nil {
		return nil, err
	}
	set := targets{{output: o, want: t.Files}}
	for _, p := range t.Packages {
		o, err := openOutput(p.Dir, packageLayout)
		if err != nil {
			set.close()
			return nil, err
		}
		if o.root == nil {
			set.close()
			return nil, fmt.Errorf("there is no folder %s", p.Dir)
		}
		set = append(set, &target{output: o, want: p.Files})
	}
	return set, nil
}

func (set targets) close() {
	for _, t := range set {
		t.close()
	}
}

// changes compares all folders.
func (set targets) changes(tree *Tree) (*Changes, error) {
	c := &Changes{}
	for i, t := range set {
		if err := t.diff(); err != nil {
			return nil, err
		}
		if i == 0 {
			c.Files = t.changes
		} else {
			c.Packages = append(c.Packages, PackageChanges{t.dir, t.changes})
		}
	}
	var err error
	if c.Warnings, err = tree.fit(set[0].output); err != nil {
		return nil, err
	}
	for i, p := range tree.Packages {
		w, err := fitPackage(set[i+1].output, set[0].dir, p.Files)
		if err != nil {
			return nil, err
		}
		c.Warnings = append(c.Warnings, w...)
	}
	return c, nil
}

func (t *target) diff() error {
	for _, f := range t.want {
		action, err := t.compare(f)
		if err != nil {
			return err
		}
		if action != "" {
			t.changes = append(t.changes, Change{action, f.Path})
		}
	}
	for _, name := range t.owned() {
		if findFile(t.want, name) == nil {
			t.changes = append(t.changes, Change{Remove, name})
		}
	}
	return nil
}

// compare says what writing f would do: nothing, Add or Update.
func (o *output) compare(f File) (Action, error) {
	e, found := o.find(f.Path)
	switch {
	case found && f.Once:
		return "", nil
	case !found:
		return Add, o.reachable(f.Path)
	case e.path != f.Path && e.owned:
		return Add, nil // the same name in other case: removed first
	case e.path != f.Path || !e.regular:
		return "", notOurs(o.display(e.path))
	}
	data, err := o.root.ReadFile(f.Path)
	switch {
	case err != nil:
		return "", err
	case bytes.Equal(withoutCR(data), f.Data):
		return "", nil
	case !e.owned:
		return "", notOurs(o.display(f.Path))
	}
	return Update, nil
}

// withoutCR undoes what git does to line ends on Windows. No file of ours holds
// a carriage return.
func withoutCR(data []byte) []byte { return bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")) }

// reachable checks that the folders above a new file are folders, not links to
// elsewhere.
func (o *output) reachable(name string) error {
	if o.root == nil {
		return nil
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		info, err := o.root.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if !info.IsDir() {
			return notOurs(o.display(dir))
		}
	}
	return nil
}
