package openapi

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// maxFile bounds one file or answer, in bytes after decompression. The largest
// public document is a third of it.
const maxFile = 256 << 20

// The codes of what can go wrong with a file.
const (
	codeUnreadable = "unreadable-file"
	codeEmpty      = "empty-file"
	codeHTML       = "html-file"
	codeRemote     = "remote-refused"
	codeOutside    = "ref-outside-folder"
)

// files reads the files of one document, each once, under the rules for what a
// document may make us read: its own folder and the folders the user allows;
// the network only when the user allows it.
type files struct {
	ctx    context.Context
	opts   Options
	diags  *diag.List
	first  string   // absolute path of the root file; empty when it is remote
	folder string   // its folder
	shown  string   // its folder as the user wrote it
	allow  []string // folders that $ref may read: as named and with links resolved
	known  map[string]opened
	read   []*node.File // in the order they were read
	prose  bool         // files of text may be read: the root is never one, whatever its name
}

type opened struct {
	file *node.File
	err  *schema.Error
}

func newFiles(ctx context.Context, opts Options, diags *diag.List) *files {
	f := &files{ctx: ctx, opts: opts, diags: diags, known: map[string]opened{}}
	if f.opts.Client == nil {
		f.opts.Client = &http.Client{Timeout: time.Minute}
	}
	for _, folder := range opts.AllowRef {
		f.allowFolder(folder)
	}
	return f
}

func (f *files) allowFolder(folder string) {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return
	}
	f.allow = append(f.allow, abs)
	if resolved, err := filepath.EvalSymlinks(abs); err == nil && resolved != abs {
		f.allow = append(f.allow, resolved)
	}
}

// What to do about a file that cannot be used, where no more is known.
const (
	addressHint = "write it as https://host/path"
	mappingHint = "write it as a mapping of keys to values, or remove it"
)

// rootHints say what to do about the document itself; a file that a $ref names has
// hints of its own, see [resolver.unopened].
var rootHints = map[string]string{
	codeUnreadable: "give the path of an OpenAPI document that can be read, or with -allow-remote its address",
	codeEmpty:      "write an OpenAPI document into it, or give the path of another",
}

