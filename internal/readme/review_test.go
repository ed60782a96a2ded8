package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// TestReview types the commands of docs/review.md in a repository where a
// document was changed.
func TestReview(t *testing.T) {
	if testing.Short() {
		t.Skip("links the command")
	}
	root, dir := prove.Root(t), t.TempDir()
	text := prove.Read(t, filepath.Join(root, "docs", "review.md"))
	document := prove.Read(t, filepath.Join(root, "examples", "inbox", "inbox.yaml"))
	build := exec.CommandContext(t.Context(), "go", "build", "-o", filepath.Join(dir, "bin", "toolmill"), "./cmd/toolmill")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := "PATH=" + filepath.Join(dir, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	old := filepath.Join(dir, "inbox.yaml")
	prove.Write(t, old, document)
	run(t, dir, "git init -q && git add inbox.yaml && git -c user.name=Ann -c user.email=ann@example.com commit -qm one", "GIT_CONFIG_GLOBAL="+os.DevNull)
	for _, edit := range [][2]string{
		{"maximum: 100", "maximum: 50"},
		{"Nothing is changed.", "No message is changed."},
		{"                domain:", "                color: {type: string}\n                domain:"},
	} {
		if strings.Count(document, edit[0]) != 1 {
			t.Fatalf("the document holds %q %d times", edit[0], strings.Count(document, edit[0]))
		}
		document = strings.Replace(document, edit[0], edit[1], 1)
	}
	prove.Write(t, old, document)
	blocks := shell.FindAllStringSubmatch(text, -1)
	_, printed, _ := strings.Cut(text, "\n\n```\n")
	printed, _, _ = strings.Cut(printed, "```\n")
	if !strings.HasPrefix(printed, "1 breaking") {
		t.Fatalf("docs/review.md shows %q as what diff prints", printed)
	}
	for i, want := range [][]string{
		{printed},
		nil,
		{"score 9", "undocumented-argument"},
		{"toolmill.lock.json: 7 added", "nothing to change"},
	} {
		if i >= len(blocks) {
			t.Fatalf("docs/review.md has %d blocks of commands", len(blocks))
		}
		got := run(t, dir, blocks[i][1], path)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%q is missing in\n%s", part, got)
			}
		}
	}
	if len(blocks) > 4 {
		t.Error("docs/review.md has a block of commands that this test does not run")
	}
	if comment := prove.Read(t, filepath.Join(dir, "comment.md")); !strings.HasPrefix(comment, "### Tools: 1 breaking, 1 risky and 1 safe changes\n") {
		t.Errorf("the comment is\n%s", comment)
	}
	prove.Write(t, filepath.Join(dir, "toolmill.yaml"), yamlBlock.FindStringSubmatch(text)[1])
	if got := run(t, dir, "toolmill lint", path); strings.Contains(got, "argument-is-name") || !strings.Contains(got, "score 9") {
		t.Errorf("with toolmill.yaml:\n%s", got)
	}
}
