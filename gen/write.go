package gen

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
)

// Write makes the folder dir, and those of the packages, hold the tree: it
// creates dir if need be, replaces what differs, removes files of ours that are
// no longer part of it, and leaves everything else alone, times of change
// included. It returns what it did.
//
// It writes all or nothing: new content is complete on disk before the first
// file moves, each file appears by a rename, and a failure puts back what was
// there, in all folders. A run that is killed between two renames leaves folders
// that the next run still knows as ours.
//
// Refusals are the same as those of [Tree.Diff].
func (t *Tree) Write(dir string) (*Changes, error) {
	set, err := t.open(dir)
	if err != nil {
		return nil, err
	}
	defer set.close()
	changes, err := set.changes(t)
	if err != nil || changes.Count() == 0 {
		return changes, err
	}
	var made []string
	if out := set[0]; out.root == nil {
		if made, err = makeFolder(dir); err == nil {
			out.root, err = os.OpenRoot(dir)
		}
	}
	if err == nil {
		err = set.apply()
	}
	if err != nil {
		set.close()
		for _, d := range slices.Backward(made) {
			err = errors.Join(err, os.Remove(d))
		}
		return nil, fmt.Errorf("cannot write %s: %w", dir, err)
	}
	return changes, nil
}

// makeFolder is os.MkdirAll that tells which folders it made, outermost first.
func makeFolder(dir string) ([]string, error) {
	var missing []string
	for d := filepath.Clean(dir); ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil {
			break
		}
		missing = append(missing, d)
		if filepath.Dir(d) == d {
			break
		}
	}
	slices.Reverse(missing)
	for i, d := range missing {
		if err := os.Mkdir(d, 0o755); err != nil {
			return missing[:i], err
		}
	}
	return missing, nil
}

// apply carries out the changes in one move: all folders are prepared before
// the first changes.
func (set targets) apply() error {
	var moves []*move
	for _, t := range set {
		if len(t.changes) > 0 {
			moves = append(moves, newMove(t))
		}
	}
	var err error
	for _, step := range []func(*move) error{(*move).prepare, (*move).commit} {
		for _, m := range moves {
			if err == nil {
				err = step(m)
			}
		}
	}
	if err != nil {
		for _, m := range slices.Backward(moves) {
			if failed := m.undo(); failed != nil {
				err = fmt.Errorf("%w; and this could not be put back: %w", err, failed)
			}
		}
		return err
	}
	for _, m := range moves {
		m.tidy()
	}
	return nil
}

// move is a set of renames in one folder that can be undone. New files wait in
// the folder stage, and old ones are kept there until the end: it is on the same
// file system, and the go command does not look into folders that begin with a
// dot.
type move struct {
	*target
	rename func(from, to string) error // of root
	stage  string
	made   []string    // folders
	done   [][2]string // renames, from and to
}

func newMove(t *target) *move {
	return &move{target: t, rename: t.root.Rename, stage: ".toolmill-" + rand.Text()}
}

func (m *move) staged(prefix, name string) string {
	return path.Join(m.stage, prefix, name)
}

// prepare writes the new files into the stage.
func (m *move) prepare() error {
	if err := m.root.Mkdir(m.stage, 0o755); err != nil {
		return err
	}
	for _, c := range m.changes {
		if err := m.root.MkdirAll(path.Dir(m.staged("old", c.Path)), 0o755); err != nil {
			return err
		}
		if c.Action == Remove {
			continue
		}
		if err := m.root.MkdirAll(path.Dir(m.staged("new", c.Path)), 0o755); err != nil {
			return err
		}
		if err := m.root.WriteFile(m.staged("new", c.Path), findFile(m.want, c.Path).Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// commit moves old files out and new ones in. Removals come first, for a file
// system where the new name differs in case alone. Then comes the register, which
// says what else is ours, so that at no moment a file of ours lacks a register
// that knows it.
func (m *move) commit() error {
	for _, c := range m.changes {
		if c.Action == Remove {
			if err := m.step(c.Path, m.staged("old", c.Path)); err != nil {
				return err
			}
		}
	}
	for _, c := range m.changes {
		if c.Path == m.register && c.Action != Remove {
			if err := m.replaceRegister(c.Action); err != nil {
				return err
			}
		}
	}
	for _, c := range m.changes {
		if c.Path == m.register || c.Action == Remove {
			continue
		}
		if c.Action == Update {
			if err := m.step(c.Path, m.staged("old", c.Path)); err != nil {
				return err
			}
		}
		if err := m.place(c.Path); err != nil {
			return err
		}
	}
	return nil
}

// replaceRegister puts the new register over the old one, of which it keeps a
// copy: the folder must not be without it even between two renames.
func (m *move) replaceRegister(action Action) error {
	if action == Add {
		return m.place(m.register)
	}
	info, err := m.root.Stat(m.register)
	if err != nil {
		return err
	}
	data, err := m.root.ReadFile(m.register)
	if err != nil {
		return err
	}
	kept := m.staged("old", m.register)
	if err := m.root.WriteFile(kept, data, info.Mode().Perm()); err != nil {
		return err
	}
	if err := m.root.Chtimes(kept, info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	m.done = append(m.done, [2]string{m.register, kept})
	return m.rename(m.staged("new", m.register), m.register)
}

// place moves a new file to where it belongs.
func (m *move) place(name string) error {
	if err := m.makeFolders(path.Dir(name)); err != nil {
		return err
	}
	return m.step(m.staged("new", name), name)
}

func (m *move) makeFolders(dir string) error {
	if dir == "." {
		return nil
	}
	if _, err := m.root.Lstat(dir); err == nil {
		return nil
	}
	if err := m.makeFolders(path.Dir(dir)); err != nil {
		return err
	}
	if err := m.root.Mkdir(dir, 0o755); err != nil {
		return err
	}
	m.made = append(m.made, dir)
	return nil
}

func (m *move) step(from, to string) error {
	if err := m.rename(from, to); err != nil {
		return err
	}
	m.done = append(m.done, [2]string{from, to})
	return nil
}

// undo puts back what commit moved. What cannot be put back stays in the stage.
func (m *move) undo() error {
	for _, r := range slices.Backward(m.done) {
		if err := m.root.Rename(r[1], r[0]); err != nil {
			return fmt.Errorf("%s is now %s: %w", r[0], r[1], err)
		}
	}
	for _, dir := range slices.Backward(m.made) {
		if err := m.root.Remove(dir); err != nil {
			return err
		}
	}
	return m.root.RemoveAll(m.stage)
}

// tidy removes the stage and the folders that removals left empty. The output
// is complete, so that a folder that stays behind is no failure.
func (m *move) tidy() {
	_ = m.root.RemoveAll(m.stage)
	for _, c := range m.changes {
		if c.Action != Remove {
			continue
		}
		for dir := path.Dir(c.Path); dir != "."; dir = path.Dir(dir) {
			_ = m.root.Remove(dir) // fails on one that is not empty
		}
	}
}
