package runtime

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
)

// index ranks tools for a query by BM25F (Robertson and Zaragoza, "The
// Probabilistic Relevance Framework: BM25 and Beyond", 2009, 3.6): each field of
// a tool counts by its weight, and less the longer it is.
type index struct {
	tools    []entry
	postings map[string][]posting // by word
}

// posting says how much a word says about a tool.
type posting struct {
	tool   int
	weight float64 // occurrences, by the weight and length of their fields
}

// indexed is a part of a tool that is searched.
type indexed int

const (
	nameField indexed = iota
	titleField
	leadField // of the description: its first paragraph beside the title
	restField // of the description
	pathField
	argumentField
	fieldCount
)

// fieldWeights say how much a word counts, and fieldLengths how much the length
// of the field takes away from that (BM25's b).
var (
	fieldWeights = [fieldCount]float64{nameField: 3, titleField: 4, leadField: 1.5, restField: 0.4, pathField: 0.5, argumentField: 0.3}
	fieldLengths = [fieldCount]float64{nameField: 0.4, titleField: 0.5, leadField: 0.6, restField: 0.75, pathField: 0.3, argumentField: 0.75}
)

const (
	// saturation is BM25's k1: how soon more of the same word adds nothing.
	saturation = 1.2
	// synonymWeight is what a synonym counts for.
	synonymWeight = 0.5
	// guessWeight is what a word counts for that was probably meant.
	guessWeight = 0.6
)

// newIndex indexes tools in their order.
func newIndex(tools []*tool) (*index, error) {
	ix := &index{postings: map[string][]posting{}}
	var found []fieldWords
	var lengths [fieldCount]float64
	for _, t := range tools {
		object, err := t.object()
		if err != nil {
			return nil, err
		}
		s := summarize(t, object)
		text := cmp.Or(s.title, t.Name)
		s.caption.words, s.caption.literal = uniqueWords(text), splitWords(text)
		counts := s.words()
		for f := range counts.length {
			lengths[f] += counts.length[f]
		}
		ix.tools, found = append(ix.tools, s), append(found, counts)
	}
	for i, counts := range found {
		for word, occurs := range counts.count { // the order makes no difference
			weight := 0.0
			for f, n := range occurs {
				if n > 0 {
					average := lengths[f] / float64(len(tools))
					weight += fieldWeights[f] * n / (1 + fieldLengths[f]*(counts.length[f]/average-1))
				}
			}
			ix.postings[word] = append(ix.postings[word], posting{i, weight})
		}
	}
	for i := range ix.tools {
		ix.tools[i].caption.rarity = ix.rarities(ix.tools[i].caption.words)
	}
	return ix, nil
}

// fieldWords counts words by field.
type fieldWords struct {
	count  map[string]*[fieldCount]float64
	length [fieldCount]float64
}

func (w *fieldWords) add(f indexed, text string) {
	for _, word := range words(text) {
		if w.count[word] == nil {
			w.count[word] = new([fieldCount]float64)
		}
		w.count[word][f]++
		w.length[f]++
	}
}

// search returns the tools that match, best first, the same for the same query.
// Tools that are equally good keep their order.
func (ix *index) search(query string) []*entry {
	scores := make([]float64, len(ix.tools))
	asked := uniqueWords(query)
	for _, word := range asked {
		best := make(map[int]float64)
		for _, v := range ix.variants(word) {
			rarity := ix.rarity(v.word)
			for _, p := range ix.postings[v.word] {
				score := v.weight * rarity * p.weight / (saturation + p.weight)
				best[p.tool] = max(best[p.tool], score)
			}
		}
		for i, score := range best {
			scores[i] += score
		}
	}
	ix.preferWhole(scores, query)
	var found []int
	for i, score := range scores {
		if score > 0 {
			found = append(found, i)
		}
	}
	slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	out := make([]*entry, len(found))
	for i, at := range found {
		out[i] = &ix.tools[at]
	}
	return out
}

// vague reports whether a query says at most what is done, but not to what, and is no
// tool's title either.
func (ix *index) vague(query string) bool {
	asked := uniqueWords(query)
	other := func(word string) bool { return !slices.Contains(asked, word) }
	if slices.ContainsFunc(asked, func(word string) bool { return !english().actions[word] }) {
		return false
	}
	return !slices.ContainsFunc(ix.tools, func(e entry) bool {
		return len(e.caption.words) > 0 && !slices.ContainsFunc(e.caption.words, other)
	})
}

