package runtime

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// The operator can have arguments added to the tools of an API that are not the
// API's: they say what becomes of its answer. They are in tools/list and are
// checked like any other. Where the API has an argument of the same name, that
// one stays what it is.

const (
	fieldsArgument   = "_fields"    // see select.go
	maxItemsArgument = "_max_items" // see paginate.go
)

// addition is an argument that is added to a tool.
type addition struct {
	name   string
	schema string
}

// maxMaxItems bounds what _max_items may ask for.
const maxMaxItems = 10_000

// extend lets the tools have the arguments that the configuration adds, and not
// the paths of files that it does not allow.
func (s *Server) extend(set *toolset) {
	for _, t := range set.sorted {
		if t.local {
			continue
		}
		t.pathless = s.config.Files == ""
		if s.config.Select || s.config.Paginate {
			t.additions = func(names []string) []addition { return s.additions(t, names) }
		}
	}
}

// additions are the arguments to add to a tool that has arguments of these names.
func (s *Server) additions(t *tool, names []string) []addition {
	var list []addition
	if s.config.Select && !slices.Contains(names, fieldsArgument) {
		list = append(list, addition{fieldsArgument,
			`{"type":"string","minLength":1,"maxLength":2000,"description":"Fields of the answer to keep, separated by commas: \"total,items[].id,items[].owner.name\". Without it: all."}`})
	}
	if s.config.Paginate && strings.HasPrefix(t.Request, "GET ") && pagingOf(names).any() && !slices.Contains(names, maxItemsArgument) {
		list = append(list, addition{maxItemsArgument, fmt.Sprintf(
			`{"type":"integer","minimum":1,"maximum":%d,"description":"Read page after page, up to this many items, and return them as one list. Pages are never cut: there is one at least."}`, maxMaxItems)})
	}
	return list
}

// extended returns an input schema, without white space between its tokens, with
// what is added to it, and the names of that.
func (t *tool) extended(schema json.RawMessage) (json.RawMessage, []string) {
	if t.pathless {
		schema = withoutPaths(schema)
	}
	if t.additions == nil || kindOf(schema) != '{' {
		return schema, nil
	}
	list := t.additions(propertyNames(schema))
	if len(list) == 0 {
		return schema, nil
	}
	var added []string
	var text []byte
	for i, a := range list {
		if i > 0 {
			text = append(text, ',')
		}
		text = fmt.Appendf(text, "%s:%s", quote(a.name), a.schema)
		added = append(added, a.name)
	}
	out := replaceMember(schema, "properties", func(properties json.RawMessage) json.RawMessage {
		if kindOf(properties) != '{' {
			return slices.Concat([]byte("{"), text, []byte("}"))
		}
		inner := properties[1 : len(properties)-1]
		if len(strings.TrimSpace(string(inner))) > 0 {
			inner = slices.Concat(inner, []byte(","))
		}
		return slices.Concat([]byte("{"), inner, text, []byte("}"))
	})
	return out, added
}

// extendedObject returns a tool object with what is added to its input schema.
func (t *tool) extendedObject(object json.RawMessage) json.RawMessage {
	if t.pathless {
		object = withoutPaths(object)
	}
	if t.additions == nil {
		return object
	}
	return replaceMember(object, "inputSchema", func(schema json.RawMessage) json.RawMessage {
		schema, _ = t.extended(schema)
		return schema
	})
}

// replaceMember returns an object with another value for a member, which it is
// given last if it has none.
func replaceMember(object json.RawMessage, name string, change func(json.RawMessage) json.RawMessage) json.RawMessage {
	out := append(make([]byte, 0, len(object)+500), '{')
	found := false
	write := func(key string, value json.RawMessage) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(key)...), ':'), value...)
	}
	for key, value := range members(object) {
		if key == name {
			value, found = change(value), true
		}
		write(key, value)
	}
	if !found {
		write(name, change(nil))
	}
	return append(out, '}')
}

func propertyNames(schema json.RawMessage) []string {
	var names []string
	for key, value := range members(schema) {
		if key == "properties" && kindOf(value) == '{' {
			for name := range members(value) {
				names = append(names, name)
			}
		}
	}
	return names
}

// addedArg is an argument that this server added; absent if it is the API's own.
func (c *Call) addedArg(name string) Arg {
	if !slices.Contains(c.tool.check().added, name) {
		return Arg{Name: name}
	}
	return c.Arg(name)
}
