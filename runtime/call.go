package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
)

// Handler answers one tools/call. Generated handlers are of this type.
// Errors are for the unforeseen: they become a result that says only that the
// tool failed. What a model can correct is a [Failure].
type Handler func(ctx context.Context, call *Call) (*Result, error)

// Call is one tools/call: its arguments, and what the handler needs to answer.
type Call struct {
	tool   *Tool
	server *Server
	args   map[string]json.RawMessage // exact bytes, after repair
	notes  []string                   // told to the model after the result
	header http.Header                // of the HTTP request that brought the call; nil on stdio

	// progress tells the client how far the call is; total 0 is unknown. It
	// does nothing when the client did not ask.
	progress func(ctx context.Context, done, total float64, message string)
}

// Arg is one argument of a call.
type Arg struct {
	Name  string
	Value json.RawMessage // exact bytes; nil: absent
}

// Arg returns the argument called name, absent or not.
func (c *Call) Arg(name string) Arg { return Arg{Name: name, Value: c.args[name]} }

// Given reports whether the argument is present and not null.
func (a Arg) Given() bool { return a.Value != nil && !bytes.Equal(a.Value, []byte("null")) }

// note says something to the model after the result.
func (c *Call) note(text string) { c.notes = append(c.notes, text) }
