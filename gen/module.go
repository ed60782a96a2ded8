package gen

import (
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/templates"
)

// PackagePath returns the import path of the folder dir, which need not exist:
// the path of the module around it and the way from there. It is "" when there
// is no module around it.
func PackagePath(dir string) (string, error) {
	root, data, err := moduleAround(dir)
	if data == nil || err != nil {
		return "", err
	}
	name := modfile.ModulePath(data)
	if name == "" {
		return "", fmt.Errorf("%s names no module", filepath.Join(root, "go.mod"))
	}
	from, err := filepath.Abs(root)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, to)
	if err != nil {
		return "", err
	}
	return path.Join(name, filepath.ToSlash(rel)), nil
}

// moduleAround finds the nearest go.mod in dir and the folders above it. No
// data: there is none. The root is relative when dir is.
func moduleAround(dir string) (root string, data []byte, err error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", nil, err
	}
	for root := dir; ; root, abs = filepath.Join(root, ".."), filepath.Dir(abs) {
		data, err := os.ReadFile(filepath.Join(abs, "go.mod"))
		switch {
		case err == nil:
			return root, data, nil
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR):
			return "", nil, err
		case filepath.Dir(abs) == abs:
			return "", nil, nil
		}
	}
}

// fit compares the files that are the user's with what the rest of the tree
// needs of them.
func (t *Tree) fit(o *output) ([]diag.Diagnostic, error) {
	var warnings []diag.Diagnostic
	root, data, err := moduleAround(o.dir)
	if err != nil {
		return nil, err
	}
	if _, found := o.find("go.mod"); data != nil && (found || t.File("go.mod") == nil) {
		file := filepath.Join(root, "go.mod")
		have, err := modfile.ParseLax(file, data, nil)
		if err != nil {
			return nil, err
		}
		if t.module != "" && (have.Module == nil || have.Module.Mod.Path != t.module) {
			return nil, &RefusedError{Code: "module-path", Message: fmt.Sprintf("%s is not the module %s", file, t.module),
				Hint: "give -module the path that stands in go.mod, or change it there"}
		}
		warnings = append(warnings, t.lacking(file, have)...)
	}
	if e, found := o.find("main.go"); found && e.regular {
		theirs, err := o.root.ReadFile(e.path)
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, fitMain(o.display(e.path), theirs, t.File("main.go").Data)...)
	}
	return warnings, nil
}

// lacking tells which modules a go.mod must require for the runtime, and does
// not, or not new enough.
func (t *Tree) lacking(file string, have *modfile.File) []diag.Diagnostic {
	var missing []string
	for _, want := range t.requires {
		if have.Module != nil && have.Module.Mod.Path == want.Path || slices.ContainsFunc(have.Require, func(r *modfile.Require) bool {
			return r.Mod.Path == want.Path && semver.Compare(r.Mod.Version, want.Version) >= 0
		}) {
			continue
		}
		missing = append(missing, want.String())
	}
	switch {
	case missing == nil:
		return nil
	case missing[0] == modulePath:
		return []diag.Diagnostic{{Pos: diag.Pos{File: file}, Severity: diag.Warning, Code: "old-go-mod",
			Message: "the output imports " + RuntimePath + ", but this module does not require " + modulePath,
			Hint: "run in that folder, with your clone of toolmill for CLONE: go mod edit -replace " + modulePath + "=CLONE && go mod tidy\n" +
				"or copy the runtime: -runtime copy"}}
	}
	return []diag.Diagnostic{{Pos: diag.Pos{File: file}, Severity: diag.Warning, Code: "old-go-mod",
		Message: "the runtime needs " + strings.Join(missing, ", "),
		Hint:    "run in that folder: go get " + strings.Join(missing, " ") + " && go mod tidy"}}
}

// runtimeRequires returns the modules that the runtime imports packages of.
func runtimeRequires(otel bool) ([]module.Version, error) {
	name := "go.mod"
	if otel {
		name = otelTemplate + name
	}
	data, err := templates.Execute(name, templates.Data{Module: "output"})
	if err != nil {
		return nil, err
	}
	file, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		return nil, err
	}
	var direct []module.Version
	for _, r := range file.Require {
		if !r.Indirect {
			direct = append(direct, r.Mod)
		}
	}
	return direct, nil
}

// fitMain tells of a main.go that imports another runtime than the rest does.
// One that imports none, or does not parse, is left to the compiler.
func fitMain(file string, theirs, ours []byte) []diag.Diagnostic {
	want := runtimeImport(ours)
	have := runtimeImport(theirs)
	if have == "" || have == want {
		return nil
	}
	return []diag.Diagnostic{{Pos: diag.Pos{File: file}, Severity: diag.Warning, Code: "old-main",
		Message: fmt.Sprintf("main.go imports %s, the generated files import %s", have, want),
		Hint:    "change the import in main.go, which is yours"}}
}

// fitPackage tells of another server that an annotated package was generated for:
// its runtime is another one, so it does not compile any more. The package is in o
// and becomes files, and its server is in dir.
func fitPackage(o *output, dir string, files []File) ([]diag.Diagnostic, error) {
	e, found := o.find(ir.RegisterFile)
	i := slices.IndexFunc(files, func(f File) bool { return f.Path == ir.RegisterFile })
	if !found || !e.owned || i < 0 {
		return nil, nil
	}
	before, err := o.root.ReadFile(e.path)
	if err != nil {
		return nil, err
	}
	root, module, err := moduleAround(o.dir)
	if err != nil {
		return nil, err
	}
	have := runtimeImport(before)
	folder, inside := strings.CutPrefix(strings.TrimSuffix(have, "/runtime"), modfile.ModulePath(module)+"/")
	if !inside || have == RuntimePath || have == runtimeImport(files[i].Data) {
		return nil, nil
	}
	server := filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(folder, "/internal")))
	if there, err := sameFolder(server, dir); err != nil || there {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(server, outputLayout.register)); err != nil {
		return nil, nil // it moved, or is gone
	}
	return []diag.Diagnostic{{Pos: diag.Pos{File: o.display(e.path)}, Severity: diag.Warning, Code: "two-servers",
		Message: fmt.Sprintf("this package belongs to the server in %s too, which does not compile with the runtime of %s", server, dir),
		Hint:    "make one server of it: give generate all sources at once; or remove the other one"}}, nil
}

// sameFolder compares paths, of which neither need exist.
func sameFolder(a, b string) (bool, error) {
	absA, err := filepath.Abs(a)
	if err != nil {
		return false, err
	}
	absB, err := filepath.Abs(b)
	return absA == absB, err
}

func runtimeImport(source []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
	if err != nil {
		return ""
	}
	for _, spec := range file.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil && (p == RuntimePath || strings.HasSuffix(p, "/runtime")) {
			return p
		}
	}
	return ""
}
