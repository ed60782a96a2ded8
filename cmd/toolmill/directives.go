package main

import (
	"github.com/spf13/cobra"

	"github.com/seed7346ab69/toolmill/parse/gofunc"
)

func newDirectives() *cobra.Command {
	return &cobra.Command{
		Use:   "directives",
		Short: "list what can be said about Go functions",
		Long: `Lists the directives: comments such as //mcp:tool that make tools, resources and prompts of Go
functions, and say more about their parameters, results and types.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return gofunc.WriteHelp(cmd.OutOrStdout()) },
	}
}
