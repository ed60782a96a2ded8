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

var goBlock = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

// TestFunctions writes the package of docs/functions.md into a module and types
// the commands there.
func TestFunctions(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a server")
	}
	root, dir := prove.Root(t), t.TempDir()
	text := prove.Read(t, filepath.Join(root, "docs", "functions.md"))
	source, commands := goBlock.FindStringSubmatch(text), shell.FindAllStringSubmatch(text, -1)
	if source == nil || len(commands) != 1 {
		t.Fatalf("docs/functions.md: a package of %d bytes, %d blocks of commands", len(source), len(commands))
	}
	// Our own go.mod has all that the runtime needs, so nothing is fetched.
	module := strings.Replace(prove.Read(t, filepath.Join(root, "go.mod")), "module github.com/seed7346ab69/toolmill", "module example.com/app", 1)
	prove.Write(t, filepath.Join(dir, "go.mod"), module)
	prove.Write(t, filepath.Join(dir, "go.sum"), prove.Read(t, filepath.Join(root, "go.sum")))
	if err := os.MkdirAll(filepath.Join(dir, "internal", "desk"), 0o755); err != nil {
		t.Fatal(err)
	}
	prove.Write(t, filepath.Join(dir, "internal", "desk", "desk.go"), source[1])
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "bin", "toolmill"), "./cmd/toolmill")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := run(t, dir, commands[0][1], "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, want := range []string{
		"(*Desk).GetTicket   read-only", "internal/desk: 3 files written", `did you mean \"high\"?`, "there is no ticket 7: the last one is 0",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
	for _, directive := range regexp.MustCompile(`//mcp:[a-z]+`).FindAllString(text, -1) {
		if !strings.Contains(run(t, dir, "bin/toolmill directives"), directive) {
			t.Errorf("toolmill has no directive %s", directive)
		}
	}
}
