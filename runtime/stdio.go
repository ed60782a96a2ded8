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

// maxLine bounds one message, in bytes: file arguments are base64 in it.
const maxLine = 64 << 20

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
}

// Connect implements [mcp.Transport].
func (t *lineTransport) Connect(context.Context) (mcp.Connection, error) {
	c := &lineConn{
		out: t.out, log: t.log, pages: t.pages,
		lines: make(chan line), closed: make(chan struct{}), drained: make(chan struct{}),
		pending: map[jsonrpc.ID]string{},
	}
	limit := t.limit
	if limit == 0 {
		limit = maxLine
	}
	// Close must end a Read that waits for input, and nothing portable unblocks
	// a read of standard input; so it has a goroutine of its own.
	go c.scan(bufio.NewReaderSize(t.in, 64<<10), limit)
	return c, nil
}

// line is what the scanner hands over: a line, or why there is none.
type line struct {
	data []byte
	err  error
}

var errTooLong = errors.New("the line is too long")

type lineConn struct {
	out   io.Writer
	log   *slog.Logger
	pages func() ([]page, error)
	write sync.Mutex // one message at a time

	lines   chan line
	closed  chan struct{}
	closing sync.Once

	mu      sync.Mutex
	pending map[jsonrpc.ID]string // methods of calls without an answer yet
	ended   bool                  // no further input
	drained chan struct{}         // closed when ended and nothing is pending
}

// SessionID implements [mcp.Connection].
func (c *lineConn) SessionID() string { return "" }

// Close implements [mcp.Connection].
func (c *lineConn) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return nil
}

// scan reads lines until the input ends.
func (c *lineConn) scan(in *bufio.Reader, limit int) {
	for {
		data, err := readLine(in, limit)
		select {
		case c.lines <- line{data, err}:
		case <-c.closed:
			return
		}
		if err != nil && err != errTooLong {
			return
		}
	}
}

// readLine returns the next line, also the last one if no newline ends it.
func readLine(in *bufio.Reader, limit int) ([]byte, error) {
	var data []byte
	for long := false; ; {
		chunk, err := in.ReadSlice('\n')
		if long = long || len(data)+len(chunk) > limit; !long {
			data = append(data, chunk...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case err != nil && (len(data) == 0 || err != io.EOF):
			return nil, err
		case long:
			return nil, errTooLong
		default:
			return data, nil
		}
	}
}

// Read implements [mcp.Connection].
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var l line
		select {
		case l = <-c.lines:
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		switch {
		case l.err == errTooLong:
			c.reject(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message may have %d bytes at most", maxLine))
		case l.err != nil:
			c.drain()
			return nil, l.err
		default:
			if msg := c.decode(l.data); msg != nil {
				c.track(msg)
				return msg, nil
			}
		}
	}
}

// decode returns the message in a line. For anything else it sends an error and
// returns nil.
func (c *lineConn) decode(data []byte) jsonrpc.Message {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case len(data) == 0:
		return nil
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

// track remembers a call until it is answered. A subscription is answered only
// when it ends.
func (c *lineConn) track(msg jsonrpc.Message) {
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() && req.Method != "subscriptions/listen" {
		c.mu.Lock()
		c.pending[req.ID] = req.Method
		c.mu.Unlock()
	}
}

// method is that of a call without an answer.
func (c *lineConn) method(id jsonrpc.ID) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pending[id]
}

// answered forgets a call, and ends the wait of drain after the last.
func (c *lineConn) answered(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.pending[id]; !ok {
		return
	}
	delete(c.pending, id)
	if c.ended && len(c.pending) == 0 {
		close(c.drained)
	}
}

// drain waits until what came in has been answered: the SDK cancels it when
// Read says that the input ended.
func (c *lineConn) drain() {
	c.mu.Lock()
	c.ended = true
	idle := len(c.pending) == 0
	c.mu.Unlock()
	if idle {
		return
	}
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	select {
	case <-c.drained:
	case <-c.closed:
	case <-timer.C:
	}
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
	defer c.answered(resp.ID)
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
	if c.method(resp.ID) == "tools/list" {
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
	last := len(parts) - 1
	parts[last] = append(parts[last], '\n')
	for _, part := range parts {
		if _, err := c.out.Write(part); err != nil {
			return err
		}
	}
	return nil
}
