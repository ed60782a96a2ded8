package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// maxOffenders is how many tools a run over its budget names.
const maxOffenders = 5

// withinBudget refuses a surface of more than budget tokens; 0 is no limit. It
// names the tools that cost most, and what in them.
func (r *report) withinBudget(s *ir.Server, budget int) error {
	if budget == 0 || r.Tokens <= budget {
		return nil
	}
	tools := slices.SortedFunc(slices.Values(r.Tools), func(a, b toolReport) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Name, b.Name))
	})
	input := make(map[string][]byte, len(tools))
	for _, t := range s.Tools() {
		input[t.Name] = t.Input
	}
	var lines []string
	for _, t := range tools[:min(len(tools), maxOffenders)] {
		pointer, size := diet.Costliest(input[t.Name])
		lines = append(lines, fmt.Sprintf("%s takes %s tokens, %s of its %s bytes at inputSchema%s",
			t.Name, thousands(t.Tokens), thousands(size), thousands(t.Bytes), pointer))
	}
	lines = append(lines, "-diet lean cuts more, -include and -exclude choose; a server started with -tools search lists three tools only")
	r.Status = "over-budget"
	return &failure{exit: exitStale, code: "over-budget", hint: strings.Join(lines, "\n"),
		message: fmt.Sprintf("%s take about %s tokens, the budget is %s", count(len(tools), "tool"), thousands(r.Tokens), thousands(budget))}
}
