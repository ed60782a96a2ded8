package gocases

import (
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// run is one case after generation.
type run struct {
	folder string
	pkg    string // of the case and of its server: "g01"
	dir    string // of the copy
	expect *expectation
	report report
	*prove.Generation
	module *prove.Module
}

// report is what the command prints with -json.
type report struct {
	Status      string `json:"status"`
	Diagnostics []diagnostic
}

type diagnostic struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
}

func (d diagnostic) String() string {
	return fmt.Sprintf("%s:%d: %s: %s (%s)", d.File, d.Line, d.Severity, d.Message, d.Hint)
}

var onlyCases = flag.String("cases", "", "run only the cases whose folder matches this regular expression")

var number = regexp.MustCompile(`^[GP]\d+`)

func TestCases(t *testing.T) {
	root := prove.Shared(t, "cases", "go")
	folders, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	module := prove.NewModule(t)
	var runs []*run
	chosen, err := regexp.Compile(*onlyCases)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if !chosen.MatchString(folder.Name()) {
			continue
		}
		name := number.FindString(folder.Name())
		if name == "" {
			t.Errorf("%s is no case", folder.Name())
			continue
		}
		r := &run{folder: folder.Name(), pkg: strings.ToLower(name), module: module}
		r.copy(t, filepath.Join(root, folder.Name()))
		if own[r.pkg] == nil {
			r.generate(t, "-runtime=import")
		}
		runs = append(runs, r)
	}
	for _, r := range runs {
		if prepare := prepared[r.pkg]; prepare != nil {
			prepare(t, r)
		}
	}
	module.Build(t)
	module.Vet(t)
	for _, r := range runs {
		t.Run(r.folder, func(t *testing.T) {
			t.Parallel()
			if test := own[r.pkg]; test != nil {
				test(t, r)
				return
			}
			r.test(t)
		})
	}
}

// modulePath is that of a copied case; a case in several modules names it.
func (r *run) modulePath() string { return "gcase/" + r.pkg }

// copy puts the case below the module that all servers are part of, with the
// dependencies of the repository.
func (r *run) copy(t *testing.T, from string) {
	t.Helper()
	r.dir = filepath.Join(r.module.Dir, "cases", r.pkg)
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch {
		case filepath.Ext(rel) == ".go":
			// The server imports the package, so that it cannot be a main.
			data = packageMain.ReplaceAll(data, []byte("package "+r.pkg))
			data = funcMain.ReplaceAll(data, []byte("func reference()"))
		case rel == "expect.json":
			if err := json.Unmarshal(data, &r.expect); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			return nil
		case rel == "go.mod" || rel == "go.sum" || filepath.Ext(rel) == ".md":
			return nil
		}
		to := filepath.Join(r.dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	})
	if err != nil {
		t.Fatal(err)
	}
	r.writeModule(t)
}

var (
	packageMain = regexp.MustCompile(`(?m)^package main$`)
	funcMain    = regexp.MustCompile(`(?m)^func main\(\)`)
)

// writeModule makes the copy a module and lets the module of the servers use it.
func (r *run) writeModule(t testing.TB) {
	t.Helper()
	root := filepath.Join(r.module.Dir, "go.mod")
	mod := prove.Read(t, root)
	extra := ""
	if model := filepath.Join(r.dir, "dep"); isFolder(model) { // G21's other module
		extra = "\nrequire example.com/dep v0.0.0\n\nreplace example.com/dep => " + model + "\n"
		prove.Write(t, filepath.Join(model, "go.mod"), "module example.com/dep\n\ngo 1.26\n")
	}
	prove.Write(t, filepath.Join(r.dir, "go.mod"), casesLine.ReplaceAllString(moduleLine.ReplaceAllString(mod, "module "+r.modulePath()), "")+extra)
	prove.Write(t, filepath.Join(r.dir, "go.sum"), prove.Read(t, filepath.Join(r.module.Dir, "go.sum")))
	prove.Write(t, root, mod+fmt.Sprintf("\nrequire %s v0.0.0 // case\n\nreplace %s => %s // case\n", r.modulePath(), r.modulePath(), r.dir)+
		strings.ReplaceAll(extra, "\n\n", " // case\n\n"))
}

var (
	moduleLine = regexp.MustCompile(`(?m)^module .*$`)
	casesLine  = regexp.MustCompile(`(?m)^.*// case$\n`)
)

// goEnv is what the command needs to load Go packages without the network.
func goEnv(t testing.TB) []string {
	t.Helper()
	env := []string{"GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off"}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(out)))
	}
	return env
}

// generate runs the command twice, which must give the same bytes.
func (r *run) generate(t *testing.T, flags ...string) {
	t.Helper()
	flags = append([]string{"-json"}, flags...)
	r.Generation = r.module.Generate(t, r.pkg, r.dir, goEnv(t), ".", flags...)
	if err := json.Unmarshal([]byte(r.Stdout), &r.report); err != nil {
		t.Fatalf("%s: %v\n%s\n%s", r.folder, err, r.Stdout, r.Stderr)
	}
	if r.Exit != 0 {
		return
	}
	again := prove.Generate(t, r.dir, goEnv(t), append([]string{".", "-o", r.Dir, "-runtime=import", "-check"}, flags...)...)
	if again.Exit != 0 {
		t.Errorf("%s: a second run would change something: exit %d\n%s\n%s", r.folder, again.Exit, again.Stdout, again.Stderr)
	}
}

func (r *run) test(t *testing.T) {
	r.checkDiagnostics(t)
	if r.Exit != 0 {
		r.checkUnwritten(t)
		if test := plain[r.pkg]; test != nil {
			test(t, r, nil)
		}
		return
	}
	client := r.module.Start(t, r.pkg, environment[r.pkg])
	if r.expect != nil {
		r.checkSurface(t, client)
		r.checkCalls(t, client)
		if note := notes[r.pkg]; note != nil {
			note(t, r, client)
		}
	} else if test := plain[r.pkg]; test != nil {
		test(t, r, client)
	} else {
		t.Error("no test says what is expected")
	}
	if err := client.Close(); err != nil {
		t.Errorf("the server ended with %v\n%s", err, client.Stderr())
	}
}

// checkDiagnostics holds the run against what it must have said: each expected
// diagnostic, and no error or warning beside them.
func (r *run) checkDiagnostics(t *testing.T) {
	if r.expect == nil {
		return
	}
	if r.Exit != r.expect.Generate.Exit {
		t.Errorf("exit %d, want %d\n%s", r.Exit, r.expect.Generate.Exit, r.Stderr)
	}
	left := slices.Clone(r.report.Diagnostics)
	for _, want := range r.expect.Generate.Diagnostics {
		i := slices.IndexFunc(left, want.matches)
		if i < 0 {
			t.Errorf("no diagnostic at %s contains %q", want.Pos, want.Contains)
			continue
		}
		left = slices.Delete(left, i, i+1)
	}
	for _, d := range left {
		if d.Severity == "warning" && welcome[r.pkg] != "" && strings.Contains(d.Message, welcome[r.pkg]) {
			continue
		}
		t.Errorf("unexpected: %s", d)
	}
}

// checkUnwritten makes sure that a run that failed left nothing.
func (r *run) checkUnwritten(t *testing.T) {
	for _, name := range []string{filepath.Join(r.dir, "mcp_gen.go"), filepath.Join(r.dir, "mcp_tools"), r.Dir} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
