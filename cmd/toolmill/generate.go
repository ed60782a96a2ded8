package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/review"
)

// generate is one run of the command.
type generate struct {
	*settings
	reporter
	check  bool
	dryRun bool
	pinned *lock
}

func newGenerate() *cobra.Command {
	g := &generate{settings: newSettings()}
	cmd := &cobra.Command{
		Use:   "generate [SOURCE...] -o FOLDER",
		Short: "write the MCP server of a document or of Go functions",
		Long: `generate reads an OpenAPI document, annotated Go packages or both, and writes
one MCP server in Go that offers each operation and function as a tool.

SOURCE is a document or a package. A document is a file (Swagger 2.0, OpenAPI
3.0, 3.1 or 3.2, YAML or JSON), a folder that holds one, or with -allow-remote
its address. A package is a folder of Go files (./internal/shop, ./...) or an
import path; its functions with a comment //mcp:tool become tools, and it gets a
file mcp_gen.go that makes them so. SOURCE and every flag about it or the output
can stand in ` + configFile + ` instead:

	source: [petstore.yaml, ./internal/shop]
	output: ./petstore
	names: snake

The output is written whole or not at all; only files that differ change, and a
file that toolmill did not write is never touched. main.go is written once and
is yours from then on.

Exit codes: 0 done, 1 the input is missing or has errors, 2 the command line or
the config file is wrong, 5 stale output, a surface that is not the pinned one
(-check), or more tokens than the -budget.

` + reportFields,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			g.stdout, g.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			return g.finish(cmd.Context(), g.run(cmd.Context(), args), g.people)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.AddFlagSet(g.writing)
	flags.AddFlagSet(g.reading)
	g.configFlag(cmd)
	flags.BoolVar(&g.check, "check", false, "write nothing; exit 5 if the output is not what would be written, or the surface not what "+review.LockFile+" pins")
	flags.BoolVar(&g.dryRun, "dry-run", false, "write nothing; print what would change")
	flags.BoolVar(&g.json, "json", false, "print one JSON object instead of the summary")
	return cmd
}

func (g *generate) run(ctx context.Context, args []string) error {
	p := startProgress(g.stderr)
	defer p.stop()
	server, err := g.load(ctx, g.settings, args, p)
	if err != nil {
		return err
	}
	if g.output == "" {
		return usage("give it with -o, for example -o ./"+server.Name+", or write output: in "+configFile, "no output folder")
	}
	if g.strict {
		if err := g.refuseFlaws(server); err != nil {
			return err
		}
	}
	p.step("printing %s", count(len(g.Tools), "tool"))
	tree, err := g.tree(server)
	if err != nil {
		return err
	}
	if g.pinned, err = g.openLock(server, tree); err != nil {
		return err
	}
	p.step("writing %s", g.output)
	return g.write(ctx, tree)
}

// strictFlaws are warnings that -strict makes errors.
var strictFlaws = []struct{ code, what, how string }{
	{"duplicate-operation-id", "operationId", " used twice"},
	{"unknown-security", "security scheme", " not defined"},
	{"no-description", "function", " without a description"},
}

// refuseFlaws is -strict: what is otherwise left out or renamed is an error.
func (g *generate) refuseFlaws(server *ir.Server) error {
	var flaws []string
	if n := len(server.Skips); n > 0 {
		flaws = append(flaws, count(n, g.unit())+" left out")
	}
	for _, flaw := range strictFlaws {
		n := 0
		for _, d := range g.diags.All() {
			if d.Code == flaw.code {
				n++
			}
		}
		if n > 0 {
			flaws = append(flaws, count(n, flaw.what)+flaw.how)
		}
	}
	if len(flaws) == 0 {
		return nil
	}
	return &failure{exit: exitInput, code: "strict", message: "nothing written: " + strings.Join(flaws, ", "),
		hint: "correct the source, or generate without -strict"}
}

// tree prints the server for the place where its output will stand.
func (g *generate) tree(server *ir.Server) (*gen.Tree, error) {
	pkg, err := g.importPath()
	if err != nil {
		return nil, err
	}
	packaging, err := g.ship.packaging()
	if err != nil {
		return nil, err
	}
	return gen.Generate(server, gen.Options{Package: pkg, Module: g.module, Runtime: g.runtime, Otel: g.otel, Mock: g.document.Mock, Packaging: packaging})
}

// write makes the output folder hold the tree, or says how it differs.
func (g *generate) write(ctx context.Context, tree *gen.Tree) error {
	act := tree.Write
	if g.check || g.dryRun {
		act = tree.Diff
	}
	// Once begun, writing is not interrupted: it is short, and then complete.
	if err := ctx.Err(); err != nil {
		return err
	}
	changes, err := act(g.output)
	if err != nil {
		return err
	}
	for _, w := range changes.Warnings {
		g.diags.Add(w)
	}
	g.ship.noteExamples(changes.Files, &g.diags)
	g.Output, g.Files = g.output, newFilesReport(tree.Files, changes.Files)
	for i, p := range changes.Packages {
		g.Packages = append(g.Packages, packageReport{
			Dir: p.Dir, Path: tree.Packages[i].ImportPath, filesReport: *newFilesReport(tree.Packages[i].Files, p.Files),
		})
	}
	if err := g.pin(g.pinned); err != nil {
		return err
	}
	if g.check {
		return g.verdict(changes)
	}
	if g.dryRun {
		g.Status = "dry-run"
	}
	return nil
}

// verdict is -check: is the output what the source gives, and the surface the
// pinned one?
func (g *generate) verdict(changes *gen.Changes) error {
	unpinned := g.Lock != nil && g.Lock.Status != "current"
	if changes.Count() == 0 && !unpinned {
		return nil
	}
	g.Status = "stale"
	f := &failure{exit: exitStale, code: "lock"}
	if unpinned {
		f.message, f.hint = g.lockMessage(), g.lockHint()
	}
	if changes.Count() == 0 {
		return f
	}
	if unpinned {
		g.diags.Add(diag.Diagnostic{Pos: diag.Pos{File: g.Lock.File}, Severity: diag.Error, Code: f.code, Message: f.message, Hint: f.hint})
	}
	f.code = "stale"
	f.message = fmt.Sprintf("%s is not what %s gives: %s to change", g.output, g.Source, count(changes.Count(), "file"))
	f.hint = "run the same command without -check"
	if g.Files.Edited = g.pinned.edited(changes); len(g.Files.Edited) > 0 {
		f.message += "; edited by hand, or written from another source: " + someFiles(g.Files.Edited)
		f.hint += ", which undoes edits: put them into the document or an overlay"
	}
	return f
}

// someFiles names files, at most a few.
func someFiles(names []string) string {
	const most = 5
	text := strings.Join(names[:min(most, len(names))], ", ")
	if n := len(names) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// newFilesReport sorts files by what happened to them.
func newFilesReport(files []gen.File, changes []gen.Change) *filesReport {
	f := &filesReport{}
	touched := make(map[string]bool, len(changes))
	for _, c := range changes {
		touched[c.Path] = true
		if c.Action == gen.Remove {
			f.Removed = append(f.Removed, c.Path)
		} else {
			f.Written = append(f.Written, c.Path)
		}
	}
	for _, file := range files {
		if !touched[file.Path] {
			f.Unchanged = append(f.Unchanged, file.Path)
		}
	}
	return f
}

// people prints what was done.
func (g *generate) people(w io.Writer) {
	g.summary(w)
	for _, p := range g.Packages {
		p.print(w, p.Dir, g.Status)
	}
	if g.Files != nil {
		g.Files.print(w, g.Output, g.Status)
	}
	switch {
	case g.Lock == nil || g.Lock.Status == "current":
	case g.Lock.Status == "written":
		fmt.Fprintf(w, "%s: %s\n", g.Lock.File, cmp.Or(g.Lock.String(), samePinned))
	case g.dryRun && g.lock:
		fmt.Fprintf(w, "would write %s: %s\n", g.Lock.File, cmp.Or(g.Lock.String(), samePinned))
	}
}

// print says what was done in one folder.
func (f *filesReport) print(w io.Writer, dir, status string) {
	switch {
	case len(f.Written)+len(f.Removed) == 0:
		fmt.Fprintf(w, "%s: nothing to change in %s\n", dir, count(len(f.Unchanged), "file"))
	case status == "done":
		fmt.Fprintf(w, "%s: %s written, %d removed, %d unchanged\n",
			dir, count(len(f.Written), "file"), len(f.Removed), len(f.Unchanged))
	default:
		for _, name := range f.Written {
			fmt.Fprintf(w, "would write %s/%s\n", dir, name)
		}
		for _, name := range f.Removed {
			fmt.Fprintf(w, "would remove %s/%s\n", dir, name)
		}
	}
}
