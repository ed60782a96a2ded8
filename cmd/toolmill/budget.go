package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// maxOffenders is how many tools a run over its budget names.
const maxOffenders = 5

// budget is a flag: how many tokens all tools may take, 0 for no limit.
type budget int

// String is the number.
func (b *budget) String() string { return strconv.Itoa(int(*b)) }

// Type is what help shows after the name of the flag.
func (b *budget) Type() string { return "number" }

// Set sets the limit; no limit is said by leaving it out.
func (b *budget) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		return fmt.Errorf("want a number of tokens above 0, got %q; leave it out for no limit", text)
	}
	*b = budget(n)
	return nil
}

// withinBudget refuses a surface of more tokens than the budget, if there is one. It
// names the tools that cost most, and what in them.
func (r *report) withinBudget(server *ir.Server, s *settings) error {
	if s.budget == 0 || r.Tokens <= int(s.budget) {
		return nil
	}
	tools := slices.SortedFunc(slices.Values(r.Tools), func(a, b toolReport) int {
		return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Name, b.Name))
	})
	byName := make(map[string]*ir.Tool, len(tools))
	for _, t := range server.Tools() {
		byName[t.Name] = t
	}
	var lines []string
	for _, t := range tools[:min(len(tools), maxOffenders)] {
		line := fmt.Sprintf("%s takes %s", t.Name, count(t.Tokens, "token"))
		if path, size := diet.Costliest(byName[t.Name]); path != "" {
			line += fmt.Sprintf(", %s of its %s bytes at %s", thousands(size), thousands(t.Bytes), path)
		}
		lines = append(lines, line)
	}
	advice := "-include and -exclude choose; a server started with -tools search lists three tools only"
	if s.diet.String() != diet.Lean {
		advice = "-diet lean cuts more, " + advice
	}
	take := "take"
	if len(tools) == 1 {
		take = "takes"
	}
	r.Status = "over-budget"
	return &failure{exit: exitStale, code: "over-budget", hint: strings.Join(append(lines, advice), "\n"),
		message: fmt.Sprintf("%s %s about %s, the budget is %s", count(len(tools), "tool"), take, count(r.Tokens, "token"), thousands(int(s.budget)))}
}
