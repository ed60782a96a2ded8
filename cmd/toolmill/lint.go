package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/review"
)

// lint is one run of the command.
type lint struct {
	*settings
	reporter
	json  bool
	found *review.LintReport
}

// lintReport is the object that lint -json prints.
type lintReport struct {
	Status      string            `json:"status"` // "done", "failed", "refused"
	Source      string            `json:"source,omitempty"`
	Score       int               `json:"score"`
	Tools       int               `json:"tools"`
	Findings    []review.Finding  `json:"findings"`
	Diagnostics []diag.Diagnostic `json:"diagnostics"`
}

// lintSettings are those that toolmill.yaml holds under lint.
type lintSettings struct {
	disable   []string
	failUnder int
}

// lintPrefix stands before the names of these settings, where all are together.
const lintPrefix = "lint."

func (s *lintSettings) flags() *pflag.FlagSet {
	f := newFlagSet()
	f.Var(codes{&s.disable}, lintPrefix+"disable", "leave out the rule of this `CODE`; repeatable, or several with commas")
	f.Var(score{&s.failUnder}, lintPrefix+"fail-under", "exit 5 if the score is below `N`, 0 to 100")
	return f
}

func newLint() *cobra.Command {
	l := &lint{settings: newSettings()}
	cmd := &cobra.Command{
		Use:   "lint [SOURCE...]",
		Short: "find what makes tools hard to choose and to call",
		Long: `lint reads the tools of a document or of Go functions as a model does and prints
what makes them hard to use, where that is written and what to do about it. The
score, 0 to 100, is the mean of what each tool keeps of 100 points. Texts are
judged as they are written, before the steps of -diet and -profile.

The rules, and the points that each can cost a tool:

` + lintRules() + `
` + configFile + ` can switch rules off:

	lint:
	  disable: [endpoint-talk, no-operation-id]
	  fail-under: 80

Exit codes: 0 done, 1 the input is missing or has errors, 2 usage, 5 -fail-under.

-json prints one object on standard output: status (done, failed, refused);
source; score; tools, which counts; findings with file, line, col, code,
message, hint, tool, cost of each; diagnostics.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			l.stdout, l.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			cmd.Flags().Visit(func(f *pflag.Flag) {
				if known := l.linting.Lookup(lintPrefix + f.Name); known != nil {
					known.Changed = true // the config file does not count
				}
			})
			return l.finish(cmd.Context(), l.run(cmd.Context(), args))
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	l.linting.VisitAll(func(f *pflag.Flag) {
		short := *f
		short.Name = strings.TrimPrefix(f.Name, lintPrefix)
		flags.AddFlag(&short)
	})
	l.reading.VisitAll(func(f *pflag.Flag) {
		if !isAboutList(f) {
			flags.AddFlag(f)
		}
	})
	l.configFlag(cmd)
	flags.BoolVar(&l.json, "json", false, "print one JSON object instead")
	return cmd
}

// lintRules lists the rules for the help text.
func lintRules() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, r := range review.LintRules {
		fmt.Fprintf(w, "\t%s\t%d\t%s\n", r.Code, r.Cost, r.Finds)
	}
	w.Flush()
	return b.String()
}

func (l *lint) run(ctx context.Context, args []string) error {
	l.asWritten()
	p := startProgress(l.stderr)
	defer p.stop()
	server, err := l.load(ctx, l.settings, args, p)
	if err != nil {
		return err
	}
	p.step("reading %s", count(len(l.Tools), "tool"))
	if l.found, err = review.Lint(server, l.lint.disable); err != nil {
		return err
	}
	if l.found.Score < l.lint.failUnder {
		l.Status = "refused"
		return &failure{exit: exitStale, code: "score", message: fmt.Sprintf("the score is %d, below %d", l.found.Score, l.lint.failUnder),
			hint: "follow the hints, those of the rules that cost most first"}
	}
	return nil
}

// isAboutList reports whether a flag is about what is made of texts after reading,
// and what that costs.
func isAboutList(f *pflag.Flag) bool {
	return isDiet(f) || f.Name == "profile" || f.Name == "budget"
}

// asWritten switches off what rewrites texts after reading: the config file does
// not count there.
func (l *lint) asWritten() {
	l.diet = diet.NewPlan(diet.None)
	l.reading.VisitAll(func(f *pflag.Flag) {
		f.Changed = f.Changed || isAboutList(f)
	})
}

// finish prints what was found, and of what reading found only errors.
func (l *lint) finish(ctx context.Context, err error) error {
	out := lintReport{Status: cmp.Or(l.Status, "done"), Source: l.Source, Findings: []review.Finding{}, Diagnostics: []diag.Diagnostic{}}
	for _, d := range l.diags.All() {
		if d.Severity == diag.Error {
			out.Diagnostics = append(out.Diagnostics, d)
		}
	}
	printDiagnostics(l.stderr, out.Diagnostics, false)
	f := &failure{exit: exitDone}
	if err != nil {
		f = asFailure(ctx, err)
		if f.exit != exitStale {
			out.Status = "failed"
		}
		if f.message != "" {
			out.Diagnostics = append(out.Diagnostics, f.diagnostic())
		}
	}
	if l.found != nil {
		out.Score, out.Tools = l.found.Score, l.found.Tools
		out.Findings = append(out.Findings, l.found.Findings...)
	}
	switch {
	case l.json:
		if err := printJSON(l.stdout, &out); err != nil {
			return err
		}
	case l.found != nil:
		l.people(l.stdout)
	}
	if err == nil {
		return nil
	}
	return f
}

// people prints the findings, then the score and how often each rule found
// something. Findings of one rule at one place, as about a shared parameter, are
// one line; the hint follows the first of each rule.
func (l *lint) people(w io.Writer) {
	times := map[string]int{}
	all := l.found.Findings
	for i := 0; i < len(all); {
		d := all[i].Diagnostic
		n := 1
		for i+n < len(all) && all[i+n].Pos == d.Pos && all[i+n].Code == d.Code {
			n++
		}
		if n > 1 {
			d.Message += fmt.Sprintf(" (and %s)", count(n-1, "more tool"))
		}
		if times[d.Code] > 0 {
			d.Hint = ""
		}
		fmt.Fprintln(w, d)
		times[d.Code] += n
		i += n
	}
	if len(all) > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s: score %d of 100 for %s, %s\n", l.Source, l.found.Score, count(l.found.Tools, "tool"), count(len(all), "finding"))
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range review.LintRules {
		if n := times[r.Code]; n > 0 {
			fmt.Fprintf(columns, "  %s\t%s\n", r.Code, thousands(n))
		}
	}
	columns.Flush()
}

// score is the value of a flag that takes a score.
type score struct{ n *int }

func (s score) Type() string { return "N" }

func (s score) String() string {
	if s.n == nil {
		return "0"
	}
	return strconv.Itoa(*s.n)
}

// Set takes a number from 0 to 100.
func (s score) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 100 {
		return fmt.Errorf("%q is no score: give a number from 0 to 100", text)
	}
	*s.n = n
	return nil
}

// codes is the value of a flag that takes codes of rules.
type codes struct{ list *[]string }

func (c codes) Type() string { return "CODE" }

func (c codes) String() string {
	if c.list == nil {
		return ""
	}
	return strings.Join(*c.list, ",")
}

// Set adds codes.
func (c codes) Set(s string) error {
	var known []string
	for _, r := range review.LintRules {
		known = append(known, r.Code)
	}
	for word := range strings.SplitSeq(s, ",") {
		word = strings.TrimSpace(word)
		if !slices.Contains(known, word) {
			return fmt.Errorf("there is no rule %q; %s", word, didYouMean(word, known, "toolmill lint -h lists them"))
		}
		*c.list = append(*c.list, word)
	}
	return nil
}

// Append adds codes; with Replace and GetSlice it lets a config file give a list.
func (c codes) Append(s string) error { return c.Set(s) }

// Replace sets codes in place of those before.
func (c codes) Replace(all []string) error {
	*c.list = nil
	for _, s := range all {
		if err := c.Set(s); err != nil {
			return err
		}
	}
	return nil
}

// GetSlice returns the codes.
func (c codes) GetSlice() []string { return *c.list }
