package review_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/review"
)

// TestLintRules wants the findings of one rule in a document that has tools which
// the rule must find and others that it must not.
func TestLintRules(t *testing.T) {
	cases, err := filepath.Glob("testdata/lint/*.txtar")
	if err != nil || len(cases) != len(review.LintRules) {
		t.Errorf("%d cases for %d rules: %v", len(cases), len(review.LintRules), err)
	}
	for _, rule := range review.LintRules {
		t.Run(rule.Code, func(t *testing.T) {
			file := filepath.Join("testdata", "lint", rule.Code+".txtar")
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			t.Chdir(dir)
			prove.Write(t, "api.yaml", string(archive.Files[0].Data))
			var others []string
			for _, other := range review.LintRules {
				if other.Code != rule.Code {
					others = append(others, other.Code)
				}
			}
			server := parse(t, "api.yaml", openapi.Options{})
			report := lint(t, server, others)
			var got strings.Builder
			found := map[string]bool{}
			for _, f := range report.Findings {
				fmt.Fprintf(&got, "%s: %s (%d)\n", f.Pos, f.Message, f.Cost)
				found[f.Tool] = true
			}
			if len(found) == 0 || len(found) >= report.Tools {
				t.Errorf("found %d of %d tools: want some and not all", len(found), report.Tools)
			}
			if without := lint(t, server, append(others, rule.Code)); len(without.Findings) > 0 || without.Score != 100 {
				t.Errorf("with all rules disabled: score %d, %v", without.Score, without.Findings)
			}
			want := &archive.Files[1].Data
			if diff := cmp.Diff(string(*want), got.String()); diff != "" && !*update {
				t.Errorf("findings differ (-want +got), go test ./review -update rewrites them:\n%s", diff)
			}
			*want = []byte(got.String())
			if *update {
				t.Chdir(wd)
				if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// wd is the folder of the package, which tests leave.
var wd = func() string { dir, _ := os.Getwd(); return dir }()

func lint(t *testing.T, server *ir.Server, disabled []string) *review.LintReport {
	t.Helper()
	report, err := review.Lint(server, disabled)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestLintScore is the mean of what each tool keeps, rounded down.
func TestLintScore(t *testing.T) {
	tool := func(name, description string) *ir.Tool {
		return &ir.Tool{Name: name, Description: description, Input: []byte(`{"type":"object"}`), Func: &ir.Func{}}
	}
	good := "Finds the books of one author, newest first."
	for _, test := range []struct {
		name  string
		tools []*ir.Tool
		want  int
	}{
		{"no tools", nil, 100},
		{"nothing found", []*ir.Tool{tool("find", good)}, 100},
		{"one without a description", []*ir.Tool{tool("find", "")}, 60},
		{"one of three", []*ir.Tool{tool("a", good), tool("b", "Lends a book to a reader for two weeks."), tool("c", "")}, 86},
	} {
		t.Run(test.name, func(t *testing.T) {
			server := &ir.Server{Name: "shelf", Groups: []ir.Group{{Name: "default", Tools: test.tools}}}
			if got := lint(t, server, nil); got.Score != test.want {
				t.Errorf("score %d, want %d: %v", got.Score, test.want, got.Findings)
			}
		})
	}
}
