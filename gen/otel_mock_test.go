package gen

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// mocking is petstore with the responses of one tool.
func mocking() *ir.Server {
	s := petstore()
	s.Groups[0].Tools[1].Request.Responses = []ir.Response{
		{Status: "200", MediaType: "application/json", Body: json.RawMessage(`{"id":9007199254740993,"name":"<Rex>"}`)},
		{Status: "404", MediaType: "text/plain", Body: json.RawMessage(`"no such pet"`)},
		{Status: "default"},
	}
	return s
}

func TestMock(t *testing.T) {
	tree := generate(t, mocking(), Options{Module: "example.com/petstore", Mock: true})
	const want = `{
  "responses": [
    {
      "status": "200",
      "type": "application/json",
      "body": {
        "id": 9007199254740993,
        "name": "<Rex>"
      }
    },
    {
      "status": "404",
      "type": "text/plain",
      "body": "no such pet"
    },
    {
      "status": "default"
    }
  ]
}
`
	if got := string(tree.File("mock/getPet.json").Data); got != want {
		t.Errorf("got %s", got)
	}
	if got := string(tree.File("mock/place-order.json").Data); got != "{\n  \"responses\": []\n}\n" {
		t.Errorf("without responses: %s", got)
	}
	server := string(tree.File("server.go").Data)
	for _, want := range []string{"//go:embed mock/*.json\nvar mock embed.FS\n", "Mock: "} {
		if !strings.Contains(server, want) {
			t.Errorf("no %q in\n%s", want, server)
		}
	}
	if plain := generate(t, mocking(), inModule); plain.File("mock/getPet.json") != nil || strings.Contains(string(plain.File("server.go").Data), "mock") {
		t.Error("a mock that nobody asked for")
	}
}

func TestOtel(t *testing.T) {
	tree := generate(t, petstore(), Options{Module: "example.com/petstore", Otel: true})
	file := tree.File("internal/runtime/otel/otel.go")
	if file == nil || !strings.HasPrefix(string(file.Data), header) || strings.Contains(string(file.Data), "toolmill/runtime") ||
		!strings.Contains(string(file.Data), "\n\t\"example.com/petstore/internal/runtime\"\n") {
		t.Errorf("the package is not that of the output: %v", file)
	}
	server := string(tree.File("server.go").Data)
	for _, want := range []string{`"example.com/petstore/internal/runtime/otel"`, "otel.Observe,"} {
		if !strings.Contains(server, want) {
			t.Errorf("no %s in\n%s", want, server)
		}
	}
	const needs = "go.opentelemetry.io/otel/sdk"
	if !strings.Contains(string(tree.File("go.mod").Data), needs) {
		t.Error("go.mod does not require it")
	}
	plain := generate(t, petstore(), Options{Module: "example.com/petstore"})
	for _, f := range plain.Files {
		if strings.Contains(f.Path, "otel") || f.Path != "README.md" && strings.Contains(string(f.Data), needs) {
			t.Errorf("%s holds what nobody asked for", f.Path)
		}
	}
}

// TestExtrasComeAndGo: what a flag adds is ours, so that it is kept up to date and
// leaves with the flag.
func TestExtrasComeAndGo(t *testing.T) {
	full := mocking()
	full.Groups[0].Tools[1].Full = full.Groups[0].Tools[1].Input
	dir := filepath.Join(t.TempDir(), "out")
	all := generate(t, full, Options{Module: "example.com/petstore", Otel: true, Mock: true})
	write(t, all, dir)
	if again := write(t, all, dir); again.Count() != 0 {
		t.Errorf("the second time: %v", again.Files)
	}
	changes := write(t, generate(t, petstore(), Options{Module: "example.com/petstore"}), dir)
	var removed []string
	for _, c := range changes.Files {
		if c.Action == Remove {
			removed = append(removed, c.Path)
		}
	}
	for _, name := range []string{"internal/runtime/otel/otel.go", "mock/deletePet.json", "mock/getPet.json", "tools/full/getPet.json"} {
		if !slices.Contains(removed, name) {
			t.Errorf("%s stays: %v", name, removed)
		}
	}
}
