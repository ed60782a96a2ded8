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
	"strconv"
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
	// Otel gives the server OpenTelemetry.
	Otel bool
	// Mock gives the server what it needs to answer without its upstream:
	// [ir.Request.Responses].
	Mock bool
	// Packaging adds the files that ship the server; nil: none.
	Packaging *Packaging
}

// Runtime says how the output gets the package it calls.
type Runtime string

const (
	// Copy puts the runtime's source into the output's internal/runtime, or into
	// its runtime if annotated packages elsewhere import it.
	Copy Runtime = "copy"
	// Import imports toolmill's own package. It needs a module that requires
	// toolmill, so it does not go with Options.Module.
	Import Runtime = "import"
)

// RuntimePath is the import path of the runtime under [Import].
const RuntimePath = modulePath + "/runtime"

// modulePath is that of toolmill.
const modulePath = "github.com/seed7346ab69/toolmill"

// Generate prints the server. It is pure and deterministic. Errors are of type
// [*RefusedError] where the user can do something about them; any other means
// that the server breaks the promises of package ir.
func Generate(server *ir.Server, opts Options) (*Tree, error) {
	runtimePath, err := opts.runtimePath(server.Packages)
	if err != nil {
		return nil, err
	}
	if err := check(server); err != nil {
		return nil, err
	}
	p, err := newPlan(server, runtimePath)
	if err != nil {
		return nil, err
	}
	p.otel, p.mock = opts.Otel, opts.Mock && len(p.groups) > 0
	files, err := p.groupFiles()
	if err != nil {
		return nil, err
	}
	registry, err := p.registryFile()
	if err != nil {
		return nil, err
	}
	files = append(files, File{Path: "server.go", Data: registry}, File{Path: "TOOLS.md", Data: p.surface()})
	fixed, err := p.fixedFiles(opts)
	if err != nil {
		return nil, err
	}
	packaging, err := p.packagingFiles(opts)
	if err != nil {
		return nil, err
	}
	files = slices.Concat(files, fixed, packaging)
	tree := &Tree{module: opts.Module}
	if tree.Packages, err = p.packageFiles(); err != nil {
		return nil, err
	}
	if opts.Runtime != Import {
		copied, err := runtimeFiles(strings.TrimPrefix(runtimePath, opts.importPath()+"/"), runtimePath, opts.Otel)
		if err != nil {
			return nil, err
		}
		files = append(files, copied...)
		if tree.requires, err = runtimeRequires(opts.Otel); err != nil {
			return nil, err
		}
	} else {
		tree.requires = []module.Version{{Path: modulePath}}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	tree.Files = files
	return tree, nil
}

// importPath is that of the output folder.
func (o Options) importPath() string { return cmp.Or(o.Package, o.Module) }

// runtimePath is the import path of the runtime. A copy is the output's own
// affair, unless annotated packages elsewhere have to import it.
func (o Options) runtimePath(packages []*ir.Package) (string, error) {
	if o.Module != "" && len(packages) > 0 {
		return "", &RefusedError{Code: "module-path",
			Message: "the server of Go packages must be part of their module, not one of its own",
			Hint:    "leave out -module, and give -o a folder inside the module"}
	}
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
	pkg := o.importPath()
	if pkg == "" {
		return "", &RefusedError{Code: "no-module", Message: "the output folder is in no Go module",
			Hint: "give it one of its own: -module example.com/petstore-mcp"}
	}
	if err := module.CheckImportPath(pkg); err != nil {
		return "", &RefusedError{Code: "module-path", Message: fmt.Sprintf("the output folder has no import path: %v", err),
			Hint: "choose a folder whose path has letters, digits and -._~ only"}
	}
	for _, p := range packages {
		if !strings.HasPrefix(p.ImportPath, pkg+"/") {
			return path.Join(pkg, "runtime"), nil
		}
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
	for _, p := range s.Packages {
		n += len(p.Resources) + len(p.Prompts)
		if p.Name == "main" {
			return &RefusedError{Code: "package-main", Message: fmt.Sprintf("%s is package main, which no server can import", p.ImportPath),
				Hint: "move its functions to a package of their own"}
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
	if t.Func != nil {
		return nil
	}
	if t.Request == nil {
		return errors.New("neither request nor function")
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
		own, err := toolFiles("tools/", t)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		files = append(files, own...)
		if p.mock {
			mock, err := mockFile(t)
			if err != nil {
				return nil, fmt.Errorf("tool %s: %w", t.Name, err)
			}
			files = append(files, mock)
		}
	}
	return files, nil
}

// mockFile prints what a mock answers in a tool's place.
func mockFile(t tool) (File, error) {
	type response struct {
		Status string          `json:"status"`
		Type   string          `json:"type,omitempty"`
		Body   json.RawMessage `json:"body,omitempty"`
	}
	responses := make([]response, 0, len(t.Request.Responses))
	for _, r := range t.Request.Responses {
		responses = append(responses, response{r.Status, r.MediaType, r.Body})
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]any{"responses": responses}); err != nil {
		return File{}, err
	}
	data, err := pretty(bytes.TrimSpace(b.Bytes()))
	return File{Path: "mock/" + t.file, Data: data}, err
}

// toolFiles prints the object of tools/list and, where a diet hid parts of it,
// the whole input schema.
func toolFiles(dir string, t tool) ([]File, error) {
	object, err := pretty(t.AppendJSON(nil))
	if err != nil {
		return nil, err
	}
	files := []File{{Path: dir + t.file, Data: object}}
	if t.Full == nil {
		return files, nil
	}
	full, err := pretty(t.Full)
	return append(files, File{Path: dir + "full/" + t.file, Data: full}), err
}

// pretty prints JSON for people: two spaces, one property a line.
func pretty(object []byte) ([]byte, error) {
	var b bytes.Buffer
	if err := json.Indent(&b, object, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// toolPatterns are what is embedded of a folder of tools.
func toolPatterns(dir string, tools []tool) string {
	patterns := dir + "*.json"
	if slices.ContainsFunc(tools, func(t tool) bool { return t.Full != nil }) {
		patterns += " " + dir + "full/*.json"
	}
	return patterns
}

// fixedFiles prints the templates.
func (p *plan) fixedFiles(opts Options) ([]File, error) {
	data := templates.Data{
		Name:    p.name(),
		Title:   mdText(p.title()),
		Runtime: p.runtime,
		Module:  opts.Module,
		API:     len(p.groups) > 0,
	}
	data.Settings = asked(p.settings())
	names := []string{"main.go", "README.md"}
	if opts.Module != "" {
		names = append(names, "go.mod", "go.sum")
	}
	var files []File
	for _, name := range names {
		template := name
		if p.otel && strings.HasPrefix(name, "go.") {
			template = otelTemplate + name
		}
		text, err := templates.Execute(template, data)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: name, Data: text, Once: true})
	}
	for _, imported := range p.packages {
		if len(imported.Deps) == 0 {
			continue
		}
		data.Package = templates.Package{Path: imported.ImportPath, Name: imported.alias, Alias: imported.alias != imported.Name, Type: ir.DepsType}
		for _, d := range imported.Deps {
			data.Package.Fields = append(data.Package.Fields, line(d.Name+": "+d.Doc))
		}
		text, err := templates.Execute("deps.go", data)
		if err != nil {
			return nil, err
		}
		files = append(files, File{Path: imported.depsFile(), Data: text, Once: true})
	}
	return files, nil
}

// packageFiles prints what each annotated package gets.
func (p *plan) packageFiles() ([]PackageFiles, error) {
	var all []PackageFiles
	for _, g := range p.packages {
		decls, err := g.declarations()
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", g.ImportPath, err)
		}
		source, err := render(g.Name, "", g.imports.declaration(), decls)
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", g.ImportPath, err)
		}
		files := []File{{Path: ir.RegisterFile, Data: source}}
		for _, t := range g.tools {
			own, err := toolFiles("mcp_tools/", t)
			if err != nil {
				return nil, fmt.Errorf("tool %s: %w", t.Name, err)
			}
			files = append(files, own...)
		}
		slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
		all = append(all, PackageFiles{Dir: g.Dir, ImportPath: g.ImportPath, Files: files})
	}
	for _, dir := range p.server.Plain {
		all = append(all, PackageFiles{Dir: dir})
	}
	return all, nil
}

// otelTemplate begins the names of the templates of go.mod and go.sum for a server
// with OpenTelemetry.
const otelTemplate = "otel."

// runtimeFiles copies the runtime, without its tests, into a folder of the output.
// It imports nothing of ours, so the text needs no change but the header that
// makes it ours; only package otel below it imports the runtime.
func runtimeFiles(folder, importPath string, otel bool) ([]File, error) {
	patterns := []string{"*.go"}
	if otel {
		patterns = append(patterns, "otel/*.go")
	}
	var files []File
	for _, pattern := range patterns {
		names, err := fs.Glob(runtime.Source, pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if name == "source.go" || strings.HasSuffix(name, "_test.go") {
				continue
			}
			data, err := fs.ReadFile(runtime.Source, name)
			if err != nil {
				return nil, err
			}
			data = bytes.Replace(data, []byte(strconv.Quote(RuntimePath)), []byte(strconv.Quote(importPath)), 1)
			files = append(files, File{Path: path.Join(folder, name), Data: append([]byte(header+"\n\n"), data...)})
		}
	}
	return files, nil
}
