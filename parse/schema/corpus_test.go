package schema

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// corpus are real documents that stand in one file.
var corpus = []string{
	"asana/asana.yaml", "discord/openapi.json", "docker-engine/swagger.yaml", "docusign/docusignv3.1.json",
	"github/api.github.com.json", "kubernetes/k8s.json", "petstore2/petstorev2.json", "petstore3/petstorev3.json",
	"rclone/openapi.yaml", "readme-examples/parameters-style.yaml", "redocly-cafe/cafe.yaml", "scalar-galaxy/3.1.yaml",
	"slack/slack_web_openapi_v2.json", "stripe/stripe.yaml", "vault/openapi.json",
}

// realDocument reads a document of the corpus, which the project is also built without.
func realDocument(t testing.TB, name string) document {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, "..", "shared", "corpus", name))
	if err != nil {
		t.Skipf("no real documents here: %v", err)
	}
	return parse(t, name, string(data))
}

// operation is what the arguments and the result of a tool are made from.
type operation struct {
	name  string
	props []Property
	reply *node.Node
}

// operations lists those of a document, without the care of a real loader.
func (d document) operations() []operation {
	deref := func(n *node.Node) *node.Node {
		for range 10 {
			ref := n.Get("$ref")
			if ref == nil {
				break
			}
			n, _ = d.Resolve(ref)
		}
		return n
	}
	var out []operation
	for path, item := range d.root().Get("paths").Pairs() {
		for method, op := range item.Pairs() {
			if !op.Has("responses") {
				continue
			}
			o := operation{name: method.Value + " " + path.Value}
			seen := map[string]bool{}
			for _, p := range append(op.Get("parameters").List(), item.Get("parameters").List()...) {
				p = deref(p)
				schema := p.Get("schema")
				if schema == nil && d.root().Has("swagger") {
					schema = p.Without("name", "in", "required", "description")
				}
				if name := p.Get("name").Text(); !seen[name] {
					seen[name] = true
					o.props = append(o.props, Property{Name: name, Schema: schema, Description: p.Get("description").Text()})
				}
			}
			for _, media := range deref(op.Get("requestBody")).Get("content").Pairs() {
				o.props = append(o.props, Property{Name: "body__", Schema: media.Get("schema")})
				break
			}
			for _, response := range op.Get("responses").Pairs() {
				response = deref(response)
				o.reply = response.Get("schema")
				for _, media := range response.Get("content").Pairs() {
					o.reply = media.Get("schema")
					break
				}
				break
			}
			out = append(out, o)
		}
	}
	return out
}

// Every operation of every real document gives an inputSchema and an
// outputSchema that hold. Of the largest only some are compiled: it takes long.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a while")
	}
	for _, name := range corpus {
		t.Run(name, func(t *testing.T) {
			d := realDocument(t, name)
			diags := &diag.List{}
			c := New(d, diags)
			total, largest, promised := 0, 0, 0
			for i, op := range d.operations() {
				in, err := c.Object(op.props)
				if err != nil {
					t.Errorf("%s: %v", op.name, err)
					continue
				}
				if len(in) < 16<<10 || i%40 == 0 {
					mustHold(t, op.name, in)
				}
				total += len(in)
				largest = max(largest, len(in))
				out, err := c.Output(op.reply)
				if err != nil {
					t.Errorf("%s: output: %v", op.name, err)
				} else if out != nil {
					promised++
					mustHold(t, op.name+" output", out)
				}
				c.Shape(op.reply)
				c.Example(op.reply, Output)
			}
			t.Logf("%d operations, %d bytes, largest %d, %d outputs, %d warnings",
				len(d.operations()), total, largest, promised, diags.Count(diag.Warning))
		})
	}
}
