package runtime

import (
	"encoding/json"
	"slices"
	"strings"
)

// selection is what to keep of an answer: a tree of names. Lists are gone through
// wherever they stand, so that "items[].id" and "items.id" are the same.
type selection struct {
	names []string // of parts, in the order in which they were asked for
	parts map[string]*selection
	found bool // the answer has it
	asked bool // some object was looked into for the parts
}

// parseSelection reads paths that commas separate: "total,items[].owner.name". It
// returns nil if there are none.
func parseSelection(paths ...string) *selection {
	root := &selection{}
	for _, list := range paths {
		for path := range strings.SplitSeq(list, ",") {
			root.add(path)
		}
	}
	if len(root.names) == 0 {
		return nil
	}
	return root
}

func (sel *selection) add(path string) {
	for name := range strings.SplitSeq(strings.TrimSpace(path), ".") {
		if name = strings.ReplaceAll(name, "[]", ""); name == "" || name == "$" {
			continue // the list at the root, or the root as JSONPath has it
		}
		next := sel.parts[name]
		if next == nil {
			next = &selection{}
			if sel.parts == nil {
				sel.parts = map[string]*selection{}
			}
			sel.names, sel.parts[name] = append(sel.names, name), next
		}
		sel = next
	}
}

// maxSelected bounds how deep an answer is looked into, since each level reads all
// that is below once more. What lies deeper is kept as a whole.
const maxSelected = 32

// apply returns what the selection keeps of a value, in the value's order.
func (sel *selection) apply(dst []byte, value json.RawMessage) []byte {
	return sel.applyWithin(dst, value, maxSelected)
}

func (sel *selection) applyWithin(dst []byte, value json.RawMessage, depth int) []byte {
	sel.found = true
	if len(sel.names) == 0 || depth == 0 {
		return append(dst, value...)
	}
	switch kindOf(value) {
	case '[':
		dst = append(dst, '[')
		first := true
		for item := range items(value) {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = sel.applyWithin(dst, item, depth-1)
		}
		return append(dst, ']')
	case '{':
		sel.asked = true
		dst = append(dst, '{')
		first := true
		for key, member := range members(value) {
			part := sel.parts[key]
			if part == nil {
				continue
			}
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = part.applyWithin(append(append(dst, quote(key)...), ':'), member, depth-1)
		}
		return append(dst, '}')
	}
	return append(dst, value...) // null, mostly, where an object could be
}

// missing returns the paths that were nowhere in the value. A list without items
// says nothing about theirs.
func (sel *selection) missing(path string) []string {
	var list []string
	if !sel.asked {
		return nil
	}
	for _, name := range sel.names {
		part := sel.parts[name]
		switch {
		case !part.found:
			list = append(list, joinPath(path, name))
		default:
			list = append(list, part.missing(joinPath(path, name))...)
		}
	}
	return list
}

// selected reduces an answer to the fields that the tool keeps and then to those
// that the model asked for.
func (c *Call) selected(data json.RawMessage) json.RawMessage {
	if sel := parseSelection(c.tool.Select...); sel != nil {
		data = sel.apply(nil, data)
	}
	arg := c.addedArg(fieldsArgument)
	if !arg.Given() {
		return data
	}
	sel := parseSelection(textOf(arg.Value))
	if sel == nil || kindOf(data) != '{' && kindOf(data) != '[' {
		return data
	}
	reduced := sel.apply(nil, data)
	if missing := sel.missing(""); len(missing) > 0 {
		c.note("the answer has no field " + ellipsis(listText(missing), 300) + "; its fields are " + ellipsis(listText(fieldNames(data)), 300) + ".")
	}
	return reduced
}

// fieldNames are the names at the top of a value, or of the items of a list.
func fieldNames(value json.RawMessage) []string {
	var names []string
	switch kindOf(value) {
	case '[':
		for item := range items(value) {
			if kindOf(item) == '[' { // a list of lists would name them again and again
				continue
			}
			for _, name := range fieldNames(item) {
				if !slices.Contains(names, name) && len(names) <= maxNames {
					names = append(names, name)
				}
			}
		}
	case '{':
		for name, member := range members(value) {
			names = append(names, name)
			if kindOf(member) == '[' {
				for item := range items(member) {
					if kindOf(item) == '{' {
						for below := range members(item) {
							names = append(names, name+"[]."+below)
						}
					}
					break
				}
			}
		}
	}
	return names
}
