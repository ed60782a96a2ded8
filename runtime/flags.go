package runtime

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
)

// options is a parsed command line: the environment, overridden by flags.
type options struct {
	Config
	transport string
	http      httpOptions
	httpNames []string // of the flags that only -transport http has
	logLevel  slog.Level
	logFormat string
	trace     string // file
	version   bool

	config string // file
	print  bool   // the configuration
	try    bool   // whether the configuration would do

	def      *Definition
	settings []setting
	flags    *flag.FlagSet
	taken    map[string]*assigned // what was set, by flag or variable; see record
	source   string               // of what is being set
}

// usageError is a command line that cannot be run.
type usageError struct{ error }

// newOptions prepares the flags of def's server. The defaults shown by -h are
// those of [Config].
func newOptions(def *Definition) *options {
	o := &options{def: def, transport: "stdio", logFormat: "text", flags: flag.NewFlagSet(def.Name, flag.ContinueOnError)}
	o.settings = o.Config.settings(def)
	f := o.flags
	f.SetOutput(io.Discard)
	f.StringVar(&o.transport, "transport", "stdio", "`KIND` of transport: stdio or http (default stdio)")
	if def.callsAPI() {
		o.apiFlags()
	}
	o.callFlags()
	o.httpFlags()
	f.Func("timeout", "`TIME` that a call may take, such as 90s (default 1m)", duration(&o.Timeout))
	f.Func("max-response", "`BYTES` of a response that the model is given, 0 for all (default 100000)", o.setMaxResponse)
	f.StringVar(&o.Tools, "tools", "", "`MODE` of tools/list: all, search (three tools that find and call the others), or auto, which is search if all are over budget (default all)")
	f.IntVar(&o.ToolsBudget, "tools-budget", 0, "`TOKENS` that all tools may take under -tools=auto, about (default 25000)")
	f.Func("pin", "list tool `NAME` under -tools=search, too (repeatable)", o.pin)
	f.BoolVar(&o.StrictArguments, "strict-arguments", false, "refuse arguments that would be repaired, such as a number in a string")
	f.TextVar(&o.logLevel, "log-level", slog.LevelInfo, "least `LEVEL` to log: debug, info, warn or error (default info)")
	f.StringVar(&o.logFormat, "log-format", "text", "`FORMAT` of the log on standard error: text or json (default text)")
	f.StringVar(&o.trace, "trace", "", "record every message, secrets redacted, at the end of `FILE`, which toolmill trace prints")
	f.StringVar(&o.config, "config", "", "read `FILE`: a JSON object of flags and variables by name, over which the environment and the command line win")
	f.BoolVar(&o.print, "print-config", false, "print every flag and variable, its value and where that came from, secrets hidden, and exit")
	f.BoolVar(&o.try, "check-config", false, "say what is missing, without calling anyone, and exit: 0 if nothing is, else 1")
	f.BoolVar(&o.version, "version", false, "print the version and exit")
	return o
}

// apiFlags are the flags of a server that sends requests.
func (o *options) apiFlags() {
	f := o.flags
	f.StringVar(&o.BaseURL, "base-url", "", "`URL` of the API, in place of the document's servers; an operation with a server of its own keeps it, unless it is one of these")
	f.IntVar(&o.Upstream, "upstream", 0, "use server `N` of the document, counted from 0")
	f.Func("var", "set a server variable: `NAME=VALUE` (repeatable)", o.setVariable)
	f.Int64Var(&o.MaxBody, "max-body", 0, "`BYTES` of a response that are read at most (default 67108864)")
	f.Int64Var(&o.MaxBodyTotal, "max-body-total", 0, "`BYTES` of responses that all calls hold together, beyond the first 256 KiB of each (default 268435456)")
	f.BoolVar(&o.Select, "select", false, "let every tool take _fields, the fields of the answer to keep")
	f.BoolVar(&o.Paginate, "paginate", false, "let tools whose answers come in pages take _max_items, to read several pages in one call")
	o.mockFlags()
	f.StringVar(&o.Files, "files", "", "`DIR` that file arguments may name files in")
	f.BoolVar(&o.PassToken, "pass-token", false, "give the API the bearer token of each call that came over HTTP, in place of the server's credential")
	f.Func("pass-header", "give the API header `NAME` of each call that came over HTTP, never on stdio (repeatable)", o.addHeader)
}

