package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// TestMockAndTrace types the commands of docs/mock.md, then those of
// docs/observability.md, which go on where the first end.
func TestMockAndTrace(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a server")
	}
	root, dir := prove.Root(t), t.TempDir()
	prove.Write(t, filepath.Join(dir, "weather.yaml"), prove.Read(t, filepath.Join(root, "examples", "weather", "weather.yaml")))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "bin", "toolmill"), "./cmd/toolmill")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := "PATH=" + filepath.Join(dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	for _, page := range []struct {
		name string
		want [][]string // of each block
	}{
		{"mock.md", [][]string{
			{"files written", "-mock-status STATUS"},
			{`"temperature":31`, "404 Not Found", "Position not covered", "this is a mock"},
		}},
		{"observability.md", [][]string{
			{"client → server", "tools/call getForecast", "answer to tools/call getForecast after ", `"tool":"getForecast","answer":true`},
		}},
	} {
		text := prove.Read(t, filepath.Join(root, "docs", page.name))
		blocks := shell.FindAllStringSubmatch(text, -1)
		if len(blocks) != len(page.want) {
			t.Fatalf("docs/%s has %d blocks of commands, this test runs %d", page.name, len(blocks), len(page.want))
		}
		for i, want := range page.want {
			got := run(t, dir, blocks[i][1], path)
			for _, part := range want {
				if !strings.Contains(got, part) {
					t.Errorf("docs/%s: %q is missing in\n%s", page.name, part, got)
				}
			}
		}
	}
}
