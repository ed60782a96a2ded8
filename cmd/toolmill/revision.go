package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// revision is a file or folder of a git revision: HEAD~1:api.yaml. What it may
// refer to is copied into a folder of its own, from the same revision.
type revision struct {
	name string // as given: "HEAD~1"
	dir  string // the copy of the repository's top folder
	path string // the file or folder in dir, slash-separated
	top  string // the repository's top folder itself
}

// splitRevision tells HEAD~1:api.yaml from files, addresses and packages.
func splitRevision(source string) (rev, file string, ok bool) {
	rev, file, ok = strings.Cut(source, ":")
	if !ok || rev == "" || strings.Contains(source, "://") {
		return "", "", false
	}
	if _, err := os.Lstat(source); err == nil {
		return "", "", false
	}
	return rev, file, true
}

// The limits of what is copied: more is no API document.
const (
	maxCopied      = 512 << 20
	maxCopiedFiles = 100_000
)

// checkOut copies the folder of a revision's document, or a whole folder, and also
// those files and folders that are in the repository. The caller removes it.
func checkOut(ctx context.Context, rev, file string, also []string) (*revision, error) {
	top, err := git(ctx, nil, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, unreadable("", "%s:%s: there is no such file, and no revision to read it from: %v", rev, file, err)
	}
	commit, err := git(ctx, nil, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}")
	if err != nil {
		return nil, unreadable("git log --oneline lists revisions; a file is written REVISION:PATH", "%s:%s: there is no revision %s here", rev, file, rev)
	}
	here, err := git(ctx, nil, "rev-parse", "--show-prefix")
	if err != nil {
		return nil, err
	}
	r := &revision{name: rev, path: path.Clean(filepath.ToSlash(file)), top: filepath.FromSlash(text(top))}
	if strings.HasPrefix(file, "./") || strings.HasPrefix(file, "../") {
		r.path = path.Join(text(here), filepath.ToSlash(file))
	}
	if !filepath.IsLocal(filepath.FromSlash(r.path)) {
		return nil, usage("", "%s:%s is outside the repository", rev, file)
	}
	kind := []byte("tree")
	if r.path != "." {
		if kind, err = git(ctx, nil, "cat-file", "-t", text(commit)+":"+r.path); err != nil {
			hint := "paths count from the top of the repository; " + rev + ":./" + file + " counts from the current folder"
			if strings.HasPrefix(file, ".") {
				hint = "counted from the top of the repository it is " + r.path + "; git ls-tree -r --name-only " + rev + " lists what there is"
			}
			return nil, unreadable(hint, "%s:%s: the revision has no such file", rev, file)
		}
	}
	folders := []string{r.path}
	if text(kind) == "blob" {
		folders[0] = path.Dir(r.path)
	}
	for _, dir := range also {
		if rel := r.inside(dir); rel != "" {
			folders = append(folders, rel)
		}
	}
	if r.dir, err = os.MkdirTemp("", "toolmill-"); err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(r.dir); err == nil {
		r.dir = real
	}
	if err := r.copy(ctx, text(commit), folders); err != nil {
		return nil, errors.Join(err, r.remove())
	}
	return r, nil
}

func text(out []byte) string { return strings.TrimRight(string(out), "\r\n") }

// inside is the path of a file or folder in the repository, or nothing.
func (r *revision) inside(dir string) string {
	if strings.Contains(dir, "://") {
		return ""
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	rel, err := filepath.Rel(r.top, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return ""
	}
	return filepath.ToSlash(rel)
}

// file is the path of the copy.
func (r *revision) file() string { return filepath.Join(r.dir, filepath.FromSlash(r.path)) }

func (r *revision) remove() error { return os.RemoveAll(r.dir) }

// blob is a file of a commit.
type blob struct{ id, path string }

// copy writes the files of folders that a document or an output can consist of.
// Links are left out, so nothing in the copy leads out of it.
func (r *revision) copy(ctx context.Context, commit string, folders []string) error {
	args := []string{"ls-tree", "-r", "-z", "--full-tree", commit, "--"}
	if !slices.Contains(folders, ".") {
		args = append(args, folders...)
	}
	list, err := git(ctx, nil, args...)
	if err != nil {
		return err
	}
	var blobs []blob
	var ids strings.Builder
	for line := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		meta, name, _ := strings.Cut(line, "\t")
		f := strings.Fields(meta)
		if len(f) != 3 || !strings.HasPrefix(f[0], "100") || name != r.path && !isReadable(name) {
			continue
		}
		blobs = append(blobs, blob{f[2], name})
		ids.WriteString(f[2] + "\n")
	}
	if len(blobs) > maxCopiedFiles {
		return fmt.Errorf("%s: %d files beside the document are too many; give it a folder of its own", r.name, len(blobs))
	}
	return r.write(ctx, blobs, ids.String())
}

func isReadable(name string) bool {
	return isDocument(name) || slices.Contains([]string{".go", ".md", ""}, path.Ext(name))
}

// write puts the blobs into the copy, with one process for all of them.
func (r *revision) write(ctx context.Context, blobs []blob, ids string) error {
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	data, err := git(ctx, strings.NewReader(ids), "cat-file", "--batch")
	if err != nil {
		return err
	}
	in := bufio.NewReader(bytes.NewReader(data))
	for _, b := range blobs {
		head, err := in.ReadString('\n') // "<id> blob <size>"
		f := strings.Fields(head)
		if err != nil || len(f) != 3 {
			return fmt.Errorf("git cat-file: %s cannot be read: %s", b.path, strings.TrimSpace(head))
		}
		size, err := strconv.Atoi(f[2])
		if err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		content := make([]byte, size+1) // and a line feed
		if _, err := io.ReadFull(in, content); err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		if err := root.MkdirAll(path.Dir(b.path), 0o755); err != nil {
			return err
		}
		if err := root.WriteFile(b.path, content[:size], 0o644); err != nil {
			return err
		}
	}
	return nil
}

// rename writes paths of the copy in diagnostics as the revision's.
func (r *revision) rename(d diag.Diagnostic) diag.Diagnostic {
	fix := strings.NewReplacer(r.dir+string(filepath.Separator), r.name+":", r.dir, r.name+":.")
	d.File, d.Message, d.Hint = fix.Replace(d.File), fix.Replace(d.Message), fix.Replace(d.Hint)
	return d
}

// git runs a command of git that reads, and returns what it prints.
func git(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	// Paths are paths, not patterns; and nothing is locked or asked for.
	cmd.Env = append(os.Environ(), "GIT_LITERAL_PATHSPECS=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0")
	cmd.Stdin = stdin
	out, stderr := &limited{left: maxCopied}, &limited{left: 1 << 16}
	cmd.Stdout, cmd.Stderr = out, stderr
	if err := cmd.Run(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return nil, usage("install git, or give two files", "git is needed to read a revision, and not there")
		}
		if out.left < 0 {
			return nil, fmt.Errorf("git %s: more than %d MB beside the document; give it a folder of its own", args[0], maxCopied>>20)
		}
		return nil, fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(stderr.String()))
	}
	return out.Bytes(), nil
}

// limited is a buffer that refuses to grow without end.
type limited struct {
	bytes.Buffer
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errors.New("too much")
	}
	return l.Buffer.Write(p)
}
