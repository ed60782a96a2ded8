package gen

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// output is what a folder holds, as far as it concerns us.
type output struct {
	layout
	dir   string
	root  *os.Root       // nil: the folder does not exist
	files []entry        // by path
	index map[string]int // files by path in lower case
}

// layout is a kind of folder that we write to.
type layout struct {
	register string   // the file that says which tool files are ours
	tools    string   // the folder of those
	folders  []string // where files of ours can be
	whole    bool     // the folder is ours as a whole, or not at all
}

var (
	// outputLayout is the output folder, which server.go makes ours.
	outputLayout = layout{register: "server.go", tools: "tools", whole: true,
		folders: []string{".", ".vscode", "tools", "tools/full", "mock", "internal/runtime", "internal/runtime/otel", "runtime", "runtime/otel"}}
	// packageLayout is the folder of an annotated package, where we are guests.
	packageLayout = layout{register: ir.RegisterFile, tools: "mcp_tools", folders: []string{".", "mcp_tools", "mcp_tools/full"}}
)

// entry is one file. Whether it is ours is written in the file itself, or for a
// tool file, which has no room for it, in the register.
type entry struct {
	path    string // as the folder spells it
	regular bool
	owned   bool
}

// openOutput reads the folder. It refuses an output folder that holds the work of
// others and none of ours.
func openOutput(dir string, layout layout) (*output, error) {
	o := &output{layout: layout, dir: dir, index: map[string]int{}}
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o, nil
	case err != nil:
		return nil, err
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, &RefusedError{Code: "not-ours", Message: fmt.Sprintf("%s is a symbolic link", dir),
			Hint: "name the folder that it points to"}
	case !info.IsDir():
		return nil, &RefusedError{Code: "not-ours", Message: fmt.Sprintf("%s is not a folder", dir),
			Hint: "choose another output folder"}
	}
	if o.root, err = os.OpenRoot(dir); err != nil {
		return nil, err
	}
	if err := o.read(); err != nil {
		o.close()
		return nil, err
	}
	return o, nil
}

func (o *output) close() {
	if o.root != nil {
		o.root.Close()
	}
}

func (o *output) read() error {
	top, err := o.list(".")
	if err != nil {
		return err
	}
	server, err := o.ours(o.register, header)
	if err != nil {
		return err
	}
	if o.whole && !server && slices.ContainsFunc(top, func(e fs.DirEntry) bool { return !isHidden(e.Name()) }) {
		return &RefusedError{Code: "not-ours",
			Message: fmt.Sprintf("%s is not empty and toolmill did not write it: it has no server.go of ours", o.dir),
			Hint:    "give -o a new or empty folder, or one that toolmill wrote"}
	}
	var registered []string
	if server {
		data, err := o.root.ReadFile(o.register)
		if err != nil {
			return err
		}
		registered = registeredFiles(data)
	}
	for _, dir := range o.folders {
		entries, err := o.list(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			file := entry{path: path.Join(dir, e.Name()), regular: e.Type().IsRegular()}
			if file.owned, err = o.isOwned(file, registered); err != nil {
				return err
			}
			o.files = append(o.files, file)
		}
	}
	slices.SortFunc(o.files, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	for i, e := range o.files {
		key := strings.ToLower(e.path)
		// Where two names differ in case alone, ours is the one to find.
		if _, twice := o.index[key]; !twice || e.owned {
			o.index[key] = i
		}
	}
	return nil
}

// isHidden reports whether a name is one that tools keep to themselves, as .git
// is: such files make no folder the work of others.
func isHidden(name string) bool { return strings.HasPrefix(name, ".") }

// list returns what a folder holds. A folder that is none, or a link, holds
// nothing.
func (o *output) list(dir string) ([]fs.DirEntry, error) {
	for d := dir; d != "."; d = path.Dir(d) {
		if info, err := o.root.Lstat(d); err != nil || !info.IsDir() {
			return nil, nil
		}
	}
	f, err := o.root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.ReadDir(-1)
}

func (o *output) isOwned(file entry, registered []string) (bool, error) {
	name := file.path
	dir, base := path.Split(name)
	switch {
	case !file.regular:
		return false, nil
	case dir == o.tools+"/", dir == o.tools+"/full/", o.whole && dir == "mock/":
		return slices.Contains(registered, base), nil
	case name == o.register:
		return o.ours(name, header)
	case !o.whole:
		return false, nil
	case name == "TOOLS.md":
		return o.ours(name, mdHeader)
	case dir == "" && strings.HasPrefix(base, "tools_") && path.Ext(base) == ".go",
		strings.HasPrefix("/"+dir, "/internal/runtime/") && path.Ext(base) == ".go",
		strings.HasPrefix("/"+dir, "/runtime/") && path.Ext(base) == ".go":
		return o.ours(name, header)
	}
	return false, nil
}

// ours reports whether a regular file begins with the header line.
func (o *output) ours(name, header string) (bool, error) {
	info, err := o.root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	data, err := o.root.ReadFile(name)
	if err != nil {
		return false, err
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	return string(bytes.TrimRight(first, "\r")) == header, nil
}

// registeredFiles returns the tool files that a register names. What does
// not parse registers nothing.
func registeredFiles(source []byte) []string {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil && file == nil {
		return nil
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		pair, ok := n.(*ast.KeyValueExpr)
		if !ok || !isIdent(pair.Key, "Tools") {
			return true
		}
		list, ok := pair.Value.(*ast.CompositeLit)
		if !ok {
			return true
		}
		for _, item := range list.Elts {
			if name := registeredFile(item); name != "" {
				names = append(names, name)
			}
		}
		return false
	})
	return names
}

func registeredFile(item ast.Expr) string {
	literal, ok := item.(*ast.CompositeLit)
	if !ok {
		return ""
	}
	var name, file string
	for _, e := range literal.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		value, ok := pair.Value.(*ast.BasicLit)
		if !ok {
			continue
		}
		s, err := strconv.Unquote(value.Value)
		if err != nil {
			continue
		}
		switch {
		case isIdent(pair.Key, "Name"):
			name = s + ".json"
		case isIdent(pair.Key, "File"):
			file = s
		}
	}
	if file != "" {
		return file
	}
	return name
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// find returns the file at a path, in whatever case the folder spells it: on
// many file systems it is the same file.
func (o *output) find(name string) (entry, bool) {
	i, found := slices.BinarySearchFunc(o.files, name, func(e entry, name string) int {
		return strings.Compare(e.path, name)
	})
	if found {
		return o.files[i], true
	}
	i, found = o.index[strings.ToLower(name)]
	if !found {
		return entry{}, false
	}
	return o.files[i], true
}

// owned returns the paths of all files of ours.
func (o *output) owned() []string {
	var names []string
	for _, e := range o.files {
		if e.owned {
			names = append(names, e.path)
		}
	}
	return names
}

// display is how messages write a path in the folder.
func (o *output) display(name string) string { return filepath.Join(o.dir, filepath.FromSlash(name)) }