// fault makes an error that a diagnostic can be made of.
func fault(pos diag.Pos, code, hint, format string, args ...any) *schema.Error {
	return &schema.Error{Pos: pos, Code: code, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// root reads the document that the user named.
func (f *files) root(source string) (*node.File, *schema.Error) {
	file, err := f.source(source)
	f.prose = true
	if err != nil && err.Hint == "" {
		hinted := *err // the error of a file is kept for all who open it
		hinted.Hint = rootHints[err.Code]
		err = &hinted
	}
	return file, err
}

// source is root without advice.
func (f *files) source(source string) (*node.File, *schema.Error) {
	if isRemote(source) {
		u, err := url.Parse(strings.ReplaceAll(source, " ", "%20"))
		if err != nil {
			return nil, fault(diag.Pos{File: source}, codeUnreadable, addressHint, "it is not a web address")
		}
		return f.remote(u)
	}
	path, err := sourceFile(localPath(source))
	if err != nil {
		return nil, err
	}
	abs, absErr := filepath.Abs(path)
	if absErr != nil {
		return nil, fault(diag.Pos{File: path}, codeUnreadable, "", "%v", absErr)
	}
	f.first, f.folder, f.shown = abs, filepath.Dir(abs), filepath.Dir(path)
	f.allowFolder(f.folder)
	return f.load(abs)
}

func isRemote(ref string) bool {
	scheme, _, found := strings.Cut(ref, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// localPath takes the path out of a file URL; other paths stay as they are.
func localPath(ref string) string {
	if u, err := url.Parse(ref); err == nil && strings.EqualFold(u.Scheme, "file") {
		return filepath.FromSlash(cmp.Or(u.Path, u.Opaque))
	}
	return ref
}

// open reads the file that a $ref in from names; doc is the part before the #.
func (f *files) open(from *node.File, doc string) (*node.File, *schema.Error) {
	if isRemote(doc) || isRemote(from.Location) && !strings.HasPrefix(strings.ToLower(doc), "file:") {
		u, err := url.Parse(strings.ReplaceAll(doc, " ", "%20"))
		if base, baseErr := url.Parse(from.Location); err == nil && baseErr == nil {
			return f.remote(base.ResolveReference(u))
		}
		return nil, fault(diag.Pos{}, codeUnreadable, addressHint, "it is not a web address")
	}
	path := f.absolute(from, localPath(doc))
	if _, err := os.Lstat(path); err != nil {
		if decoded, err := url.PathUnescape(localPath(doc)); err == nil {
			path = f.absolute(from, decoded)
		}
	}
	return f.load(path)
}

func (f *files) absolute(from *node.File, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) || isRemote(from.Location) {
		return filepath.Clean(path)
	}
	return filepath.Join(filepath.Dir(from.Location), path)
}

func (f *files) load(path string) (*node.File, *schema.Error) {
	if o, ok := f.known[path]; ok {
		return o.file, o.err
	}
	file := &node.File{Name: f.name(path), Location: path}
	data, err := f.readLocal(path, file.Name)
	if err == nil {
		err = f.parse(file, data)
	}
	if err != nil {
		file = nil
	}
	f.known[path] = opened{file, err}
	return file, err
}

// name is how diagnostics call a file: from where the user called the root.
func (f *files) name(path string) string {
	if rel, err := filepath.Rel(f.folder, path); err == nil && f.folder != "" {
		return filepath.Join(f.shown, rel)
	}
	return path
}

func (f *files) readLocal(path, name string) ([]byte, *schema.Error) {
	if path != f.first {
		if err := f.permit(path, name); err != nil {
			return nil, err
		}
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	// A named pipe may be the source, but a $ref must not make us wait for one.
	if info.IsDir() || path != f.first && !info.Mode().IsRegular() {
		return nil, fault(diag.Pos{File: name}, codeUnreadable, "", "it is not a file")
	}
	r, err := os.Open(path)
	if err != nil {
		return nil, unreadable(name, err)
	}
	defer r.Close()
	return readAll(r, info.Size(), name)
}

// permit refuses a path that leaves the allowed folders, be it through a link.
// What lies outside is not even looked at, so that nothing can be learnt of it.
func (f *files) permit(path, name string) *schema.Error {
	outside := func(path string) *schema.Error {
		return fault(diag.Pos{File: name}, codeOutside, "allow its folder with -allow-ref "+shellWord(filepath.Dir(f.name(path)))+", or move the file beside the document",
			"it is outside the document's folder")
	}
	if !f.inside(path) {
		return outside(path)
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return unreadable(name, err)
	}
	if !f.inside(resolved) {
		return outside(resolved)
	}
	return nil
}

// shellWord quotes a path that a shell would not take as one word.
func shellWord(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-+@:,", r)
	}) {
		return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
	}
	return path
}

// inside reports whether a clean absolute path lies below an allowed folder.
func (f *files) inside(path string) bool {
	return slices.ContainsFunc(f.allow, func(folder string) bool {
		rel, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// readAll reads what is probably size bytes long.
func readAll(r io.Reader, size int64, name string) ([]byte, *schema.Error) {
	var data bytes.Buffer
	data.Grow(int(min(max(size, 0), maxFile)) + bytes.MinRead)
	if _, err := data.ReadFrom(io.LimitReader(r, maxFile+1)); err != nil {
		return nil, unreadable(name, err)
	}
	if data.Len() > maxFile {
		return nil, fault(diag.Pos{File: name}, codeUnreadable, "", "it is larger than %d MiB", maxFile>>20)
	}
	return data.Bytes(), nil
}

func unreadable(name string, err error) *schema.Error {
	message := "it cannot be read"
	switch {
	case errors.Is(err, fs.ErrNotExist):
		message = "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		message = "it may not be read: permission denied"
	}
	return fault(diag.Pos{File: name}, codeUnreadable, "", "%s", message)
}

// parse reads data into file. The messages quote nothing of the data: it may be
// a file that was never meant to be seen.
func (f *files) parse(file *node.File, data []byte) *schema.Error {
	at := diag.Pos{File: file.Name, Line: 1, Col: 1}
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case len(text) == 0:
		return fault(at, codeEmpty, "", "the file is empty")
	case f.prose && isText(file.Location):
		file.Root = &node.Node{Kind: node.String, Value: string(data), File: file, Line: 1, Col: 1}
		return nil
	case text[0] == '<':
		return fault(at, codeHTML, "point to the raw document, not to a page that shows it", "the file holds HTML or XML")
	}
	if err := node.Parse(file, data); err != nil {
		var syntax *node.SyntaxError
		if errors.As(err, &syntax) {
			return fault(syntax.Pos, syntax.Code, syntax.Hint, "%s", syntax.Message)
		}
		return fault(at, codeUnreadable, "", "%v", err)
	}
	for _, w := range file.Warnings {
		f.diags.Add(w)
	}
	f.read = append(f.read, file)
	return nil
}

// isText reports whether a file is prose that a description refers to.
func isText(location string) bool {
	switch strings.ToLower(filepath.Ext(location)) {
	case ".md", ".markdown", ".txt", ".rst", ".adoc":
		return true
	}
	return false
}
