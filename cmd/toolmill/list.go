package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

func newList() *cobra.Command {
	s := newSettings()
	r := &reporter{skipsInTable: true}
	cmd := &cobra.Command{
		Use:   "list [SOURCE]",
		Short: "print the tools that a document gives",
		Long: `list prints the tools that a document gives, what each of them requests, its
hints and about how many tokens of a model's context it takes; then the
operations that give none, and why. It writes nothing to disk.

SOURCE is an OpenAPI document, a folder that holds one, or with -allow-remote
its address.

` + reportFields,
		Args: oneSource,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.stdout, r.stderr = cmd.OutOrStdout(), cmd.ErrOrStderr()
			p := startProgress(r.stderr)
			_, err := r.load(cmd.Context(), s, args, p)
			p.stop()
			return r.finish(cmd.Context(), err, r.table)
		},
	}
	cmd.Flags().SortFlags = false
	cmd.Flags().AddFlagSet(s.reading)
	s.configFlag(cmd)
	cmd.Flags().BoolVar(&r.json, "json", false, "print one JSON object instead of a table")
	return cmd
}

// table prints the tools and skips in columns.
func (r *report) table(w io.Writer) {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(columns, "TOOL\tREQUEST\tHINTS\tTOKENS\n")
	for _, t := range r.Tools {
		fmt.Fprintf(columns, "%s\t%s %s\t%s\t%s\n", t.Name, t.Method, oneLine(t.Path), t.Hints, thousands(t.Tokens))
	}
	columns.Flush()
	if len(r.Skips) > 0 {
		fmt.Fprint(columns, "\nSKIPPED\tWHERE\tREASON\n")
		for _, s := range r.Skips {
			fmt.Fprintf(columns, "%s\t%s\t%s [%s]\n", oneLine(s.What), s.Pos, oneLine(s.Reason), s.Code)
		}
		columns.Flush()
	}
	fmt.Fprintln(w)
	r.summary(w)
}

// String names the hints as TOOLS.md does: what a read-only tool does not
// destroy goes without saying, and so does that an API is an open world.
func (h hintsReport) String() string {
	var words []string
	switch {
	case h.ReadOnly:
		words = append(words, "read-only")
	case h.Destructive:
		words = append(words, "destructive")
	}
	if h.Idempotent && !h.ReadOnly {
		words = append(words, "idempotent")
	}
	return strings.Join(words, ", ")
}

// oneLine keeps text of the document from breaking a table.
func oneLine(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return ' '
		}
		return c
	}, s)
}
