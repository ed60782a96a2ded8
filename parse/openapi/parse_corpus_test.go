package openapi

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/prose"
)

// shared returns a folder beside the repository, or skips the test.
func shared(t testing.TB, folder string) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			break
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test")
		}
		dir = parent
	}
	path := filepath.Join(filepath.Dir(dir), "shared", folder)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no ../shared/%s here: %v", folder, err)
	}
	return path
}

func TestCorpus(t *testing.T) {
	corpus := shared(t, "corpus")
	tests := []struct {
		file  string
		found int
		skips string // "code count", sorted
	}{
		{"asana/asana.yaml", 152, ""},
		{"discord/openapi.json", 242, ""},
		{"docker-engine/swagger.yaml", 108, "method-skipped 2"},
		{"docusign/docusignv3.1.json", 402, ""},
		{"github/api.github.com.json", 1223, ""},
		{"googlemaps/specification/index.yml", 17, ""},
		{"kubernetes/k8s.json", 853, "method-skipped 12"},
		{"petstore2/petstorev2.json", 20, ""},
		{"petstore3/petstorev3.json", 19, ""},
		{"rclone/openapi.yaml", 101, ""},
		{"readme-examples/parameters-style.yaml", 25, ""},
		{"redocly-cafe/cafe.yaml", 12, ""},
		{"redocly-cafe/cafe-split/cafe.yaml", 12, ""},
		{"scalar-galaxy/3.1.yaml", 9, ""},
		{"slack/slack_web_openapi_v2.json", 174, ""},
		{"stripe/stripe.yaml", 494, ""},
		{"vault/openapi.json", 1049, ""},
	}
	for _, tt := range tests {
		t.Run(tt.file, func(t *testing.T) {
			if testing.Short() {
				if info, err := os.Stat(filepath.Join(corpus, tt.file)); err == nil && info.Size() > 2<<20 {
					t.Skip("large document")
				}
			}
			var diags diag.List
			s := Parse(context.Background(), filepath.Join(corpus, tt.file), Options{}, &diags)
			if s == nil {
				t.Fatal(printed(&diags))
			}
			if s.Found != tt.found || s.Found != len(s.Tools())+len(s.Skips) {
				t.Errorf("found %d, want %d; %d tools, %d skips", s.Found, tt.found, len(s.Tools()), len(s.Skips))
			}
			if got := countSkips(s.Skips); got != tt.skips {
				t.Errorf("skips %q, want %q:\n%s", got, tt.skips, printed(&diags))
			}
			checkSchemas(t, s)
			checkSize(t, s)
		})
	}
}

func countSkips(skips []ir.Skip) string {
	counts := make(map[string]int)
	for _, s := range skips {
		counts[s.Code]++
	}
	var out []string
	for code, n := range counts {
		out = append(out, code+" "+strconv.Itoa(n))
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// checkSchemas compiles every schema with a validator that is not ours, which
// also resolves every $ref.
func checkSchemas(t *testing.T, s *ir.Server) {
	t.Helper()
	for _, tool := range s.Tools() {
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.Input))
		if err != nil {
			t.Errorf("%s: %v", tool.Name, err)
			continue
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		c.UseLoader(jsonschema.SchemeURLLoader{}) // nothing outside can be loaded
		c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) { return anyPattern(s), nil })
		if err := c.AddResource("mem:input.json", doc); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
			continue
		}
		if _, err := c.Compile("mem:input.json"); err != nil {
			t.Errorf("%s: %v\n%s", tool.Name, err, prose.Cut(string(tool.Input), 2000))
		}
	}
}

// anyPattern accepts every pattern: OpenAPI's are ECMA 262, not Go's (P29).
type anyPattern string

func (anyPattern) MatchString(string) bool { return true }
func (p anyPattern) String() string        { return string(p) }

// checkSize holds the promises about the size of tools/list.
func checkSize(t *testing.T, s *ir.Server) {
	t.Helper()
	total := 0
	for _, tool := range s.Tools() {
		total += len(tool.AppendJSON(nil))
	}
	t.Logf("%d tools, %d skips, tools/list %d kB", len(s.Tools()), len(s.Skips), total/1000)
	if s.Source == "openapi.json" && len(s.Tools()) == 242 && total > 450_000 {
		t.Errorf("Discord's tools/list has %d bytes, more than 450,000", total)
	}
}
