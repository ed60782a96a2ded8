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
	"golang.org/x/mod/semver"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// PackagePath returns the import path of the folder dir, which need not exist:
// the path of the module around it and the way from there. It is "" when there
// is no module around it.
func PackagePath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for root := abs; ; root = filepath.Dir(root) {
		data, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
			if filepath.Dir(root) == root {
				return "", nil
			}
			continue
		}
		if err != nil {
			return "", err
		}
		module := modfile.ModulePath(data)
		if module == "" {
			return "", fmt.Errorf("%s names no module", filepath.Join(root, "go.mod"))
		}
		rel, err := filepath.Rel(root, abs)
		if err != nil {
			return "", err
		}
		return path.Join(module, filepath.ToSlash(rel)), nil
	}
}

// fit compares the files that are the user's now with what the rest of the tree
// needs of them.
func (t *Tree) fit(o *output) ([]diag.Diagnostic, error) {
	var warnings []diag.Diagnostic
	for _, check := range []struct {
		name string
		fit  func(file string, theirs, ours []byte) (*diag.Diagnostic, error)
	}{{"go.mod", fitModule}, {"main.go", fitMain}} {
		ours := t.File(check.name)
		if e, found := o.find(check.name); ours == nil || !found || !e.regular {
			continue
		}
		theirs, err := o.root.ReadFile(check.name)
		if err != nil {
			return nil, err
		}
		warning, err := check.fit(o.display(check.name), theirs, ours.Data)
		if err != nil {
			return nil, err
		}
		if warning != nil {
			warnings = append(warnings, *warning)
		}
	}
	return warnings, nil
}

// fitModule tells which requirements a go.mod lacks.
func fitModule(file string, theirs, ours []byte) (*diag.Diagnostic, error) {
	have, err := modfile.ParseLax(file, theirs, nil)
	if err != nil {
		return nil, err
	}
	want, err := modfile.Parse("go.mod", ours, nil)
	if err != nil {
		return nil, err
	}
	if have.Module == nil || have.Module.Mod.Path != want.Module.Mod.Path {
		return nil, &RefusedError{Code: "module-path",
			Message: fmt.Sprintf("%s is not the module %s", file, want.Module.Mod.Path),
			Hint:    "give -module the path that stands in go.mod, or change it there"}
	}
	var lacking []string
	for _, w := range want.Require {
		if !slices.ContainsFunc(have.Require, func(h *modfile.Require) bool {
			return h.Mod.Path == w.Mod.Path && semver.Compare(h.Mod.Version, w.Mod.Version) >= 0
		}) {
			lacking = append(lacking, w.Mod.String())
		}
	}
	if len(lacking) == 0 {
		return nil, nil
	}
	return &diag.Diagnostic{Pos: diag.Pos{File: file}, Severity: diag.Warning, Code: "old-go-mod",
		Message: "go.mod lacks what the runtime needs: " + strings.Join(lacking, ", "),
		Hint:    "run there: go get " + strings.Join(lacking, " ") + " && go mod tidy"}, nil
}

// fitMain tells of a main.go that imports another runtime than the rest does.
// One that imports none, or does not parse, is left to the compiler.
func fitMain(file string, theirs, ours []byte) (*diag.Diagnostic, error) {
	want := runtimeImport(ours)
	have := runtimeImport(theirs)
	if have == "" || have == want {
		return nil, nil
	}
	return &diag.Diagnostic{Pos: diag.Pos{File: file}, Severity: diag.Warning, Code: "old-main",
		Message: fmt.Sprintf("main.go imports %s, the generated files import %s", have, want),
		Hint:    "change the import in main.go, which is yours"}, nil
}

func runtimeImport(source []byte) string {
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", source, parser.ImportsOnly)
	if err != nil {
		return ""
	}
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil && (p == RuntimePath || path.Base(path.Dir(p)) == "internal" && path.Base(p) == "runtime") {
			return p
		}
	}
	return ""
}
