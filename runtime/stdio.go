package runtime

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// drainTime is how long answers are still written after the input has ended, so
// that "server < requests" prints them all. A client that closes is not kept
// waiting: hosts kill a server that takes longer.
const drainTime = 1500 * time.Millisecond

// lineTransport is MCP's stdio transport: one JSON-RPC message a line. Unlike
// the SDK's it survives lines that are no message; they get the error that
// JSON-RPC asks for.
type lineTransport struct {
	in    io.Reader
	out   io.Writer
	log   *slog.Logger
	limit int                    // bytes of a line; 0 is maxLine
	pages func() ([]page, error) // put in place of their marks; see insertsPages
	trace *trace

	stop  <-chan struct{} // closed when no more is to be read; nil: never
	grace time.Duration   // for calls in flight after that
	over  chan struct{}   // closed when no more will be read; nil: nobody asks
}

// Connect implements [mcp.Transport].
func (t *lineTransport) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{
		lineTransport: *t,
		lines:         make(chan line), closed: make(chan struct{}),
		pending: newPendingCalls(),
	}
	if c.limit == 0 {
		c.limit = maxLine
	}
	// Close must end a Read that waits for input, and nothing portable unblocks
	// a read of standard input; so it has a goroutine of its own.
	go c.scan(bufio.NewReaderSize(t.in, 64<<10))
	return c, nil
}

type lineConn struct {
	lineTransport
	write   sync.Mutex // one message at a time
	lines   chan line
	closed  chan struct{}
	closing sync.Once
	pending *pendingCalls
}

// SessionID implements [mcp.Connection].
func (c *lineConn) SessionID() string { return "" }

// Close implements [mcp.Connection].
func (c *lineConn) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return nil
}

// scan reads lines until the input ends.
func (c *lineConn) scan(in *bufio.Reader) {
	for {
		l := readLine(in, c.limit)
		select {
		case c.lines <- l:
		case <-c.closed:
			return
		}
		if l.err != nil && l.err != errTooLong {
			return
		}
	}
}

// Read implements [mcp.Connection].
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var l line
		select {
		case l = <-c.lines:
		case <-c.stop:
			c.log.Info("draining", "grace", c.grace)
			return nil, c.end(io.EOF, c.grace)
		case <-c.closed:
			return nil, c.end(io.EOF, 0)
		case <-ctx.Done():
			return nil, c.end(ctx.Err(), 0)
		}
		switch {
		case l.err == errTooLong:
			c.reject(l.data, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message may have %d bytes at most", c.limit))
		case l.err != nil:
			return nil, c.end(l.err, drainTime)
		default:
			if msg := c.accept(l.data); msg != nil {
				return msg, nil
			}
		}
	}
}

// end lets calls in flight finish, for drain at most, and returns err.
func (c *lineConn) end(err error, drain time.Duration) error {
	c.pending.drain(drain, c.closed)
	if c.over != nil {
		close(c.over)
	}
	return err
}

// accept returns the message in a line, nil where it gets an error in its place.
func (c *lineConn) accept(data []byte) jsonrpc.Message {
	msg := c.decode(data)
	if msg == nil || c.pending.track(msg) {
		return msg
	}
	// Under its id the error would be taken for the answer to the other call.
	id, _ := json.Marshal(msg.(*jsonrpc.Request).ID.Raw())
	c.reject(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("id %s is that of a call without an answer yet", id))
	return nil
}

// decode returns the message in a line. For anything else it sends an error and
// returns nil.
func (c *lineConn) decode(data []byte) jsonrpc.Message {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	if len(data) == 0 {
		return nil
	}
	c.trace.record(fromClient, "", data)
	switch {
	case !utf8.Valid(data):
		c.reject(nil, jsonrpc.CodeParseError, "the message is not UTF-8")
		return nil
	case data[0] == '[':
		c.reject(nil, jsonrpc.CodeInvalidRequest, "batches are not supported: send one message a line")
		return nil
	}
	msg, err := jsonrpc.DecodeMessage(data)
	switch {
	case err == nil && !keepsID(msg, data):
		c.reject(data, jsonrpc.CodeInvalidRequest, "an id must be a string or an integer below 2^53")
		return nil
	case err == nil:
		return msg
	case !json.Valid(data):
		c.reject(nil, jsonrpc.CodeParseError, "the message is not JSON")
	default:
		text := "the message is not a JSON-RPC 2.0 request"
		if reason := err.Error(); !strings.Contains(reason, " Go ") { // its types are nobody's business
			text += ": " + reason
		}
		c.reject(data, jsonrpc.CodeInvalidRequest, text)
	}
	return nil
}

// keepsID reports whether an answer can have the id of a request: the SDK makes
// an int64 of any number, by way of a float64.
func keepsID(msg jsonrpc.Message, data []byte) bool {
	req, ok := msg.(*jsonrpc.Request)
	if !ok {
		return true
	}
	id, ok := req.ID.Raw().(int64)
	if !ok {
		return true
	}
	text := strconv.AppendInt(nil, id, 10)
	for _, end := range []string{",", "}"} { // as nearly everyone writes it
		if bytes.Contains(data, slices.Concat([]byte(`"id":`), text, []byte(end))) {
			return true
		}
	}
	var head struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(data, &head) != nil {
		return false
	}
	whole, fraction, _ := strings.Cut(string(head.ID), ".")
	return whole == string(text) && strings.Trim(fraction, "0") == "" // 1.0 is 1
}

// reject answers a line that is no message, under its id if it has a usable one.
func (c *lineConn) reject(data []byte, code int, text string) {
	var head struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(data, &head) // best effort: the line is broken somehow
	id := head.ID
	if kind := kindOf(id); kind != '"' && kind != '0' {
		id = json.RawMessage("null")
	}
	c.log.Warn("a line of input was refused", "reason", text)
	// A failed write shows again when the next answer is sent.
	_ = c.send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, quote(text)))
}

// Write implements [mcp.Connection].
func (c *lineConn) Write(_ context.Context, msg jsonrpc.Message) error {
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		data, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		return c.send(data)
	}
	call := c.pending.answer(resp.ID)
	defer c.pending.answered()
	if call.cancelled {
		return nil
	}
	if resp.Error != nil {
		data, err := encodeError(resp)
		if err != nil {
			return err
		}
		return c.send(data)
	}
	id, err := json.Marshal(resp.ID.Raw())
	if err != nil {
		return err
	}
	// The result is JSON already: encoding it once more would only cost.
	head := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":`, id)
	if call.method == "tools/list" {
		if frame, i, ok := cutPageMark(resp.Result); ok {
			pages, err := c.pages()
			if err != nil {
				return err
			}
			return c.send(slices.Concat([][]byte{head, frame}, pages[i].chunks, [][]byte{[]byte(listEnd + "}")})...)
		}
	}
	return c.send(slices.Concat(head, resp.Result, []byte("}")))
}

// encodeError is [jsonrpc.EncodeMessage] for an answer that is an error; some of
// the SDK's have no code.
func encodeError(resp *jsonrpc.Response) ([]byte, error) {
	if coded := (*jsonrpc.Error)(nil); !errors.As(resp.Error, &coded) {
		resp.Error = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: resp.Error.Error()}
	}
	return jsonrpc.EncodeMessage(resp)
}

// send writes one line.
func (c *lineConn) send(parts ...[]byte) error {
	c.write.Lock()
	defer c.write.Unlock()
	c.trace.record(fromServer, "", parts...)
	last := len(parts) - 1
	parts[last] = append(parts[last], '\n')
	for _, part := range parts {
		if _, err := c.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}
