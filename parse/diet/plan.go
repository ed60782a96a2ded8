package diet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// The levels: names of sets of steps.
const (
	None = "none"
	Safe = "safe"
	Lean = "lean"
)

// step is one way to make a tool smaller.
type step struct {
	name  string
	level string // from which on it is taken
	hides bool   // what it cuts may be asked for, so that the whole is kept
	about string
	// cut returns the input schema root without what the step cuts, or root.
	cut func(t *ir.Tool, root *node.Node) *node.Node
}

// steps in the order in which they are taken. Those that hide come last, so that
// what they hide is otherwise finished.
var steps = []step{
	{"output", Safe, false, "outputSchema above 8 kB", cutOutput},
	{"markup", Safe, false, "Markdown and HTML in descriptions", plainTexts},
	{"echoes", Safe, false, "descriptions that repeat a name, a title or each other", cutEchoes},
	{"length", Safe, false, "descriptions above 1,000 characters, after a sentence", cutLength},
	{"examples", Safe, false, "examples after the first, and those that an enum or default gives", cutExamples},
	{"brief", Safe, true, "in tools above 16 kB, all but the first sentence below the arguments", cutBrief},
	{"thin", Safe, true, "in tools still above 32 kB, the deepest descriptions", cutThin},
	{"sentences", Lean, true, "all but the first sentence", cutSentences},
	{"all-examples", Lean, true, "every example", cutAllExamples},
	{"depth", Lean, true, "schemas below the third level, behind a marker", cutDepth},
	{"defs", Safe, false, "definitions that nothing refers to", cutDefs},
}

// Plan is the steps to take. It is a flag value: a level, then steps to add or to
// leave out, as in "safe,+depth,-echoes".
type Plan struct {
	text  string
	taken map[string]bool
}

// NewPlan returns the plan of a level.
func NewPlan(level string) *Plan {
	p := &Plan{}
	if err := p.Set(level); err != nil {
		panic(err) // a constant of this package
	}
	return p
}

// Set reads a plan. Its error says what can be written.
func (p *Plan) Set(text string) error {
	level, changes, _ := strings.Cut(text, ",")
	if !slices.Contains([]string{None, Safe, Lean}, level) {
		return fmt.Errorf("a diet begins with none, safe or lean, got %q", level)
	}
	taken := map[string]bool{}
	for _, s := range steps {
		taken[s.name] = s.level == level || level == Lean
	}
	for change := range strings.SplitSeq(changes, ",") {
		if change == "" {
			continue
		}
		name := strings.TrimLeft(change, "+-")
		if _, known := taken[name]; !known || len(name) != len(change)-1 {
			return fmt.Errorf("%q is no step with + or - before it; the steps are %s", change, strings.Join(names(), ", "))
		}
		taken[name] = change[0] == '+'
	}
	p.text, p.taken = text, taken
	return nil
}

func names() []string {
	var out []string
	for _, s := range steps {
		out = append(out, s.name)
	}
	return out
}

// String is what Set took.
func (p *Plan) String() string { return p.text }

// Type names the value in help.
func (p *Plan) Type() string { return "diet" }
