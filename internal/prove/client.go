package prove

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a Client waits for an answer before it calls the server
// hung. No test depends on it being short.
const patience = 2 * time.Minute

// Client talks to one MCP server process over its stdin and stdout.
type Client struct {
	tb      testing.TB
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stderr  lockedBuffer
	exited  chan struct{} // closed when stdout has ended
	exitErr error         // of the process, valid after Close

	mu      sync.Mutex
	next    int
	waiting map[string]chan Message
	notes   []Message // notifications from the server
}

// Message is one JSON-RPC message of the server. Raw is its line.
type Message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *RPCError       `json:"error"`
	Raw     string          `json:"-"`
}

// RPCError is the error object of JSON-RPC.
type RPCError struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

// Result is the result of a tools/call.
type Result struct {
	Content    []Content       `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool            `json:"isError"`
	Raw        json.RawMessage `json:"-"`
}

// Content is one content block of a Result.
type Content struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     []byte `json:"data"`
	MIMEType string `json:"mimeType"`
	Resource *struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
		Blob     []byte `json:"blob"`
	} `json:"resource"`
}

// Text returns the text blocks, one after the other.
func (r *Result) Text() string {
	var parts []string
	for _, c := range r.Content {
		if c.Type == "text" {
			parts = append(parts, c.Text)
		}
	}
	return strings.Join(parts, "\n")
}

// Tool is one element of tools/list. Raw holds its bytes.
type Tool struct {
	Name         string          `json:"name"`
	Title        string          `json:"title"`
	Description  string          `json:"description"`
	InputSchema  json.RawMessage `json:"inputSchema"`
	OutputSchema json.RawMessage `json:"outputSchema"`
	Raw          json.RawMessage `json:"-"`
}

// Start runs the command as an MCP server with the environment env and nothing
// else, and completes the handshake. The process ends with the test.
func Start(tb testing.TB, env []string, name string, args ...string) *Client {
	tb.Helper()
	c := launch(tb, env, name, args...)
	c.Initialize()
	return c
}

func launch(tb testing.TB, env []string, name string, args ...string) *Client {
	tb.Helper()
	c := &Client{tb: tb, cmd: exec.Command(name, args...), exited: make(chan struct{}), waiting: map[string]chan Message{}}
	c.cmd.Env = env
	if c.cmd.Env == nil {
		c.cmd.Env = []string{}
	}
	c.cmd.Stderr = &c.stderr
	stdin, err := c.cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	stdout, err := c.cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	c.stdin = stdin
	go c.read(stdout)
	tb.Cleanup(func() { c.Close() })
	return c
}

// read hands each line to whoever waits for it. Anything on stdout that is not
// a JSON-RPC message fails the test.
func (c *Client) read(stdout io.Reader) {
	defer close(c.exited)
	in := bufio.NewReader(stdout)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			c.deliver(line)
		}
		if err != nil {
			return
		}
	}
}

func (c *Client) deliver(line []byte) {
	var m Message
	if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" || (m.ID == nil && m.Method == "") {
		c.tb.Errorf("stdout carries something that is no JSON-RPC message: %q", line)
		return
	}
	m.Raw = string(bytes.TrimSuffix(line, []byte("\n")))
	c.mu.Lock()
	defer c.mu.Unlock()
	if m.Method != "" {
		c.notes = append(c.notes, m)
		return
	}
	if ch := c.waiting[string(m.ID)]; ch != nil {
		ch <- m
		delete(c.waiting, string(m.ID))
	} else {
		c.tb.Errorf("the server answered a request nobody made: %s", line)
	}
}

// Write sends one line as it is.
func (c *Client) Write(line string) {
	c.tb.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := io.WriteString(c.stdin, line+"\n"); err != nil {
		c.tb.Errorf("writing to the server: %v\n%s", err, c.stderr.String())
	}
}

// Pending is a request that was sent.
type Pending struct {
	ID string
	c  *Client
	ch chan Message
}

// Send sends a request with raw params and does not wait.
func (c *Client) Send(method, params string) *Pending {
	c.tb.Helper()
	c.mu.Lock()
	c.next++
	p := &Pending{ID: fmt.Sprint(c.next), c: c, ch: make(chan Message, 1)}
	c.waiting[p.ID] = p.ch
	c.mu.Unlock()
	c.Write(`{"jsonrpc":"2.0","id":` + p.ID + `,"method":` + quote(method) + `,"params":` + params + `}`)
	return p
}

// Wait returns the answer and ends the test when none comes.
func (p *Pending) Wait() Message {
	p.c.tb.Helper()
	guard := time.NewTimer(patience)
	defer guard.Stop()
	select {
	case m := <-p.ch:
		return m
	case <-p.c.exited:
		select {
		case m := <-p.ch: // the answer was the last thing it said
			return m
		default:
		}
		p.c.tb.Fatalf("the server ended instead of answering\n%s", p.c.stderr.String())
	case <-guard.C:
		p.c.tb.Fatalf("no answer after %v\n%s", patience, p.c.stderr.String())
	}
	panic("unreachable")
}

// Notify sends a notification with raw params.
func (c *Client) Notify(method, params string) {
	c.tb.Helper()
	c.Write(`{"jsonrpc":"2.0","method":` + quote(method) + `,"params":` + params + `}`)
}

// Initialize completes the handshake and returns the server's answer.
func (c *Client) Initialize() json.RawMessage {
	c.tb.Helper()
	m := c.Send("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"prove","version":"1"}}`).Wait()
	if m.Error != nil {
		c.tb.Fatalf("initialize: %s", m.Raw)
	}
	c.Notify("notifications/initialized", "{}")
	return m.Result
}

