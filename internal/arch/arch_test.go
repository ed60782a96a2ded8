// Package arch checks that dependencies point one way: cmd -> parse, gen;
// gen -> parse/ir, parse/diag, templates, runtime; review -> parse/ir,
// parse/diag, parse/node; runtime -> nothing of ours.
package arch

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

const module = "github.com/seed7346ab69/toolmill/"

func TestDependencies(t *testing.T) {
	for _, test := range []struct {
		packages string
		// may are the packages of ours that they may depend on; one that ends
		// in a slash stands for all below it.
		may []string
		// mayNot are packages of others that have their place elsewhere.
		mayNot []string
	}{
		{"./parse/...", []string{"parse/"}, []string{"github.com/dave/jennifer", "github.com/spf13/cobra", "github.com/modelcontextprotocol"}},
		{"./parse/diag", []string{"parse/diag"}, nil},
		{"./parse/node", []string{"parse/node", "parse/diag"}, []string{"github.com/getkin/kin-openapi"}},
		{"./parse/ir", []string{"parse/ir", "parse/diag"}, []string{"github.com/getkin/kin-openapi"}},
		{"./parse/schema", []string{"parse/schema", "parse/prose", "parse/node", "parse/ir", "parse/diag"}, []string{"github.com/getkin/kin-openapi"}},
		{"./gen/...", []string{"gen", "parse/ir", "parse/diag", "templates", "runtime"}, []string{"github.com/getkin/kin-openapi", "github.com/spf13/cobra"}},
		{"./templates/...", []string{"templates"}, []string{"github.com/dave/jennifer"}},
		{"./runtime/early", []string{"runtime/early"}, []string{"net/http", "fmt"}}, // it comes before them
		{"./runtime", []string{"runtime"}, []string{"github.com/dave/jennifer", "github.com/getkin/kin-openapi", "github.com/spf13/cobra", "golang.org/x/tools", "go.opentelemetry.io"}},
		{"./runtime/otel", []string{"runtime", "runtime/otel"}, nil},
		{"./internal/prove", []string{"internal/prove"}, nil},
	} {
		t.Run(test.packages, func(t *testing.T) {
			for _, dep := range deps(t, test.packages) {
				if ours, ok := strings.CutPrefix(dep, module); ok && !allowed(test.may, ours) {
					t.Errorf("depends on %s", ours)
				}
				for _, prefix := range test.mayNot {
					if strings.HasPrefix(dep, prefix) {
						t.Errorf("depends on %s", dep)
					}
				}
			}
		})
	}
}

func allowed(may []string, pkg string) bool {
	return slices.ContainsFunc(may, func(m string) bool {
		return m == pkg || (strings.HasSuffix(m, "/") && strings.HasPrefix(pkg, m))
	})
}

func deps(t *testing.T, packages string) []string {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", packages)
	cmd.Dir = prove.Root(t)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	found := strings.Fields(string(out))
	if len(found) == 0 {
		t.Fatalf("go list knows no package %s", packages)
	}
	return found
}
