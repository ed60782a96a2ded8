package runtime

import (
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// firstModern is the first protocol version without sessions.
const firstModern = "2026-07-28"

const (
	versionHeader = "Mcp-Protocol-Version"
	sessionHeader = "Mcp-Session-Id"
)

// endpoint is the one path that speaks MCP, to clients of both eras. Since
// 2026-07-28 every request stands for itself; before that a client opens a
// session. The SDK has a handler for either and none for both, so requests are
// told apart by what they carry.
type endpoint struct {
	modern   http.Handler
	sessions http.Handler // nil: older clients are served without sessions too
	limit    int64        // bytes of a message
	inbound  *inbound     // nil: everyone may call
	prepare  func(tool string)
	streams  context.Context
	trace    *trace
	room     *sessionRoom
}

// newEndpoint returns the endpoint of a server. What clients keep open to hear
// of changes ends with streams.
func newEndpoint(streams context.Context, s *Server, server *mcp.Server, o *httpOptions, in *inbound) *endpoint {
	get := func(*http.Request) *mcp.Server { return server }
	options := mcp.StreamableHTTPOptions{
		Stateless:                    true,
		Logger:                       slog.New(levelHandler{s.log.Handler(), slog.LevelWarn}),
		DisableLocalhostProtection:   true, // [pages] does it, proxies included
		MaxRequestBodyBytes:          -1,   // the body was read by then
		PropagateRequestCancellation: true, // since 2026-07-28; before, a lost connection is no cancellation
	}
	e := &endpoint{limit: o.maxRequest, inbound: in, streams: streams, trace: s.trace}
	e.room = &sessionRoom{open: server.Sessions, most: o.maxSessions, log: s.log}
	e.prepare = func(tool string) { s.register(server, tool) }
	e.modern = mcp.NewStreamableHTTPHandler(get, &options)
	if !o.stateless {
		options.Stateless, options.SessionTimeout = false, o.sessionIdle
		e.sessions = mcp.NewStreamableHTTPHandler(get, &options)
	}
	return e
}

// ServeHTTP implements [http.Handler].
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Accel-Buffering", "no") // nginx would hold back what streams
	caller, refused := e.inbound.identify(r)
	if refused != nil {
		e.inbound.challenge(w, refused)
		return
	}
	decodeName(r.Header)
	var messages []message
	if r.Method == http.MethodPost {
		var ok bool
		if messages, ok = readMessages(w, r, e.limit); !ok {
			return
		}
	}
	if refused := e.inbound.permit(caller, messages); refused != nil {
		e.inbound.challenge(w, refused)
		return
	}
	handler := e.handler(r, messages)
	if handler == nil {
		refuse(w, http.StatusBadRequest, jsonrpc.CodeInvalidRequest,
			"a request needs the "+sessionHeader+" that initialize gave, or the protocol version "+firstModern+" in _meta and the header "+versionHeader)
		return
	}
	if handler == e.sessions && r.Method == http.MethodPost && r.Header.Get(sessionHeader) == "" {
		leave, ok := e.room.enter()
		if !ok {
			refuse(w, http.StatusServiceUnavailable, jsonrpc.CodeInternalError,
				fmt.Sprintf("this server has %d sessions, and there may be no more: try again later, or in the protocol version %s, which needs none", e.room.most, firstModern))
			return
		}
		defer leave()
	}
	for _, m := range messages {
		e.prepare(m.tool) // the SDK compares headers with arguments of tools that it knows
	}
	if r.Method == http.MethodGet || slices.ContainsFunc(messages, func(m message) bool { return m.method == "subscriptions/listen" }) {
		ctx, cancel := endsWith(r.Context(), e.streams)
		defer cancel()
		r = r.WithContext(ctx)
	}
	e.trace.handler(asCaller(caller, handler)).ServeHTTP(w, r)
}

// decodeName decodes the header that names a tool or resource, which clients
// encode when it is not ASCII (MCP 2026-07-28, basic/transports, headers). The
// SDK compares it as it comes.
func decodeName(h http.Header) {
	name := h.Get("Mcp-Name")
	encoded, ok := strings.CutPrefix(name, "=?base64?")
	if encoded, end := strings.CutSuffix(encoded, "?="); ok && end {
		if decoded, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			h.Set("Mcp-Name", string(decoded))
		}
	}
}

// handler is the SDK's handler for a request: nil when it belongs to no session
// and can open none.
func (e *endpoint) handler(r *http.Request, messages []message) http.Handler {
	has := func(is func(message) bool) bool { return slices.ContainsFunc(messages, is) }
	switch {
	case e.sessions == nil, r.Header.Get(versionHeader) >= firstModern, has(func(m message) bool { return m.modern }):
		return e.modern
	case r.Method == http.MethodPost && r.Header.Get(sessionHeader) == "" && !has(func(m message) bool { return m.method == "initialize" }):
		return nil
	}
	return e.sessions
}

// endsWith returns a context like ctx that also ends with other.
func endsWith(ctx, other context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(other, cancel)
	return ctx, func() { stop(); cancel() }
}
