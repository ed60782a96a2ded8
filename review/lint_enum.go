package review

import (
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

func opaqueEnum(l *linter, t *subject) {
	var found []string
	var first lintArgument
	seen := map[*node.Node]bool{}
	for _, a := range t.args {
		walk(a.schema, a.path, nameWords(a.name), seen, func(v view, path string, said []string) {
			if isOpaque(v.values(), said) {
				if found == nil {
					first = a
				}
				found = append(found, path)
			}
		})
	}
	if found != nil {
		l.find(t, first.pos, l.rule.Cost, "values that mean nothing by themselves: %s", quoteAll(found))
	}
}

// walk visits a schema and all below it, each once, with the texts that are about
// its values: its name and descriptions, its own and those of the list or the
// union that it is part of.
func walk(v view, path string, said []string, seen map[*node.Node]bool, visit func(v view, path string, said []string)) {
	if v.last() == nil || seen[v.last()] {
		return
	}
	seen[v.last()] = true
	for _, level := range v.levels {
		said = append(slices.Clip(said), level.Get("description").Text())
	}
	visit(v, path, said)
	for name, schema := range v.get("properties").Pairs() {
		walk(expand(schema, v.root), member(path, name.Value), nameWords(name.Value), seen, visit)
	}
	if items := v.get("items"); items.IsMap() {
		walk(expand(items, v.root), path+"[]", said, seen, visit)
	}
	for _, form := range v.forms() {
		walk(expand(form, v.root), path, said, seen, visit)
	}
}

// amounts are words of what is counted or measured: a number is its own meaning
// there.
var amounts = wordSet(`amount amounts count counts number size sizes length width height depth quantity total limit maximum
	minimum max min per percent percentage ratio rate interval duration period timeout age seconds second minutes minute hours
	hour days day weeks week months month years year bytes kilobytes megabytes gigabytes pixels px port version bits
	degrees degree frequency precision decimals digits resolution dpi zoom scale factor`)

// isOpaque reports whether all of several values are single signs or numbers, and
// the texts about them say nothing of any: they name none, list nothing that
// could be their meanings, and speak of no amount.
func isOpaque(values []*node.Node, said []string) bool {
	if len(values) < 2 {
		return false
	}
	numbers := true
	for _, value := range values {
		text := value.Text()
		isNumber := value.Kind == node.Number || strings.Trim(text, "0123456789") == ""
		if value.Kind == node.Bool || !isNumber && len([]rune(text)) > 1 {
			return false
		}
		numbers = numbers && isNumber
	}
	for _, text := range said {
		if namesValue(text, values) || listed(text) >= len(values) {
			return false
		}
		if numbers && slices.ContainsFunc(bareWords(text), func(w string) bool { return amounts[w] }) {
			return false
		}
	}
	return true
}

// namesValue reports whether a text speaks of a value. "A" and "I" are words too
// often.
func namesValue(text string, values []*node.Node) bool {
	words := strings.FieldsFunc(text, notInWord)
	return slices.ContainsFunc(values, func(v *node.Node) bool {
		s := strings.Trim(v.Text(), "-+.")
		return !strings.EqualFold(s, "a") && s != "I" && slices.Contains(words, s)
	})
}

// listed counts the parts of an enumeration: "low, middle or high" has three.
func listed(text string) int {
	parts := 0
	text = strings.NewReplacer(" or ", ",", " and ", ",", "/", ",", "|", ",", ";", ",", "\n", ",").Replace(text)
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) != "" {
			parts++
		}
	}
	return parts
}
