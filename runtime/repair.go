package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// maxRepairs is how often arguments are repaired and checked again: what a
// string held may hold strings of its own.
const maxRepairs = 4

// repair changes arguments that are right but for their wrapping, and reports
// whether it changed any. Three things are safe:
//
//   - null for an optional argument that may not be null: it is left out; below
//     the arguments too, where a host's profile asks for every property,
//   - a string that holds JSON of a type the schema wants, where no string may
//     stand: hosts and models write {"n":1} as "{\"n\":1}", and JavaScript hosts
//     write an int64 as a string, because their numbers would round it.
//
// The latter two are said to the model, and are refused when the operator asks
// for strict arguments. A string that may be a string is never touched.
func (c *Call) repair(sc *schema, arguments any, violations []violation) bool {
	changed := false
	root, _ := arguments.(map[string]any)
	for _, v := range violations {
		if len(v.path) == 0 || len(v.types)+len(v.values) == 0 {
			continue
		}
		switch value := lookup(arguments, v.path).(type) {
		case nil:
			name := v.path[0]
			if _, given := root[name]; given && len(v.path) == 1 && !sc.required(name) {
				delete(root, name)
				delete(c.args, name)
				changed = true
			} else if (c.tool.local || sc.full) && c.leaveOut(sc, root, v.path) {
				changed = true
			}
		case string:
			if !c.server.config.StrictArguments && c.unwrap(root, value, v, sc.profiled.at(v.path)) {
				changed = true
			}
		}
	}
	return changed
}

// required reports whether an argument may not be left out.
func (sc *schema) required(name string) bool {
	root, _ := sc.doc.(map[string]any)
	return slices.Contains(texts(root["required"]), name)
}

// unwrap replaces a string by the JSON in it, if that is of a wanted type. What a
// profile has below it is read then, which it could not be before.
func (c *Call) unwrap(root map[string]any, text string, v violation, p *profiled) bool {
	raw := json.RawMessage(bytes.TrimSpace([]byte(text)))
	if !json.Valid(raw) || !wanted(kindOf(raw), v.types) {
		return false
	}
	raw = p.read(raw)
	value, err := decode(raw)
	if err != nil {
		return false
	}
	name, inner := v.path[0], v.path[1:]
	arg, ok := replaceAt(c.args[name], inner, raw)
	if !ok || !setAt(root, v.path, value) {
		return false
	}
	c.args[name] = arg
	c.note(fmt.Sprintf("the string in %s was read as %s.", pathText(v.path), article(kindOf(raw))))
	return true
}

// wanted reports whether a JSON value of that kind is of one of the types.
func wanted(kind byte, types []string) bool {
	if slices.Contains(types, "string") {
		return false
	}
	switch kind {
	case '{':
		return slices.Contains(types, "object")
	case '[':
		return slices.Contains(types, "array")
	case 't':
		return slices.Contains(types, "boolean")
	case '0':
		return slices.Contains(types, "number") || slices.Contains(types, "integer")
	}
	return false
}

// article names the kind of a JSON value.
func article(kind byte) string {
	switch kind {
	case '{':
		return "the object in it"
	case '[':
		return "the array in it"
	case 't':
		return "a boolean"
	}
	return "a number"
}

// replaceAt returns JSON text with the value at path replaced and every other
// byte kept.
func replaceAt(text json.RawMessage, path []string, value json.RawMessage) (json.RawMessage, bool) {
	if len(path) == 0 {
		return value, true
	}
	start, end := find(text, path[0])
	if start == end {
		return nil, false
	}
	part, ok := replaceAt(text[start:end], path[1:], value)
	return slices.Concat(text[:start], part, text[end:]), ok
}

// find returns where the member or item called token stands in a container. Of
// members with the same name the last counts.
func find(text json.RawMessage, token string) (start, end int) {
	kind := kindOf(text)
	if kind != '{' && kind != '[' {
		return 0, 0
	}
	i, n := skipSpace(text, 1), 0
	for i < len(text) && text[i] != '}' && text[i] != ']' {
		name, begin := strconv.Itoa(n), i
		if kind == '{' {
			colon := skipValue(text, i)
			name = stringOf(text[i:colon])
			begin = skipSpace(text, skipSpace(text, colon)+1)
		}
		stop := skipValue(text, begin)
		if name == token {
			start, end = begin, stop
		}
		i = skipComma(text, stop)
		n++
	}
	return start, end
}

// setAt replaces the value at path in a decoded value.
func setAt(value any, path []string, to any) bool {
	last := len(path) - 1
	switch container := lookup(value, path[:last]).(type) {
	case map[string]any:
		container[path[last]] = to
		return true
	case []any:
		if i := indexOf(path[last], len(container)); i >= 0 {
			container[i] = to
			return true
		}
	}
	return false
}
