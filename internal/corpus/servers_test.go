package corpus

import (
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// module holds the servers of all documents that this run builds. It outlives
// the test that makes it.
var module struct {
	once sync.Once
	*prove.Module
	failed bool
}

// servers generates and builds the servers once for all tests of the process.
func servers(t *testing.T) *prove.Module {
	t.Helper()
	prove.Shared(t, "corpus")
	module.once.Do(func() {
		module.failed = true
		m := prove.NewModuleIn(t, workDir)
		for _, d := range documents {
			if !built(d) {
				continue
			}
			if g := m.Generate(t, d.name, workDir, nil, d.source(t), "-name="+d.name); g.Exit != 0 {
				t.Errorf("%s: generate exited with %d\n%s", d.name, g.Exit, g.Stderr)
			}
		}
		m.Build(t)
		module.Module, module.failed = m, false
	})
	if module.failed {
		t.Fatal("the servers were not built")
	}
	return module.Module
}

func built(d *document) bool { return d.always || os.Getenv("TOOLMILL_FULL") == "1" }

var workDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		panic(err)
	}
	workDir = dir
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// TestServers starts each server: tools/list holds one tool for each operation
// that is not skipped, and nobody is called.
func TestServers(t *testing.T) {
	m := servers(t)
	for _, d := range documents {
		t.Run(d.name, func(t *testing.T) {
			if !built(d) {
				t.Skip("built with TOOLMILL_FULL=1 only")
			}
			var want, got []string
			for _, tool := range d.parse(t).server.Tools() {
				want = append(want, tool.Name)
			}
			upstream := prove.NewUpstream(t)
			client := m.Start(t, d.name, append(upstream.Env(), "BASE_URL="+upstream.URL))
			for _, tool := range client.Tools() {
				got = append(got, tool.Name)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("tools/list has %d tools, want %d", len(got), len(want))
			}
			if err := client.Close(); err != nil {
				t.Errorf("the server ended with %v\n%s", err, client.Stderr())
			}
			for _, req := range upstream.Take() {
				t.Errorf("the upstream saw %s", req.URL)
			}
		})
	}
}
