package review_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/review"
)

const (
	authorLine = "        - {name: author, in: query, required: true, schema: {type: string, maxLength: 9}}\n"
	limitLine  = "        - {name: limit, in: query, required: true, schema: {type: integer}}\n"
)

const lockDocument = `openapi: 3.1.0
info: {title: Shelf, version: "1"}
servers: [{url: "https://shelf.example"}]
paths:
  /books:
    get:
      operationId: listBooks
      description: Lists books.
      parameters:
` + authorLine + limitLine + `      responses: {"200": {description: OK}}
  /loans:
    post:
      operationId: lend
      description: Lends a book.
      x-mcp: {confirm: true, select: [id]}
      security: [{card: []}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {cover: {type: array, items: {type: string}}}}}}}
      responses: {"200": {description: OK}}
components:
  securitySchemes: {card: {type: apiKey, in: header, name: X-Card}}
`

// TestLock says which changes of a document change the pinned surface.
func TestLock(t *testing.T) {
	read := func(t *testing.T, text string) (document, output *review.Surface) {
		path := filepath.Join(t.TempDir(), "api.yaml")
		prove.Write(t, path, text)
		server := parse(t, path, openapi.Options{})
		document, err := review.FromServer(server)
		if err != nil {
			t.Fatal(err)
		}
		return document, written(t, server)
	}
	document, output := read(t, lockDocument)
	before := review.NewLock(document)
	for _, test := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"the version", `version: "1"`, `version: "2"`, ""},
		{"the name of a parameter", "author", "writer", "1 changed (listBooks)"},
		{"a description", "Lists books.", "Lists all books.", "1 changed (listBooks)"},
		{"a limit", "maxLength: 9", "maxLength: 8", "1 changed (listBooks)"},
		{"a path", "/loans:", "/lending:", "1 changed (lend)"},
		{"a method", "    post:", "    put:", "1 changed (lend)"},
		{"a place", "name: author, in: query", "name: author, in: header", "1 changed (listBooks)"},
		{"a serialisation", "name: author, in: query", "name: author, explode: false, in: query", "1 changed (listBooks)"},
		{"a media type", "application/json:", "application/x-www-form-urlencoded:", "1 changed (lend)"},
		{"the form of a property", "application/json: {", "application/x-www-form-urlencoded: {encoding: {cover: {style: pipeDelimited}}, ", "1 changed (lend)"},
		{"a credential", "security: [{card: []}]", "security: []", "1 changed (lend), server changed (credentials)"},
		{"how a credential is sent", "name: X-Card", "name: X-Key", "server changed (credentials)"},
		{"confirmation", "confirm: true", "confirm: false", "1 changed (lend)"},
		{"what is kept", "select: [id]", "select: [id, due]", "1 changed (lend)"},
		{"an example", "maxLength: 9", "maxLength: 9, example: Ann", "1 changed (listBooks)"},
		{"the address", "https://shelf.example", "https://store.example", "server changed (addresses)"},
		{"instructions", "title: Shelf,", "title: Shelf, description: A shelf of books.,", "server changed (instructions)"},
		{"a name", "operationId: lend\n", "operationId: lendBook\n", "1 added (lendBook), 1 removed (lend)"},
		{"the order of keywords", "{type: string, maxLength: 9}", "{maxLength: 9, type: string}", ""},
		{"the order of parameters", authorLine + limitLine, limitLine + authorLine, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(lockDocument, test.old) {
				t.Fatalf("the document holds no %q", test.old)
			}
			text := strings.Replace(lockDocument, test.old, test.new, 1)
			newDocument, newOutput := read(t, text)
			if got := review.NewLock(newDocument).Since(before).String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			for name, sides := range map[string][2]*review.Surface{"documents": {document, newDocument}, "outputs": {output, newOutput}} {
				if changes := review.Diff(sides[0], sides[1]).Changes; len(changes) == 0 != (test.want == "") {
					t.Errorf("diff says of %s: %v", name, changes)
				}
			}
		})
	}
	back, err := review.ReadLock(before.Encode())
	if err != nil || back.Since(before).Count() > 0 || back.Server.Name != "shelf" || back.Outdated() {
		t.Errorf("read back: %v %v", back, err)
	}
}

// TestLockAgreesWithDiff holds for each pair of documents that diff is tried on:
// it tells of every tool that the lock calls changed, and of the server.
func TestLockAgreesWithDiff(t *testing.T) {
	cases, err := filepath.Glob("testdata/[^l]*/*.txtar")
	if err != nil || len(cases) < 50 {
		t.Fatalf("%d cases, want 50 or more: %v", len(cases), err)
	}
	for _, file := range cases {
		t.Run(filepath.Base(file), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			opts := openapi.Options{OutputSchema: strings.Contains(string(archive.Comment), "output-schema")}
			old, new := surface(t, archive.Files[0], opts), surface(t, archive.Files[1], opts)
			told := map[string]bool{}
			for _, c := range review.Diff(old, new).Changes {
				told[c.Tool] = true
			}
			change := review.NewLock(new).Since(review.NewLock(old))
			for _, tool := range change.Changed {
				if !told[tool] {
					t.Errorf("diff says nothing of %s", tool)
				}
			}
			if len(change.Server) > 0 && !told[""] {
				t.Errorf("diff says nothing of %s", change.Server)
			}
			if change.Count() == 0 && len(told) > 0 && new.Server.Name == old.Server.Name {
				t.Errorf("the lock says nothing of %v", told)
			}
		})
	}
}

func TestReadLockRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"no JSON", "version: 1", "invalid character"},
		{"a later version", `{"version":3,"server":{"name":"a"},"tools":{}}`, "version 3 is not known"},
		{"no version", `{"server":{"name":"a"},"tools":{}}`, "version 0 is not known"},
		{"text behind it", `{"version":2,"server":{"name":"a"},"tools":{}}{`, "text after the end"},
		{"another field", `{"version":2,"digests":{}}`, "unknown field"},
		{"no server", `{"version":2,"server":null,"tools":{}}`, "names no server"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := review.ReadLock([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// TestReadLockOutdated reads a file of the first version, of which only the server
// is of use.
func TestReadLockOutdated(t *testing.T) {
	l, err := review.ReadLock([]byte(`{"version":1,"server":"shelf","tools":{"lend":"sha256:00"}}`))
	if err != nil || !l.Outdated() || l.Server.Name != "shelf" {
		t.Errorf("got %v %v", l, err)
	}
}
