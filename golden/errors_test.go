package golden

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// TestErrors runs generate on inputs that are wrong. An archive holds the input
// files, args (one a line, "-o out" is added), and what came of it: exit, the
// code, and stderr, with real positions. A run that fails leaves no output.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("errors/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			testError(t, file)
		})
	}
}

func testError(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var args []string
	got := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if f.Name == "exit" || f.Name == "stderr" {
			continue
		}
		got.Files = append(got.Files, f)
		if f.Name == "args" {
			args = settings(string(f.Data))
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	before := tree(t, dir)
	g := prove.Generate(t, dir, nil, append(args, "-o", "out")...)
	if g.Exit != 0 {
		if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
			t.Errorf("generate failed and changed files:\n%s", diff)
		}
	} else if after := tree(t, dir); maps.Equal(before, after) {
		t.Errorf("generate succeeded and wrote nothing")
	}
	got.Files = append(got.Files,
		txtar.File{Name: "exit", Data: fmt.Appendln(nil, g.Exit)},
		txtar.File{Name: "stderr", Data: []byte(strings.ReplaceAll(g.Stderr, dir, "$WORK"))},
	)
	if *update {
		if err := os.WriteFile(file, txtar.Format(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, have := string(txtar.Format(archive)), string(txtar.Format(got))
	if diff := cmp.Diff(want, have); diff != "" {
		t.Errorf("not as recorded (-want +got); if that is right, run go test ./golden -update\n%s", diff)
	}
	if !slices.ContainsFunc(archive.Files, func(f txtar.File) bool { return f.Name == "stderr" && len(f.Data) > 0 }) {
		t.Errorf("generate has nothing to say about this")
	}
}
