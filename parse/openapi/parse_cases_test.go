package openapi

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// TestCases reads every shared case: what can be said before anything is
// generated holds for all of them.
func TestCases(t *testing.T) {
	cases := shared(t, "cases/openapi")
	folders, err := os.ReadDir(cases)
	if err != nil {
		t.Fatal(err)
	}
	refused := map[string]string{
		"P94-ref-outside-root": "ref-outside-folder", // neither operation may be read
		"P97-webhooks-only":    "no-tools",
	}
	skips := map[string]string{
		"P14-alias-loop":     "alias-loop 1",
		"P96-not-operations": "method-skipped 2",
		"P98-partial-bad-op": "dangling-ref 1, parameter-without-name 1",
	}
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			var diags diag.List
			s := Parse(context.Background(), caseDocument(t, filepath.Join(cases, folder.Name())), Options{}, &diags)
			if code := refused[folder.Name()]; code != "" {
				if s != nil || !slices.ContainsFunc(diags.All(), func(d diag.Diagnostic) bool { return d.Code == code }) {
					t.Errorf("want %s, got %s", code, printed(&diags))
				}
				return
			}
			if s == nil {
				t.Fatal(printed(&diags))
			}
			if got := countSkips(s.Skips); got != skips[folder.Name()] {
				t.Errorf("skips %q, want %q\n%s", got, skips[folder.Name()], printed(&diags))
			}
			checkSchemas(t, s)
		})
	}
}

// caseDocument finds the input of a case.
func caseDocument(t *testing.T, folder string) string {
	t.Helper()
	for _, name := range []string{"openapi.yaml", "openapi.json", "swagger.yaml", "api/openapi.yaml"} {
		if path := filepath.Join(folder, name); exists(path) {
			return path
		}
	}
	t.Fatalf("no document in %s", folder)
	return ""
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
