package review

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// pair is one tool before and now; one of the two may be nil.
type pair struct{ old, new *Tool }

func (p pair) name() string {
	if p.new != nil {
		return p.new.Name
	}
	return p.old.Name
}

// maxGuesses bounds how many pairs of tools are looked at word by word.
const maxGuesses = 250_000

// match finds for each tool what it was: by name, else by request, else by what
// it says and takes.
func match(old, new *Surface) []pair {
	byName := make(map[string]*Tool, len(old.Tools))
	for _, t := range old.Tools {
		byName[t.Name] = t
	}
	var pairs []pair
	var added, removed []*Tool
	for _, t := range new.Tools {
		if o := byName[t.Name]; o != nil {
			pairs = append(pairs, pair{o, t})
			delete(byName, t.Name)
		} else {
			added = append(added, t)
		}
	}
	for _, t := range old.Tools {
		if byName[t.Name] != nil {
			removed = append(removed, t)
		}
	}
	for _, is := range []func(a, b *Tool) bool{sameRequest, likeness()} {
		if len(added)*len(removed) > maxGuesses {
			continue
		}
		var found []pair
		found, removed, added = renamed(removed, added, is)
		pairs = append(pairs, found...)
	}
	for _, t := range added {
		pairs = append(pairs, pair{new: t})
	}
	for _, t := range removed {
		pairs = append(pairs, pair{old: t})
	}
	return pairs
}

// renamed pairs tools where each is the only one that is like the other.
func renamed(removed, added []*Tool, is func(a, b *Tool) bool) (pairs []pair, restOld, restNew []*Tool) {
	taken := map[*Tool]bool{}
	for _, o := range removed {
		var candidates []*Tool
		for _, n := range added {
			if !taken[n] && is(o, n) {
				candidates = append(candidates, n)
			}
		}
		rivals := 0
		for _, other := range removed {
			if len(candidates) == 1 && is(other, candidates[0]) {
				rivals++
			}
		}
		if rivals == 1 {
			pairs = append(pairs, pair{o, candidates[0]})
			taken[o], taken[candidates[0]] = true, true
		}
	}
	isTaken := func(t *Tool) bool { return taken[t] }
	return pairs, slices.DeleteFunc(slices.Clone(removed), isTaken), slices.DeleteFunc(slices.Clone(added), isTaken)
}

func sameRequest(a, b *Tool) bool {
	return a.Request != nil && b.Request != nil && a.Request.Calls == b.Request.Calls
}

// likeness returns a function that reports whether two tools say and take nearly
// the same: nine in ten of their words, four in five of their arguments.
func likeness() func(a, b *Tool) bool {
	type facts struct{ words, arguments []string }
	known := map[*Tool]facts{}
	of := func(t *Tool) facts {
		f, ok := known[t]
		if !ok {
			f = facts{set(bareWords(t.Description)), set(propertyNames(t.Input))}
			known[t] = f
		}
		return f
	}
	const few = 3 // words that any two tools could share
	return func(a, b *Tool) bool {
		if a.Request != nil && b.Request != nil && a.Request.Method != b.Request.Method {
			return false
		}
		x, y := of(a), of(b)
		return len(x.words) > few && overlap(x.words, y.words) >= 0.9 && overlap(x.arguments, y.arguments) >= 0.8
	}
}

// overlap is the share of words that two sets have in common (Jaccard); 1 for two
// empty ones. Both are sets as [set] makes them.
func overlap[T cmp.Ordered](a, b []T) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch c := cmp.Compare(a[i], b[j]); {
		case c == 0:
			common, i, j = common+1, i+1, j+1
		case c < 0:
			i++
		default:
			j++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}

func set[T cmp.Ordered](words []T) []T {
	return slices.Compact(slices.Sorted(slices.Values(words)))
}

// bareWords are the words of a text in lower case, without punctuation.
func bareWords(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), notInWord)
}

func notInWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func propertyNames(schema *node.Node) []string {
	var out []string
	for name := range schema.Get("properties").Pairs() {
		out = append(out, name.Value)
	}
	return out
}
