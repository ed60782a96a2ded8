package diet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// The levels: names of sets of steps.
const (
	None = "none"
	Safe = "safe"
	Lean = "lean"
)

// Step is one way to make a tool smaller.
type Step struct {
	Name  string
	Level string // from which on it is taken
	About string // what it cuts

	hides bool // what it cuts may be asked for, so that the whole is kept
	of    part // of a tool, that it looks at
	// cut returns a schema of size bytes without what the step cuts, or the same,
	// or nil: none of it is worth its tokens.
	cut func(root *node.Node, size int) *node.Node
}

// part is which schemas of a tool a step looks at.
type part int

const (
	inputs part = 1 << iota
	outputs
	both = inputs | outputs
)

// steps in the order in which they are taken. Those that hide come last, so that
// what they hide is otherwise finished.
var steps = []Step{
	{"markup", Safe, "Markdown and HTML in descriptions", false, both, plainTexts},
	{"echoes", Safe, "descriptions that repeat a name, a title or each other", false, both, cutEchoes},
	{"length", Safe, "descriptions above 1,000 characters, after a sentence", false, both, cutLength},
	{"examples", Safe, "examples after the first, and those that an enum or default gives", false, both, cutExamples},
	{"defs", Safe, "definitions that nothing refers to", false, both, cutDefs},
	{"output", Safe, "outputSchema above 8 kB", false, outputs, cutOutput},
	{"brief", Safe, "in tools above 16 kB, all but the first sentence below the arguments", true, inputs, cutBrief},
	{"thin", Safe, "in tools still above 32 kB, the deepest descriptions", true, inputs, cutThin},
	{"sentences", Lean, "all but the first sentence", true, inputs, cutSentences},
	{"all-examples", Lean, "every example", true, inputs, cutAllExamples},
	{"depth", Lean, "schemas below the third level, behind a marker", true, inputs, cutDepth},
}

// Steps returns the steps in the order in which they are taken.
func Steps() []Step { return slices.Clone(steps) }

// Plan is the steps to take: those of a level, and others that are switched by
// name.
type Plan struct {
	level    string
	switched map[string]bool
}

// NewPlan returns the plan of a level.
func NewPlan(level string) *Plan { return &Plan{level: level, switched: map[string]bool{}} }

// Switch takes a step, or leaves it out, whatever the level is.
func (p *Plan) Switch(step string, on bool) { p.switched[step] = on }

// Takes reports whether the step called name is to be taken.
func (p *Plan) Takes(name string) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Name == name && p.takes(s) })
}

// takes reports whether a step is to be taken.
func (p *Plan) takes(s Step) bool {
	if on, switched := p.switched[s.Name]; switched {
		return on
	}
	return p.level == Lean || s.Level == p.level
}

// Set sets the level, as the flag of a command. Its error says what can be written.
func (p *Plan) Set(level string) error {
	if levels := []string{None, Safe, Lean}; !slices.Contains(levels, level) {
		return fmt.Errorf("want %s, got %q", strings.Join(levels, "|"), level)
	}
	p.level = level
	return nil
}

// String is the level.
func (p *Plan) String() string { return p.level }

// Type is what help shows after the flag's name.
func (p *Plan) Type() string { return strings.Join([]string{None, Safe, Lean}, "|") }
