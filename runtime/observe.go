package runtime

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Observer hears of the messages that a server answers and of the requests that
// it sends for them. It is an interface so that a server without telemetry links
// none: package otel, in the folder below, has the one there is.
type Observer interface {
	// Received is told of a message that came in. It returns the context of the
	// answer, and what is called with how it went: "" or a class of failure,
	// which is the code of a JSON-RPC error or [ToolError].
	Received(ctx context.Context, m Received) (context.Context, func(failure string))
	// Sending is told of a request before it is sent. It may set headers, and
	// returns what is called with what came back.
	Sending(r Sending) func(*http.Response, error)
	// Close sends what was not sent yet.
	Close(ctx context.Context) error
}

// ToolError is the class of failure of a result with isError (OpenTelemetry
// semantic conventions for MCP, error.type).
const ToolError = "tool_error"

// Received is a message that a client sent.
type Received struct {
	Method   string // "tools/call"
	Tool     string // of tools/call: the one that answers, empty if there is none
	Prompt   string // of prompts/get
	Resource string // URI of resources/read
	Session  string // empty: none
	Version  string // of the protocol; empty: unknown
	HTTP     bool   // came over HTTP; else over stdio
	// Context is the trace context of the client: traceparent, tracestate and
	// baggage, those of them that there are.
	Context map[string]string
}

// Sending is a request to the upstream.
type Sending struct {
	Request  *http.Request // its header is its own
	Template string        // "/pets/{petId}"
	URL      string        // without query and secrets
	Attempt  int           // 1 is the first
}

// observe makes the observer that the generated code asks for, if there is one.
func (s *Server) observe() {
	if s.def.Observe == nil {
		return
	}
	observer, err := s.def.Observe(s.def.Name, s.def.Version, s.log)
	if err != nil {
		s.log.Warn("no telemetry", "error", err)
		return
	}
	s.observer = observer
}

// closeTelemetry bounds how long the end of a server waits for a collector.
const closeTelemetry = time.Second

func (s *Server) closeObserver() {
	if s.observer == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeTelemetry)
	defer cancel()
	if err := s.observer.Close(ctx); err != nil {
		s.log.Warn("the last telemetry was not delivered", "error", err)
	}
}

// observed logs each message, tells the observer of it, and keeps the client's
// trace context for what is sent meanwhile.
func (s *Server) observed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		m := s.received(method, req)
		if call, ok := req.(*mcp.CallToolRequest); ok && call.Params != nil {
			m.Tool = ellipsis(s.catalog.target(m.Tool, call.Params.Arguments), maxNamed)
		}
		if len(m.Context) > 0 {
			ctx = context.WithValue(ctx, carriedKey{}, m.Context)
		}
		end := func(string) {}
		if s.observer != nil {
			seen := m
			if !s.hasTool(m.Tool) {
				seen.Tool = "" // clients must not make up names for metrics
			}
			ctx, end = s.observer.Received(ctx, seen)
		}
		start := time.Now()
		result, err := next(ctx, method, req)
		failure := failureOf(result, err)
		s.logMessage(ctx, m, failure, time.Since(start))
		end(failure)
		return result, err
	}
}

// maxNamed bounds the bytes of what a client names, in the log and to an observer.
// No tool has a longer name.
const maxNamed = 500

// received is what there is to know of a message. Its parameters may be nil.
func (s *Server) received(method string, req mcp.Request) Received {
	m := Received{Method: method}
	if extra := req.GetExtra(); extra != nil {
		m.HTTP = extra.Header != nil
	}
	if session, ok := req.GetSession().(*mcp.ServerSession); ok && session != nil {
		m.Session = session.ID()
		if params := session.InitializeParams(); params != nil {
			m.Version = params.ProtocolVersion
		}
	}
	params := req.GetParams()
	if isNil(params) {
		return m
	}
	meta := params.GetMeta()
	if version, ok := meta[mcp.MetaKeyProtocolVersion].(string); ok {
		m.Version = version
	}
	m.Context = carriedBy(meta)
	switch params := params.(type) {
	case *mcp.CallToolParamsRaw:
		m.Tool = ellipsis(cmp.Or(s.catalog.target(params.Name, params.Arguments), params.Name), maxNamed)
	case *mcp.GetPromptParams:
		m.Prompt = ellipsis(params.Name, maxNamed)
	case *mcp.ReadResourceParams:
		m.Resource = ellipsis(params.URI, maxNamed)
	}
	return m
}

