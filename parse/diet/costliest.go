package diet

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// Large is the size in bytes above which a tool deserves a warning.
const Large = 64 << 10

// Costliest returns what to look at first when a tool is too large, and its size
// in bytes: "description", or the way to a schema, as "inputSchema/properties/filter".
// It is the deepest value that still makes up a third of the tool or, where that is
// all the properties or definitions of a schema, the largest of them. Nothing is
// that large in some tools: the path is empty then.
func Costliest(t *ir.Tool) (path string, size int) {
	whole := t.AppendJSON(nil)
	at, members := json.RawMessage(whole), false
	for {
		key, child := largest(at)
		if child == nil || 3*len(child) < len(whole) && !members {
			return path, len(at)
		}
		if path != "" {
			path += "/"
		}
		path += strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		members = !members && (key == "properties" || key == "$defs")
		at = child
	}
}

// largest returns the member of an object or list that takes most bytes, the
// first by name among equals; nil when raw has no members. Every tool has its
// annotations: nothing is to be done about them.
func largest(raw json.RawMessage) (key string, member json.RawMessage) {
	var object map[string]json.RawMessage
	var list []json.RawMessage
	if json.Unmarshal(raw, &object) == nil {
		for k, v := range object {
			if k == "annotations" && object["inputSchema"] != nil {
				continue
			}
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
