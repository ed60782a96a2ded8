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

// TestRealPackages makes one server of all subjects, because loading and linking
// go-github and client-go cost more than all else.
func TestRealPackages(t *testing.T) {
	dir := module(t)
	sets := map[string]*exposure{}
	var patterns []string
	for _, s := range subjects {
		set := &exposure{subject: s}
		set.pkg, set.all = s.functions(t)
		set.write(t, dir)
		sets[s.name] = set
		patterns = append(patterns, "./"+s.name)
	}
	exit, out, stderr := command(t, dir, append([]string{"list", "-json"}, patterns...)...)
	if exit != 1 {
		t.Fatalf("exit %d: some functions cannot be tools\n%s", exit, stderr)
	}
	refuse(t, sets, out)
	for _, set := range sets {
		set.write(t, dir)
	}
	exit, _, stderr = command(t, dir, append([]string{"generate", "-o", "server", "-runtime=import"}, patterns...)...)
	if exit != 0 {
		t.Fatalf("without what was refused: exit %d\n%s", exit, stderr)
	}
	bin := filepath.Join(t.TempDir(), "server")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin, "./server")
	build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	listed := map[string]prove.Tool{}
	for _, tool := range prove.Start(t, nil, bin).Tools() {
		listed[tool.Name] = tool
	}
	for _, s := range subjects {
		t.Run(s.path, func(t *testing.T) { sets[s.name].check(t, listed) })
	}
}

// exposure is what is left of a subject's functions.
type exposure struct {
	subject
	pkg   string
	all   []exposed
	lines map[int]exposed
}

func (e *exposure) write(t *testing.T, dir string) {
	t.Helper()
	var text string
	text, e.lines = e.source(e.pkg, e.all)
	prove.Write(t, filepath.Join(dir, e.name, e.name+".go"), text)
}

// check makes sure that the server lists each function, with valid schemas.
func (e *exposure) check(t *testing.T, listed map[string]prove.Tool) {
	if len(e.all) < e.least {
		t.Errorf("%d tools, want at least %d", len(e.all), e.least)
	}
	for _, f := range e.all {
		tool, ok := listed[f.tool]
		if !ok {
			t.Errorf("%s: the server does not list %s", f.expr, f.tool)
			continue
		}
		for _, err := range prove.CheckTool(tool) {
			t.Error(err)
		}
	}
	t.Logf("%d tools", len(e.all))
}

// refuse takes out the functions that the run refused. Each of them must have a
// reason at its own line.
func refuse(t *testing.T, sets map[string]*exposure, out []byte) {
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
		set, known := sets[strings.TrimSuffix(filepath.Base(d.File), ".go")]
		if !known || set.lines[d.Line].expr == "" || d.Code == "" || d.Message == "" {
			t.Errorf("not at the line of a function: %+v", d)
			continue
		}
		e := set.lines[d.Line]
		if !bad[e.expr] {
			t.Logf("refused: %s: %s [%s]", e.expr, d.Message, d.Code)
		}
		bad[e.expr] = true
	}
	for _, set := range sets {
		set.all = slices.DeleteFunc(set.all, func(e exposed) bool { return bad[e.expr] })
	}
}
