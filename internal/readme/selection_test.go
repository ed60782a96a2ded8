package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

var yamlBlock = regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$")

// TestSelection types the commands of docs/selection.md and uses its files.
func TestSelection(t *testing.T) {
	if testing.Short() {
		t.Skip("links the command")
	}
	root, dir := prove.Root(t), t.TempDir()
	text := prove.Read(t, filepath.Join(root, "docs", "selection.md"))
	document := prove.Read(t, filepath.Join(root, "examples", "inbox", "inbox.yaml"))
	if err := os.MkdirAll(filepath.Join(dir, "examples", "inbox"), 0o755); err != nil {
		t.Fatal(err)
	}
	prove.Write(t, filepath.Join(dir, "examples", "inbox", "inbox.yaml"), document)
	prove.Write(t, filepath.Join(dir, "inbox.yaml"), document)
	// The files are told apart by their first key. What x-mcp looks like in a
	// document is merged into ours.
	for _, block := range yamlBlock.FindAllStringSubmatch(text, -1) {
		switch key, _, _ := strings.Cut(block[1], ":"); key {
		case "source":
			prove.Write(t, filepath.Join(dir, "my.yaml"), block[1])
		case "overlay":
			prove.Write(t, filepath.Join(dir, "inbox.overlay.yaml"), block[1])
		case "paths":
			merge := "overlay: 1.1.0\ninfo: {title: x-mcp, version: '1'}\nactions:\n  - target: $\n    update:\n      " +
				strings.ReplaceAll(strings.TrimSpace(block[1]), "\n", "\n      ")
			prove.Write(t, filepath.Join(dir, "x-mcp.overlay.yaml"), merge+"\n")
		default:
			t.Errorf("a block begins with %s, which this test does not use", key)
		}
	}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "bin", "toolmill"), "./cmd/toolmill")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := "PATH=" + filepath.Join(dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	blocks := shell.FindAllStringSubmatch(text, -1)
	for i, want := range [][]string{
		{"excluded 3 of 7 operations", "excluded 2 of 7 operations"},
		{"close_inbox", "inbox: 6 tools"},
	} {
		if i >= len(blocks) {
			t.Fatalf("docs/selection.md has %d blocks of commands", len(blocks))
		}
		got := run(t, dir, blocks[i][1], path)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%q is missing in\n%s", part, got)
			}
		}
	}
	if len(blocks) > 2 {
		t.Error("docs/selection.md has a block of commands that this test does not run")
	}
	for command, want := range map[string]string{
		"toolmill list -config my.yaml":                              "inbox: 5 tools",
		"toolmill list inbox.yaml -overlay x-mcp.overlay.yaml":       "close_inbox",
		"toolmill list inbox.yaml -overlay x-mcp.overlay.yaml -json": `"name": "close_inbox"`,
	} {
		if got := run(t, dir, command, path); !strings.Contains(got, want) || strings.Contains(got, "warning") {
			t.Errorf("%s: want %q, got\n%s", command, want, got)
		}
	}
}
