package gofunc

import (
	"bytes"
	"context"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// Loading reads the annotated packages from source and what they import from
// the compiler's export data, which knows every type but no comment. Comments
// of dependencies are read later, file by file, from the sources that hold a
// declaration we use (source.go). That costs what the bare export data cost;
// checking every dependency from source takes ten times as long. A dependency
// that does not compile has no export data: go/packages checks that one from
// source, so that its own errors can be told.
const (
	listMode = packages.NeedName | packages.NeedFiles
	loadMode = listMode | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
)

// loader reads packages.
type loader struct {
	positions
	ctx    context.Context
	config packages.Config
	diags  *diag.List
	plain  []string // folders of packages without a directive that have output of ours
}

func newLoader(ctx context.Context, opts Options, diags *diag.List) (*loader, error) {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return nil, err
	}
	l := &loader{ctx: ctx, diags: diags, positions: positions{fset: token.NewFileSet(), dir: dir}}
	l.config = packages.Config{Context: ctx, Dir: dir, Fset: l.fset}
	if opts.Tags != "" {
		l.config.BuildFlags = []string{"-tags=" + opts.Tags}
	}
	return l, nil
}

// load returns the annotated packages among those that the patterns name, by
// import path; nil when it has added an error.
func (l *loader) load(patterns []string) []*packages.Package {
	listed := l.packages(listMode, patterns)
	var paths, own []string
	found := 0
	for _, p := range listed {
		if p.PkgPath == "command-line-arguments" {
			l.diags.Error(diag.Pos{}, "load", "name the package's folder", "%s: files cannot be generated from, only packages", strings.Join(patterns, " "))
			return nil
		}
		if len(p.GoFiles) == 0 {
			for _, e := range p.Errors {
				l.diags.Error(l.parse(e.Pos), "load", "", "package %s: %s", p.PkgPath, oneLine(e.Msg))
			}
			continue
		}
		found++
		output := ownOutput(p)
		if output != "" {
			own = append(own, output)
		}
		if mentionsDirective(p.GoFiles) {
			paths = append(paths, p.PkgPath)
		} else if output != "" {
			l.plain = append(l.plain, l.folder(p))
		}
	}
	switch {
	case l.diags.HasErrors():
		return nil
	case len(paths) == 0:
		l.noDirective(patterns, found)
		return nil
	}
	done, err := l.hide(own)
	if err != nil {
		l.diags.Error(diag.Pos{}, "load", "", "%s", err)
		return nil
	}
	defer done()
	roots := l.packages(loadMode, paths)
	l.reportErrors(roots)
	if l.diags.HasErrors() {
		l.reportDirectives(roots)
		return nil
	}
	return roots
}

// folder is where a package is.
func (l *loader) folder(p *packages.Package) string {
	return path.Dir(l.relative(p.GoFiles[0]))
}

// noDirective reports that there is nothing to generate. A run that fails
// removes nothing, so that it says what is stale now.
func (l *loader) noDirective(patterns []string, packages int) {
	hint := "write //mcp:tool in the line above a function; toolmill directives lists what else there is"
	if len(l.plain) > 0 {
		hint = "write //mcp:tool in the line above a function, or delete the output of earlier runs: " + ir.RegisterFile + " and mcp_tools in " + strings.Join(l.plain, ", ")
	}
	l.diags.Error(diag.Pos{}, "no-directive", hint,
		"%s: no function has //mcp:tool, //mcp:resource or //mcp:prompt (packages read: %d)", strings.Join(patterns, " "), packages)
}

// packages runs go/packages.
func (l *loader) packages(mode packages.LoadMode, patterns []string) []*packages.Package {
	config := l.config
	config.Mode = mode
	roots, err := packages.Load(&config, patterns...)
	if err != nil {
		message, hint := goSays(err)
		l.diags.Error(diag.Pos{}, "load", hint, "%s: %s", strings.Join(patterns, " "), message)
		return nil
	}
	slices.SortFunc(roots, func(a, b *packages.Package) int { return strings.Compare(a.PkgPath, b.PkgPath) })
	return roots
}

