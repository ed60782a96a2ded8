package runtime

import (
	"encoding/json"
	"fmt"
	"slices"
)

const (
	// maxCutDepth bounds how deep shorten looks: what lies deeper goes as a whole.
	// Each level of a large value is read once more.
	maxCutDepth = 12
	// maxCuts bounds how many cuts are told one by one.
	maxCuts = 5
	// minShare is the least that a property of an object needs to say anything. If
	// there are more of them than that allows, the first ones are shown as a whole.
	minShare = 16
)

// shorten makes a JSON value of at most limit bytes that says as much as it can:
// lists lose items at their end, objects keep every property that is small,
// long strings lose their end. cuts tells what is missing, in words; empty if
// nothing is. shown is how many items are left of the list that the value is or
// holds; 0 if that was not cut.
func shorten(value json.RawMessage, limit int) (short json.RawMessage, cuts []string, shown int) {
	value = compact(value)
	s := shortener{out: make([]byte, 0, limit)}
	s.write(value, limit, "", 0)
	if s.more > 0 {
		s.cuts = append(s.cuts, "and "+counted(s.more, "more cut"))
	}
	return s.out, s.cuts, s.shown
}

type shortener struct {
	out  []byte
	cuts []string
	more int // cuts that are not told

	shown int // items of the first list that was cut near the root
}

func (s *shortener) cut(path, format string, args ...any) {
	if len(s.cuts) >= maxCuts {
		s.more++
		return
	}
	text := fmt.Sprintf(format, args...)
	if path != "" {
		text = path + ": " + text
	}
	s.cuts = append(s.cuts, text)
}

// write appends value in at most budget bytes, which is at least 4: null.
func (s *shortener) write(value json.RawMessage, budget int, path string, depth int) {
	if len(value) <= budget {
		s.out = append(s.out, value...)
		return
	}
	if depth >= maxCutDepth || budget < len(`"…"`) {
		s.cut(path, "left out")
		s.out = append(s.out, "null"...)
		return
	}
	switch kindOf(value) {
	case '[':
		s.array(value, budget, path, depth)
	case '{':
		s.object(value, budget, path, depth)
	case '"':
		s.text(value, budget, path)
	default: // a number of many digits
		s.cut(path, "left out")
		s.out = append(s.out, "null"...)
	}
}

// array keeps the first items. If not even one fits, that one is shortened.
func (s *shortener) array(value json.RawMessage, budget int, path string, depth int) {
	budget -= len("[]")
	s.out = append(s.out, '[')
	shown, total, full := 0, 0, false
	for item := range items(value) {
		total++
		cost := len(item)
		if shown > 0 {
			cost++
		}
		switch {
		case !full && cost <= budget:
			if shown > 0 {
				s.out = append(s.out, ',')
			}
			s.out = append(s.out, item...)
			budget -= cost
			shown++
		case shown == 0 && !full && budget >= len(`{"a":1}`):
			start := len(s.out)
			s.write(item, budget, path+"[0]", depth+1)
			budget -= len(s.out) - start
			shown++
			full = true
		default:
			full = true
		}
	}
	s.out = append(s.out, ']')
	if shown < total {
		s.cut(path, "showing %d of %s", shown, counted(total, "item"))
		if depth <= 1 && s.shown == 0 {
			s.shown = shown
		}
	}
}

// object gives every property what it needs if it is small, and the large ones
// an equal share of the rest. Properties for which there is no room are left out.
func (s *shortener) object(value json.RawMessage, budget int, path string, depth int) {
	type member struct {
		key   string
		head  []byte // "key":
		value json.RawMessage
	}
	var list []member
	var sizes []int
	total := 0
	for key, v := range members(value) {
		if total++; len(list) > budget {
			continue // so many have no room
		}
		m := member{key, append(quote(key), ':'), v}
		list = append(list, m)
		sizes = append(sizes, len(m.head)+len(v)+1)
	}
	budget -= len("{}")
	share := fairShare(sizes, budget)
	s.out = append(s.out, '{')
	shown := 0
	for i, m := range list {
		room := min(sizes[i], share) - len(m.head) - 1
		if share < minShare {
			room = len(m.value)
		}
		if room < 4 && room < len(m.value) || len(m.head)+room+1 > budget {
			continue
		}
		if shown > 0 {
			s.out = append(s.out, ',')
		}
		start := len(s.out)
		s.out = append(s.out, m.head...)
		s.write(m.value, room, joinPath(path, m.key), depth+1)
		budget -= len(s.out) - start + 1
		shown++
	}
	s.out = append(s.out, '}')
	if shown < total {
		s.cut(path, "showing %d of %s", shown, counted(total, "property"))
	}
}

// fairShare returns the largest share such that all sizes, each cut down to it,
// fit into budget.
func fairShare(sizes []int, budget int) int {
	sorted := slices.Sorted(slices.Values(sizes))
	for i, size := range sorted {
		share := budget / (len(sorted) - i)
		if size > share {
			return share
		}
		budget -= size
	}
	return budget
}

func joinPath(path, key string) string {
	if path == "" {
		return ellipsis(key, 60)
	}
	return path + "." + ellipsis(key, 60)
}

// text keeps the beginning of a string.
func (s *shortener) text(value json.RawMessage, budget int, path string) {
	whole := stringOf(value)
	part := cutText(whole, budget-len(`"…"`))
	quoted := quote(part + "…")
	for len(quoted) > budget && part != "" { // escapes take more room
		part = cutText(part, min(len(part)-1, len(part)*budget/len(quoted)))
		quoted = quote(part + "…")
	}
	s.out = append(s.out, quoted...)
	s.cut(path, "showing %d of %s", len(part), counted(len(whole), "byte"))
}
