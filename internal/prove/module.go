package prove

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Command returns the path of the toolmill command, built once for a test
// process.
func Command(tb testing.TB) string {
	tb.Helper()
	path, err := buildCommand()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}

var buildCommand = sync.OnceValues(func() (string, error) {
	root, err := findRoot()
	if err != nil {
		return "", err
	}
	// go build writes the file only when it changed, so that all test
	// processes of a run share one; each clone has its own.
	clone := sha256.Sum256([]byte(root))
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("toolmill-prove-%d-%x", os.Getuid(), clone[:4]))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	file, err := os.CreateTemp(dir, "toolmill-*")
	if err != nil {
		return "", err
	}
	file.Close()
	if out, err := goRun(root, "build", "-trimpath", "-ldflags=-s -w", "-o", file.Name(), "./cmd/toolmill"); err != nil {
		return "", fmt.Errorf("building the command: %v\n%s", err, out)
	}
	path := filepath.Join(dir, "toolmill")
	return path, os.Rename(file.Name(), path)
})

// Generation is one run of the command.
type Generation struct {
	Dir    string // of the output
	Exit   int
	Stdout string
	Stderr string
}

// Generate runs "toolmill generate" with the working directory dir.
func Generate(tb testing.TB, dir string, env []string, args ...string) *Generation {
	tb.Helper()
	cmd := exec.Command(Command(tb), append([]string{"generate"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append([]string{"HOME=" + os.TempDir(), "PATH=" + os.Getenv("PATH")}, env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		tb.Fatal(err)
	}
	return &Generation{Exit: cmd.ProcessState.ExitCode(), Stdout: stdout.String(), Stderr: stderr.String()}
}

// Module is a Go module in a temporary folder that holds many generated
// servers, one package each, and links them into one binary: linking costs more
// than compiling one, so one link instead of a hundred.
type Module struct {
	Dir string

	packages map[string]bool // package name, which is the server's: built
	broken   map[string]string
	bin      string
}

// NewModule returns an empty module that uses the repository's runtime and ends
// with the test.
func NewModule(tb testing.TB) *Module {
	tb.Helper()
	return NewModuleIn(tb, tb.TempDir())
}

// NewModuleIn is NewModule in a folder of the caller's.
func NewModuleIn(tb testing.TB, dir string) *Module {
	tb.Helper()
	root := Root(tb)
	m := &Module{Dir: dir, packages: map[string]bool{}, broken: map[string]string{}}
	mod := Read(tb, filepath.Join(root, "go.mod"))
	path := moduleLine.FindStringSubmatch(mod)
	if path == nil {
		tb.Fatal("go.mod has no module line")
	}
	mod = moduleLine.ReplaceAllString(mod, "module prove.test")
	mod += fmt.Sprintf("\nrequire %s v0.0.0\n\nreplace %s => %s\n", path[1], path[1], root)
	Write(tb, filepath.Join(m.Dir, "go.mod"), mod)
	Write(tb, filepath.Join(m.Dir, "go.sum"), Read(tb, filepath.Join(root, "go.sum")))
	return m
}

var moduleLine = regexp.MustCompile(`(?m)^module (\S+)$`)

// Generate runs the command in the working directory dir on source for the
// server name, which must be a Go package name. The output becomes part of the
// module when the command writes one.
func (m *Module) Generate(tb testing.TB, name, dir string, env []string, source string, flags ...string) *Generation {
	tb.Helper()
	out := filepath.Join(m.Dir, name)
	g := Generate(tb, dir, env, append([]string{source, "-o", out, "-runtime=import"}, flags...)...)
	g.Dir = out
	m.Adopt(tb, name)
	return g
}

// Adopt makes the output in the folder name, if there is one, a part of the
// module.
func (m *Module) Adopt(tb testing.TB, name string) {
	tb.Helper()
	if _, err := os.Stat(filepath.Join(m.Dir, name, "main.go")); err == nil {
		m.packages[name] = true
	}
}

// Build compiles all servers. A server that does not compile fails only the
// tests that start it.
func (m *Module) Build(tb testing.TB) {
	tb.Helper()
	for name := range m.packages {
		m.makeImportable(tb, name)
	}
	if out, err := goRun(m.Dir, "build", "-trimpath", "./..."); err != nil {
		m.noteBroken(string(out))
		if len(m.broken) == 0 {
			tb.Fatalf("go build: %v\n%s", err, out)
		}
	}
	m.writeMain(tb)
	m.bin = filepath.Join(m.Dir, "prove.bin")
	if out, err := goRun(m.Dir, "build", "-trimpath", "-ldflags=-s -w", "-o", m.bin, "."); err != nil {
		tb.Fatalf("go build: %v\n%s", err, out)
	}
}

// Vet runs go vet over the named servers, or over all.
func (m *Module) Vet(tb testing.TB, names ...string) {
	tb.Helper()
	args := []string{"vet"}
	for _, name := range names {
		args = append(args, "./"+name)
	}
	if len(names) == 0 {
		args = append(args, "./...")
	}
	if out, err := goRun(m.Dir, args...); err != nil {
		tb.Errorf("go vet: %v\n%s", err, out)
	}
}

// makeImportable turns package main into a package that the one binary can
// import. Nothing else changes, so main still runs as it was generated and every
// name clash is still one.
func (m *Module) makeImportable(tb testing.TB, name string) {
	tb.Helper()
	dir := filepath.Join(m.Dir, name)
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, file := range files {
		Write(tb, file, packageMain.ReplaceAllString(Read(tb, file), "package "+name))
	}
	Write(tb, filepath.Join(dir, "prove_entry.go"), "package "+name+"\n\n// ProveEntry runs the generated main.\nfunc ProveEntry() { main() }\n")
}

var packageMain = regexp.MustCompile(`(?m)^package main$`)

var brokenPackage = regexp.MustCompile(`(?m)^# prove\.test/(\S+)$`)

// noteBroken splits the compiler's output by package.
func (m *Module) noteBroken(out string) {
	found := brokenPackage.FindAllStringSubmatchIndex(out, -1)
	for i, at := range found {
		end := len(out)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		m.broken[out[at[2]:at[3]]] = out[at[1]:end]
	}
}

func (m *Module) writeMain(tb testing.TB) {
	tb.Helper()
	var imports, cases strings.Builder
	for _, name := range slices.Sorted(maps.Keys(m.packages)) {
		if m.broken[name] != "" {
			continue
		}
		fmt.Fprintf(&imports, "\t%q\n", "prove.test/"+name)
		fmt.Fprintf(&cases, "\tcase %q:\n\t\t%s.ProveEntry()\n", name, name)
	}
	Write(tb, filepath.Join(m.Dir, "main.go"), fmt.Sprintf(`package main

import (
	"os"

%s)

func main() {
	name := os.Args[1]
	os.Args = append(os.Args[:1], os.Args[2:]...)
	switch name {
%s	default:
		os.Exit(64)
	}
}
`, imports.String(), cases.String()))
}

// Start starts the server name and completes the handshake.
func (m *Module) Start(tb testing.TB, name string, env []string, args ...string) *Client {
	tb.Helper()
	m.check(tb, name)
	return Start(tb, env, m.bin, append([]string{name}, args...)...)
}

// Run runs the server name with an empty stdin until it ends and returns its
// exit code and what it wrote to stderr.
func (m *Module) Run(tb testing.TB, name string, env []string, args ...string) (int, string) {
	tb.Helper()
	m.check(tb, name)
	cmd := exec.Command(m.bin, append([]string{name}, args...)...)
	cmd.Env = append([]string{}, env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		tb.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), stderr.String()
}

func (m *Module) check(tb testing.TB, name string) {
	tb.Helper()
	switch {
	case m.broken[name] != "":
		tb.Fatalf("the server %s does not compile:\n%s", name, m.broken[name])
	case !m.packages[name]:
		tb.Fatalf("no output was generated for %s", name)
	}
}

// goRun runs the go command without the network.
func goRun(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	return cmd.CombinedOutput()
}

// Build compiles the package main in dir, a folder of this repository or a
// module of its own, and returns the binary's path.
func Build(tb testing.TB, dir string) string {
	tb.Helper()
	bin := filepath.Join(tb.TempDir(), "server")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=readonly", "GOWORK=off", "GOPROXY=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("go build in %s: %v\n%s", dir, err, out)
	}
	return bin
}
