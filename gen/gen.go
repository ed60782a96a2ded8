package gen

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/sync/errgroup"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/runtime"
	"github.com/seed7346ab69/toolmill/templates"
)

// Options say what the output is part of.
type Options struct {
	// Package is the import path of the output folder, which its files need to
	// import their runtime; [PackagePath] finds it. Empty: Module.
	Package string
	// Module makes the output a module of its own, with go.mod and go.sum.
	Module string
	// Runtime is where the runtime is: "" is [Copy].
	Runtime Runtime
}

// Runtime says how the output gets the package it calls.
type Runtime string

const (
	// Copy puts the runtime's source into the output's internal/runtime.
	Copy Runtime = "copy"
	// Import imports toolmill's own package. It needs a module that requires
	// toolmill, so it does not go with Options.Module.
	Import Runtime = "import"
)

// RuntimePath is the import path of the runtime under [Import].
const RuntimePath = "github.com/seed7346ab69/toolmill/runtime"

// Generate prints the server. It is pure and deterministic. Errors are of type
// [*RefusedError] where the user can do something about them; any other means
// that the server breaks the promises of package ir.
func Generate(server *ir.Server, opts Options) (*Tree, error) {
	runtimePath, err := opts.runtimePath()
	if err != nil {
		return nil, err
	}
	if err := check(server); err != nil {
		return nil, err
	}
	p := newPlan(server, runtimePath)
	files, err := p.groupFiles()
	if err != nil {
		return nil, err
	}
	registry, err := p.goFile([]string{"embed"}, p.registry()...)
	if err != nil {
		return nil, err
	}
	files = append(files, File{Path: "server.go", Data: registry}, File{Path: "TOOLS.md", Data: p.surface()})
	fixed, err := p.fixedFiles(opts)
	if err != nil {
		return nil, err
	}
	files = append(files, fixed...)
	tree := &Tree{module: opts.Module}
	if opts.Runtime != Import {
		copied, err := runtimeFiles()
		if err != nil {
			return nil, err
		}
		files = append(files, copied...)
		if tree.requires, err = runtimeRequires(); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	tree.Files = files
	return tree, nil
}

func (o Options) runtimePath() (string, error) {
	if o.Module != "" {
		if err := module.CheckImportPath(o.Module); err != nil {
			return "", &RefusedError{Code: "module-path", Message: err.Error(),
				Hint: "a module path looks like example.com/petstore-mcp"}
		}
		if o.Runtime == Import {
			return "", &RefusedError{Code: "module-path",
				Message: "a module of its own cannot import the runtime: toolmill is not published",
				Hint:    "leave out -module, or use -runtime=copy"}
		}
	}
	if o.Runtime == Import {
		return RuntimePath, nil
	}
	pkg := o.Package
	if pkg == "" {
		pkg = o.Module
	}
	if pkg == "" {
		return "", &RefusedError{Code: "no-module", Message: "the output folder is in no Go module",
			Hint: "give it one of its own: -module example.com/petstore-mcp"}
	}
	if err := module.CheckImportPath(pkg); err != nil {
		return "", &RefusedError{Code: "module-path", Message: fmt.Sprintf("the output folder has no import path: %v", err),
			Hint: "choose a folder whose path has letters, digits and -._~ only"}
	}
	return path.Join(pkg, "internal/runtime"), nil
}

// check refuses what the emitters cannot print; it does not repeat
// [ir.Server.Check].
func check(s *ir.Server) error {
	var n int
	for _, g := range s.Groups {
		for _, t := range g.Tools {
			n++
			if err := checkTool(t); err != nil {
				return fmt.Errorf("tool %s: %w", t.Name, err)
			}
		}
	}
	if n == 0 {
		return &RefusedError{Code: "no-tools", Message: "nothing to generate: there is no tool"}
	}
	for _, a := range s.Auth {
		if authKinds[a.Kind] == "" {
			return fmt.Errorf("security scheme %s: unknown kind %q", a.Name, a.Kind)
		}
	}
	return nil
}

func checkTool(t *ir.Tool) error {
	if t.Request == nil {
		return errors.New("no request")
	}
	for _, b := range t.Request.Bindings {
		if placeMethods[b.In] == "" {
			return fmt.Errorf("argument %s: unknown place %q", b.Arg, b.In)
		}
	}
	if b := t.Request.Body; b != nil && bodyMethods[b.Kind].name == "" {
		return fmt.Errorf("body: unknown kind %q", b.Kind)
	}
	return nil
}

// groupFiles prints the handlers and tool files, groups in parallel.
func (p *plan) groupFiles() ([]File, error) {
	files := make([][]File, len(p.groups))
	var eg errgroup.Group
	for i, g := range p.groups {
		eg.Go(func() (err error) {
			files[i], err = p.groupFile(g)
			return err
		})
	}
	if err := eg.Wait(); err != nil {
		return nil, err
	}
	var all []File
	for _, fs := range files {
		all = append(all, fs...)
	}
	return all, nil
}

func (p *plan) groupFile(g group) ([]File, error) {
	handlers, err := p.goFile([]string{"context"}, p.handlers(g)...)
	if err != nil {
		return nil, err
	}
	files := []File{{Path: g.file, Data: handlers}}
	for _, t := range g.tools {
		data, err := toolFile(t.Tool)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		files = append(files, File{Path: "tools/" + t.file, Data: data})
	}
	return files, nil
}

// toolFile prints the object of tools/list for people: two spaces, one property
// a line.
func toolFile(t *ir.Tool) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, t.AppendJSON(nil), "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// fixedFiles prints the templates.
func (p *plan) fixedFiles(opts Options) ([]File, error) {
	data := templates.Data{
		Name:    p.name(),
		Title:   mdText(p.title()),
		Runtime: p.runtime,
		Module:  opts.Module,
	}
	names := []string{"main.go", "README.md"}
	if opts.Module != "" {
		names = append(names, "go.mod", "go.sum")
	}
	var files []File
	for _, name := range names {
		text, err := templates.Execute(name, data)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: name, Data: text, Once: true})
	}
	return files, nil
}

// runtimeFiles copies the runtime without its tests. It imports nothing of ours,
// so the text needs no change but the header that makes it ours.
func runtimeFiles() ([]File, error) {
	names, err := fs.Glob(runtime.Source, "*.go")
	if err != nil {
		return nil, err
	}
	var files []File
	for _, name := range names {
		if name == "source.go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := fs.ReadFile(runtime.Source, name)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: "internal/runtime/" + name, Data: append([]byte(header+"\n\n"), data...)})
	}
	return files, nil
}
