package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

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

// usage is a wrong command line: exit 2.
func usage(hint, format string, args ...any) *failure {
	return &failure{exit: exitUsage, code: "usage", message: fmt.Sprintf(format, args...), hint: hint}
}

// run is main without the process: it executes one command line and returns
// the exit code. An interrupt cancels the context, so that nothing half done is
// left behind.
func run(args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

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
		Short: "toolmill turns an OpenAPI document into an MCP server written in Go",
		Long: `toolmill turns an OpenAPI document into a standalone MCP server written in Go.

New here? "toolmill demo" generates, builds and calls a server before your eyes.`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				var names []string
				for _, c := range cmd.Commands() {
					names = append(names, c.Name())
				}
				return usage(didYouMean(args[0], names, "toolmill -h lists the commands"), "unknown command %q", args[0])
			}
			cmd.SetOut(cmd.ErrOrStderr())
			_ = cmd.Help()
			return &failure{exit: exitUsage}
		},
	}
	root.SetHelpFunc(help)
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help"})
	root.AddCommand(newGenerate(), newList(), newDemo(), newVersion())
	return root
}
