package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/review"
)

// lock is the lock file of a run.
type lock struct {
	file string
	want *review.Lock // of the sources
	have *review.Lock // of the file; nil: there is none for this server
}

// lockReport is what -json says of the lock file.
type lockReport struct {
	File   string `json:"file"`
	Status string `json:"status"` // "current", "written", "stale", "outdated", "missing"
	review.LockChange
}

// openLock reads the lock file. One of another server is not ours to compare with,
// nor with -lock to replace; but the server may have been renamed, so that is said.
func (g *generate) openLock(server *ir.Server, tree *gen.Tree) (*lock, error) {
	l := &lock{file: filepath.Join(g.lockFolder(), review.LockFile)}
	info, err := os.Stat(l.file)
	absent := errors.Is(err, fs.ErrNotExist)
	if absent && !g.lock {
		return l, nil // nobody asks what there is to pin
	}
	surface, failed := review.FromServer(server)
	if failed != nil {
		return nil, failed
	}
	l.want = review.NewLock(surface)
	l.want.Output = outputDigest(tree)
	switch {
	case absent:
		return l, nil
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", l.file)
	case err != nil:
		return nil, err
	}
	data, err := os.ReadFile(l.file)
	if err != nil {
		return nil, err
	}
	if l.have, err = review.ReadLock(data); err != nil {
		return nil, &failure{exit: exitInput, code: "bad-lock", message: l.file + ": " + err.Error(),
			hint: "delete it and generate with -lock to pin the surface as it is now"}
	}
	if l.have.Server.Name == server.Name {
		return l, nil
	}
	other := diag.Diagnostic{Pos: diag.Pos{File: l.file}, Severity: diag.Warning, Code: "lock",
		Message: fmt.Sprintf("it pins the server %s, not %s", l.have.Server.Name, server.Name),
		Hint:    "keep each server's source in a folder of its own; if the server was renamed, delete the file"}
	switch {
	case g.lock:
		return nil, usage(other.Hint, "%s: %s", l.file, other.Message)
	case g.check:
		g.Status = "stale"
		return nil, &failure{exit: exitStale, code: other.Code, message: l.file + ": " + other.Message, hint: other.Hint}
	}
	g.diags.Add(other)
	l.have = nil
	return l, nil
}

// lockFolder is that of the config file or else of the document.
func (g *generate) lockFolder() string {
	if g.config != "" {
		return filepath.Dir(g.config)
	}
	if _, err := os.Stat(configFile); err == nil {
		return "."
	}
	from, err := sortSources(g.sources)
	if err != nil || from.document == "" || strings.Contains(from.document, "://") {
		return "."
	}
	if info, err := os.Stat(from.document); err == nil && info.IsDir() {
		return from.document
	}
	return filepath.Dir(from.document)
}

// outputDigest is that of all files that toolmill keeps as they were written.
func outputDigest(tree *gen.Tree) string {
	h := sha256.New()
	add := func(dir string, files []gen.File) {
		for _, f := range files {
			if !f.Once {
				fmt.Fprintf(h, "%s/%s %d\n%s", dir, f.Path, len(f.Data), f.Data)
			}
		}
	}
	add("", tree.Files)
	for _, p := range tree.Packages {
		add(p.ImportPath, p.Files)
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// pin compares the surface with the lock file, and with -lock makes the file hold
// it. It comes last, when the output is written.
func (g *generate) pin(l *lock) error {
	if l.have == nil && !g.lock {
		return nil
	}
	base := l.have
	outdated := l.have != nil && l.have.Outdated()
	if outdated {
		base = nil
	}
	g.Lock = &lockReport{File: l.file, Status: "current", LockChange: l.want.Since(base)}
	accept := g.lock && !g.check
	// What else the source gives is no part of the surface, so that only who
	// accepts the surface has it noted.
	same := base != nil && g.Lock.Count() == 0 && (base.Output == l.want.Output || !accept)
	switch {
	case same:
	case accept && !g.dryRun:
		g.Lock.Status = "written"
		return replaceFile(l.file, l.want.Encode())
	case l.have == nil:
		g.Lock.Status = "missing"
	default:
		g.Lock.Status = "stale"
		if outdated {
			g.Lock.Status = "outdated"
		}
		if !g.check && !g.lock {
			g.diags.Add(diag.Diagnostic{Pos: diag.Pos{File: l.file}, Severity: diag.Warning, Code: "lock", Message: g.lockMessage(), Hint: g.lockHint()})
		}
	}
	return nil
}

const lockRun = "run the same command with -lock and without -check"

// lockHint says what to do about lockMessage.
func (g *generate) lockHint() string {
	if g.Lock.Status == "outdated" {
		return "to pin the surface as it is now, " + lockRun
	}
	return "see what that means with toolmill diff; then accept it: " + lockRun
}

// samePinned is said of a lock file that changes for the output's sake alone.
const samePinned = "the surface is as it was pinned"

// lockMessage says how the surface differs from what was pinned.
func (g *generate) lockMessage() string {
	switch g.Lock.Status {
	case "missing":
		return "the surface is not pinned: there is no " + g.Lock.File
	case "outdated":
		return g.Lock.File + " is of an earlier version of toolmill, which pinned less: neither credentials nor addresses"
	}
	return "the surface is not the one that is pinned: " + g.Lock.String()
}

// replaceFile writes a file by a rename, so that it is never there in part.
func replaceFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".toolmill-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// edited names the files that differ although all that the source gives is as it
// was when the lock file was written, so that no change of it explains them.
// Otherwise it cannot be known and none is named.
func (l *lock) edited(changes *gen.Changes) []string {
	if l.have == nil || l.have.Output != l.want.Output {
		return nil
	}
	var files []string
	add := func(dir string, changes []gen.Change) {
		for _, c := range changes {
			if c.Action == gen.Update {
				files = append(files, path.Join(dir, c.Path))
			}
		}
	}
	add("", changes.Files)
	for _, p := range changes.Packages {
		add(p.Dir, p.Files)
	}
	return files
}
