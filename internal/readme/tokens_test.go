package readme

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/runtime"
)

var update = flag.Bool("update", false, "write the table of tokens into README.md")

// apis are the rows of the table, largest last.
var apis = []struct{ name, document string }{
	{"Slack", "slack/slack_web_openapi_v2.json"},
	{"Discord", "discord/openapi.json"},
	{"Stripe", "stripe/stripe.yaml"},
	{"GitHub", "github/api.github.com.json"},
	{"Kubernetes", "kubernetes/k8s.json"},
	{"DocuSign", "docusign/docusignv3.1.json"},
}

// searchTokens bounds the list of a server that searches, whatever its API.
const searchTokens = 1500

// TestTokenTable holds the table in README.md to the documents.
func TestTokenTable(t *testing.T) {
	if testing.Short() {
		t.Skip("reads large documents")
	}
	var table strings.Builder
	table.WriteString("| API | tools | as is | `-diet safe` | `-diet lean` | `-tools search` |\n|---|--:|--:|--:|--:|--:|\n")
	for _, api := range apis {
		file := prove.Shared(t, "corpus", filepath.FromSlash(api.document))
		fmt.Fprintf(&table, "| %s |", api.name)
		for i, level := range []string{diet.None, diet.Safe, diet.Lean} {
			s := dieted(t, file, level)
			if i == 0 {
				fmt.Fprintf(&table, " %s |", thousands(len(s.Tools())))
			}
			fmt.Fprintf(&table, " %s |", thousands(tokens(s)))
			if level == diet.Lean {
				n := searched(t, s)
				if n >= searchTokens {
					t.Errorf("%s: %d tokens with -tools search, want less than %d", api.name, n, searchTokens)
				}
				fmt.Fprintf(&table, " %s |\n", thousands(n))
			}
		}
	}
	path := filepath.Join(prove.Root(t), "README.md")
	const begin, end = "<!-- tokens: go test ./internal/readme -run TokenTable -update -->\n", "<!-- end -->"
	head, rest, found := strings.Cut(prove.Read(t, path), begin)
	old, tail, ended := strings.Cut(rest, end)
	switch {
	case !found || !ended:
		t.Fatalf("README.md has no %s…%s", begin, end)
	case old == table.String():
	case *update:
		if err := os.WriteFile(path, []byte(head+begin+table.String()+end+tail), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table is not as measured; run the command above it. Want\n%s", table.String())
	}
}

func dieted(t *testing.T, file, level string) *ir.Server {
	t.Helper()
	var diags diag.List
	s := openapi.Parse(context.Background(), file, openapi.Options{}, &diags)
	if s == nil {
		t.Fatal(diags.All())
	}
	diet.NewPlan(level).Apply(s, &diags)
	return s
}

func tokens(s *ir.Server) int {
	n := 0
	for _, tool := range s.Tools() {
		n += ir.Tokens(tool.AppendJSON(nil))
	}
	return n
}

// searched is what the list of a server takes that is started with -tools search.
func searched(t *testing.T, s *ir.Server) int {
	t.Helper()
	files := fstest.MapFS{}
	definition := runtime.Definition{Name: s.Name, Title: s.Title, Schemas: files}
	for _, tool := range s.Tools() {
		files["tools/"+tool.Name+".json"] = &fstest.MapFile{Data: tool.AppendJSON(nil)}
		definition.Tools = append(definition.Tools, runtime.Tool{Name: tool.Name})
	}
	ctx := t.Context()
	client, server := mcp.NewInMemoryTransports()
	go func() {
		// It ends with the context; a failure shows at the client.
		_ = runtime.NewServer(runtime.Config{Tools: runtime.SearchTools, BaseURL: "http://127.0.0.1:1"}, definition).Run(ctx, server)
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "readme", Version: "1"}, nil).Connect(ctx, client, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, tool := range list.Tools {
		object, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		n += ir.Tokens(object)
	}
	return n
}

// thousands writes n with a comma before every third digit.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
