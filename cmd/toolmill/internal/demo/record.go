package demo

import (
	"context"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed7346ab69/toolmill/cmd/toolmill/internal/conversation"
)

// log collects events in the order in which they happened. Each call waits for
// its answer, so the order is always the same.
type log struct {
	mu     sync.Mutex
	events []conversation.Event
}

func (l *log) add(e conversation.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

// take returns the events since the last take.
func (l *log) take() []conversation.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	events := l.events
	l.events = nil
	return events
}

// recordingTransport notes every JSON-RPC message that passes.
type recordingTransport struct {
	mcp.Transport
	log *log
}

func (t *recordingTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &recordingConn{Connection: conn, log: t.log}, nil
}

type recordingConn struct {
	mcp.Connection
	log *log
}

func (c *recordingConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.Connection.Read(ctx)
	if err == nil {
		c.note("server", "client", msg)
	}
	return msg, err
}

// Write notes the message before it is sent: its consequences come after it.
func (c *recordingConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	c.note("client", "server", msg)
	return c.Connection.Write(ctx, msg)
}

func (c *recordingConn) note(from, to string, msg jsonrpc.Message) {
	if body, err := jsonrpc.EncodeMessage(msg); err == nil {
		c.log.add(conversation.Event{From: from, To: to, Body: body})
	}
}
