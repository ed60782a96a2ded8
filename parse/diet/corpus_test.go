package diet_test

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
)

// TestCorpus holds what the diets promise of large documents, in tokens, and that
// what they leave is JSON Schema 2020-12 with every reference inside.
func TestCorpus(t *testing.T) {
	for _, test := range []struct {
		document   string
		safe, lean int
		twice      bool // the list is at most twice the document
	}{
		{"kubernetes/k8s.json", 1_350_000, 600_000, true},
		{"docusign/docusignv3.1.json", 5_000_000, 900_000, false},
		{"discord/openapi.json", 112_000, 70_000, true},
	} {
		t.Run(test.document, func(t *testing.T) {
			file := prove.Shared(t, "corpus", filepath.FromSlash(test.document))
			safe := map[string]int{}
			for _, level := range []struct {
				name string
				most int
			}{{diet.Safe, test.safe}, {diet.Lean, test.lean}} {
				var diags diag.List
				s := openapi.Parse(context.Background(), file, openapi.Options{}, &diags)
				if s == nil {
					t.Fatal(diags.All())
				}
				diet.NewPlan(level.name).Apply(s, &diags)
				tokens, size := measure(t, s, &diags)
				t.Logf("%s: %d tokens", level.name, tokens)
				if tokens >= level.most {
					t.Errorf("%s: %d tokens, want less than %d", level.name, tokens, level.most)
				}
				for _, tool := range s.Tools() {
					n := ir.Tokens(tool.AppendJSON(nil))
					if most, ok := safe[tool.Name]; ok && n > most {
						t.Errorf("%s takes %d tokens when lean, %d when safe", tool.Name, n, most)
					}
					safe[tool.Name] = n
				}
				if document := len(prove.Read(t, file)); test.twice && size > 2*document {
					t.Errorf("%s: %d bytes for a document of %d", level.name, size, document)
				}
			}
		})
	}
}

func measure(t *testing.T, s *ir.Server, diags *diag.List) (tokens, size int) {
	t.Helper()
	large := map[string]bool{}
	for _, d := range diags.All() {
		if d.Code == "large-tool" {
			large[strings.Fields(d.Message)[1]] = true
		}
	}
	for i, tool := range s.Tools() {
		object := tool.AppendJSON(nil)
		tokens, size = tokens+ir.Tokens(object), size+len(object)
		if len(object) > diet.Large && !large[tool.Name] {
			t.Errorf("%s has %d bytes and no warning", tool.Name, len(object))
		}
		if i%8 == 0 { // all would take a minute
			compile(t, tool)
		}
	}
	return tokens, size
}

func compile(t *testing.T, tool *ir.Tool) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.Input))
	if err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(jsonschema.SchemeURLLoader{}) // nothing outside can be loaded
	if err := c.AddResource("mem:input.json", doc); err != nil {
		t.Fatalf("%s: %v", tool.Name, err)
	}
	if _, err := c.Compile("mem:input.json"); err != nil {
		t.Errorf("%s: %v", tool.Name, err)
	}
}
