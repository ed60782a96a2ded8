package runtime

import (
	"encoding/json"
	"strings"
)

// form writes the body as application/x-www-form-urlencoded, with %20 for a
// space: every decoder of + takes it too.
func (b *body) form() ([]byte, error) {
	if err := object(b.arg.Value, b.mediaType); err != nil {
		return nil, err
	}
	var q queryBuilder
	q.append(formPairs(b.arg.Value, b.fields)...)
	return []byte(q.String()), nil
}

// formPairs writes the properties of an object. A property without a style, or
// not declared at all, is sent as most form APIs read it: an array of scalars
// repeats its name, everything nested goes in brackets with indexes
// ("items[0][price]=1").
func formPairs(value json.RawMessage, fields []Field) []pair {
	var out []pair
	for name, v := range members(value) {
		if kindOf(v) == 'n' {
			continue
		}
		f := field(fields, name)
		escape := escapeAll
		if f.AllowReserved && f.Style != "" {
			escape = escapeQueryReserved
		}
		switch {
		case f.Style == DeepObject:
			out = brackets(out, escapeAll(name), v, false, false, escape)
		case f.Style != "":
			out = append(out, pairs(name, v, f.Style, f.Explode, escape)...)
		case f.ContentType != "" && isJSON(f.ContentType):
			out = append(out, pair{escapeAll(name), escapeAll(jsonText(v))})
		default:
			out = brackets(out, escapeAll(name), v, true, false, escape)
		}
	}
	return out
}

// jsonText writes a value for a field whose content type is JSON. A string that
// holds a JSON object or array already is that text.
func jsonText(value json.RawMessage) string {
	if kindOf(value) == '"' {
		s := strings.TrimSpace(stringOf(value))
		if s != "" && (s[0] == '{' || s[0] == '[') && json.Valid([]byte(s)) {
			return s
		}
	}
	return string(compact(value))
}
