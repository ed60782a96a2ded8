package main

import (
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

func TestOneLine(t *testing.T) {
	if got, want := oneLine("GET /a\x1b[2J\n\u202eb\u200b é 日"), "GET /a [2J  b  é 日"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestConfirmIsListed checks that machines learn, too, which tools ask people.
func TestConfirmIsListed(t *testing.T) {
	request := &ir.Request{Method: "GET", Path: "/"}
	var r report
	r.fill(&ir.Server{Groups: []ir.Group{{Tools: []*ir.Tool{
		{Name: "asks", Request: request, Confirm: new(true), Deprecated: true},
		{Name: "does_not", Request: request, Confirm: new(false)},
	}}}})
	var out strings.Builder
	if err := r.print(&out); err != nil {
		t.Fatal(err)
	}
	asks, other, _ := strings.Cut(out.String(), `"does_not"`)
	for _, field := range []string{`"confirm": true`, `"deprecated": true`} {
		if !strings.Contains(asks, field) || strings.Contains(other, field) {
			t.Errorf("%s of one tool in\n%s", field, out.String())
		}
	}
}
