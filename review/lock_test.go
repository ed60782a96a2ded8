package review_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

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
    post: {operationId: lend, description: Lends a book., responses: {"200": {description: OK}}}
`

// TestLock says which changes of a document change the pinned surface.
func TestLock(t *testing.T) {
	pin := func(text string) *review.Lock {
		s := surface(t, txtar.File{Name: "api.yaml", Data: []byte(text)}, openapi.Options{})
		return review.NewLock("shelf", s)
	}
	before := pin(lockDocument)
	for _, test := range []struct{ name, old, new, want string }{
		{"nothing", "", "", ""},
		{"the version", `version: "1"`, `version: "2"`, ""},
		{"the name of a parameter", "author", "writer", "1 changed (listBooks)"},
		{"a description", "Lists books.", "Lists all books.", "1 changed (listBooks)"},
		{"a limit", "maxLength: 9", "maxLength: 8", "1 changed (listBooks)"},
		{"a path", "/loans:", "/lending:", "1 changed (lend)"},
		{"a name", "operationId: lend,", "operationId: lendBook,", "1 added (lendBook), 1 removed (lend)"},
		{"the order of keywords", "{type: string, maxLength: 9}", "{maxLength: 9, type: string}", ""},
		{"the order of parameters", authorLine + limitLine, limitLine + authorLine, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(lockDocument, test.old) {
				t.Fatalf("the document holds no %q", test.old)
			}
			after := pin(strings.Replace(lockDocument, test.old, test.new, 1))
			if got := after.Since(before).String(); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	read, err := review.ReadLock(before.Encode())
	if err != nil || read.Since(before).Count() > 0 || read.Server != "shelf" {
		t.Errorf("read back: %v %v", read, err)
	}
}

func TestReadLockRefuses(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"no JSON", "version: 1", "invalid character"},
		{"another version", `{"version":2,"server":"a","tools":{}}`, "version 2 is not known"},
		{"text behind it", `{"version":1,"server":"a","tools":{}}{`, "text after the end"},
		{"another field", `{"version":1,"digests":{}}`, "unknown field"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := review.ReadLock([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}
