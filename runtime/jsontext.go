package runtime

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// Arguments and responses are walked as JSON text, never as Go values: numbers
// stay as they were written, properties in the order they came, and nothing is
// copied. All functions here take text that json.Valid accepts.

// items yields the items of a JSON array.
func items(array json.RawMessage) iter.Seq[json.RawMessage] {
	return func(yield func(json.RawMessage) bool) {
		for i := skipSpace(array, 1); i < len(array) && array[i] != ']'; {
			end := skipValue(array, i)
			if !yield(array[i:end]) {
				return
			}
			i = skipComma(array, end)
		}
	}
}

// members yields the properties of a JSON object.
func members(object json.RawMessage) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		for i := skipSpace(object, 1); i < len(object) && object[i] != '}'; {
			end := skipValue(object, i)
			start := skipSpace(object, skipSpace(object, end)+1) // past the colon
			stop := skipValue(object, start)
			if !yield(stringOf(object[i:end]), object[start:stop]) {
				return
			}
			i = skipComma(object, stop)
		}
	}
}

// kindOf returns the first byte of a JSON value, with 't' for both booleans and
// '0' for every number: '{', '[', '"', 't', 'n' or '0'.
func kindOf(value json.RawMessage) byte {
	if len(value) == 0 {
		return 'n'
	}
	switch c := value[0]; c {
	case '{', '[', '"', 't', 'n':
		return c
	case 'f':
		return 't'
	}
	return '0'
}

// textOf is a value as plain text: a string without its quotes, everything
// else as compact JSON.
func textOf(value json.RawMessage) string {
	switch kindOf(value) {
	case '"':
		return stringOf(value)
	case '{', '[':
		return string(compact(value))
	}
	return string(value)
}

// stringOf decodes a JSON string.
func stringOf(value json.RawMessage) string {
	if bytes.IndexByte(value, '\\') < 0 && len(value) >= 2 {
		return strings.ToValidUTF8(string(value[1:len(value)-1]), "\uFFFD")
	}
	var s string
	_ = json.Unmarshal(value, &s) // valid by contract
	return s
}

// compact drops white space and nothing else.
func compact(value json.RawMessage) json.RawMessage {
	out, _ := appendCompact(make([]byte, 0, len(value)), value) // valid by contract
	return out
}

// quote encodes a JSON string, leaving <, > and & alone.
func quote(s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // strings always encode
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

func skipComma(b []byte, i int) int {
	if i = skipSpace(b, i); i < len(b) && b[i] == ',' {
		i = skipSpace(b, i+1)
	}
	return i
}

// skipValue returns the end of the value that starts at i.
func skipValue(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = stringEnd(b, i); i < 0 {
				return len(b)
			}
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\t', '\r':
			i++
			continue // between values of a container: never its end
		default:
			for i < len(b) && strings.IndexByte(",:]} \n\t\r", b[i]) < 0 {
				i++
			}
		}
		if depth <= 0 {
			return i
		}
	}
	return i
}
