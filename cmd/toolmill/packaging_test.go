package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// TestPackagingDocs runs what docs/packaging.md shows: it generates, and
// compares the names in the text with those in the files. Bundles are built by
// the tests of package bundle; here their flags are read.
func TestPackagingDocs(t *testing.T) {
	root := prove.Root(t)
	text := prove.Read(t, filepath.Join(root, "docs", "packaging.md"))
	document, err := os.ReadFile(filepath.Join(root, "examples", "inbox", "inbox.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	prove.Write(t, "inbox.yaml", string(document))
	commands := regexp.MustCompile(`(?m)^toolmill (.*)$`).FindAllStringSubmatch(text, -1)
	if len(commands) < 3 {
		t.Fatalf("the text has %d commands", len(commands))
	}
	for _, c := range commands {
		words := strings.Fields(c[1])
		if words[0] == "generate" {
			var out bytes.Buffer
			if code := run(t.Context(), words, &out, &out); code != exitDone || strings.Contains(out.String(), "warning") {
				t.Errorf("%s: exit %d\n%s", c[0], code, out.String())
			}
			continue
		}
		cmd, rest, err := newRoot().Find(longFlags(words))
		if err != nil || cmd.Name() != "bundle" || cmd.ParseFlags(rest) != nil {
			t.Errorf("%s: it cannot be run: %v", c[0], err)
		}
	}
	for _, row := range regexp.MustCompile("(?m)^\\| (`[.\\w][^|]*) \\| ").FindAllStringSubmatch(text, -1) {
		for _, name := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(row[1], -1) {
			if _, err := os.Stat(filepath.Join("inbox-server", name[1])); err != nil {
				t.Errorf("the text names a file that is not written: %v", err)
			}
		}
	}
	flags := newSettings().writing
	for _, row := range regexp.MustCompile("(?m)^\\| `-([a-z-]+)").FindAllStringSubmatch(text, -1) {
		if flags.Lookup(row[1]) == nil {
			t.Errorf("there is no flag -%s", row[1])
		}
	}
	for file, names := range map[string][]string{
		"Dockerfile":      {"ghcr.io/you/inbox:2.0.0", "io.github.you/inbox"},
		"kubernetes.yaml": {"kubectl create secret generic inbox --from-literal=API_KEY_INBOX=…", "secretName: inbox-callers", "name: http"},
		"server.json":     {"https://github.com/you/inbox/releases/download/v2.0.0/inbox.mcpb", "API_KEY_INBOX", strings.Repeat("0", 64)},
	} {
		written := prove.Read(t, filepath.Join("inbox-server", file))
		for _, name := range names {
			if !strings.Contains(written, name) {
				t.Errorf("%s does not hold %s", file, name)
			}
		}
	}
	_, ingress, _ := strings.Cut(text, "```yaml\n")
	ingress, _, _ = strings.Cut(ingress, "```")
	var object struct{ Kind string }
	if err := yaml.NewDecoder(strings.NewReader(ingress)).Decode(&object); err != nil || object.Kind != "Ingress" {
		t.Errorf("the Ingress is none: %+v, %v", object, err)
	}
}

// TestReplaceFilesOnly holds that a bundle takes the place of nothing but a file.
func TestReplaceFilesOnly(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.mcpb")
	for range 2 {
		if err := replace(t.Context(), file, []byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	if err := replace(t.Context(), dir, []byte("x")); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Error(err)
	}
	if err := replace(t.Context(), os.DevNull, []byte("x")); err == nil {
		t.Errorf("%s was replaced", os.DevNull)
	}
}
