package runtime

import (
	"encoding/json"
	"strconv"
	"strings"
)

// The styles of OpenAPI are those of RFC 6570: https://spec.openapis.org/oas/v3.1.1#style-values.
// Where they say nothing, this is what is sent:
//
//   - an array or object inside a simple, label, matrix or delimited value: its
//     compact JSON text;
//   - an array inside an exploded form object: its key, repeated;
//   - inside a deepObject: an array of scalars repeats its key, "a[b]=1&a[b]=2";
//     everything else goes in brackets, arrays by index: "a[b][0][c]=1". A
//     deepObject that is itself an array is "a[0]=1&a[1]=2";
//   - null items and properties, and empty arrays and objects: nothing.

// item is an array item (no key) or an object property, as text.
type item struct{ key, text string }

// flatten returns the items of an array or object, or a scalar as the only one.
func flatten(value json.RawMessage) []item {
	var out []item
	switch kindOf(value) {
	case '[':
		for v := range items(value) {
			if kindOf(v) != 'n' {
				out = append(out, item{text: textOf(v)})
			}
		}
	case '{':
		for k, v := range members(value) {
			if kindOf(v) != 'n' {
				out = append(out, item{key: k, text: textOf(v)})
			}
		}
	case 'n':
	default:
		out = append(out, item{text: textOf(value)})
	}
	return out
}

// isObject reports whether items carry keys.
func isObject(value json.RawMessage) bool { return kindOf(value) == '{' }

// join writes items one after the other: between them separator, between a key
// and its text assign.
func join(list []item, keyed bool, separator, assign string, escape escaper) string {
	var b strings.Builder
	for i, it := range list {
		if i > 0 {
			b.WriteString(separator)
		}
		if keyed {
			b.WriteString(escape(it.key))
			b.WriteString(assign)
		}
		b.WriteString(escape(it.text))
	}
	return b.String()
}

// simple is the text of a path or header parameter of style simple.
func simple(value json.RawMessage, explode bool, escape escaper) string {
	assign := ","
	if explode {
		assign = "="
	}
	return join(flatten(value), isObject(value), ",", assign, escape)
}

// delimited is the text of a value that is not exploded: its items with the
// style's delimiter between them. Swagger 2.0 allows these in any place.
func delimited(value json.RawMessage, style Style, escape escaper) string {
	delimiter := style.delimiter()
	if delimiter != "," {
		delimiter = escape(delimiter)
	}
	return join(flatten(value), isObject(value), delimiter, delimiter, escape)
}

// delimiter is what stands between items, a comma unless the style is named
// after another.
func (s Style) delimiter() string {
	switch s {
	case SpaceDelimited:
		return " "
	case PipeDelimited:
		return "|"
	case TabDelimited:
		return "\t"
	}
	return ","
}

// label is ".a,b" or, exploded, ".a.b" and ".k=v.k=v".
func label(value json.RawMessage, explode bool, escape escaper) string {
	list := flatten(value)
	if len(list) == 0 {
		return ""
	}
	separator, assign := ",", ","
	if explode {
		separator, assign = ".", "="
	}
	return "." + join(list, isObject(value), separator, assign, escape)
}

// matrix is ";name=a,b" or, exploded, ";name=a;name=b" and ";k=v;k=v". An empty
// value stands without its equals sign (RFC 6570, 3.2.7).
func matrix(name string, value json.RawMessage, explode bool, escape escaper) string {
	list := flatten(value)
	if len(list) == 0 {
		return ""
	}
	if !explode {
		list = []item{{text: join(list, isObject(value), ",", ",", escape)}}
		escape = escapeNothing
	}
	var b strings.Builder
	for _, it := range list {
		key := it.key
		if !explode || !isObject(value) {
			key = name
		}
		b.WriteString(";" + escapeAll(key))
		if it.text != "" {
			b.WriteString("=" + escape(it.text))
		}
	}
	return b.String()
}

// pair is one name=value, both encoded.
type pair struct{ name, value string }

// pairs writes a value as form, delimited or deepObject parameters.
func pairs(name string, value json.RawMessage, style Style, explode bool, escape escaper) []pair {
	if style == DeepObject {
		return brackets(nil, escapeAll(name), value, false, true, escape)
	}
	if explode {
		return exploded(name, value, escape)
	}
	if len(flatten(value)) == 0 {
		return nil
	}
	return []pair{{escapeAll(name), delimited(value, style, escape)}}
}

// exploded is name=a, name=b for an array and k=v for an object.
func exploded(name string, value json.RawMessage, escape escaper) []pair {
	var out []pair
	if !isObject(value) {
		for _, it := range flatten(value) {
			out = append(out, pair{escapeAll(name), escape(it.text)})
		}
		return out
	}
	for k, v := range members(value) {
		if isObject(v) {
			out = append(out, pair{escapeAll(k), escape(textOf(v))})
			continue
		}
		for _, it := range flatten(v) {
			out = append(out, pair{escapeAll(k), escape(it.text)})
		}
	}
	return out
}

// brackets appends name[key]=text for every scalar inside value; name is encoded.
// An array of scalars repeats its name if repeat says so, and below an object if
// below does; every other array is indexed: a[0]=1.
func brackets(out []pair, name string, value json.RawMessage, repeat, below bool, escape escaper) []pair {
	switch kindOf(value) {
	case 'n':
	case '{':
		for k, v := range members(value) {
			out = brackets(out, name+"%5B"+escapeAll(k)+"%5D", v, below, below, escape)
		}
	case '[':
		repeat = repeat && scalars(value)
		i := 0
		for v := range items(value) {
			key := name
			if !repeat {
				key += "%5B" + strconv.Itoa(i) + "%5D"
			}
			out = brackets(out, key, v, below, below, escape)
			i++
		}
	default:
		out = append(out, pair{name, escape(textOf(value))})
	}
	return out
}

// scalars reports whether an array holds no array and no object.
func scalars(array json.RawMessage) bool {
	for v := range items(array) {
		if k := kindOf(v); k == '{' || k == '[' {
			return false
		}
	}
	return true
}
