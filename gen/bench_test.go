package gen

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// BenchmarkGenerate prints a server of the size of GitHub's: 1,223 tools in 40
// groups, a tool file of about 6 kB each.
func BenchmarkGenerate(b *testing.B) {
	server := largeServer(40, 1223)
	opts := Options{Package: "example.com/large"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Generate(server, opts); err != nil {
			b.Fatal(err)
		}
	}
}

func largeServer(groups, tools int) *ir.Server {
	var properties strings.Builder
	for i := range 40 {
		fmt.Fprintf(&properties, `"property_%d":{"type":"string","description":"What property %d is good for, in a sentence or two."},`, i, i)
	}
	input := json.RawMessage(`{"type":"object","properties":{` + strings.TrimSuffix(properties.String(), ",") + `},"additionalProperties":false}`)
	s := &ir.Server{Name: "large", Title: "Large API", Version: "1.0.0", Source: "large.yaml", Found: tools}
	for i := range groups {
		s.Groups = append(s.Groups, ir.Group{Name: fmt.Sprintf("group%02d", i)})
	}
	for i := range tools {
		g := &s.Groups[i%groups]
		g.Tools = append(g.Tools, &ir.Tool{
			Name: fmt.Sprintf("tool%04d", i), Title: "A tool",
			Description: strings.Repeat("A description of the usual length. ", 10), Input: input,
			Request: &ir.Request{Method: "GET", Path: "/things/{id}/parts/{part}", Bindings: []ir.Binding{
				{Arg: "id", Wire: "id", In: ir.InPath, Style: ir.Simple},
				{Arg: "part", Wire: "part", In: ir.InPath, Style: ir.Simple},
				{Arg: "page", Wire: "page", In: ir.InQuery, Style: ir.Form, Explode: true},
				{Arg: "per_page", Wire: "per_page", In: ir.InQuery, Style: ir.Form, Explode: true},
			}},
		})
	}
	return s
}
