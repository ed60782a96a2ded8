package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// TestLargeAPIs types the commands of docs/large-apis.md, and wants each flag that
// it names to be one of the server's.
func TestLargeAPIs(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a server")
	}
	root, dir := prove.Root(t), t.TempDir()
	text := prove.Read(t, filepath.Join(root, "docs", "large-apis.md"))
	if err := os.MkdirAll(filepath.Join(dir, "examples", "inbox"), 0o755); err != nil {
		t.Fatal(err)
	}
	prove.Write(t, filepath.Join(dir, "examples", "inbox", "inbox.yaml"), prove.Read(t, filepath.Join(root, "examples", "inbox", "inbox.yaml")))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "bin", "toolmill"), "./cmd/toolmill")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := "PATH=" + filepath.Join(dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	blocks := shell.FindAllStringSubmatch(text, -1)
	if len(blocks) != 1 {
		t.Fatalf("docs/large-apis.md has %d blocks of commands", len(blocks))
	}
	got := run(t, dir, blocks[0][1], path)
	for _, want := range []string{
		`"name":"search_tools"`, `"name":"createInbox"`, `\"name\":\"deleteInbox\"`, `\"hints\":\"destructive\"`, `did you mean deleteInbox?`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	help := run(t, dir, "./inbox-server/inbox-mcp -h")
	for line := range strings.Lines(text) {
		if flag, ok := strings.CutPrefix(line, "| `-"); ok {
			name, _, _ := strings.Cut(flag, "`")
			name, _, _ = strings.Cut(name, " ")
			if !strings.Contains(help, "\n  -"+name+" ") {
				t.Errorf("-h does not list -%s", name)
			}
		}
	}
}
