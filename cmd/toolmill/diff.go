package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/review"
)

// diffFormat is how people read a comparison.
type diffFormat string

const (
	formatText     diffFormat = "text"
	formatMarkdown diffFormat = "markdown"
)

// diff is one run of the command.
type diff struct {
	*settings
	format diffFormat
	failOn string
	json   bool
	stderr io.Writer
}

// diffReport is the object that diff -json prints.
type diffReport struct {
	Status      string            `json:"status"` // "done", "failed", "refused"
	Old         diffSide          `json:"old"`
	New         diffSide          `json:"new"`
	Breaking    int               `json:"breaking"`
	Risky       int               `json:"risky"`
	Safe        int               `json:"safe"`
	Changes     []review.Change   `json:"changes"`
	Diagnostics []diag.Diagnostic `json:"diagnostics"`
}

type diffSide struct {
	Source string `json:"source"`
	Tools  int    `json:"tools"`
}

func newDiff() *cobra.Command {
	d := &diff{settings: newSettings(), format: formatText}
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "say what changed for a model or a client between two versions",
		Long: `diff compares the tools of two versions and says in words what changed for a
model, a client or an operator: tools and arguments that came, went or have
another name, types, values and limits, descriptions word by word, hints,
requests and credentials. Each change has a grade:

	breaking  calls, permissions or code that worked no longer do
	risky     calls go on working, but a model may choose, or a call may do,
	          something else
	safe      whatever worked goes on working

OLD and NEW are documents, Go packages, folders that toolmill wrote, or files
and folders of a git revision:

	toolmill diff HEAD~1:api.yaml api.yaml
	toolmill diff main:petstore petstore

As with git show, the path of a revision counts from the top of the repository,
or with ./ from the current folder. Documents are read with the flags of now and
the overlays of their revision; what these say of operations that are not there
is no error. Two folders that toolmill wrote also show what other flags did. Add
-output-schema to compare the results of documents too.

Exit codes: 0 done, 1 the input is missing or has errors, 2 usage, 5 -fail-on.

-json prints one object on standard output: status (done, failed, refused); old
and new with source and tools; breaking, risky and safe, which count; changes
with tool, rule, grade, path, message, old, new of each; diagnostics.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			d.stderr = cmd.ErrOrStderr()
			if len(args) != 2 {
				return usage("for example: toolmill diff HEAD~1:api.yaml api.yaml", "diff takes OLD and NEW, got %d", len(args))
			}
			return d.run(cmd.Context(), args[0], args[1], cmd.OutOrStdout())
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(choice[diffFormat]{&d.format, []diffFormat{formatText, formatMarkdown}}, "format", "for a terminal (the default) or for a comment on a pull request")
	flags.Var(choice[string]{&d.failOn, []string{review.Breaking.String(), review.Risky.String()}}, "fail-on", "exit 5 if a change has this grade or a worse one")
	d.reading.VisitAll(func(f *pflag.Flag) {
		if f.Name != "budget" {
			flags.AddFlag(f)
		}
	})
	d.configFlag(cmd)
	flags.BoolVar(&d.json, "json", false, "print one JSON object instead")
	return cmd
}

func (d *diff) run(ctx context.Context, old, new string, w io.Writer) error {
	out := diffReport{Old: diffSide{Source: old}, New: diffSide{Source: new}, Changes: []review.Change{}, Diagnostics: []diag.Diagnostic{}}
	report, err := d.compare(ctx, &out)
	f := &failure{exit: exitDone}
	switch {
	case err != nil:
		f = asFailure(ctx, err)
		out.Status = "failed"
	default:
		out.Breaking, out.Risky, out.Safe = report.Count(review.Breaking), report.Count(review.Risky), report.Count(review.Safe)
		out.Changes = append(out.Changes, report.Changes...)
		if f = d.verdict(&out); f.exit != exitDone {
			out.Status = "refused"
		}
	}
	if f.message != "" {
		out.Diagnostics = append(out.Diagnostics, f.diagnostic())
	}
	switch {
	case d.json:
		if err := printJSON(w, &out); err != nil {
			return err
		}
	case report != nil && d.format == formatMarkdown:
		report.Markdown(w)
	case report != nil:
		report.Text(w)
	}
	if f.exit == exitDone {
		return nil
	}
	return f
}

// compare reads both sides.
func (d *diff) compare(ctx context.Context, out *diffReport) (*review.Report, error) {
	if err := d.configure(out); err != nil {
		return nil, err
	}
	old, err := d.read(ctx, out.Old.Source, &out.Diagnostics)
	if err != nil {
		return nil, err
	}
	new, err := d.read(ctx, out.New.Source, &out.Diagnostics)
	if err != nil {
		return nil, err
	}
	out.Status, out.Old.Tools, out.New.Tools = "done", len(old.Tools), len(new.Tools)
	return review.Diff(old, new), nil
}

// configure reads the config file, once for both sides.
func (d *diff) configure(out *diffReport) error {
	d.reading.Lookup("budget").Changed = true // the config file does not count
	var found diag.List
	if err := d.resolve([]string{out.Old.Source}, &found); err != nil {
		return err
	}
	if found.HasErrors() {
		out.Diagnostics = append(out.Diagnostics, found.All()...)
		printDiagnostics(d.stderr, found.All(), false)
		return &failure{exit: exitUsage}
	}
	d.reading.VisitAll(func(f *pflag.Flag) { f.Changed = true })
	d.document.OtherVersion = true
	return nil
}

// verdict is -fail-on.
func (d *diff) verdict(out *diffReport) *failure {
	var message string
	switch {
	case d.failOn != "" && out.Breaking > 0:
		message = count(out.Breaking, "breaking change")
	case d.failOn == review.Risky.String() && out.Risky > 0:
		message = count(out.Risky, "risky change")
	default:
		return &failure{exit: exitDone}
	}
	return &failure{exit: exitStale, code: "changed", message: message,
		hint: "keep what was, or accept the changes by leaving out -fail-on"}
}

// read reads one side. Of what reading finds, only errors matter here.
func (d *diff) read(ctx context.Context, source string, diags *[]diag.Diagnostic) (*review.Surface, error) {
	name, rename := source, func(x diag.Diagnostic) diag.Diagnostic { return x }
	if rev, file, ok := splitRevision(source); ok {
		defer func(before openapi.Options) { d.document = before }(d.document)
		r, err := d.checkOut(ctx, rev, file)
		if err != nil {
			return nil, err
		}
		defer r.remove()
		source, rename = r.file(), r.rename
	}
	if info, err := os.Stat(source); err == nil && info.IsDir() {
		if folder := os.DirFS(source); review.IsFolder(folder) {
			return readFolder(folder, name)
		}
	}
	r := &reporter{stdout: io.Discard, stderr: d.stderr}
	p := startProgress(d.stderr)
	server, err := r.load(ctx, d.settings, []string{source}, p)
	p.stop()
	var errs []diag.Diagnostic
	for _, x := range r.diags.All() {
		if x.Severity == diag.Error {
			errs = append(errs, rename(x))
		}
	}
	printDiagnostics(d.stderr, errs, false)
	*diags = append(*diags, errs...)
	if err != nil {
		return nil, err
	}
	return review.FromServer(server)
}

func readFolder(folder fs.FS, name string) (*review.Surface, error) {
	s, err := review.ReadFolder(folder)
	if err != nil {
		return nil, &failure{exit: exitInput, code: "unreadable-output", message: name + ": " + err.Error(),
			hint: "generate it again"}
	}
	return s, nil
}

// checkOut copies a revision, with the overlays, and the folders that -allow-ref
// names, as they are there. An overlay that is not there yet is left out.
func (d *diff) checkOut(ctx context.Context, rev, file string) (*revision, error) {
	options := &d.document
	r, err := checkOut(ctx, rev, file, slices.Concat(options.AllowRef, options.Overlays))
	if err != nil {
		return nil, err
	}
	var allowed, overlays []string
	for _, dir := range options.AllowRef {
		if rel := r.inside(dir); rel != "" {
			allowed = append(allowed, filepath.Join(r.dir, filepath.FromSlash(rel)))
		}
	}
	for _, overlay := range options.Overlays {
		if rel := r.inside(overlay); rel != "" {
			overlay = filepath.Join(r.dir, filepath.FromSlash(rel))
			if _, err := os.Stat(overlay); errors.Is(err, fs.ErrNotExist) {
				continue
			}
		}
		overlays = append(overlays, overlay)
	}
	options.AllowRef, options.Overlays = append(slices.Clone(options.AllowRef), allowed...), overlays
	return r, nil
}

// printJSON writes one object for machines.
func printJSON(w io.Writer, object any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(object)
}
