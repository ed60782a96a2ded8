package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// generate is one run of the command.
type generate struct {
	*settings
	reporter
	check  bool
	dryRun bool
}

func newGenerate() *cobra.Command {
	g := &generate{settings: newSettings()}
	cmd := &cobra.Command{
		Use:   "generate [SOURCE] -o FOLDER",
		Short: "write the MCP server of a document",
		Long: `generate reads an OpenAPI document and writes an MCP server in Go that offers
each operation as a tool.

SOURCE is a file (Swagger 2.0, OpenAPI 3.0, 3.1 or 3.2, YAML or JSON), a folder
that holds one, or with -allow-remote its address. It and every flag about the
document or the output can stand in ` + configFile + ` instead:

	source: petstore.yaml
	output: ./petstore
	names: snake

The output is written whole or not at all; only files that differ change, and a
file that toolmill did not write is never touched. main.go is written once and
is yours from then on.

Exit codes: 0 done, 1 the input has errors, 2 usage, 5 stale output (-check).

` + reportFields,
		Args: oneSource,
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
	flags.BoolVar(&g.check, "check", false, "write nothing; exit 5 if the output is not what would be written")
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
	p.step("writing %s", g.output)
	return g.write(ctx, tree)
}

// codeSameName is the code of package openapi for operations that share an
// operationId.
const codeSameName = "duplicate-operation-id"

// refuseFlaws is -strict: what is otherwise left out or renamed is an error.
func (g *generate) refuseFlaws(server *ir.Server) error {
	var flaws []string
	if n := len(server.Skips); n > 0 {
		flaws = append(flaws, count(n, "operation")+" left out")
	}
	twice := 0
	for _, d := range g.diags.All() {
		if d.Code == codeSameName {
			twice++
		}
	}
	if twice > 0 {
		flaws = append(flaws, count(twice, "operationId")+" used twice")
	}
	if len(flaws) == 0 {
		return nil
	}
	return &failure{exit: exitInput, code: "strict", message: "nothing written: " + strings.Join(flaws, ", "),
		hint: "correct the document, or generate without -strict"}
}

// tree prints the server for the place where its output will stand.
func (g *generate) tree(server *ir.Server) (*gen.Tree, error) {
	pkg := g.module
	if pkg == "" {
		var err error
		if pkg, err = gen.PackagePath(g.output); err != nil {
			return nil, err
		}
	}
	return gen.Generate(server, gen.Options{Package: pkg, Module: g.module, Runtime: g.runtime})
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
	g.Output, g.Files = g.output, newFilesReport(tree, changes)
	switch {
	case g.check && len(changes.Files) > 0:
		g.Status = "stale"
		return &failure{exit: exitStale, code: "stale",
			message: fmt.Sprintf("%s is not what %s gives: %s to change", g.output, g.Source, count(len(changes.Files), "file")),
			hint:    "run the same command without -check"}
	case g.dryRun:
		g.Status = "dry-run"
	}
	return nil
}

// newFilesReport sorts the files of the tree by what happened to them.
func newFilesReport(tree *gen.Tree, changes *gen.Changes) *filesReport {
	f := &filesReport{}
	touched := make(map[string]bool, len(changes.Files))
	for _, c := range changes.Files {
		touched[c.Path] = true
		if c.Action == gen.Remove {
			f.Removed = append(f.Removed, c.Path)
		} else {
			f.Written = append(f.Written, c.Path)
		}
	}
	for _, file := range tree.Files {
		if !touched[file.Path] {
			f.Unchanged = append(f.Unchanged, file.Path)
		}
	}
	return f
}

// people prints what was done.
func (g *generate) people(w io.Writer) {
	g.summary(w)
	f := g.Files
	switch {
	case len(f.Written)+len(f.Removed) == 0:
		fmt.Fprintf(w, "%s: nothing to change in %s\n", g.Output, count(len(f.Unchanged), "file"))
	case g.Status == "done":
		fmt.Fprintf(w, "%s: %s written, %d removed, %d unchanged\n",
			g.Output, count(len(f.Written), "file"), len(f.Removed), len(f.Unchanged))
	default:
		for _, name := range f.Written {
			fmt.Fprintf(w, "would write %s/%s\n", g.Output, name)
		}
		for _, name := range f.Removed {
			fmt.Fprintf(w, "would remove %s/%s\n", g.Output, name)
		}
	}
}
