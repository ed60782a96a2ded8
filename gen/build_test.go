package gen

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/modfile"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

var update = flag.Bool("update", false, "rewrite templates/go.mod.tmpl and go.sum.tmpl")

// goCommand runs the go command in dir and returns what it printed.
func goCommand(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func mustGo(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := goCommand(dir, args...)
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// rootModule returns the folder and the go.mod of toolmill.
func rootModule(t *testing.T) (string, *modfile.File) {
	t.Helper()
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := modfile.Parse("go.mod", data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return dir, file
}

var offline = regexp.MustCompile(`dial tcp|lookup |i/o timeout|GOPROXY=off|connection refused|no such host`)

// TestModuleTemplates holds go.mod and go.sum of an output against what
// "go mod tidy" makes of it, with the versions of the root go.mod.
func TestModuleTemplates(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go mod tidy")
	}
	for _, otel := range []bool{false, true} {
		t.Run(fmt.Sprintf("otel=%v", otel), func(t *testing.T) { checkModuleTemplates(t, otel) })
	}
}

func checkModuleTemplates(t *testing.T, otel bool) {
	_, root := rootModule(t)
	const module = "example.com/petstore"
	dir := filepath.Join(t.TempDir(), "out")
	write(t, generate(t, petstore(), Options{Module: module, Otel: otel}), dir)
	pinned := new(modfile.File)
	if err := errorsOf(pinned.AddModuleStmt(module), pinned.AddGoStmt(root.Go.Version)); err != nil {
		t.Fatal(err)
	}
	for _, r := range root.Require {
		if err := pinned.AddRequire(r.Mod.Path, r.Mod.Version); err != nil {
			t.Fatal(err)
		}
	}
	put(t, filepath.Join(dir, "go.mod"), string(modfile.Format(pinned.Syntax)))
	put(t, filepath.Join(dir, "go.sum"), "")
	if out, err := goCommand(dir, "mod", "tidy"); err != nil {
		if offline.MatchString(out) {
			t.Skipf("needs the network or a full module cache: %s", out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		tidy, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Replace(string(tidy), "module "+module+"\n", "module {{.Module}}\n", 1)
		file := filepath.Join("..", "templates", name+".tmpl")
		if otel {
			file = filepath.Join("..", "templates", otelTemplate+name+".tmpl")
		}
		if *update {
			put(t, file, want)
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, string(got)); d != "" {
			t.Errorf("%s is not what go mod tidy makes; run go test ./gen -run TestModuleTemplates -update (-want +got):\n%s", file, d)
		}
	}
}

func errorsOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestModulePins holds the versions of an output against the root's, without
// the network.
func TestModulePins(t *testing.T) {
	_, root := rootModule(t)
	tree := generate(t, petstore(), Options{Module: "example.com/petstore"})
	file, err := modfile.Parse("go.mod", tree.File("go.mod").Data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if file.Go.Version != root.Go.Version {
		t.Errorf("go %s, the root has %s", file.Go.Version, root.Go.Version)
	}
	if len(file.Require) == 0 {
		t.Error("nothing is required")
	}
	for _, r := range file.Require {
		if !slices.ContainsFunc(root.Require, func(o *modfile.Require) bool { return o.Mod == r.Mod }) {
			t.Errorf("%v is not what the root requires", r.Mod)
		}
	}
}

// TestModuleBuilds builds an output with a copied runtime as a module of its
// own, as it stands.
func TestModuleBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a server")
	}
	for name, opts := range map[string]Options{
		"plain":  {Module: "petstore-mcp"},
		"extras": {Module: "petstore-mcp", Otel: true, Mock: true},
	} {
		t.Run(name, func(t *testing.T) { checkModuleBuilds(t, opts) })
	}
}

func checkModuleBuilds(t *testing.T, opts Options) {
	dir := filepath.Join(t.TempDir(), "out")
	write(t, generate(t, mocking(), opts), dir)
	before := snapshot(t, dir)
	mustGo(t, dir, "build", "-mod=readonly", "-o", os.DevNull, ".")
	mustGo(t, dir, "vet", "-mod=readonly", "./...")
	if out := mustGo(t, dir, "fmt", "./..."); out != "" {
		t.Errorf("gofmt changes %s", out)
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Errorf("building changed something:\n%s", d)
	}
}

// worstServer has the names of the naming tests.
func worstServer() *ir.Server {
	s := petstore()
	request, input := s.Groups[0].Tools[1].Request, s.Groups[0].Tools[1].Input
	s.Groups = nil
	names := []string{"_hidden", "-x", "__", "2fa", "CON", "GetPet", "any", "call", "config", "context", "embed", "error",
		"func", "getPet", "get_pet", "init", "main", "mainTool", "new", "nil", "req", "runtime", "string", "tools", "type"}
	for i, g := range worstGroups {
		group := ir.Group{Name: g.name}
		for _, n := range names[i*len(names)/len(worstGroups) : (i+1)*len(names)/len(worstGroups)] {
			group.Tools = append(group.Tools, &ir.Tool{Name: n, Description: n, Input: input, Request: request})
		}
		s.Groups = append(s.Groups, group)
	}
	return s
}

// TestImportingBuilds builds outputs inside a module that requires toolmill.
func TestImportingBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds servers")
	}
	rootDir, root := rootModule(t)
	dir := t.TempDir()
	mod := "module example.com/app\n\ngo " + root.Go.Version + "\n\nrequire github.com/seed7346ab69/toolmill v0.0.0\n\n" +
		fmt.Sprintf("replace github.com/seed7346ab69/toolmill => %q\n", rootDir)
	for _, r := range root.Require {
		mod += fmt.Sprintf("\nrequire %s %s\n", r.Mod.Path, r.Mod.Version)
	}
	put(t, filepath.Join(dir, "go.mod"), mod)
	sum, err := os.ReadFile(filepath.Join(rootDir, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "go.sum"), string(sum))

	worst := generate(t, worstServer(), inModule)
	write(t, generate(t, petstore(), inModule), filepath.Join(dir, "petstore"))
	write(t, worst, filepath.Join(dir, "worst"))
	for i, s := range hostile {
		write(t, generate(t, hostileServer(s), inModule), filepath.Join(dir, fmt.Sprintf("hostile%d", i)))
	}
	mustGo(t, dir, "vet", "./...")

	var want []string
	for _, f := range worst.Files {
		if strings.HasPrefix(f.Path, "tools/") {
			want = append(want, f.Path)
		}
	}
	embedded := strings.Fields(mustGo(t, dir, "list", "-f", `{{join .EmbedFiles "\n"}}`, "./worst"))
	slices.Sort(embedded)
	if d := cmp.Diff(want, embedded); d != "" {
		t.Errorf("embedded (-want +got):\n%s", d)
	}

	binary := filepath.Join(dir, "server")
	mustGo(t, dir, "build", "-o", binary, "./petstore")
	data, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("for the generator to copy")) {
		t.Error("the server holds the source of its runtime")
	}
}
