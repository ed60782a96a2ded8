package review

import "strings"

// edit is a run of words that stayed, went or came.
type edit struct {
	op   byte // '=', '-' or '+'
	text []string
}

// maxCells bounds the table of a comparison; texts that need a larger one are
// shown whole, before and after.
const maxCells = 4_000_000

// editWords compares two texts word by word: the fewest words go and come.
func editWords(old, new string) []edit {
	a, b := strings.Fields(old), strings.Fields(new)
	var edits edits
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	edits.add('=', a[:start]...)
	edits.middle(a[start:len(a)-end], b[start:len(b)-end])
	edits.add('=', a[len(a)-end:]...)
	return edits
}

type edits []edit

func (e *edits) add(op byte, words ...string) {
	if len(words) == 0 {
		return
	}
	if n := len(*e); n > 0 && (*e)[n-1].op == op {
		(*e)[n-1].text = append((*e)[n-1].text, words...)
		return
	}
	*e = append(*e, edit{op, append([]string(nil), words...)})
}

// middle compares by the longest common subsequence.
func (e *edits) middle(a, b []string) {
	if len(a)*len(b) > maxCells {
		e.add('-', a...)
		e.add('+', b...)
		return
	}
	width := len(b) + 1
	common := make([]int32, (len(a)+1)*width) // of a[i:] and b[j:]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			e.add('=', a[i])
			i, j = i+1, j+1
		case common[(i+1)*width+j] >= common[i*width+j+1]:
			e.add('-', a[i])
			i++
		default:
			e.add('+', b[j])
			j++
		}
	}
	e.add('-', a[i:]...)
	e.add('+', b[j:]...)
}

// near is how many words around a change are shown.
const near = 6

// brief leaves out words far from a change. first and last tell whether the run
// begins or ends the text.
func (e edit) brief(first, last bool) []string {
	words := e.text
	switch {
	case e.op != '=':
		return words
	case first && len(words) > near:
		return append([]string{"…"}, words[len(words)-near:]...)
	case last && len(words) > near:
		return append(append([]string(nil), words[:near]...), "…")
	case !first && !last && len(words) > 2*near:
		out := append(append([]string(nil), words[:near]...), "…")
		return append(out, words[len(words)-near:]...)
	}
	return words
}

// showWords writes the edits; mark writes a run of words that went or came.
func showWords(old, new string, plain func(string) string, mark func(op byte, text string) string) string {
	all := editWords(old, new)
	var out []string
	for i, e := range all {
		text := strings.Join(e.brief(i == 0, i == len(all)-1), " ")
		if e.op == '=' {
			out = append(out, plain(text))
		} else {
			out = append(out, mark(e.op, text))
		}
	}
	return strings.Join(out, " ")
}