// hasTool reports whether a tool of that name can be called.
func (s *Server) hasTool(name string) bool {
	return s.tools.byName[name] != nil ||
		s.catalog != nil && slices.ContainsFunc(s.catalog.own, func(t *tool) bool { return t.Name == name })
}

// failureOf classes an answer; empty is success.
func failureOf(result mcp.Result, err error) string {
	if err != nil {
		code := int64(jsonrpc.CodeInternalError)
		if coded := (*jsonrpc.Error)(nil); errors.As(err, &coded) {
			code = coded.Code
		}
		return strconv.FormatInt(code, 10)
	}
	if called, ok := result.(*mcp.CallToolResult); ok && called != nil && called.IsError {
		return ToolError
	}
	return ""
}

// logMessage never logs arguments or results: they may hold what is nobody's
// business.
func (s *Server) logMessage(ctx context.Context, m Received, failure string, took time.Duration) {
	level, status := slog.LevelDebug, "ok"
	if failure != "" {
		status = failure
		// Clients ask for methods to learn whether they exist.
		if failure != strconv.Itoa(jsonrpc.CodeMethodNotFound) {
			level = slog.LevelWarn
		}
	}
	if !s.log.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{slog.String("method", m.Method)}
	for _, a := range []slog.Attr{slog.String("tool", m.Tool), slog.String("prompt", m.Prompt), slog.String("session", m.Session)} {
		if a.Value.String() != "" {
			attrs = append(attrs, a)
		}
	}
	attrs = append(attrs, slog.String("status", status), slog.Duration("took", took))
	s.log.LogAttrs(ctx, level, "answered", attrs...)
}

// The fields of a trace context in _meta (MCP SEP-414), which are the headers of
// W3C Trace Context and W3C Baggage.
const (
	traceParent = "traceparent"
	traceState  = "tracestate"
	baggage     = "baggage"
)

// carriedKey is the context key of the client's trace context.
type carriedKey struct{}

// carriedBy reads the trace context in _meta: only what can stand in a header and
// is no longer than the recommendations ask everyone to carry.
func carriedBy(meta map[string]any) map[string]string {
	var found map[string]string
	for _, field := range []struct {
		name string
		most int // bytes
	}{{traceParent, 55}, {traceState, 512}, {baggage, 8192}} {
		value, _ := meta[field.name].(string)
		if value == "" || len(value) > field.most || !isVisible(value) {
			continue
		}
		if field.name == traceParent && !isTraceParent(value) ||
			field.name == traceState && found[traceParent] == "" {
			continue
		}
		if found == nil {
			found = map[string]string{}
		}
		found[field.name] = value
	}
	return found
}

// isTraceParent reports whether text is a traceparent of version 00 (W3C Trace
// Context, 3.2): version, trace, parent and flags in hexadecimal.
func isTraceParent(text string) bool {
	parts := strings.Split(text, "-")
	if len(parts) != 4 || parts[0] == "ff" {
		return false
	}
	for i, length := range []int{2, 32, 16, 2} {
		if len(parts[i]) != length || strings.Trim(parts[i], "0123456789abcdef") != "" {
			return false
		}
	}
	return strings.Trim(parts[1], "0") != "" && strings.Trim(parts[2], "0") != ""
}

// isVisible reports whether text is printable ASCII.
func isVisible(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// carry puts the client's trace context into a request's headers, unless an
// argument set them.
func carry(ctx context.Context, h http.Header) {
	fields, _ := ctx.Value(carriedKey{}).(map[string]string)
	for _, name := range []string{traceParent, traceState, baggage} {
		if value := fields[name]; value != "" && h.Get(name) == "" {
			h.Set(name, value)
		}
	}
}

// observeSending tells the observer of a request.
func (x *exchange) observeSending(req *http.Request) func(*http.Response, error) {
	s := x.call.server
	if s.observer == nil {
		return func(*http.Response, error) {}
	}
	address := *req.URL
	address.RawQuery, address.User = "", nil
	req.Header = req.Header.Clone()
	template, _, _ := strings.Cut(x.request.path, "?")
	return s.observer.Sending(Sending{Request: req, Template: template, URL: s.redact(address.String()), Attempt: x.attempts})
}
