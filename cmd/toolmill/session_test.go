package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/seed7346ab69/toolmill/cmd/toolmill/internal/demo"
)

var update = flag.Bool("update", false, "rewrite the sessions in testdata")

// TestSessions replays the sessions in testdata: archives of files and a last
// file, session, that reads like a terminal. Lines after "$ " are commands, the
// lines below each are what it printed, stdout and stderr as they came, and its
// exit code unless that is 0.
//
// A command that fails must not change a single file; that is checked for all.
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions: %v", err)
	}
	for _, file := range files {
		abs, err := filepath.Abs(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { replay(t, abs) })
	}
}

func replay(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	last := &archive.Files[len(archive.Files)-1]
	if last.Name != "session" {
		t.Fatalf("the last file is %s, want session", last.Name)
	}
	for _, f := range archive.Files[:len(archive.Files)-1] {
		if err := os.MkdirAll(filepath.Dir(f.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var got bytes.Buffer
	for line := range strings.Lines(string(last.Data)) {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			got.WriteString(line)
			execute(t, &got, strings.TrimSpace(command))
		}
	}
	if !*update {
		if diff := cmp.Diff(string(last.Data), got.String()); diff != "" {
			t.Errorf("session differs (-want +got), go test ./cmd/toolmill -update rewrites it:\n%s", diff)
		}
		return
	}
	last.Data = got.Bytes()
	if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
		t.Fatal(err)
	}
}

// execute runs one command of a session: toolmill itself, "files FOLDER", which
// lists a folder, "append FILE TEXT", "copy FILE FILE", or "git", which prints
// nothing.
func execute(t *testing.T, out *bytes.Buffer, command string) {
	t.Helper()
	words := strings.Fields(command)
	switch words[0] {
	case "toolmill":
		before := snapshot(t)
		code := run(t.Context(), words[1:], out, out)
		if code != 0 {
			fmt.Fprintf(out, "[exit %d]\n", code)
			if diff := cmp.Diff(before, snapshot(t)); diff != "" {
				t.Errorf("%s: exit %d, but files changed:\n%s", command, code, diff)
			}
		}
	case "files":
		for _, f := range snapshot(t) {
			if name, _, _ := strings.Cut(f, "\n"); strings.HasPrefix(name, words[1]+"/") {
				fmt.Fprintln(out, name)
			}
		}
	case "append":
		text := strings.Join(words[2:], " ") + "\n"
		data, err := os.ReadFile(words[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(words[1], append(data, text...), 0o644); err != nil {
			t.Fatal(err)
		}
	case "copy":
		data, err := os.ReadFile(words[1])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(words[2], data, 0o644); err != nil {
			t.Fatal(err)
		}
	case "git":
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main"}, words[1:]...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, text)
		}
	default:
		t.Fatalf("unknown command %q", command)
	}
}

// snapshot returns the name and content of every file below the working
// directory.
func snapshot(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files = append(files, filepath.ToSlash(path)+"\n"+string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestInterrupt stops a run before it writes.
func TestInterrupt(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("library.yaml", demo.Library, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before := snapshot(t)
	var out bytes.Buffer
	code := run(ctx, []string{"generate", "library.yaml", "-o", "server", "-module", "example.com/library"}, &out, &out)
	if code != exitInput || !strings.Contains(out.String(), "error: interrupted; no output changed [interrupted]\n") {
		t.Errorf("exit %d, printed\n%s", code, out.String())
	}
	if diff := cmp.Diff(before, snapshot(t)); diff != "" {
		t.Errorf("files changed:\n%s", diff)
	}
}

// TestReportFieldsAreDocumented holds the help text and the report together.
func TestReportFieldsAreDocumented(t *testing.T) {
	var out bytes.Buffer
	if err := (&report{Files: &filesReport{}}).print(&out); err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^  "(\w+)":`).FindAllStringSubmatch(out.String(), -1) {
		if !regexp.MustCompile(`\b` + m[1] + `\b`).MatchString(reportFields) {
			t.Errorf("field %q is not documented", m[1])
		}
	}
}
