package main

import (
	"cmp"
	"errors"
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
	Status string `json:"status"` // "current", "written", "stale", "missing"
	review.LockChange
}

// openLock reads the lock file. One of another server is not ours to compare with,
// and with -lock not ours to replace.
func (g *generate) openLock(server *ir.Server) (*lock, error) {
	surface, err := review.FromServer(server)
	if err != nil {
		return nil, err
	}
	l := &lock{file: filepath.Join(g.lockFolder(), review.LockFile), want: review.NewLock(server.Name, surface)}
	data, err := os.ReadFile(l.file)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, err
	}
	if l.have, err = review.ReadLock(data); err != nil {
		return nil, &failure{exit: exitInput, code: "bad-lock", message: l.file + ": " + err.Error(),
			hint: "delete it and generate with -lock to pin the surface as it is now"}
	}
	if l.have.Server == server.Name {
		return l, nil
	}
	if g.lock {
		return nil, usage("keep each server's source in a folder of its own; if the server was renamed, delete the file",
			"%s pins the server %s, not %s", l.file, l.have.Server, server.Name)
	}
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

// pin compares the surface with the lock file, and with -lock makes the file hold
// it. It comes last, when the output is written.
func (g *generate) pin(l *lock) error {
	if l.have == nil && !g.lock {
		return nil
	}
	g.Lock = &lockReport{File: l.file, Status: "current", LockChange: l.want.Since(cmp.Or(l.have, &review.Lock{}))}
	switch {
	case l.have != nil && g.Lock.Count() == 0:
	case g.lock && !g.check && !g.dryRun:
		g.Lock.Status = "written"
		return replaceFile(l.file, l.want.Encode())
	case l.have == nil:
		g.Lock.Status = "missing"
	default:
		g.Lock.Status = "stale"
		if !g.check && !g.lock {
			g.diags.Add(diag.Diagnostic{Pos: diag.Pos{File: l.file}, Severity: diag.Warning, Code: "lock", Message: g.lockMessage(), Hint: lockHint})
		}
	}
	return nil
}

const lockHint = "see what that means with toolmill diff; then accept it: run the same command with -lock and without -check"

// lockMessage says how the surface differs from what was pinned.
func (g *generate) lockMessage() string {
	if g.Lock.Status == "missing" {
		return "the surface is not pinned: there is no " + g.Lock.File
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

// edited finds among the files that differ those that a change of the source does
// not explain. Where the source is as pinned, or the output has the tools that it
// would have, that is all of them; else the pinned surface tells a tool of
// yesterday from one that somebody wrote.
func (g *generate) edited(l *lock, changes *gen.Changes) []string {
	sameSource := l.have != nil && l.want.Since(l.have).Count() == 0
	found := &review.Lock{}
	disk, err := review.ReadFolder(os.DirFS(g.output))
	switch {
	case err == nil:
		found = review.NewLock(l.want.Server, disk)
	case !sameSource:
		return nil
	}
	unexplained := sameSource || found.Since(l.want).Count() == 0
	var files []string
	for _, c := range changes.Files {
		if c.Action != gen.Update {
			continue
		}
		edited := unexplained
		if name, ok := strings.CutSuffix(path.Base(c.Path), ".json"); ok && path.Dir(c.Path) == "tools" && !edited && l.have != nil {
			is := found.Tools[name]
			edited = is == l.want.Tools[name] || is != l.have.Tools[name]
		}
		if edited {
			files = append(files, c.Path)
		}
	}
	return files
}
