package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// origin is what the protocol knows about a call.
type origin struct {
	session  *mcp.ServerSession
	tool     *mcp.CallToolRequest // one of the requests: of a tool,
	prompt   *mcp.GetPromptRequest
	resource *mcp.ReadResourceRequest
}

// ToolRequest returns the request, as the SDK has it; nil if it is not for a tool.
func (c *Call) ToolRequest() *mcp.CallToolRequest { return c.origin.tool }

// PromptRequest returns the request, as the SDK has it; nil if it is not for a
// prompt.
func (c *Call) PromptRequest() *mcp.GetPromptRequest { return c.origin.prompt }

// ResourceRequest returns the request, as the SDK has it; nil if it is not for a
// resource.
func (c *Call) ResourceRequest() *mcp.ReadResourceRequest { return c.origin.resource }

// Session returns the client's session.
func (c *Call) Session() *mcp.ServerSession { return c.origin.session }

// Protocol returns the SDK's server, which all sessions share.
func (c *Call) Protocol() *mcp.Server { return c.server.changing.protocol() }

// Logger returns a logger whose records name the tool.
func (c *Call) Logger() *slog.Logger { return c.server.log.With("tool", c.tool.Name) }

// refusal is a [Result] on its way out of a handler as an error.
type refusal struct{ *Result }

func (r *refusal) Error() string { return textContent(r.Result) }

// Decode stores the arguments into a struct. Its fields keep their values where
// an argument is absent; numbers arrive with every digit. The error goes back to
// the server as it is: it tells the model what is wrong.
func (c *Call) Decode(into any) error {
	sc := c.tool.check()
	for name, raw := range c.args {
		if hasFraction(raw) {
			c.args[name] = sc.integers(sc.property(sc.doc, name), raw)
		}
	}
	if json.Unmarshal(argsObject(c.args), into) == nil {
		return nil
	}
	var problems []string
	for _, name := range slices.Sorted(maps.Keys(c.args)) {
		fresh := reflect.New(reflect.TypeOf(into).Elem()).Interface()
		if err := json.Unmarshal(argsObject(map[string]json.RawMessage{name: c.args[name]}), fresh); err != nil {
			problems = append(problems, decodeProblem(name, err))
		}
	}
	return &refusal{c.refuse(problems...)}
}

// argsObject joins arguments to one JSON object.
func argsObject(args map[string]json.RawMessage) []byte {
	size := len("{}")
	for name, raw := range args {
		size += len(name) + len(raw) + len(`"":,`)
	}
	out := append(make([]byte, 0, size), '{')
	for name, raw := range args {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, quote(name)...)
		out = append(append(out, ':'), raw...)
	}
	return append(out, '}')
}

// decodeProblem puts an error of encoding/json into words for the model: the
// schema already agreed, so that what is left are ranges and textual forms.
func decodeProblem(name string, err error) string {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return name + ": " + strings.TrimPrefix(err.Error(), "json: ")
	}
	path := name
	if _, inner, ok := strings.Cut(wrong.Field, name+"."); ok {
		path += "." + inner
	}
	if number, ok := strings.CutPrefix(wrong.Value, "number "); ok {
		return fmt.Sprintf("%s: %s is out of range (%s)", path, ellipsis(number, 60), wrong.Type)
	}
	return fmt.Sprintf("%s: a %s does not fit there", path, wrong.Value)
}

// hasFraction reports whether some number in a JSON text is not written as plain
// digits.
func hasFraction(raw json.RawMessage) bool {
	for i := 0; i < len(raw); {
		switch c := raw[i]; {
		case c == '"':
			if i = stringEnd(raw, i); i < 0 {
				return false
			}
			continue
		case c == '.', (c == 'e' || c == 'E') && i > 0 && '0' <= raw[i-1] && raw[i-1] <= '9':
			return true
		}
		i++
	}
	return false
}