// Tools returns the complete tools/list in the server's order.
func (c *Client) Tools() []Tool {
	c.tb.Helper()
	var tools []Tool
	params := "{}"
	for {
		var page struct {
			Tools      []json.RawMessage `json:"tools"`
			NextCursor string            `json:"nextCursor"`
		}
		m := c.Send("tools/list", params).Wait()
		if m.Error != nil {
			c.tb.Fatalf("tools/list: %s", m.Raw)
		}
		if err := json.Unmarshal(m.Result, &page); err != nil || page.Tools == nil {
			c.tb.Fatalf("tools/list: no array of tools in %s (%v)", m.Raw, err)
		}
		for _, raw := range page.Tools {
			tool := Tool{Raw: raw}
			if err := json.Unmarshal(raw, &tool); err != nil {
				c.tb.Fatalf("tools/list: %v in %s", err, raw)
			}
			tools = append(tools, tool)
		}
		if page.NextCursor == "" {
			return tools
		}
		params = `{"cursor":` + quote(page.NextCursor) + `}`
	}
}

// Call calls a tool with raw arguments and expects a result, not a JSON-RPC
// error.
func (c *Client) Call(tool, arguments string) *Result {
	c.tb.Helper()
	return c.Begin(tool, arguments).Result()
}

// Begin sends a tools/call and does not wait.
func (c *Client) Begin(tool, arguments string) *Pending {
	c.tb.Helper()
	return c.Send("tools/call", `{"name":`+quote(tool)+`,"arguments":`+arguments+`}`)
}

// Result waits for the result of a tools/call.
func (p *Pending) Result() *Result {
	p.c.tb.Helper()
	m := p.Wait()
	if m.Error != nil {
		p.c.tb.Fatalf("tools/call gave a JSON-RPC error instead of a result: %s", m.Raw)
	}
	r := &Result{Raw: m.Result}
	if err := json.Unmarshal(m.Result, r); err != nil {
		p.c.tb.Fatalf("tools/call: %v in %s", err, m.Raw)
	}
	return r
}

// Notes returns the params of the notifications that the server has sent so far
// with a method.
func (c *Client) Notes(method string) []json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	var params []json.RawMessage
	for _, m := range c.notes {
		if m.Method == method {
			params = append(params, m.Params)
		}
	}
	return params
}

// WaitFor waits until the server has sent a notification with a method.
func (c *Client) WaitFor(method string) {
	c.tb.Helper()
	deadline := time.Now().Add(patience)
	for len(c.Notes(method)) == 0 {
		if time.Now().After(deadline) {
			c.tb.Fatalf("no %s after %v", method, patience)
		}
		// Whatever the server said before it answers a ping has arrived then.
		c.Send("ping", "{}").Wait()
	}
}

// Stderr returns what the server has logged so far.
func (c *Client) Stderr() string { return c.stderr.String() }

// Close ends stdin, waits for the process and returns how it ended: nil for
// exit code 0. Further calls return the same.
func (c *Client) Close() error {
	c.mu.Lock()
	stdin := c.stdin
	c.stdin = nil
	c.mu.Unlock()
	if stdin == nil {
		return c.exitErr
	}
	stdin.Close()
	guard := time.AfterFunc(patience, func() {
		c.tb.Errorf("the server did not end when its stdin did")
		c.cmd.Process.Kill()
	})
	<-c.exited
	c.exitErr = c.cmd.Wait()
	guard.Stop()
	return c.exitErr
}

// PID is the process's.
func (c *Client) PID() int { return c.cmd.Process.Pid }

// Usage returns what the process used, once it was closed: a *syscall.Rusage
// where the system has one.
func (c *Client) Usage() any { return c.cmd.ProcessState.SysUsage() }

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(b)
}

// lockedBuffer is a bytes.Buffer for one writer and one reader at a time.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
