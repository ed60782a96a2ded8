package review_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/review"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestDiffRules compares the two documents of each case and wants the text. The
// name of a case is the rule that it shows.
func TestDiffRules(t *testing.T) {
	for _, rule := range review.Rules {
		t.Run(rule.Code, func(t *testing.T) {
			report := golden(t, filepath.Join("testdata", "diff", rule.Code+".txtar"), nil)
			if !slices.ContainsFunc(report.Changes, func(c review.Change) bool { return c.Rule == rule.Code }) {
				t.Errorf("no change is a %s", rule.Code)
			}
			for _, c := range report.Changes {
				if !slices.ContainsFunc(review.Rules, func(r struct{ Code, Finds string }) bool { return r.Code == c.Rule }) {
					t.Errorf("%s is no rule of the list", c.Rule)
				}
			}
		})
	}
	cases, err := filepath.Glob("testdata/diff/*.txtar")
	if err != nil || len(cases) != len(review.Rules) {
		t.Errorf("%d cases for %d rules: %v", len(cases), len(review.Rules), err)
	}
}

// TestDiffShapes are comparisons that no single rule is about.
func TestDiffShapes(t *testing.T) {
	cases, err := filepath.Glob("testdata/shapes/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file, nil) })
	}
}

// TestDiffDocumentedChanges grades changes of the kinds that public APIs announce.
func TestDiffDocumentedChanges(t *testing.T) {
	cases, err := filepath.Glob("testdata/changelog/*.txtar")
	if err != nil || len(cases) < 20 {
		t.Fatalf("%d cases, want 20 or more: %v", len(cases), err)
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			golden(t, file, func(t *testing.T, comment string, report *review.Report) {
				_, want, ok := strings.Cut(comment, "grade: ")
				if want = strings.TrimSpace(want); !ok {
					t.Fatal("the comment names no grade")
				}
				worst := review.Safe
				for _, c := range report.Changes {
					worst = max(worst, c.Grade)
				}
				if got := worst.String(); len(report.Changes) == 0 || got != want {
					t.Errorf("worst grade %s of %d changes, want %s", got, len(report.Changes), want)
				}
			})
		})
	}
}

// golden compares old.yaml with new.yaml of an archive and wants the text in
// "text". A comment with "output-schema" reads results too.
func golden(t *testing.T, file string, also func(t *testing.T, comment string, r *review.Report)) *review.Report {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	comment := string(archive.Comment)
	if len(archive.Files) != 3 || archive.Files[2].Name != "text" {
		t.Fatal("want the files old.yaml, new.yaml, text")
	}
	opts := openapi.Options{OutputSchema: strings.Contains(comment, "output-schema")}
	old, new := surface(t, archive.Files[0], opts), surface(t, archive.Files[1], opts)
	report := review.Diff(old, new)
	var text strings.Builder
	report.Text(&text)
	want := &archive.Files[2].Data
	if *update {
		*want = []byte(text.String())
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(*want), text.String()); diff != "" {
		t.Errorf("text differs (-want +got), go test ./review -update rewrites it:\n%s", diff)
	}
	if also != nil {
		also(t, comment, report)
	}
	if none := review.Diff(new, new); len(none.Changes) > 0 {
		t.Errorf("a surface differs from itself: %v", none.Changes)
	}
	return report
}

func surface(t *testing.T, f txtar.File, opts openapi.Options) *review.Surface {
	t.Helper()
	path := filepath.Join(t.TempDir(), f.Name)
	prove.Write(t, path, string(f.Data))
	s, err := review.FromServer(parse(t, path, opts))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t *testing.T, path string, opts openapi.Options) *ir.Server {
	t.Helper()
	var diags diag.List
	server := openapi.Parse(t.Context(), path, opts, &diags)
	if server == nil {
		t.Fatalf("%s: %v", path, diags.All())
	}
	return server
}

// TestFolder reads outputs back: they say the same as the documents they come from.
func TestFolder(t *testing.T) {
	for name, style := range map[string]ir.NameStyle{"inbox": ir.AsWritten, "jobs": ir.Snake, "weather": ir.AsWritten} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("..", "examples", name)
			folder := os.DirFS(filepath.Join(dir, "server"))
			if !review.IsFolder(folder) {
				t.Fatal("not known as an output")
			}
			written, err := review.ReadFolder(folder)
			if err != nil {
				t.Fatal(err)
			}
			for _, tool := range written.Tools {
				if tool.Request == nil {
					t.Errorf("the request of %s is not known", tool.Name)
				}
			}
			parsed, err := review.FromServer(parse(t, filepath.Join(dir, name+".yaml"), openapi.Options{Names: style}))
			if err != nil {
				t.Fatal(err)
			}
			report := review.Diff(parsed, written)
			var text strings.Builder
			report.Text(&text)
			if len(report.Changes) > 0 || len(written.Tools) == 0 {
				t.Errorf("the output differs from its document:\n%s", text.String())
			}
		})
	}
}
