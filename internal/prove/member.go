package prove

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Member returns the bytes at a JSON pointer ("/properties/a/items/0") in a JSON
// text, or nil where there is nothing.
func Member(text json.RawMessage, pointer string) json.RawMessage {
	if pointer == "" {
		return text
	}
	name, rest, more := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if more {
		rest = "/" + rest
	}
	name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
	var object map[string]json.RawMessage
	if json.Unmarshal(text, &object) == nil {
		if value, ok := object[name]; ok {
			return Member(value, rest)
		}
		return nil
	}
	var array []json.RawMessage
	if i, err := strconv.Atoi(name); err == nil && json.Unmarshal(text, &array) == nil && i >= 0 && i < len(array) {
		return Member(array[i], rest)
	}
	return nil
}

// SameJSON reports whether two JSON texts hold the same value. Numbers are
// compared as they are written, the order of members is free.
func SameJSON(a, b []byte) bool {
	x, err := canonical(a)
	if err != nil {
		return false
	}
	y, err := canonical(b)
	return err == nil && x == y
}

// canonical writes a JSON text with sorted members.
func canonical(text []byte) (string, error) {
	d := json.NewDecoder(strings.NewReader(string(text)))
	d.UseNumber()
	var value any
	if err := d.Decode(&value); err != nil {
		return "", err
	}
	return encode(value)
}
