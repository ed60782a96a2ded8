package runtime

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"runtime/debug"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Handler answers one tools/call. Generated handlers are of this type.
// Errors are for the unforeseen: the model is told only that the tool failed,
// the log says why. What a model can correct or should know is a [Failure].
type Handler func(ctx context.Context, call *Call) (*Result, error)

// Call is one tools/call: its arguments, and what the handler needs to answer.
type Call struct {
	tool   *tool
	server *Server
	origin origin
	args   map[string]json.RawMessage // exact bytes, after repair
	notes  []string                   // told to the model after the result
	header http.Header                // of the HTTP request that brought the call; nil on stdio

	read, held int64 // bytes of answers: all, and those counted; see room.go

	capture func(*Request) // takes the request in place of Do; nil: it is sent

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

// Fixed is a JSON value that the document gives, in place of an argument.
func Fixed(value string) Arg { return Arg{Value: json.RawMessage(value)} }

// Given reports whether the argument is present and not null.
func (a Arg) Given() bool { return a.Value != nil && !bytes.Equal(a.Value, []byte("null")) }

// note says something to the model after the result, in sentences. The first begins
// with a word, not with a name: the word gets a capital behind another note.
func (c *Call) note(text string) { c.notes = append(c.notes, text) }

// noteText is what the model is told after the result.
func (c *Call) noteText() string {
	text := "Note: " + c.notes[0]
	for _, note := range c.notes[1:] {
		first, size := utf8.DecodeRuneInString(note)
		text += " " + string(unicode.ToUpper(first)) + note[size:]
	}
	return text
}

// call answers tools/call. It always has a result: what the SDK makes of an
// error, a nil result or a panic is not for a model to read, or ends the process.
// The one error is a [jsonrpc.Error] that a Go function asked for.
func (s *Server) call(ctx context.Context, t *tool, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	c := &Call{tool: t, server: s, progress: progressTo(req), origin: origin{session: req.Session, tool: req}}
	if req.Extra != nil {
		c.header = req.Extra.Header
	}
	leave, full := s.limiter.enter(c)
	if full != nil {
		return s.encode(c, full), nil
	}
	defer leave()
	defer c.release()
	result, err := s.answer(ctx, c, req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	out := s.encode(c, result)
	if c.header != nil {
		c.hide(out)
	}
	return out, nil
}

// answer checks the arguments and runs the handler.
func (s *Server) answer(ctx context.Context, c *Call, arguments json.RawMessage) (result *Result, err error) {
	name := c.tool.Name
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a tool panicked", "tool", name, "panic", p, "stack", string(debug.Stack()))
			result = Failure("%s failed because of a defect in this server. Calling it again in the same way will not help.", name)
		}
	}()
	if refusal := c.accept(arguments); refusal != nil {
		return refusal, nil
	}
	if c.origin.tool != nil {
		if refusal := s.permit(ctx, c); refusal != nil {
			return refusal, nil
		}
	}
	result, err = c.tool.Handle(ctx, c)
	if refused := (*refusal)(nil); errors.As(err, &refused) {
		return refused.Result, nil
	}
	if coded := (*jsonrpc.Error)(nil); errors.As(err, &coded) {
		return nil, s.redactError(coded)
	}
	if err != nil || result == nil {
		s.log.Error("a tool failed", "tool", name, "error", err)
		return Failure("%s failed inside this server; the server's log says why.", name), nil
	}
	return result, nil
}

// permit decides whether a call that fits may be made now. People are not asked
// about one that would be refused afterwards.
func (s *Server) permit(ctx context.Context, c *Call) *Result {
	if refusal := s.limiter.tooSoon(c.tool.Name, true); refusal != nil {
		return refusal
	}
	if refusal := s.confirm(ctx, c); refusal != nil {
		return refusal
	}
	return s.limiter.tooSoon(c.tool.Name, false)
}

// progressTo returns what Call.progress is. Without a token the SDK would send
// a notification that nobody can place.
func progressTo(req *mcp.CallToolRequest) func(context.Context, float64, float64, string) {
	token := req.Params.GetProgressToken()
	if token == nil || req.Session == nil {
		return func(context.Context, float64, float64, string) {}
	}
	return func(ctx context.Context, done, total float64, message string) {
		if ctx.Err() != nil {
			return // nobody wants to know of a cancelled call
		}
		// A client that went away is noticed elsewhere.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: done, Total: total, Message: message,
		})
	}
}
