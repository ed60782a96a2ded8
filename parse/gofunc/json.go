package gofunc

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// Schemas are built as node trees, which keep the order of keys.

// object makes a mapping from key, value, key, value…; strings, booleans, ints
// and nodes are values.
func object(pairs ...any) *node.Node {
	n := node.Map(nil)
	for i := 0; i < len(pairs); i += 2 {
		n.Items = append(n.Items, node.Str(nil, pairs[i].(string)), valueNode(pairs[i+1]))
	}
	return n
}

func valueNode(v any) *node.Node {
	switch v := v.(type) {
	case *node.Node:
		return v
	case string:
		return node.Str(nil, v)
	case bool:
		return node.Boolean(nil, v)
	case int64:
		return node.Num(nil, strconv.FormatInt(v, 10))
	case uint64:
		return node.Num(nil, strconv.FormatUint(v, 10))
	case []string:
		list := node.Seq(nil)
		for _, s := range v {
			list.Items = append(list.Items, node.Str(nil, s))
		}
		return list
	}
	panic("gofunc: no value for a schema")
}

// parseJSON reads JSON that is known to be valid, or null.
func parseJSON(text string) *node.Node {
	file := &node.File{}
	if err := node.Parse(file, []byte(text)); err != nil || file.Root == nil {
		return node.NewNull(nil)
	}
	return file.Root
}

func rawJSON(n *node.Node) json.RawMessage { return node.AppendJSON(nil, n) }

// jsonString encodes text as a JSON string. Angle brackets stay readable.
func jsonString(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A string always encodes.
	_ = enc.Encode(s)
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func unquoteJSON(literal string) string {
	var s string
	_ = json.Unmarshal([]byte(literal), &s)
	return s
}

// withText adds text to the description of a schema, on a line of its own.
func withText(n *node.Node, text string) *node.Node {
	if text == "" {
		return n
	}
	if old := n.Get("description").Text(); old != "" {
		text = old + "\n" + text
	}
	return withDescription(n, text)
}

// withDescription sets the description; it stands before the longer keywords.
func withDescription(n *node.Node, text string) *node.Node {
	switch {
	case text == "":
		return n
	case n.Has("description"):
		return n.With("description", node.Str(nil, text))
	}
	at := 0
	if len(n.Items) > 0 && (n.Items[0].Value == "type" || n.Items[0].Value == "$ref") {
		at = 2
	}
	c := *n
	c.Items = append(append(append([]*node.Node{}, n.Items[:at]...), node.Str(nil, "description"), node.Str(nil, text)), n.Items[at:]...)
	return &c
}

// nullable is the schema of a value that may also be null.
func nullable(n *node.Node) *node.Node {
	kind := n.Get("type")
	switch {
	case len(n.Without("description").Items) == 0:
		return n // any value, null too
	case kind != nil && kind.Kind == node.String && !n.Has("enum") && !n.Has("const"):
		return n.With("type", valueNode([]string{kind.Value, "null"}))
	case kind != nil && kind.Kind == node.Sequence:
		return n
	}
	text := n.Get("description").Text()
	n = object("anyOf", node.Seq(nil, n.Without("description"), object("type", "null")))
	if text != "" {
		n = withDescription(n, text)
	}
	return n
}

// schemaKind is the JSON type that a schema demands, "" for several or any.
func schemaKind(n *node.Node) string {
	if kind := n.Get("type"); kind != nil && kind.Kind == node.String {
		return kind.Value
	}
	return ""
}