// parse reads the command line, flag.ErrHelp if it asks for help.
func (o *options) parse(args []string) error {
	err := o.flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil:
		return &usageError{o.unknownFlag(err)}
	case o.flags.NArg() > 0:
		return &usageError{fmt.Errorf("unexpected argument %q", o.flags.Arg(0))}
	case o.transport != "stdio" && o.transport != "http":
		return &usageError{fmt.Errorf("-transport %s: there are stdio and http", o.transport)}
	case o.logFormat != "text" && o.logFormat != "json":
		return &usageError{fmt.Errorf("-log-format %s: there are text and json", o.logFormat)}
	case o.Tools != "" && o.Tools != AllTools && o.Tools != SearchTools && o.Tools != AutoTools:
		return &usageError{fmt.Errorf("-tools %s: there are all, search and auto", o.Tools)}
	case o.ToolsBudget < 0:
		return &usageError{errors.New("-tools-budget must not be negative")}
	case o.MaxBody < 0 || o.MaxBodyTotal < 0:
		return &usageError{errors.New("-max-body and -max-body-total must not be negative")}
	}
	err = o.checkCalls()
	if whole := o.config == "" || o.taken != nil; err == nil && whole { // the file may say what a flag needs
		err = o.checkHTTP()
	}
	if err != nil {
		return &usageError{err}
	}
	return nil
}

// unknownFlag adds to the flag package's error for an unknown flag the one that
// was probably meant. The package has no type for that error.
func (o *options) unknownFlag(err error) error {
	name, unknown := strings.CutPrefix(err.Error(), "flag provided but not defined: -")
	if !unknown {
		return err
	}
	var names []string
	o.flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	near := nearest(name, names)
	if near != "" {
		near = "-" + near
	}
	return fmt.Errorf("there is no flag -%s%s", name, didYouMean(near))
}

// baseURLSource names where the base URL came from, if there is one.
func (o *options) baseURLSource(def *Definition) string {
	variable := def.EnvPrefix + "BASE_URL"
	flagged, named := o.taken["base-url"], o.taken[variable]
	switch {
	case flagged != nil && flagged.source == fromFlags:
		return "-base-url"
	case named != nil && named.source != fromEnvironment:
		return variable + " in " + named.source
	case named == nil && flagged != nil:
		return "base-url in " + flagged.source
	}
	return variable
}

func (o *options) setVariable(text string) error {
	name, value, found := strings.Cut(text, "=")
	if !found || name == "" {
		return errors.New("it must be NAME=VALUE")
	}
	if o.Variables == nil {
		o.Variables = map[string]string{}
	}
	o.Variables[name] = value
	return nil
}

func (o *options) setMaxResponse(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("it must be a number of bytes")
	}
	if o.MaxResponse = n; n == 0 {
		o.MaxResponse = -1
	}
	return nil
}

func (o *options) pin(name string) error {
	o.Pinned = append(o.Pinned, name)
	return nil
}

func (o *options) addHeader(name string) error {
	if name == "" || strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		return errors.New("it must be the name of a header")
	}
	o.PassHeaders = append(o.PassHeaders, name)
	return nil
}

// usage is the text of -h.
func (o *options) usage(def *Definition, program string) string {
	var b strings.Builder
	title := def.Title
	if title == "" {
		title = def.Name
	}
	fmt.Fprintf(&b, "%s as an MCP server", printable(title))
	if def.Version != "" {
		fmt.Fprintf(&b, ", version %s", printable(def.Version))
	}
	fmt.Fprintf(&b, "\n\nUsage: %s [flags]\n\nFlags:\n", filepath.Base(program))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	o.flags.VisitAll(func(f *flag.Flag) {
		value, about := flag.UnquoteUsage(f)
		fmt.Fprintf(w, "  -%s\t%s\n", strings.TrimSpace(f.Name+" "+value), about)
	})
	fmt.Fprint(w, "\n")
	w.Flush()
	switch {
	case len(o.settings) == 0:
		return strings.TrimSuffix(b.String(), "\n")
	case def.callsAPI():
		fmt.Fprint(&b, "Environment (each also as NAME_FILE, a file that holds the value; the flags -base-url and -var win over it):\n")
	default:
		fmt.Fprint(&b, "Environment (each also as NAME_FILE, a file that holds the value):\n")
	}
	for _, s := range o.settings {
		fmt.Fprintf(w, "  %s\t%s\n", s.name, s.about)
	}
	w.Flush()
	return b.String()
}