// goSays is what the go command said, without what go/packages puts before it.
func goSays(err error) (message, hint string) {
	message = err.Error()
	if _, said, ok := strings.Cut(message, ": stderr: "); ok {
		message = strings.TrimPrefix(said, "go: ")
	}
	if strings.Contains(message, "go.mod file not found") {
		hint = "Go packages are read in their module: run toolmill in its folder, or begin one with go mod init"
	}
	return oneLine(message), hint
}

// directiveText is in every file that has a directive, or something that looks
// like one.
var directiveText = regexp.MustCompile(`(?im)^\s*(.*\S\s+)?//\s*\+?\s*mcp\s*[:-]`)

func mentionsDirective(files []string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		data, err := os.ReadFile(file)
		return err == nil && bytes.Contains(bytes.ToLower(data), []byte("mcp")) && directiveText.Match(data)
	})
}

// reportErrors adds what the compiler says about the annotated packages and
// what they import. Errors about our own output are no errors: it is about to
// be written anew. Nor are those that follow from errors in an import.
func (l *loader) reportErrors(roots []*packages.Package) {
	bad := map[*packages.Package]bool{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if !p.IllTyped && len(p.Errors) == 0 {
			return
		}
		for _, dep := range p.Imports {
			bad[p] = bad[p] || bad[dep]
		}
		if !bad[p] {
			bad[p] = l.reportErrorsOf(p)
		}
	})
}

// reportDirectives adds what is wrong with the directives of packages that do
// not compile, so that both can be corrected at once. A file that does not parse
// is left out: what comes after its error is not known.
func (l *loader) reportDirectives(roots []*packages.Package) {
	sources := newSources(l.fset, roots)
	for _, p := range roots {
		broken := map[string]bool{}
		for _, e := range p.Errors {
			if e.Kind == packages.ParseError {
				broken[l.parse(e.Pos).File] = true
			}
		}
		a := &annotator{directiveReader: directiveReader{l.positions, l.diags}, sources: sources}
		a.annotate(slices.DeleteFunc(slices.Clone(p.Syntax), func(f *ast.File) bool { return broken[l.pos(f.FileStart).File] }))
	}
}

// reportErrorsOf tells syntax errors, else type errors, else what the go
// command says; it returns whether there were any.
func (l *loader) reportErrorsOf(p *packages.Package) bool {
	said := map[diag.Pos]bool{}
	say := func(pos diag.Pos, message string) {
		if !said[pos] {
			l.diags.Error(pos, "compile", "", "%s", oneLine(message))
		}
		said[pos] = true
	}
	for _, e := range p.Errors {
		if pos := l.parse(e.Pos); e.Kind == packages.ParseError && len(said) == 0 && filepath.Base(pos.File) != ir.RegisterFile {
			say(pos, e.Msg)
		}
	}
	if len(said) > 0 {
		return true
	}
	for _, e := range p.TypeErrors {
		if l.aboutCode(e) {
			say(l.pos(e.Pos), e.Msg)
		}
	}
	if len(said) > 0 || len(p.TypeErrors) > 0 {
		return len(said) > 0
	}
	for _, e := range p.Errors {
		if pos := l.parse(e.Pos); !strings.Contains(e.Msg+pos.File, ir.RegisterFile) {
			say(pos, e.Msg)
		}
	}
	return len(said) > 0
}

// aboutCode reports whether a compiler error is about code that a person wrote,
// and not about our output, which is hidden, missing, stale or broken.
func (l *loader) aboutCode(e types.Error) bool {
	return filepath.Base(l.fset.Position(e.Pos).Filename) != ir.RegisterFile &&
		!strings.Contains(e.Msg, ir.RegisterFunc) && !strings.Contains(e.Msg, ir.DepsType)
}

// importable says why the output cannot import a package, if so.
func importable(p *packages.Package, output string) (why, hint string) {
	if p.Name == "main" {
		return "it is package main, which no server can import", "move the functions to a package of their own"
	}
	if output == p.PkgPath {
		return "the output is a program and cannot stand in the folder of a package", "write it into another folder"
	}
	if output == "" {
		return "", ""
	}
	parent, internal := cutInternal(p.PkgPath)
	if internal && output != parent && !strings.HasPrefix(output, parent+"/") {
		return "the output " + output + " may not import an internal package",
			"write the output below " + parent
	}
	return "", ""
}

// oneLine joins the lines of a message of the go command.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
