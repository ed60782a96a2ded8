package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/spf13/cobra"
)

func newList() *cobra.Command {
	s := newSettings()
	r := &reporter{skipsInTable: true}
	cmd := &cobra.Command{
		Use:   "list [SOURCE...]",
		Short: "print the tools that a document or Go functions give",
		Long: `list prints the tools that a document and Go packages give, what each of them
calls, its hints, whether people are asked first, and about how many tokens of a
model's context it takes; then the operations and functions that give none, and
why. It writes nothing to disk.

SOURCE is an OpenAPI document, a folder that holds one, or with -allow-remote
its address; or annotated Go packages: ./internal/shop, ./..., an import path.

` + reportFields,
		Args: cobra.ArbitraryArgs,
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
	fmt.Fprintf(columns, "TOOL\t%s\tHINTS\tTOKENS\n", r.callsWhat())
	for _, t := range r.Tools {
		fmt.Fprintf(columns, "%s\t%s\t%s\t%s\n", t.Name, oneLine(t.calls()), strings.Join(t.words, ", "), thousands(t.Tokens))
	}
	columns.Flush()
	if len(r.Groups) > 1 {
		fmt.Fprint(columns, "\nGROUP\tTOOLS\tTOKENS\n")
		for _, g := range r.Groups {
			fmt.Fprintf(columns, "%s\t%d\t%s\n", oneLine(g.Name), g.Tools, thousands(g.Tokens))
		}
		columns.Flush()
	}
	if len(r.Resources) > 0 {
		fmt.Fprint(columns, "\nRESOURCE\tFUNCTION\tTYPE\n")
		for _, s := range r.Resources {
			fmt.Fprintf(columns, "%s\t%s\t%s\n", oneLine(s.URI), s.Function, oneLine(s.MIME))
		}
		columns.Flush()
	}
	if len(r.Prompts) > 0 {
		fmt.Fprint(columns, "\nPROMPT\tFUNCTION\tARGUMENTS\n")
		for _, p := range r.Prompts {
			fmt.Fprintf(columns, "%s\t%s\t%s\n", oneLine(p.Name), p.Function, strings.Join(p.Arguments, ", "))
		}
		columns.Flush()
	}
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

// calls is what a tool calls: a request or a function.
func (t *toolReport) calls() string {
	if t.Function != "" {
		return t.Function
	}
	return t.Method + " " + t.Path
}

// callsWhat is the head of the column of calls.
func (r *report) callsWhat() string {
	switch r.unit() {
	case "operation":
		return "REQUEST"
	case "function":
		return "FUNCTION"
	}
	return "CALLS"
}

// oneLine keeps text of the document from breaking a table.
func oneLine(s string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) { // control characters, marks of direction
			return ' '
		}
		return c
	}, s)
}