// preferWhole raises tools whose title says what was asked and little else: the
// title "Get an app" suits that query better than "Get a webhook of an app" does.
// The exact words in their order tell apart what is the same but for endings and
// small words: getting one thing and listing many.
func (ix *index) preferWhole(scores []float64, query string) {
	asked, literal := uniqueWords(query), splitWords(query)
	wanted := ix.rarities(asked)
	for i, score := range scores {
		if score == 0 {
			continue
		}
		c := &ix.tools[i].caption
		shared := 0.0
		for _, word := range asked {
			if slices.Contains(c.words, word) {
				shared += ix.rarity(word)
			}
		}
		common := float64(inCommon(literal, c.literal))
		asks, says := float64(len(literal)), float64(len(c.literal))
		scores[i] *= 1 + 2*shared/(wanted+c.rarity) + 2*common/(asks+says) + common/asks
	}
}

// inCommon is the length of the longest sequence of words that both have in
// their order.
func inCommon(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, word := range a {
		before := 0 // in the row above, one to the left
		for j, other := range b {
			above := row[j+1]
			if word == other {
				row[j+1] = before + 1
			} else {
				row[j+1] = max(above, row[j])
			}
			before = above
		}
	}
	return row[len(b)]
}

func (ix *index) rarities(words []string) float64 {
	sum := 0.0
	for _, word := range words {
		sum += ix.rarity(word)
	}
	return sum
}

func uniqueWords(query string) []string {
	var unique []string
	for _, word := range words(query) {
		if !slices.Contains(unique, word) {
			unique = append(unique, word)
		}
	}
	return unique
}

// rarity is BM25's inverse document frequency.
func (ix *index) rarity(word string) float64 {
	n := float64(len(ix.postings[word]))
	return math.Log(1 + (float64(len(ix.tools))-n+0.5)/(n+0.5))
}

// variant is a word to look for in place of one of the query.
type variant struct {
	word   string
	weight float64
}

// variants are the word itself and its synonyms; if the index has none of them,
// words that it probably means.
func (ix *index) variants(word string) []variant {
	var out []variant
	if ix.postings[word] != nil {
		out = append(out, variant{word, 1})
	}
	for _, other := range english().synonyms[word] {
		if ix.postings[other] != nil {
			out = append(out, variant{other, synonymWeight})
		}
	}
	if out != nil || len(word) < 4 {
		return out
	}
	var known []string
	for other := range ix.postings {
		known = append(known, other)
	}
	slices.Sort(known)
	for _, other := range known {
		if len(other) >= 4 && (strings.HasPrefix(other, word) || strings.HasPrefix(word, other)) {
			out = append(out, variant{other, guessWeight})
		}
	}
	if out == nil {
		if near := nearest(word, known); near != "" {
			out = append(out, variant{near, guessWeight})
		}
	}
	return out
}

// caption is the title of a tool, or its name where it has none.
type caption struct {
	words   []string
	literal []string
	rarity  float64 // of all words
}

// entry is what a search tells of a tool.
type entry struct {
	tool               *tool
	title, description string
	caption            caption
	required, optional []string
	readOnly           bool
	destructive        bool
}

// summarize reads a tool object.
func summarize(t *tool, object json.RawMessage) entry {
	s := entry{tool: t}
	for key, value := range members(object) {
		switch key {
		case "title":
			s.title = textOf(value)
		case "description":
			s.description = textOf(value)
		case "inputSchema":
			s.arguments(value)
		case "annotations":
			for hint, on := range members(value) {
				s.readOnly = s.readOnly || hint == "readOnlyHint" && string(on) == "true"
				s.destructive = s.destructive || hint == "destructiveHint" && string(on) == "true"
			}
		}
	}
	return s
}

func (e *entry) arguments(schema json.RawMessage) {
	for key, value := range members(schema) {
		switch {
		case key == "properties" && kindOf(value) == '{':
			for name := range members(value) {
				e.optional = append(e.optional, name)
			}
		case key == "required" && kindOf(value) == '[':
			for name := range items(value) {
				e.required = append(e.required, textOf(name))
			}
		}
	}
	e.optional = slices.DeleteFunc(e.optional, func(name string) bool { return slices.Contains(e.required, name) })
}

// words are what the tool is found by.
func (e *entry) words() fieldWords {
	w := fieldWords{count: map[string]*[fieldCount]float64{}}
	w.add(nameField, e.tool.Name)
	w.add(titleField, e.title)
	lead, rest := e.paragraphs()
	w.add(leadField, lead)
	w.add(restField, rest)
	w.add(pathField, e.tool.Request)
	for _, name := range slices.Concat(e.required, e.optional) {
		w.add(argumentField, name)
	}
	return w
}

// paragraphs are the first paragraph of the description that is not the title,
// and the rest.
func (e *entry) paragraphs() (lead, rest string) {
	rest = e.description
	if after, repeats := strings.CutPrefix(rest, e.title); repeats {
		// "Get a pet" is not the beginning of "Get a petition".
		if text := strings.TrimLeft(after, ".:\n "); text != after || text == "" {
			rest = text
		}
	}
	lead, rest, _ = strings.Cut(rest, "\n\n")
	return strings.Join(strings.Fields(lead), " "), rest
}
