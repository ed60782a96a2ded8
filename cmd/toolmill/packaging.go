package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/parse/diag"
)

// shipping is what the flags say about the packaging.
type shipping struct {
	wanted bool
	names  gen.Packaging
}

// flags declares them.
func (s *shipping) flags(f *pflag.FlagSet) {
	f.BoolVar(&s.wanted, "packaging", false, "write, once, what ships the server: Dockerfile, kubernetes.yaml, .goreleaser.yaml, server.json of the MCP registry,\nmanifest.json of a bundle, .mcp.json and .vscode/mcp.json")
	f.StringVar(&s.names.RegistryName, "registry-name", "", "`NAME` of the server in the MCP registry, for -packaging: io.github.you/petstore")
	f.StringVar(&s.names.Image, "image", "", "`NAME` of the container image without a tag, for -packaging: ghcr.io/you/petstore")
	f.StringVar(&s.names.Repository, "repository", "", "`URL` of the source, for -packaging: https://github.com/you/petstore")
	f.StringVar(&s.names.Release, "release", "", "`VERSION` of the packaging: 1.2.0; the document's if not given, or 0.1.0 if that is none of three numbers")
	beginSection(f.Lookup("packaging"), "What ships it")
}

// packaging is what to write, or nil.
func (s *shipping) packaging() (*gen.Packaging, error) {
	if s.wanted {
		return &s.names, nil
	}
	if s.names != (gen.Packaging{}) {
		return nil, usage("add -packaging, or packaging: true in "+configFile,
			"-registry-name, -image, -repository and -release say what the packaging holds, and there is none")
	}
	return nil, nil
}

// noteExamples tells once, when they are written, that files hold a name that is
// only an example.
func (s *shipping) noteExamples(written []gen.Change, diags *diag.List) {
	if !slices.ContainsFunc(written, func(c gen.Change) bool { return c.Path == "server.json" }) {
		return
	}
	if flags := s.names.Placeholders(); len(flags) > 0 {
		diags.Add(diag.Diagnostic{Severity: diag.Warning, Code: "example-name",
			Message: fmt.Sprintf("%q stands in the packaging for a name that only you know", gen.Placeholder),
			Hint:    "replace it there, or remove the files and generate with " + strings.Join(flags, " and ")})
	}
}
