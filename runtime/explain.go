package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// maxProblems is how many violations a model is shown at once.
const maxProblems = 10

// maxNames is how many allowed names or values a line lists.
const maxNames = 30

// explain puts violations into words: where, what is wrong, what would be right.
func explain(sc *schema, arguments any, violations []violation) []string {
	var lines []string
	listed := map[string]bool{} // objects whose properties a line has named
	for _, v := range violations {
		switch {
		case v.unknown != "":
			where := pathText(v.path)
			lines = append(lines, v.explainUnknown(sc, !listed[where]))
			listed[where] = true
		case v.missing != "":
			lines = append(lines, v.explainMissing(sc))
		default:
			lines = append(lines, v.explainValue(arguments))
		}
	}
	lines = slices.Compact(lines)
	if extra := len(lines) - maxProblems; extra > 0 {
		lines = append(lines[:maxProblems], fmt.Sprintf("and %d more", extra))
	}
	return lines
}

// explainValue is for a value that is not as it must be.
func (v *violation) explainValue(arguments any) string {
	where := pathText(v.path)
	if where == "" {
		where = "the arguments"
	}
	if v.text != "" {
		return where + ": " + v.text + v.form
	}
	value := lookup(arguments, v.path)
	var want []string
	if len(v.types) > 0 {
		want = append(want, typesText(v.types))
	}
	if len(v.values) > 0 {
		want = append(want, valuesText(v.values))
	}
	text := where + ": must be " + strings.Join(want, ", or ")
	if value == nil {
		text += ", not null"
		if len(v.path) == 1 {
			text += " (the argument is required)"
		}
		return text + v.form
	}
	return text + ", got " + describe(value) + v.suggestValue(value) + v.form
}

