package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
)

// document is one document of the corpus.
type document struct {
	name string // also a Go package name
	path string
	// always builds and starts it in every run, not only in full ones.
	always bool
	// calls has every operation called.
	calls bool
	// maxList bounds the bytes of tools/list where that is not twice the
	// document.
	maxList int

	once   sync.Once
	parsed *parsed
}

var documents = []*document{
	{name: "asana", path: "asana/asana.yaml"},
	{name: "cafe", path: "redocly-cafe/cafe.yaml", always: true, calls: true},
	{name: "cafesplit", path: "redocly-cafe/cafe-split/cafe.yaml"},
	{name: "discord", path: "discord/openapi.json", always: true, maxList: 450_000},
	{name: "docker", path: "docker-engine/swagger.yaml", always: true, calls: true},
	// 37 of 402 tools take a whole envelope as their body: it is this large
	// even with each schema written once in a tool.
	{name: "docusign", path: "docusign/docusignv3.1.json", maxList: 9_800_000},
	{name: "galaxy", path: "scalar-galaxy/3.1.yaml", always: true, calls: true},
	{name: "github", path: "github/api.github.com.json", always: true, calls: true},
	{name: "googlemaps", path: "googlemaps/specification/index.yml"},
	{name: "kubernetes", path: "kubernetes/k8s.json"},
	{name: "petstore2", path: "petstore2/petstorev2.json", always: true, calls: true},
	{name: "petstore3", path: "petstore3/petstorev3.json", always: true, calls: true},
	{name: "rclone", path: "rclone/openapi.yaml", always: true},
	{name: "slack", path: "slack/slack_web_openapi_v2.json", always: true, calls: true},
	{name: "stripe", path: "stripe/stripe.yaml", always: true, calls: true},
	{name: "styles", path: "readme-examples/parameters-style.yaml", always: true, calls: true},
	{name: "vault", path: "vault/openapi.json"},
}

// parsed is a document after generation in memory.
type parsed struct {
	server *ir.Server
	tree   *gen.Tree
	diags  []diag.Diagnostic
	err    error
}

// source returns the document's path and skips the test where it is missing.
func (d *document) source(t *testing.T) string {
	t.Helper()
	return prove.Shared(t, append([]string{"corpus"}, strings.Split(d.path, "/")...)...)
}

// parse generates the document once for all tests.
func (d *document) parse(t *testing.T) *parsed {
	t.Helper()
	source := d.source(t)
	d.once.Do(func() {
		d.parsed = &parsed{}
		var diags diag.List
		d.parsed.server = openapi.Parse(t.Context(), source, openapi.Options{Name: d.name}, &diags)
		if d.parsed.server != nil {
			diet.NewPlan(diet.Safe).Apply(d.parsed.server, &diags)
			d.parsed.tree, d.parsed.err = gen.Generate(d.parsed.server, gen.Options{Runtime: gen.Import})
		}
		d.parsed.diags = diags.All()
	})
	if d.parsed.server == nil || d.parsed.err != nil {
		t.Fatalf("%s is not generated: %v\n%s", d.name, d.parsed.err, printed(d.parsed.diags))
	}
	return d.parsed
}

func printed(diags []diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range diags {
		if d.Severity == diag.Error {
			b.WriteString(d.String() + "\n")
		}
	}
	return b.String()
}

// accepted reads a file of lines "document what: reason" as what -> reason for one
// document. Lines that begin with # are comments.
func accepted(t *testing.T, file, document string) map[string]string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name != document {
			continue
		}
		what, reason, found := strings.Cut(rest, ": ")
		if !found || reason == "" {
			t.Errorf("%s: no reason in %q", file, line)
		}
		out[what] = reason
	}
	return out
}
