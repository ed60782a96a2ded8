package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/parse/profile"
	"github.com/seed7346ab69/toolmill/review"
)

// settings is what a project decides: the flags of generate that toolmill.yaml
// may hold under the same names, and source.
type settings struct {
	sources  []string
	names    ir.NameStyle // empty: as usual for documents, or for Go functions
	document openapi.Options
	tags     string
	output   string
	module   string
	runtime  gen.Runtime
	diet     *diet.Plan
	profile  string
	budget   budget
	strict   bool
	otel     bool
	lock     bool
	lint     lintSettings
	ship     shipping

	reading *pflag.FlagSet // about the document
	writing *pflag.FlagSet // about the output
	linting *pflag.FlagSet // of lint
	config  string         // the file; empty: toolmill.yaml if there is one
}

// pathFlag marks flags that hold paths: those in a file are relative to it.
const pathFlag = "path"

func newSettings() *settings {
	s := &settings{
		runtime: gen.Copy,
		diet:    diet.NewPlan(diet.Safe),
		reading: newFlagSet(),
		writing: newFlagSet(),
	}
	s.readingFlags()
	s.writingFlags()
	s.linting = s.lint.flags()
	return s
}

func (s *settings) readingFlags() {
	r := s.reading
	r.StringArrayVar(&s.document.Overlays, "overlay", nil, "apply this OpenAPI Overlay `FILE` to the document first; repeatable, applied in order")
	r.StringArrayVar(&s.document.AllowRef, "allow-ref", nil, "let $ref read this `FOLDER` too, beside the document's own; repeatable")
	r.BoolVar(&s.document.AllowRemote, "allow-remote", false, "read http and https addresses, as SOURCE and behind $ref")
	r.StringVar(&s.tags, "tags", "", "load Go packages with these build `TAGS`, separated by commas")
	r.StringVar(&s.document.Name, "name", "", "`NAME` of the server; made from the document's title, or the package, if not given")
	r.Var(choice[ir.NameStyle]{&s.names, []ir.NameStyle{ir.AsWritten, ir.Snake}}, "names",
		"name tools by operationId or function as written (id, the default for documents) or in snake_case (the default for Go)")
	r.Var(selectors{&s.document.Include}, "include",
		"make tools only of operations that this `SELECTOR` matches: tag:pets, op:getPet, path:/pets/**, method:GET, is:read-only\n(or destructive, idempotent, deprecated); * stands for any text; repeatable")
	r.Var(selectors{&s.document.Exclude}, "exclude", "leave out operations that this `SELECTOR` matches, also of those included; repeatable")
	r.BoolVar(&s.document.AllMethods, "all-methods", false, "make tools of HEAD, OPTIONS and TRACE operations too")
	r.BoolVar(&s.document.GetBody, "get-body", false, "send the request bodies that GET and HEAD operations declare")
	r.StringArrayVar(&s.document.MediaTypes, "media-type", nil, "prefer this media `TYPE` where a request body comes in several; repeatable, the first most")
	r.BoolVar(&s.document.OutputSchema, "output-schema", false, "promise the shape of results; clients check it, so the API must keep to its document")
	r.BoolVar(&s.document.FullDescriptions, "full-descriptions", false, "keep tool descriptions longer than 1,024 characters whole")
	r.Var(choice[string]{&s.profile, profile.Names()}, "profile", "rewrite schemas and names for one host")
	r.Var(&s.budget, "budget", "exit 5, nothing written, if all tools take more than this `NUMBER` of tokens")
	r.Var(s.diet, "diet", "cut what costs tokens: nothing, what a caller can do without (safe, the default), or all but first sentences and levels")
	s.dietFlags(r)
	isPath(r.Lookup("allow-ref"))
	isPath(r.Lookup("overlay"))
	beginSection(r.Lookup("overlay"), "The source")
	beginSection(r.Lookup("name"), "The tools")
	beginSection(r.Lookup("budget"), "What they cost")
}

func (s *settings) writingFlags() {
	w := s.writing
	w.StringVarP(&s.output, "output", "o", "", "write the server to this `FOLDER`; made if missing, files of others in it are never touched")
	w.StringVar(&s.module, "module", "", "make the output a module of its own with this `PATH`; else it is a package of the module around it")
	w.Var(choice[gen.Runtime]{&s.runtime, []gen.Runtime{gen.Copy, gen.Import}}, "runtime",
		"copy the runtime into the output (the default) or import toolmill's")
	w.BoolVar(&s.otel, "otel", false, "link OpenTelemetry, which the standard environment then turns on; see docs/observability.md")
	w.BoolVar(&s.document.Mock, "mock", false, "embed the document's examples, so that the server can answer without its API; see docs/mock.md")
	w.BoolVar(&s.strict, "strict", false, "an operation left out, a name used twice or an undefined security scheme is an error: exit 1, nothing written")
	w.BoolVar(&s.lock, "lock", false, "pin the surface in "+review.LockFile+", beside the config file or the document, or accept that it changed")
	s.ship.flags(w)
	isPath(w.Lookup("output"))
	beginSection(w.Lookup("output"), "The output")
}

// configFlag declares -config for a command.
func (s *settings) configFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.config, "config", "",
		"read flags by name from this YAML `FILE`, not from "+configFile+" in the current folder; the command line wins")
	beginSection(cmd.Flags().Lookup("config"), "This run")
}

// resolve completes s after parsing: SOURCE from the arguments, then whatever
// is still unsaid from the config file. Mistakes in the file are added to diags.
func (s *settings) resolve(args []string, diags *diag.List) error {
	file := newFlagSet()
	file.StringArrayVar(&s.sources, "source", nil, "")
	isPath(file.Lookup("source"))
	file.AddFlagSet(s.reading)
	file.AddFlagSet(s.writing)
	file.AddFlagSet(s.linting)
	for _, a := range args {
		_ = file.Set("source", a) // a string takes anything
	}
	if err := readConfig(s.config, file, diags); err != nil {
		return err
	}
	if len(s.sources) == 0 && !diags.HasErrors() {
		return usage("name an OpenAPI document, for example petstore.yaml, or Go packages, for example ./internal/shop, or write source: in "+configFile, "no SOURCE")
	}
	return nil
}

// importPath is that of the output folder, or empty.
func (s *settings) importPath() (string, error) {
	if s.module != "" || s.output == "" {
		return s.module, nil
	}
	return gen.PackagePath(s.output)
}

func newFlagSet() *pflag.FlagSet {
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	f.SortFlags = false
	return f
}

func isPath(f *pflag.Flag) { annotate(f, pathFlag) }
