package main

import (
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/gofunc"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/parse/profile"
)

// reporter collects what a command finds and prints it once, at the end.
type reporter struct {
	report
	diags          diag.List
	json           bool
	skipsInTable   bool // what people read lists the skips, so stderr need not
	stdout, stderr io.Writer
}

// load completes the settings and reads the sources into the model. After an
// error there is nothing to go on with.
func (r *reporter) load(ctx context.Context, s *settings, args []string, p *progress) (*ir.Server, error) {
	if err := s.resolve(args, &r.diags); err != nil {
		return nil, err
	}
	if r.diags.HasErrors() {
		return nil, &failure{exit: exitUsage}
	}
	from, err := sortSources(s.sources)
	if err != nil {
		return nil, err
	}
	r.document, r.functions = from.document != "", len(from.packages) > 0
	if !r.document {
		if err := s.noDocument(); err != nil {
			return nil, err
		}
	}
	var server *ir.Server
	if r.document {
		p.step("reading %s", from.document)
		options := s.document
		options.Names = cmp.Or(s.names, ir.AsWritten)
		options.Markup = !s.diet.Takes("markup")
		server = openapi.Parse(ctx, from.document, options, &r.diags)
	}
	if r.functions {
		p.step("loading %s", strings.Join(from.packages, " "))
		options := gofunc.Options{Name: s.document.Name, Names: cmp.Or(s.names, ir.Snake), Tags: s.tags}
		if options.Package, err = s.importPath(); err != nil {
			return nil, err
		}
		functions := gofunc.Parse(ctx, from.packages, options, &r.diags)
		if server != nil && functions != nil {
			functions = ir.Merge(server, functions, &r.diags)
		}
		server = functions
	}
	if server == nil || r.diags.HasErrors() {
		return nil, &failure{exit: exitInput}
	}
	r.Diet = s.diet.Apply(server, &r.diags)
	profile.Apply(s.profile, server, &r.diags)
	r.fill(server)
	return server, r.withinBudget(server, s)
}

// finish prints everything: diagnostics and last of all err on standard error;
// the object, or what people shall read, on standard output. It returns the
// exit code as an error that has nothing more to say.
func (r *reporter) finish(ctx context.Context, err error, people func(io.Writer)) error {
	r.Diagnostics = r.diags.All()
	printDiagnostics(r.stderr, r.Diagnostics, r.skipsInTable && !r.json)
	r.Status = cmp.Or(r.Status, "done")
	f := &failure{exit: exitDone}
	if err != nil {
		f = asFailure(ctx, err)
		if f.exit != exitStale {
			r.Status = "failed"
		}
		if f.message != "" {
			r.Diagnostics = append(r.Diagnostics, f.diagnostic())
		}
	}
	switch {
	case r.json:
		if err := r.print(r.stdout); err != nil {
			return err
		}
	case r.Status != "failed":
		people(r.stdout)
	}
	if err == nil {
		return nil
	}
	return f // printed by run
}
