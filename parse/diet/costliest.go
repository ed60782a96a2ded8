package diet

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Large is the size in bytes above which a schema deserves a warning.
const Large = 64 << 10

// Costliest returns the JSON pointer of what to look at when a schema is above
// [Large], and its size in bytes: the deepest value that still makes up half of
// the whole or, where that is all of $defs, the largest of them.
func Costliest(schema json.RawMessage) (pointer string, size int) {
	at := schema
	for {
		key, child := largest(at)
		if child == nil || 2*len(child) < len(schema) && !strings.HasSuffix(pointer, "/$defs") {
			return pointer, len(at)
		}
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		at = child
	}
}

// largest returns the member of an object or list that takes most bytes, the
// first by name among equals; nil when raw has no members.
func largest(raw json.RawMessage) (key string, member json.RawMessage) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(raw, &object) == nil {
		for k, v := range object {
			if len(v) > len(member) || len(v) == len(member) && k < key {
				key, member = k, v
			}
		}
	} else if json.Unmarshal(raw, &list) == nil {
		for i, v := range list {
			if len(v) > len(member) {
				key, member = strconv.Itoa(i), v
			}
		}
	}
	return key, member
}
