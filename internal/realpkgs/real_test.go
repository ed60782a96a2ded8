package realpkgs

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// module makes a module that has this one's dependencies.
func module(t testing.TB) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod := prove.Read(t, "go.mod")
	mod = regexp.MustCompile(`(?m)^module .*$`).ReplaceAllString(mod, "module realpkgs.test")
	mod = strings.ReplaceAll(mod, "=> ../..", "=> "+filepath.Join(here, "../.."))
	prove.Write(t, filepath.Join(dir, "go.mod"), mod)
	prove.Write(t, filepath.Join(dir, "go.sum"), prove.Read(t, "go.sum"))
	return dir
}

// command runs toolmill in dir.
func command(t testing.TB, dir string, args ...string) (exit int, report []byte, stderr string) {
	t.Helper()
	cmd := exec.Command(toolmill(t), args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out, errs.String()
}

// toolmill builds the command into this test's own folder.
func toolmill(t testing.TB) string {
	t.Helper()
	if built == "" {
		dir, err := os.MkdirTemp("", "realpkgs-")
		if err != nil {
			t.Fatal(err)
		}
		built = filepath.Join(dir, "toolmill")
		if out, err := exec.Command("go", "build", "-o", built, "github.com/seed7346ab69/toolmill/cmd/toolmill").CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
	}
	return built
}

var built string

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(filepath.Dir(built))
	}
	os.Exit(code)
}

type diagnostic struct {
	File, Severity, Code, Message string
	Line                          int
}

func TestRealPackages(t *testing.T) {
	dir := module(t)
	for _, s := range subjects {
		t.Run(s.path, func(t *testing.T) { s.test(t, dir) })
	}
}

func (s subject) test(t *testing.T, dir string) {
	pkg, all := s.functions(t)
	file := filepath.Join(dir, s.name, s.name+".go")
	text, lines := s.source(pkg, all)
	prove.Write(t, file, text)
	exit, out, stderr := command(t, dir, "list", "-json", "./"+s.name)
	if exit == 1 {
		all = s.refused(t, all, lines, out)
		text, _ = s.source(pkg, all)
		prove.Write(t, file, text)
	} else if exit != 0 {
		t.Fatalf("exit %d\n%s", exit, stderr)
	}
	if len(all) < s.least {
		t.Errorf("%d tools, want at least %d", len(all), s.least)
	}
	exit, _, stderr = command(t, dir, "generate", "./"+s.name, "-o", s.name+"/server", "-runtime=import")
	if exit != 0 {
		t.Fatalf("without what was refused: exit %d\n%s", exit, stderr)
	}
	bin := filepath.Join(t.TempDir(), "server")
	build := exec.Command("go", "build", "-o", bin, "./"+s.name+"/server")
	build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	tools := prove.Start(t, nil, bin).Tools()
	if len(tools) != len(all) {
		t.Errorf("%d tools, want %d", len(tools), len(all))
	}
	for _, tool := range tools {
		for _, err := range prove.CheckTool(tool) {
			t.Error(err)
		}
	}
	t.Logf("%d tools", len(tools))
}

// refused returns what is left without the functions that the run refused. Each
// of them must have a reason at its own line.
func (s subject) refused(t *testing.T, all []exposed, lines map[int]exposed, out []byte) []exposed {
	t.Helper()
	var report struct{ Diagnostics []diagnostic }
	if err := json.Unmarshal(out, &report); err != nil {
		t.Fatal(err)
	}
	bad := map[string]bool{}
	for _, d := range report.Diagnostics {
		if d.Severity != "error" {
			continue
		}
		e, ok := lines[d.Line]
		if !ok || filepath.Base(d.File) != s.name+".go" || d.Code == "" || d.Message == "" {
			t.Errorf("not at the line of a function: %+v", d)
			continue
		}
		if !bad[e.expr] {
			t.Logf("refused: %s: %s [%s]", e.expr, d.Message, d.Code)
		}
		bad[e.expr] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(e exposed) bool { return bad[e.expr] })
}
