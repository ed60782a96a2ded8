package review

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// LintRule is one rule of [Lint].
type LintRule struct {
	Code  string // stable, in kebab-case
	Finds string
	Hint  string
	Cost  int // points of a tool's 100, at most
	check func(*linter)
}

// LintRules are all rules, those about the choice of a tool first.
var LintRules = []LintRule{
	{"no-description", "a tool without a description", "say what the tool does and when to use it: summary and description of the operation", 40, each(noDescription)},
	{"description-is-name", "a description that says no more than the name", "say what the name does not: what it works on, what it returns, when to use it", 25, each(descriptionIsName)},
	{"vague-description", "a description that could be that of any tool", "name the thing and what happens to it", 25, each(vagueDescription)},
	{"description-cut", "a description that is too long and was cut", "put the key facts first and stay below 1,024 characters; -full-descriptions keeps all", 5, each(descriptionCut)},
	{"endpoint-talk", "a description that talks of endpoints", "a model sees a tool, not an endpoint: say what it does", 3, each(endpointTalk)},
	{"look-alike", "a tool that reads like another", "say in each description how it differs from the other", 15, lookAlike},
	{"duplicate-title", "a title that another tool has too", "give each operation a summary of its own", 5, duplicateTitle},
	{"long-name", "a name that hosts cut", "give the operation a shorter operationId, or the server a shorter -name", 3, each(longName)},
	{"no-operation-id", "a tool named after its path", "give the operation an operationId: the name then stays when the path changes", 5, each(noOperationID)},
	{"undocumented-argument", "arguments without a description", "say what each argument means, in which unit and form", 25, each(undocumented)},
	{"argument-is-name", "an argument whose description says no more than its name", "say what the name does not: where to get the value, its form, its default", 5, each(argumentIsName)},
	{"untyped-argument", "an argument that takes anything", "give its schema a type", 5, each(untyped)},
	{"opaque-enum", "allowed values that mean nothing by themselves", "say in the description what each value means", 5, each(opaqueEnum)},
	{"too-many-arguments", "a tool with more arguments than a model handles well", "leave out what few callers need, or split the operation", 10, each(tooMany)},
}

// stop are words that tell nothing about a tool.
var stop = wordSet(`a an the of for to in on by with from and or is are be this that its it all any given one
	single specific specified certain your current as at which into new`)

// filler are words that fit any tool.
var filler = wordSet(`data info information detail details resource resources object objects item items entity entities
	endpoint endpoints api operation operations method methods request requests response call calls function handle handles
	handler process processes manage manages perform performs execute executes run runs do does various misc stuff thing
	things record records value values todo tbd test example sample description summary fixme none na default`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

func noDescription(l *linter, t *subject) {
	if t.said == "" {
		l.find(t, t.Pos, l.rule.Cost, "it has no description")
	}
}

func descriptionIsName(l *linter, t *subject) {
	if says := content(t.words); len(t.words) > 0 && len(says) > 0 && subset(says, content(nameWords(t.Name))) {
		l.find(t, t.Pos, l.rule.Cost, "its description %s says no more than its name", quote(t.said))
	}
}

func vagueDescription(l *linter, t *subject) {
	says := slices.DeleteFunc(content(t.words), func(w string) bool { return filler[w] || filler[w+"s"] })
	if len(t.words) > 0 && len(says) < 2 && !subset(content(t.words), content(nameWords(t.Name))) {
		l.find(t, t.Pos, l.rule.Cost, "its description %s could be that of any tool", quote(t.said))
	}
}

// content are the words that say something, without the s of a plural.
func content(words []string) []string {
	var out []string
	for _, w := range words {
		if !stop[w] {
			out = append(out, strings.TrimSuffix(w, "s"))
		}
	}
	return set(out)
}

func subset(a, b []string) bool {
	return !slices.ContainsFunc(a, func(w string) bool { return !slices.Contains(b, w) })
}

// nameWords are the words of a name: getPetById, get_pet_by_id and pets/get.
func nameWords(name string) []string {
	var b strings.Builder
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(r)
	}
	return bareWords(b.String())
}

func descriptionCut(l *linter, t *subject) {
	const long = 500 // characters: a shorter text ends in … because its author meant it
	if strings.HasSuffix(t.said, "…") && len(t.said) > long {
		l.find(t, t.Pos, l.rule.Cost, "the end of its description is cut off")
	}
}

var talk = regexp.MustCompile(`(?i)\bthis (endpoint|api|route|operation|method|resource|call|request|rest call|webservice)\b|\bapi (endpoint|call)\b`)

func endpointTalk(l *linter, t *subject) {
	if words := talk.FindString(t.said); words != "" {
		l.find(t, t.Pos, l.rule.Cost, "its description says %s", quote(words))
	}
}