// integers writes the numbers that the schema wants to be integers the way
// encoding/json reads them: 1.0 and 1e3 are integers to JSON Schema (2020-12
// core, 6.3), but not to it. Everything else stays as it is.
func (sc *schema) integers(node any, raw json.RawMessage) json.RawMessage {
	var out []byte
	switch kindOf(raw) {
	case '0':
		types := typesOf(sc.resolve(node))
		if !hasFraction(raw) || !slices.Contains(types, "integer") || slices.Contains(types, "number") {
			return raw
		}
		// Huge exponents were refused when the arguments were read.
		if n, ok := new(big.Rat).SetString(string(raw)); ok && n.IsInt() {
			return []byte(n.Num().String())
		}
		return raw
	case '[':
		out = append(out, '[')
		i := 0
		for item := range items(raw) {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, sc.integers(sc.item(node, i), item)...)
			i++
		}
		return append(out, ']')
	case '{':
		out = append(out, '{')
		for name, value := range members(raw) {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(out, quote(name)...), ':')
			out = append(out, sc.integers(sc.property(node, name), value)...)
		}
		return append(out, '}')
	}
	return raw
}

// property returns the schema of a property of an object, nil if unknown.
func (sc *schema) property(node any, name string) any {
	object := sc.resolve(node)
	if properties, ok := object["properties"].(map[string]any); ok && properties[name] != nil {
		return properties[name]
	}
	return object["additionalProperties"]
}

// item returns the schema of an item of an array, nil if unknown.
func (sc *schema) item(node any, i int) any {
	array := sc.resolve(node)
	if prefix, ok := array["prefixItems"].([]any); ok && i < len(prefix) {
		return prefix[i]
	}
	return array["items"]
}

// leaveOut removes a null that stands where an optional property of a struct
// may not be null: to encoding/json it means the same as nothing.
func (c *Call) leaveOut(sc *schema, root map[string]any, path []string) bool {
	last := len(path) - 1
	if last < 1 {
		return false
	}
	node := sc.doc
	for _, token := range path[:last] {
		if i, err := strconv.Atoi(token); err == nil && sc.item(node, i) != nil {
			node = sc.item(node, i)
		} else {
			node = sc.property(node, token)
		}
	}
	parent, ok := lookup(root, path[:last]).(map[string]any)
	if _, given := parent[path[last]]; !ok || !given || slices.Contains(texts(sc.resolve(node)["required"]), path[last]) {
		return false
	}
	arg := c.args[path[0]]
	for _, token := range path[1:last] {
		start, end := find(arg, token)
		arg = arg[start:end]
	}
	text, ok := replaceAt(c.args[path[0]], path[1:last], without(arg, path[last]))
	if ok {
		c.args[path[0]] = text
		delete(parent, path[last])
	}
	return ok
}

// without returns a JSON object without one of its members.
func without(object json.RawMessage, name string) json.RawMessage {
	out := []byte{'{'}
	for key, value := range members(object) {
		if key == name {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(key)...), ':'), value...)
	}
	return append(out, '}')
}

// Default stores a JSON value into to before the arguments are decoded. The
// generator checked that it fits.
func Default(to any, value string) {
	if err := json.Unmarshal([]byte(value), to); err != nil {
		panic(err)
	}
}

// Constant returns the value that a JSON text stands for in a directive.
func Constant[T any](value string) T {
	var v T
	raw := json.RawMessage(value)
	if kindOf(raw) == '"' && parseText(stringOf(raw), &v) == nil {
		return v
	}
	Default(&v, value)
	return v
}

// Zero returns the zero value of a type.
func Zero[T any]() T {
	var v T
	return v
}

// Duration is a time.Duration that is read from text such as "1m30s".
type Duration struct{ time.Duration }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *Duration) UnmarshalText(text []byte) (err error) {
	if d.Duration, err = time.ParseDuration(string(text)); err != nil {
		return fmt.Errorf(`want a duration such as "1m30s" or "250ms", got %q`, text)
	}
	return nil
}

// URL is a url.URL that is read from its text. URL is nil where it was absent.
type URL struct{ *url.URL }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (u *URL) UnmarshalText(text []byte) (err error) {
	if u.URL, err = url.Parse(string(bytes.TrimSpace(text))); err != nil {
		return fmt.Errorf("want a URL, got %q", text)
	}
	return nil
}

// Value returns the URL itself, the zero one where it was absent.
func (u URL) Value() url.URL {
	if u.URL == nil {
		return url.URL{}
	}
	return *u.URL
}
