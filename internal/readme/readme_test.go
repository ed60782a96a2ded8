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

// shell matches the blocks that a reader would paste into a terminal.
var shell = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// TestTour types the commands of the tour one block after the other, in the
// clone, but for the folder that they write.
func TestTour(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a server")
	}
	root := prove.Root(t)
	text := prove.Read(t, filepath.Join(root, "README.md"))
	_, tour, found := strings.Cut(text, "\n## A tour")
	if !found {
		t.Fatal("README.md has no tour")
	}
	tour, _, _ = strings.Cut(tour, "\n## ")
	output := filepath.Join(t.TempDir(), "inbox-server")
	for _, step := range []struct{ name, want string }{
		{"list", "inbox: 7 tools"},
		{"generate and build", "files written"},
		{"talk", "did you mean messageId?"},
	} {
		block := shell.FindStringSubmatchIndex(tour)
		if block == nil {
			t.Fatalf("no block left for %q", step.name)
		}
		commands := tour[block[2]:block[3]]
		tour = tour[block[1]:]
		got := run(t, root, strings.NewReplacer("./inbox-server", output, "cd inbox-server", "cd "+output).Replace(commands))
		if !strings.Contains(got, step.want) {
			t.Errorf("%s: %q is missing in\n%s", step.name, step.want, got)
		}
	}
	if shell.MatchString(tour) {
		t.Error("the tour has a block that this test does not run")
	}
}

// TestInstall installs the command as the README says, for this test alone.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("links the command")
	}
	root := prove.Root(t)
	text := prove.Read(t, filepath.Join(root, "README.md"))
	const install = "\ngo install ./cmd/toolmill\n"
	if !strings.Contains(text, install) {
		t.Fatalf("README.md does not say %q", install)
	}
	bin := t.TempDir()
	run(t, root, install, "GOBIN="+bin)
	if got := run(t, root, filepath.Join(bin, "toolmill")+" version"); !strings.HasPrefix(got, "toolmill ") {
		t.Errorf("toolmill version prints %q", got)
	}
}

func run(t *testing.T, dir, commands string, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", commands)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", commands, err, out)
	}
	return string(out)
}

// TestLinks wants every file that the README and CONTRIBUTING name.
func TestLinks(t *testing.T) {
	root := prove.Root(t)
	link := regexp.MustCompile(`\]\(([^)#:]+)\)`)
	for _, page := range []string{"README.md", "CONTRIBUTING.md"} {
		text := prove.Read(t, filepath.Join(root, page))
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
}