// lookAlike finds tools of one name but for its spelling, of the same
// description, or of one that differs in a few words that are not in the names.
func lookAlike(l *linter) {
	const few = 6 // words: shorter descriptions differ by their nature
	type facts struct {
		name  string
		words []int // a set
	}
	numbers := map[string]int{} // of words: numbers compare faster
	known := make([]facts, len(l.tools))
	for i, t := range l.tools {
		known[i].name = spelling(t.Name)
		for _, w := range t.words {
			if _, ok := numbers[w]; !ok {
				numbers[w] = len(numbers)
			}
			known[i].words = append(known[i].words, numbers[w])
		}
		known[i].words = set(known[i].words)
	}
	for i, t := range l.tools {
		for j, other := range l.tools[:i] {
			a, b := known[i].words, known[j].words
			short, long := min(len(a), len(b)), max(len(a), len(b))
			switch {
			case known[i].name == known[j].name:
				l.find(t, t.Pos, l.rule.Cost, "its name differs from that of %s by its spelling alone", other.Name)
			case long == short && long > 0 && slices.Equal(t.words, other.words):
				l.find(t, t.Pos, l.rule.Cost, "its description is that of %s", other.Name)
			case short > few && 10*short >= 9*long && overlap(a, b) >= 0.9 && !told(t, other):
				l.find(t, t.Pos, l.rule.Cost, "its description reads like that of %s", other.Name)
			default:
				continue
			}
			break
		}
	}
}

// spelling is what is left of a name without case, signs and a number at its end.
func spelling(name string) string {
	name = strings.ToLower(name)
	if i := strings.LastIndexByte(name, '_'); i > 0 && strings.Trim(name[i+1:], "0123456789") == "" {
		name = name[:i]
	}
	return bareName(name)
}

// told reports whether the words in which two descriptions differ are among those
// of the names.
func told(a, b *subject) bool {
	names := content(append(nameWords(a.Name), nameWords(b.Name)...))
	for _, w := range content(append(without(a.words, b.words), without(b.words, a.words)...)) {
		if slices.Contains(names, w) {
			return true
		}
	}
	return false
}

func duplicateTitle(l *linter) {
	first := map[string]*subject{}
	for _, t := range l.tools {
		key := strings.ToLower(t.Title)
		if other := first[key]; key != "" && other != nil {
			l.find(t, t.Pos, l.rule.Cost, "its title %s is that of %s too", quote(t.Title), other.Name)
		} else {
			first[key] = t
		}
	}
}

// longName counts as hosts do that call a tool mcp__SERVER__NAME and take 64
// characters.
func longName(l *linter, t *subject) {
	const limit = 64
	if n := len("mcp__") + len(l.server) + len("__") + len(t.Name); n > limit {
		l.find(t, t.Pos, l.rule.Cost, "with the name of the server before it, its name has %d characters; hosts take %d", n, limit)
	}
}

func noOperationID(l *linter, t *subject) {
	if t.Request != nil && t.OperationID == "" {
		l.find(t, t.Pos, l.rule.Cost, "it is named after its path: the operation has no operationId")
	}
}

// arguments reports those for which is holds, in one finding.
func (l *linter) arguments(t *subject, is func(lintArgument) bool, cost func(found, all int) int, format string) {
	var found []string
	var first lintArgument
	for _, a := range t.args {
		if is(a) {
			if found == nil {
				first = a
			}
			found = append(found, a.path)
		}
	}
	if found != nil {
		l.find(t, first.pos, cost(len(found), len(t.args)), format, count(len(found), "argument"), quoteAll(found))
	}
}

func (l *linter) fixed(int, int) int { return l.rule.Cost }

func undocumented(l *linter, t *subject) {
	// What is missing of many weighs less than what is missing of few.
	share := func(found, all int) int { return (l.rule.Cost*found + all - 1) / all }
	l.arguments(t, func(a lintArgument) bool {
		return a.schema.get("description").Text() == "" && len(a.schema.values()) != 1 && !a.empty()
	}, share, "%s without a description: %s")
}

func argumentIsName(l *linter, t *subject) {
	l.arguments(t, func(a lintArgument) bool {
		says := content(bareWords(a.schema.get("description").Text()))
		return len(says) > 0 && subset(says, content(nameWords(a.name)))
	}, l.fixed, "%s described by the name alone: %s")
}

func untyped(l *linter, t *subject) {
	l.arguments(t, func(a lintArgument) bool {
		return a.schema.types() == nil && a.schema.forms() == nil
	}, l.fixed, "%s of any type: %s")
}

// tooMany counts what a model has to read before it calls.
func tooMany(l *linter, t *subject) {
	const most = 30
	n := 0
	for _, a := range t.args {
		if !a.part {
			n++
		}
	}
	if n > most {
		l.find(t, t.Pos, l.rule.Cost, "it has %d arguments; a model handles %d well", n, most)
	}
}
