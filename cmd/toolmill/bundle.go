package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/seed7346ab69/toolmill/cmd/toolmill/internal/bundle"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

func newBundle() *cobra.Command {
	var output string
	var platforms []string
	cmd := &cobra.Command{
		Use:   "bundle FOLDER",
		Short: "build a generated server and pack it as an MCP bundle",
		Long: `bundle builds the server in FOLDER, which was generated with -packaging, and
packs it with its manifest.json as an MCP bundle (.mcpb): one file that desktop
hosts such as Claude Desktop install, asking for what manifest.json asks for.

manifest.json must be valid, and names the place of each platform's binary. The
same source gives the same bytes. The digest that it prints is fileSha256 of
server.json.

Exit codes: 0 done, 1 the folder or its manifest has errors, 2 usage.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usage("name the output folder of toolmill generate", "want one FOLDER, got %d", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runBundle(cmd, args[0], output, platforms)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVarP(&output, "output", "o", "", "write the bundle to this `FILE`; made from the server's name if not given")
	flags.StringSliceVar(&platforms, "platform", nil, "`PLATFORMS` to build for, one for each system, as in linux/amd64,darwin/arm64,windows/amd64; this machine's if not given")
	return cmd
}

func runBundle(cmd *cobra.Command, dir, output string, names []string) error {
	var platforms []bundle.Platform
	for _, name := range names {
		p, err := bundle.ParsePlatform(name)
		if err != nil {
			return usage("", "-platform: %v", err)
		}
		platforms = append(platforms, p)
	}
	if len(platforms) == 0 {
		platforms = []bundle.Platform{bundle.Host()}
	}
	progress := startProgress(cmd.ErrOrStderr())
	b, err := bundle.Pack(cmd.Context(), dir, platforms, progress.step)
	progress.stop()
	if owner := (*bundle.Error)(nil); errors.As(err, &owner) {
		return &failure{exit: exitInput, code: owner.Code, message: owner.Message, hint: owner.Hint}
	}
	if err != nil {
		return err
	}
	if output == "" {
		output = cmp.Or(ir.ToolName(b.Name, ir.AsWritten), "server") + ".mcpb"
	}
	if err := replace(cmd.Context(), output, b.Data); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s: %s %s for %s, %s bytes\nsha256 %s\n", output, b.Name, b.Version,
		strings.Trim(fmt.Sprint(platforms), "[]"), thousands(len(b.Data)), b.SHA256())
	return nil
}

// replace writes a file whole or not at all, and takes the place of nothing but a
// file: root could rename over a device.
func replace(ctx context.Context, name string, data []byte) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return usage("", "-o %s is not a file", name)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".toolmill-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Chmod(0o644), f.Close(), ctx.Err())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}
