package runtime

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// pendingCalls are the calls of a client that have no answer yet.
type pendingCalls struct {
	mu      sync.Mutex
	byID    map[jsonrpc.ID]*pendingCall
	writing int           // answers on their way out
	ended   bool          // no further input, and drain waits
	drained chan struct{} // closed when ended and nothing is to be answered
}

type pendingCall struct {
	method    string
	cancelled bool // its client wants no answer
}

func newPendingCalls() *pendingCalls {
	return &pendingCalls{byID: map[jsonrpc.ID]*pendingCall{}, drained: make(chan struct{})}
}

// track takes note of a message that came in. It reports whether the message may
// go on: not where its id is that of another call, whose answer could not be told
// from its own (JSON-RPC 2.0, 4; MCP, basic: ids must not be reused).
func (p *pendingCalls) track(msg jsonrpc.Message) bool {
	req, ok := msg.(*jsonrpc.Request)
	if !ok {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case req.Method == "notifications/cancelled":
		p.cancel(req.Params)
	case !req.IsCall():
	case p.byID[req.ID] != nil:
		return false
	default:
		p.byID[req.ID] = &pendingCall{method: req.Method}
	}
	return true
}

// cancel marks a call as one that gets no answer (MCP 2026-07-28,
// utilities/cancellation). The handshake cannot be cancelled, and the answer to a
// subscription tells that it ended.
func (p *pendingCalls) cancel(params json.RawMessage) {
	var cancelled struct {
		RequestID any `json:"requestId"`
	}
	if json.Unmarshal(params, &cancelled) != nil {
		return
	}
	id, err := jsonrpc.MakeID(cancelled.RequestID)
	if err != nil {
		return
	}
	if call := p.byID[id]; call != nil && call.method != "initialize" && call.method != "subscriptions/listen" {
		call.cancelled = true
	}
}

// answer takes a call out whose answer is about to be written: its id is free when
// the client has that. The zero call stands for one that is not known.
func (p *pendingCalls) answer(id jsonrpc.ID) pendingCall {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writing++
	call := p.byID[id]
	if call == nil {
		return pendingCall{}
	}
	delete(p.byID, id)
	return *call
}

// answered says that an answer was written, and ends the wait of drain after the
// last.
func (p *pendingCalls) answered() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writing--
	if p.ended && p.idle() {
		p.ended = false
		close(p.drained)
	}
}

// idle reports whether nothing is to be answered. A subscription is answered only
// when it ends.
func (p *pendingCalls) idle() bool {
	if p.writing > 0 {
		return false
	}
	for _, call := range p.byID {
		if call.method != "subscriptions/listen" {
			return false
		}
	}
	return true
}

// drain waits until what came in has been answered, no longer than limit, or
// until closed: the SDK cancels it when it hears that the input ended.
func (p *pendingCalls) drain(limit time.Duration, closed <-chan struct{}) {
	p.mu.Lock()
	idle := p.idle()
	p.ended = !idle
	p.mu.Unlock()
	if idle {
		return
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-p.drained:
	case <-closed:
	case <-timer.C:
	}
}
