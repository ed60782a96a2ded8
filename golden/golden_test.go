package golden

import (
	"flag"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

var update = flag.Bool("update", false, "rewrite outputs, calls and messages")

// goldenCase is one folder of openapi.
type goldenCase struct {
	name   string
	dir    string
	args   []string
	output string // folder that was generated into
	start  func(t *testing.T, env []string, flags ...string) *prove.Client
}

func TestOpenAPI(t *testing.T) {
	dirs, err := filepath.Glob("openapi/*")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	module := prove.NewModule(t)
	var cases []*goldenCase
	for _, dir := range dirs {
		cases = append(cases, newCase(t, module, dir))
	}
	module.Build(t)
	module.Vet(t)
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			calls := c.testCalls(t)
			if t.Failed() {
				return // what does not work is not recorded
			}
			c.compare(t, calls)
		})
	}
}

func newCase(t *testing.T, module *prove.Module, dir string) *goldenCase {
	t.Helper()
	abs, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	c := &goldenCase{name: filepath.Base(dir), dir: abs, args: lines(t, filepath.Join(dir, "args"))}
	first, second := t.TempDir(), t.TempDir()
	said := c.generate(t, first)
	if again := c.generate(t, second); again != said {
		t.Errorf("%s: generate says first %s, then %s", c.name, said, again)
	}
	if diff := cmp.Diff(tree(t, first), tree(t, second)); diff != "" {
		t.Errorf("%s: two runs differ:\n%s", c.name, diff)
	}
	c.output = first
	if c.ownModule() {
		c.start = buildAlone(t, second)
		return c
	}
	if err := os.CopyFS(filepath.Join(module.Dir, c.name), os.DirFS(first)); err != nil {
		t.Fatal(err)
	}
	module.Adopt(t, c.name)
	c.start = func(t *testing.T, env []string, flags ...string) *prove.Client {
		return module.Start(t, c.name, env, flags...)
	}
	return c
}

func (c *goldenCase) ownModule() bool {
	return slices.ContainsFunc(c.args, func(arg string) bool { return strings.HasPrefix(arg, "-module") })
}

// generate runs the command in the case's folder and returns what it said.
func (c *goldenCase) generate(t *testing.T, out string) string {
	t.Helper()
	g := prove.Generate(t, c.dir, nil, append(slices.Clone(c.args), "-o", out)...)
	if g.Exit != 0 {
		t.Fatalf("%s: generate exited with %d\n%s%s", c.name, g.Exit, g.Stdout, g.Stderr)
	}
	return strings.ReplaceAll(g.Stdout+g.Stderr, out, "out")
}

// buildAlone builds and vets an output that is a module of its own.
func buildAlone(t *testing.T, dir string) func(*testing.T, []string, ...string) *prove.Client {
	t.Helper()
	bin := prove.Build(t, dir)
	vet := exec.Command("go", "vet", "./...")
	vet.Dir = dir
	vet.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off", "GOPROXY=off")
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("go vet: %v\n%s", err, out)
	}
	return func(t *testing.T, env []string, flags ...string) *prove.Client {
		return prove.Start(t, env, bin, flags...)
	}
}

// compare holds the output and the calls against what is recorded, or records
// them.
func (c *goldenCase) compare(t *testing.T, calls string) {
	t.Helper()
	got := tree(t, c.output)
	if c.ownModule() {
		checkCopies(t, got)
	}
	reference := filepath.Join(c.dir, "out")
	same := lines(t, filepath.Join(c.dir, "same"))
	if len(same) == 1 {
		reference = filepath.Join(filepath.Dir(c.dir), same[0], "out")
	}
	callsFile := filepath.Join(c.dir, "calls.txtar")
	if *update {
		if len(same) == 0 {
			record(t, reference, got)
		}
		if calls != "" {
			if err := os.WriteFile(callsFile, []byte(calls), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	if diff := cmp.Diff(tree(t, reference), got); diff != "" {
		t.Errorf("the output is not as recorded (-want +got); if that is right, run go test ./golden -update\n%s", diff)
	}
	if calls != "" {
		want, err := os.ReadFile(callsFile)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), calls); diff != "" {
			t.Errorf("the calls are not as recorded (-want +got); if that is right, run go test ./golden -update\n%s", diff)
		}
	}
}

// checkCopies compares copied runtime files with their originals and takes them
// out of the tree.
func checkCopies(t *testing.T, got map[string]string) {
	t.Helper()
	const copied = "internal/runtime/"
	n := 0
	for name := range maps.Clone(got) {
		if !strings.HasPrefix(name, copied) {
			continue
		}
		original, err := os.ReadFile(filepath.Join(prove.Root(t), "runtime", path.Base(name)))
		if err != nil {
			t.Errorf("%s is a copy of nothing: %v", name, err)
		} else if header, rest, _ := strings.Cut(got[name], "\n\n"); rest != string(original) && got[name] != string(original) {
			t.Errorf("%s is no copy of the runtime; it begins %q", name, header)
		}
		delete(got, name)
		n++
	}
	if n == 0 {
		t.Error("the output has no copy of the runtime")
	}
}

// record replaces the folder by the tree.
func record(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// tree returns all files below dir by slash-separated path.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return files
}

// lines returns the lines of a file that are not empty; none if there is no
// file.
func lines(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}
