package conformance

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// patience ends what hangs.
const patience = 5 * time.Minute

// node returns the program that runs the packages. The suite needs a newer one
// than systems have, so that it is a package as well.
func node(t *testing.T) string {
	t.Helper()
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}
	own, err := filepath.Abs(filepath.Join(packages, "node-"+runtime.GOOS+"-"+arch, "bin", "node"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(own); err == nil {
		return own
	}
	path, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	return path
}

var packages = filepath.Join("testdata", "node_modules")

// script returns a file of a package. The test is skipped where the packages are
// not installed.
func script(t *testing.T, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{packages, "@modelcontextprotocol"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skip("the npm packages are not installed: npm ci --ignore-scripts --prefix internal/conformance/testdata")
	}
	return path
}

// run runs a script and returns what it printed, and its exit code.
func run(t *testing.T, env []string, script string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, node(t), append([]string{script}, args...)...)
	home := t.TempDir()
	cmd.Env = append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "NO_COLOR=1"}, env...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatalf("%s did not end\n%s%s", script, out.String(), log.String())
	}
	return out.String(), log.String(), cmd.ProcessState.ExitCode()
}

// server is a binary of ours.
type server struct {
	name string
	env  []string
	bin  string
}

// functions is the server of annotated functions that has what the suite looks
// for, document one that was generated from an OpenAPI document and has not.
func functions(t *testing.T) server {
	t.Helper()
	return server{name: "functions", bin: build(t, "conformance")}
}

func document(t *testing.T) server {
	t.Helper()
	upstream := prove.NewUpstream(t)
	upstream.Reply(prove.Answer{Raw: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[\"letters.example\"]"})
	return server{name: "document", bin: build(t, "inbox"), env: []string{"BASE_URL=" + upstream.URL, "API_KEY_INBOX=secret"}}
}

var (
	buildMu sync.Mutex
	built   = map[string]string{}
)

// build compiles the server of an example, once for a test process.
func build(t *testing.T, example string) string {
	t.Helper()
	buildMu.Lock()
	defer buildMu.Unlock()
	if built[example] == "" {
		bin := prove.Build(t, filepath.Join(prove.Root(t), "examples", example, "server"))
		kept := filepath.Join(binaries, example)
		if err := os.Rename(bin, kept); err != nil {
			t.Fatal(err)
		}
		built[example] = kept
	}
	return built[example]
}

var binaries string

func TestMain(m *testing.M) {
	var err error
	if binaries, err = os.MkdirTemp("", "toolmill-conformance-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(binaries)
	os.Exit(code)
}