// suggestValue returns a hint when a text is nearly one of the allowed values.
func (v *violation) suggestValue(value any) string {
	text, ok := value.(string)
	if !ok {
		return ""
	}
	var allowed []string
	for _, want := range v.values {
		if s, ok := want.(string); ok {
			allowed = append(allowed, s)
		}
	}
	if near := nearest(text, allowed); near != "" {
		return "; did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

// explainUnknown is for a name that the schema does not know; list asks for
// those that it does.
func (v *violation) explainUnknown(sc *schema, list bool) string {
	noun := "property"
	if len(v.path) == 0 {
		noun = "argument"
	}
	text := fmt.Sprintf("%s: unknown %s", pathText(append(slices.Clone(v.path), v.unknown)), noun)
	if split := splitNames(v.unknown, v.known); len(v.path) == 0 && split != "" {
		text += "; did you mean " + split + "?"
	} else if near := nearest(v.unknown, v.known); near != "" {
		text += "; did you mean " + near + "?"
	} else if len(v.path) == 0 && sc.inBody(v.unknown) {
		text += "; it belongs inside body"
	}
	switch {
	case list && len(v.known) == 0 && !has(v.schema, "patternProperties"):
		text += " (none is allowed)"
	case list && len(v.known) > 0:
		text += " (allowed: " + listText(v.known) + ")"
	}
	return text + v.form
}

// splitNames returns the arguments that a name in several places of the request
// became, "id__path or id__query"; "" if it became none.
func splitNames(name string, known []string) string {
	var split []string
	for _, k := range known {
		if base, _, found := strings.Cut(k, "__"); found && plainName(base) == plainName(name) {
			split = append(split, k)
		}
	}
	return strings.Join(split, " or ")
}

// inBody reports whether a name that is no argument is a property of the body.
func (sc *schema) inBody(name string) bool {
	return has(propertiesOf(sc.resolve(propertiesOf(sc.doc)["body"])), name)
}

// explainMissing is for a required name; it says what belongs there.
func (v *violation) explainMissing(sc *schema) string {
	noun := "property"
	if len(v.path) == 0 {
		noun = "argument"
	}
	text := fmt.Sprintf("%s: required %s is missing", pathText(append(slices.Clone(v.path), v.missing)), noun)
	property := sc.resolve(propertiesOf(v.schema)[v.missing])
	var about []string
	if types := typesOf(property); len(types) > 0 {
		about = append(about, typesText(types))
	}
	if values, ok := property["enum"].([]any); ok {
		about = append(about, valuesText(values))
	} else if value, ok := property["const"]; ok {
		about = append(about, valueText(value))
	}
	if description, _ := property["description"].(string); description != "" {
		about = append(about, cut(strings.Join(strings.Fields(description), " "), 160))
	}
	if len(about) > 0 {
		text += " (" + strings.Join(about, "; ") + ")"
	}
	return text + v.form
}

// pathText writes a location as one would in code: body.items[2].name.
func pathText(path []string) string {
	var b strings.Builder
	for i, token := range path {
		switch {
		case i > 0 && isIndex(token):
			b.WriteString("[" + token + "]")
		case !isWord(token):
			b.WriteString("[" + strconv.Quote(cut(token, 80)) + "]")
		case i > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	return b.String()
}

func isIndex(token string) bool {
	return token != "" && strings.Trim(token, "0123456789") == ""
}

// isWord reports whether a name needs no quotes in a path.
func isWord(token string) bool {
	if token == "" || len(token) > 80 {
		return false
	}
	for _, r := range token {
		if r != '_' && r != '-' && r != '$' && r != '@' && !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9') {
			return false
		}
	}
	return true
}

// describe names a value for a sentence: the string "x".
func describe(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(value)
	case string:
		return "the string " + strconv.Quote(cut(value, 60))
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	default:
		return "the number " + cut(fmt.Sprint(value), 60)
	}
}

// typesText lists JSON Schema types: "an integer or null".
func typesText(types []string) string {
	var words []string
	for _, t := range types {
		switch t {
		case "null":
			words = append(words, t)
		case "array", "object", "integer":
			words = append(words, "an "+t)
		default:
			words = append(words, "a "+t)
		}
	}
	return strings.Join(words, " or ")
}

// valueText is a value as compact JSON.
func valueText(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return fmt.Sprint(value)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// valuesText lists allowed values as JSON.
func valuesText(values []any) string {
	var words []string
	for _, value := range values {
		words = append(words, cut(valueText(value), 80))
	}
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + listText(words)
}

// listText joins words and says how many it left out.
func listText(words []string) string {
	if extra := len(words) - maxNames; extra > 0 {
		return strings.Join(words[:maxNames], ", ") + fmt.Sprintf(" and %d more", extra)
	}
	return strings.Join(words, ", ")
}

// cut shortens text to n bytes or a little less, at a rune's border.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	end := 0
	for i := range text {
		if i > n-len("…") {
			break
		}
		end = i
	}
	return text[:end] + "…"
}

// nearest returns the candidate that name was probably meant to be, or "". Less
// than half of the letters may differ, or any short name would be near any other.
func nearest(name string, candidates []string) string {
	best, bestDistance := "", max(1, len(name)/3)+1
	plain := plainName(name)
	for _, candidate := range candidates {
		other := plainName(candidate)
		if plain == other {
			return candidate
		}
		if len(name) > 64 || len(candidate) > 64 {
			continue
		}
		if d := distance(plain, other); d < bestDistance && 2*d < max(len(plain), len(other)) {
			best, bestDistance = candidate, d
		}
	}
	return best
}

// plainName drops what spelling conventions differ in: pet_id is petId.
func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "", " ", "").Replace(name))
}

// distance counts the edits between two words: insert, delete, replace, swap.
func distance(a, b string) int {
	before, row := []int(nil), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(row[j]+cost, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}

// compareTokens orders locations: array indexes as numbers, names as text.
func compareTokens(a, b string) int {
	if isIndex(a) && isIndex(b) {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	}
	return cmp.Compare(a, b)
}
