package realpkgs

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/gofunc"
)

// clientGo writes a package that imports client-go and returns its module.
func clientGo(b *testing.B) string {
	b.Helper()
	dir := module(b)
	s := subjects[len(subjects)-1]
	prove.Write(b, filepath.Join(dir, s.name, s.name+".go"), "// Package "+s.name+` names pods.
package `+s.name+`

import v1 "k8s.io/client-go/kubernetes/typed/core/v1"

// Names names a pod.
//
//mcp:tool
func Names(prefix string) string { return prefix }

var _ v1.PodInterface
`)
	b.Setenv("GOFLAGS", "-mod=mod")
	b.Setenv("GOWORK", "off")
	return dir
}

// bareMode is what types from export data take, and the syntax of the package
// itself.
const bareMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule

// BenchmarkLoad compares a whole generation with what loading alone takes.
func BenchmarkLoad(b *testing.B) {
	dir := clientGo(b)
	pattern := "./" + subjects[len(subjects)-1].name
	b.Run("packages", func(b *testing.B) {
		for b.Loop() {
			loaded, err := packages.Load(&packages.Config{Mode: bareMode, Dir: dir}, pattern)
			if err != nil || len(loaded) != 1 || len(loaded[0].Errors) > 0 {
				b.Fatal(err, loaded)
			}
		}
	})
	b.Run("toolmill", func(b *testing.B) {
		for b.Loop() {
			var diags diag.List
			server := gofunc.Parse(b.Context(), []string{pattern}, gofunc.Options{Dir: dir}, &diags)
			if server == nil {
				b.Fatal(diags.All())
			}
			if _, err := gen.Generate(server, gen.Options{Package: "realpkgs.test/server", Runtime: gen.Import}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("command", func(b *testing.B) {
		binary := toolmill(b)
		most := int64(0)
		for b.Loop() {
			cmd := exec.Command(binary, "generate", pattern, "-o", "server", "-runtime=import")
			cmd.Dir, cmd.Env = dir, os.Environ()
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v\n%s", err, out)
			}
			if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
				most = max(most, usage.Maxrss>>10)
			}
		}
		b.ReportMetric(float64(most), "peak-MB")
	})
}
