package gen

import (
	"fmt"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

func TestHandlerDoc(t *testing.T) {
	const first = "// getA calls GET /a/{b}."
	for _, test := range []struct{ name, description, want string }{
		{"said by the document", "Gets an a.", first + "\n//\n// Gets an a."},
		{"nothing said", ir.Sends("GET", "/a/{b}"), first},
		{"nothing said but what it returns", ir.Sends("GET", "/a/{b}") + "\n\nReturns: An a.", first + "\n//\n// Returns: An a."},
		{"the first paragraph and the result", "Gets an a.\n\nNot a b:\n- c\n\nReturns: An a.\nDeprecated.", first + "\n//\n// Gets an a.\n//\n// Returns: An a. Deprecated."},
		{"of another request", ir.Sends("GET", "/a"), first + "\n//\n// Sends GET /a."},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc := handlerDoc(tool{ident: "getA", Tool: &ir.Tool{Description: test.description, Request: &ir.Request{Method: "GET", Path: "/a/{b}"}}})
			if got := fmt.Sprintf("%#v", doc); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}
