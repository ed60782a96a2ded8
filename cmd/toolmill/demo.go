package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed7346ab69/toolmill/cmd/toolmill/internal/demo"
)

func newDemo() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "generate, build and call a server, and show every message",
		Long: `demo takes the document of a small made-up API that ships in this binary,
generates its MCP server into a temporary folder, builds it with the go command,
calls it as an AI application would, and prints every message of the
conversation with a sentence before it. It needs no network and no credentials.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), keep, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "keep the generated folder and print where it is")
	return cmd
}

func runDemo(ctx context.Context, keep bool, stdout, stderr io.Writer) (err error) {
	dir, err := os.MkdirTemp("", "toolmill-demo-")
	if err != nil {
		return err
	}
	if keep {
		defer func() { fmt.Fprintf(stdout, "\nThe document, the server and its binary are in %s\n", dir) }()
	} else {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	p := startProgress(stderr)
	d, err := demo.Build(ctx, dir, p.step)
	p.stop()
	switch {
	case errors.Is(err, demo.ErrNoGo):
		return &failure{exit: exitInput, code: "no-go", message: err.Error(),
			hint: "install Go from https://go.dev/dl; generated servers are built with it"}
	case err != nil:
		return err
	}
	return d.Play(ctx, stdout, thisCommand(os.Args[0], os.Executable))
}

// thisCommand is how the user calls toolmill. The go command keeps what it runs in
// folders of builds, which nobody types.
func thisCommand(called string, executable func() (string, error)) string {
	if path, err := executable(); err == nil && strings.Contains(path, "go-build") {
		return "go run ./cmd/toolmill"
	}
	return called
}
