package gofunc

import (
	"encoding/json"
	"fmt"
	"go/types"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// value reads the text of a rule as a value of the schema and returns it as
// JSON; ok is false when it was reported.
func (c *conversion) value(n *node.Node, t types.Type, r rule) (value string, ok bool) {
	value, why := readValue(n, t, r.value)
	if why == "" {
		why = violation(n, value)
	}
	if why != "" {
		c.badRule(r, "%s %s", r.value, why)
		return "", false
	}
	return value, true
}

// readValue turns text into JSON of the schema's type.
func readValue(n *node.Node, t types.Type, text string) (value, why string) {
	switch schemaKind(n) {
	case "boolean":
		if text != "true" && text != "false" {
			return "", "is not true or false"
		}
		return text, ""
	case "integer":
		if target, _ := unnamedElem(t); isNamed(target, "time", "Duration") {
			if d, err := time.ParseDuration(text); err == nil {
				return fmt.Sprint(d.Nanoseconds()), ""
			}
		}
		i, ok := new(big.Int).SetString(text, 10)
		if !ok {
			return "", "is not an integer"
		}
		if !fitsInteger(i, t) {
			return "", "does not fit into " + typeText(t)
		}
		return i.String(), ""
	case "number":
		if !isJSONNumber(text) {
			return "", "is not a number"
		}
		return text, ""
	case "string":
		return jsonString(text), textProblem(t, n, text)
	}
	if !json.Valid([]byte(text)) {
		return "", "is not JSON"
	}
	if kind := schemaKind(n); kind != "" && kind != jsonKind(text) {
		return "", "is not of type " + kind
	}
	return string(rawJSON(parseJSON(text))), ""
}

// fitsInteger reports whether an integer type holds the value.
func fitsInteger(i *big.Int, t types.Type) bool {
	target, _ := unnamedElem(t)
	basic, ok := target.Underlying().(*types.Basic)
	if !ok {
		return true
	}
	switch basic.Kind() {
	case types.Int, types.Int64:
		return i.IsInt64()
	case types.Uint, types.Uint64:
		return i.IsUint64()
	}
	return true // the schema has the bounds
}

func jsonKind(text string) string {
	switch strings.TrimSpace(text)[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

// violation says which keyword of the schema a value breaks. Directives hold
// short values, so only keywords for scalars and lengths count.
func violation(n *node.Node, value string) string {
	if list := n.Get("enum").List(); list != nil {
		var allowed []string
		for _, item := range list {
			allowed = append(allowed, string(rawJSON(item)))
		}
		if !slices.Contains(allowed, value) {
			return "is not one of " + strings.Join(allowed, ", ")
		}
	}
	breaks := func(keyword string, compare func(order int) bool) string {
		if limit := n.Get(keyword); limit != nil && compare(compareNumbers(value, limit.Value)) {
			return "breaks " + keyword + " " + limit.Value
		}
		return ""
	}
	length := func(keyword string, size int, sign int) string {
		if limit := n.Get(keyword); limit != nil && sign*compareNumbers(fmt.Sprint(size), limit.Value) > 0 {
			return "breaks " + keyword + " " + limit.Value
		}
		return ""
	}
	var found []string
	switch jsonKind(value) {
	case "number":
		found = []string{
			breaks("minimum", func(o int) bool { return o < 0 }), breaks("maximum", func(o int) bool { return o > 0 }),
			breaks("exclusiveMinimum", func(o int) bool { return o <= 0 }), breaks("exclusiveMaximum", func(o int) bool { return o >= 0 }),
		}
	case "string":
		text := unquoteJSON(value)
		size := utf8.RuneCountInString(text)
		found = []string{length("minLength", size, -1), length("maxLength", size, 1)}
		if pattern := n.Get("pattern").Text(); pattern != "" {
			if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(text) {
				found = append(found, "breaks pattern "+pattern)
			}
		}
	case "array":
		var items []json.RawMessage
		if json.Unmarshal([]byte(value), &items) == nil {
			found = []string{length("minItems", len(items), -1), length("maxItems", len(items), 1)}
		}
	}
	for _, why := range found {
		if why != "" {
			return why
		}
	}
	return ""
}

// compareNumbers compares JSON numbers exactly, as far as their exponents are
// of a size that people write.
func compareNumbers(a, b string) int {
	x, okX := new(big.Rat).SetString(limitExponent(a))
	y, okY := new(big.Rat).SetString(limitExponent(b))
	if !okX || !okY {
		return 0
	}
	return x.Cmp(y)
}

var hugeExponent = regexp.MustCompile(`[eE][+-]?[0-9]{4,}$`)

func limitExponent(s string) string { return hugeExponent.ReplaceAllString(s, "e999") }

// textProblem says why a text is none of the type.
func textProblem(t types.Type, n *node.Node, text string) string {
	target, _ := unnamedElem(t)
	switch {
	case isNamed(target, "time", "Duration") && !n.Has("pattern"):
		if _, err := time.ParseDuration(text); err != nil {
			return `is not a duration such as "1m30s"`
		}
	case isNamed(target, "net/url", "URL"):
		if _, err := url.Parse(text); err != nil {
			return "is not a URL"
		}
	case n.Get("format").Text() == "date-time":
		if _, err := time.Parse(time.RFC3339, text); err != nil {
			return "is not a time such as 2026-01-02T15:04:05Z"
		}
	}
	return ""
}
