package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The functions below end the handlers of Go functions: each makes a [Result]
// of what the function returned.

// Failed tells the model what an error says. A [jsonrpc.Error] in it becomes an
// error of the protocol.
func Failed(err error) (*Result, error) {
	if coded := (*jsonrpc.Error)(nil); errors.As(err, &coded) {
		return nil, coded
	}
	text := err.Error()
	if strings.TrimSpace(text) == "" {
		text = fmt.Sprintf("it failed with an error that says nothing (%T)", err)
	}
	return Failure("%s", text), nil
}

// Done is the result of a function that returns nothing.
func Done() (*Result, error) { return &Result{}, nil }

// Object returns a value whose JSON is an object. A nil map is an empty one; a
// nil pointer is no result, which the model is told.
func Object(value any) (*Result, error) {
	v := reflect.ValueOf(value)
	switch {
	case !v.IsValid(), (v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface) && v.IsNil():
		return nothing()
	case v.Kind() == reflect.Map && v.IsNil():
		return JSON(json.RawMessage("{}")), nil
	}
	text, err := encodeJSON(value)
	if err != nil {
		return notJSON(err)
	}
	return JSON(text), nil
}

// Value returns a value whose JSON is not an object: the text is that JSON, the
// structured content an object that holds it under name.
func Value(name string, value any) (*Result, error) {
	text, err := encodeValue(value)
	if err != nil {
		return notJSON(err)
	}
	r := JSON(text)
	r.Structured = fmt.Appendf(nil, "{%s:%s}", quote(name), text)
	return r, nil
}

// Results returns several values as one object: name, value, name, value…
func Results(pairs ...any) (*Result, error) {
	out := []byte{'{'}
	for i := 0; i+1 < len(pairs); i += 2 {
		text, err := encodeValue(pairs[i+1])
		if err != nil {
			return notJSON(err)
		}
		if i > 0 {
			out = append(out, ',')
		}
		name, _ := pairs[i].(string) // written by the generator
		out = append(append(append(out, quote(name)...), ':'), text...)
	}
	return JSON(append(out, '}')), nil
}

// TextOnly drops the structured content of a result.
func TextOnly(r *Result, err error) (*Result, error) {
	if r != nil {
		r.Structured = nil
	}
	return r, err
}

// Contents returns content blocks as they are.
func Contents(blocks ...mcp.Content) (*Result, error) {
	r := &Result{}
	for _, block := range blocks {
		if !isNil(block) {
			r.Content = append(r.Content, block)
		}
	}
	if len(blocks) > 0 && len(r.Content) == 0 {
		return nothing()
	}
	return r, nil
}

// Messages returns the messages of a prompt.
func Messages(messages ...*mcp.PromptMessage) (*Result, error) {
	r := &Result{}
	for _, m := range messages {
		if m != nil && m.Content != nil {
			r.messages = append(r.messages, m)
		}
	}
	if len(r.messages) == 0 {
		return nothing()
	}
	return r, nil
}

// AsIs returns a result that the function made for the protocol itself.
func AsIs[T mcp.CallToolResult | mcp.GetPromptResult | mcp.ReadResourceResult](result *T) (*Result, error) {
	if result == nil {
		return nothing()
	}
	r := &Result{asIs: result}
	if given, ok := any(result).(*mcp.CallToolResult); ok {
		blocks, err := Contents(given.Content...)
		if err != nil {
			return nil, err
		}
		r.Content, r.IsError = blocks.Content, given.IsError
		if given.StructuredContent != nil {
			if r.Structured, err = encodeJSON(given.StructuredContent); err != nil {
				return notJSON(err)
			}
		}
	}
	return r, nil
}

// nothing is what became of a nil result without an error. A made-up record
// would look like an answer.
func nothing() (*Result, error) { return Failure("no result"), nil }

func notJSON(err error) (*Result, error) {
	return Failure("the result cannot be written as JSON: %s", strings.TrimPrefix(err.Error(), "json: ")), nil
}

// encodeValue is encodeJSON with empty lists and maps for nil ones.
func encodeValue(value any) (json.RawMessage, error) {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Slice:
		if v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
			return json.RawMessage("[]"), nil
		}
	case reflect.Map:
		if v.IsNil() {
			return json.RawMessage("{}"), nil
		}
	}
	return encodeJSON(value)
}

// encodeJSON is json.Marshal that leaves <, > and & alone.
func encodeJSON(value any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
