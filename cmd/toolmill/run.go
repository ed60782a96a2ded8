package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/parse/diag"
)

// The exit codes.
const (
	exitDone  = 0
	exitInput = 1
	exitUsage = 2
	exitStale = 5
)

// failure ends a command with an exit code. An empty message means that
// everything was already said.
type failure struct {
	exit    int
	code    string // of the diagnostic, unless message is empty
	message string
	hint    string
}

func (f *failure) Error() string { return f.message }

func (f *failure) diagnostic() diag.Diagnostic {
	return diag.Diagnostic{Severity: diag.Error, Code: f.code, Message: f.message, Hint: f.hint}
}

// usage is a wrong command line or config file: exit 2.
func usage(hint, format string, args ...any) *failure {
	return &failure{exit: exitUsage, code: "usage", message: fmt.Sprintf(format, args...), hint: hint}
}

// unreadable is input that is named and cannot be had: exit 1.
func unreadable(hint, format string, args ...any) *failure {
	return &failure{exit: exitInput, code: "unreadable-file", message: fmt.Sprintf(format, args...), hint: hint}
}

// run is main without the process: it executes one command line and returns
// the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(longFlags(args))
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	f := asFailure(ctx, err)
	if f.message != "" {
		fmt.Fprintln(stderr, f.diagnostic())
	}
	return f.exit
}

// asFailure gives any error its exit code and form.
func asFailure(ctx context.Context, err error) *failure {
	var f *failure
	var refused *gen.RefusedError
	switch {
	case ctx.Err() != nil:
		return &failure{exit: exitInput, code: "interrupted", message: "interrupted; no output changed"}
	case errors.As(err, &f):
		return f
	case errors.As(err, &refused):
		exit := exitUsage
		if refused.Code == "no-tools" {
			exit = exitInput
		}
		return &failure{exit: exit, code: refused.Code, message: refused.Message, hint: refused.Hint}
	}
	return &failure{exit: exitInput, code: "failed", message: err.Error()}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "toolmill",
		Short: "toolmill turns an OpenAPI document or Go functions into an MCP server written in Go",
		Long: `toolmill turns an OpenAPI document, or annotated Go functions, into a standalone
MCP server written in Go.

New here? "toolmill demo" generates, builds and calls a server before your eyes.`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(cmd, args[0])
			}
			cmd.SetOut(cmd.ErrOrStderr())
			_ = cmd.Help()
			return &failure{exit: exitUsage}
		},
	}
	root.SetHelpFunc(help)
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(newHelp(root))
	root.AddCommand(newGenerate(), newList(), newDiff(), newLint(), newDemo(), newDirectives(), newBundle(), newTrace(), newVersion())
	return root
}

func unknownCommand(root *cobra.Command, name string) error {
	var known []string
	for _, c := range root.Commands() {
		known = append(known, c.Name())
	}
	return usage(didYouMean(name, known, "toolmill -h lists the commands"), "unknown command %q", name)
}

// newHelp is "toolmill help COMMAND", the same as "toolmill COMMAND -h".
func newHelp(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:    "help [COMMAND]",
		Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(root, args[len(args)-1])
			}
			return cmd.Help()
		},
	}
}
