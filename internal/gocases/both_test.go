package gocases

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// TestDocumentAndPackage makes one server of an OpenAPI document and a Go
// package, and calls a tool of each.
func TestDocumentAndPackage(t *testing.T) {
	module := prove.NewModule(t)
	r := &run{pkg: "added", dir: filepath.Join(module.Dir, "cases", "added"), module: module}
	prove.Write(t, filepath.Join(r.dir, "added.go"), added)
	prove.Write(t, filepath.Join(r.dir, "orders.yaml"), `openapi: 3.1.0
info: {title: Orders, version: 1.0.0}
servers: [{url: https://shop.test/v1}]
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      summary: Get an order
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {"200": {description: The order.}}
`)
	r.writeModule(t)
	g := module.Generate(t, r.pkg, r.dir, goEnv(t), "orders.yaml", ".")
	if g.Exit != 0 {
		t.Fatalf("exit %d\n%s", g.Exit, g.Stderr)
	}
	module.Build(t)
	upstream := prove.NewUpstream(t)
	client := module.Start(t, r.pkg, upstream.Env())
	if tools := client.Tools(); len(tools) != 2 || tools[0].Name != "add" || tools[1].Name != "getOrder" {
		t.Errorf("tools %+v", tools)
	}
	wantText(t, client.Call("add", `{"a":1,"b":2}`), "3")
	upstream.Reply(prove.Answer{Raw: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"id\":7}"})
	wantText(t, client.Call("getOrder", `{"id":7}`), `{"id":7}`)
	seen := upstream.Take()
	if len(seen) != 1 || seen[0].URL != "https://shop.test/v1/orders/7" {
		t.Errorf("the API saw %+v", seen)
	}
	surface := prove.Read(t, filepath.Join(g.Dir, "TOOLS.md"))
	for _, part := range []string{"`GET /orders/{id}`", "`Add`", "2 tools"} {
		if !strings.Contains(surface, part) {
			t.Errorf("TOOLS.md lacks %q:\n%s", part, surface)
		}
	}
}
