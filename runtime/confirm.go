package runtime

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Confirm says before which calls people are asked.
type Confirm string

// The kinds. Beside them the tools count that say so themselves ([Tool.Confirm]),
// except with ConfirmNone.
const (
	ConfirmMarked      Confirm = "" // only those tools
	ConfirmDestructive Confirm = "destructive"
	ConfirmWrite       Confirm = "write"
	ConfirmAll         Confirm = "all"
	ConfirmNone        Confirm = "none"
)

// askTime is how long people may take to answer.
const askTime = 10 * time.Minute

// answerKey is the name of the one question in a result that asks.
const answerKey = "confirm"

// confirm has people asked about a call if it must be. It returns nil when the
// call may go on, or what to answer instead: the question itself to clients of
// 2026-07-28, which call again with the answer.
func (s *Server) confirm(ctx context.Context, c *Call) *Result {
	if !s.mustAsk(c.tool) {
		return nil
	}
	modern := isModern(c.origin.tool)
	if !canAsk(c.origin, modern) {
		return Failure("%s was not called: people must be asked before it is, and this client cannot ask them (it does not offer elicitation). Calling it again will not help; tell the user.", c.tool.Name)
	}
	question := &mcp.ElicitParams{
		Mode:            "form",
		Message:         s.question(c),
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`),
	}
	if modern {
		given := c.origin.tool.Params
		answer, ok := given.InputResponses[answerKey].(*mcp.ElicitResult)
		if !ok || !s.questions.answered(c, given.RequestState) {
			return &Result{ask: &mcp.CallToolResult{
				InputRequests: mcp.InputRequestMap{answerKey: question},
				RequestState:  s.questions.ask(c),
			}}
		}
		return s.answered(c, answer.Action)
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	answer, err := c.origin.session.Elicit(ctx, question)
	if err != nil {
		s.log.Warn("people could not be asked", "tool", c.tool.Name, "error", err)
		return Failure("%s was not called: people must be asked before it is, and the client brought no answer. Tell the user.", c.tool.Name)
	}
	return s.answered(c, answer.Action)
}

// answered is what follows from an answer.
func (s *Server) answered(c *Call, action string) *Result {
	s.log.Info("people were asked before a call", "tool", c.tool.Name, "answer", action)
	switch action {
	case "accept":
		return nil
	case "decline":
		return Failure("%s was not called: the user declined. Do not call it again unless the user asks for it.", c.tool.Name)
	}
	return Failure("%s was not called: the user dismissed the question. Do not call it again unless the user asks for it.", c.tool.Name)
}

// mustAsk reports whether calls of a tool must be confirmed. What cannot be read
// must be.
func (s *Server) mustAsk(t *tool) bool {
	kind := s.config.Confirm
	switch {
	case kind == ConfirmNone || t.inline != nil: // what search mode adds only reads
		return false
	case kind == ConfirmAll || t.Confirm:
		return true
	case kind == ConfirmMarked:
		return false
	}
	t.factsRead.Do(func() {
		if t.facts, t.factsErr = readFacts(t.files, t.file); t.factsErr != nil {
			s.log.Error("people are asked before every call, because the hints cannot be read", "tool", t.Name, "error", t.factsErr)
		}
	})
	if kind == ConfirmWrite {
		return t.factsErr != nil || !t.facts.Annotations.ReadOnly
	}
	return t.factsErr != nil || t.facts.destructive()
}

// isModern reports whether a request is of 2026-07-28 or later: it says so itself.
func isModern(req *mcp.CallToolRequest) bool {
	version, _ := req.Params.Meta[mcp.MetaKeyProtocolVersion].(string)
	return version >= firstModern
}

// canAsk reports whether the client offers elicitation by forms, which is what it
// means to name no kind (MCP 2025-11-25, client/elicitation).
func canAsk(from origin, modern bool) bool {
	if modern {
		offered, _ := from.tool.Params.Meta[mcp.MetaKeyClientCapabilities].(map[string]any)
		kinds, ok := offered["elicitation"].(map[string]any)
		return ok && (kinds["form"] != nil || kinds["url"] == nil)
	}
	if from.session == nil {
		return false
	}
	client := from.session.InitializeParams()
	if client == nil || client.Capabilities == nil || client.Capabilities.Elicitation == nil {
		return false
	}
	kinds := client.Capabilities.Elicitation
	return kinds.Form != nil || kinds.URL == nil
}

// What is shown of a call. What is longer people could not judge either.
const (
	shownArgs  = 40
	shownBytes = 500 // of an argument
)

// question is what people read: the tool and its arguments as they will be sent,
// without secrets and without characters that hide something.
func (s *Server) question(c *Call) string {
	var b strings.Builder
	fmt.Fprintf(&b, "May %s be called", c.tool.Name)
	names := slices.Sorted(maps.Keys(c.args))
	if len(names) == 0 {
		return b.String() + "? It has no arguments."
	}
	b.WriteString(" with these arguments?")
	for i, name := range names {
		if i == shownArgs {
			fmt.Fprintf(&b, "\n… and %d more", len(names)-i)
			break
		}
		value := s.redact(string(compact(c.args[name])))
		fmt.Fprintf(&b, "\n%s: %s", visible(s.redact(name)), visible(cut(value, shownBytes)))
		if len(value) > shownBytes {
			fmt.Fprintf(&b, " (the beginning of %d bytes)", len(value))
		}
	}
	return b.String()
}

// visible escapes what a reader would not see, or see elsewhere.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		}
	}
	return b.String()
}

// questions remember what was asked of clients that answer in a call of its own.
type questions struct {
	key  func() []byte
	mu   sync.Mutex
	used map[string]time.Time // answers that were taken, until they expire
}

func newQuestions(secret string) *questions {
	return &questions{used: map[string]time.Time{}, key: sync.OnceValue(func() []byte {
		key := sha256.Sum256([]byte(secret))
		if secret == "" {
			rand.Read(key[:])
		}
		return key[:]
	})}
}

// The state that a question carries: when it expires, what makes it unique, and
// a proof that both were ours, for this very call.
const (
	expiryBytes = 8
	nonceBytes  = 16
	stateBytes  = expiryBytes + nonceBytes + sha256.Size
)

// ask returns the state of a new question.
func (q *questions) ask(c *Call) string {
	state := binary.BigEndian.AppendUint64(nil, uint64(time.Now().Add(askTime).Unix()))
	state = append(state, make([]byte, nonceBytes)...)
	rand.Read(state[expiryBytes:])
	return base64.RawURLEncoding.EncodeToString(append(state, q.proof(c, state)...))
}

// answered reports whether a state is that of a question about this very call,
// which nobody answered yet.
func (q *questions) answered(c *Call, text string) bool {
	state, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || len(state) != stateBytes {
		return false
	}
	head, proof := state[:expiryBytes+nonceBytes], state[expiryBytes+nonceBytes:]
	now, expiry := time.Now(), time.Unix(int64(binary.BigEndian.Uint64(head)), 0)
	if !hmac.Equal(proof, q.proof(c, head)) || now.After(expiry) {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	maps.DeleteFunc(q.used, func(_ string, expiry time.Time) bool { return now.After(expiry) })
	if _, again := q.used[string(head)]; again {
		return false
	}
	q.used[string(head)] = expiry
	return true
}

// proof binds a question to the call: the tool, the exact bytes of its arguments,
// and who calls.
func (q *questions) proof(c *Call, head []byte) []byte {
	mac := hmac.New(sha256.New, q.key())
	write := func(part string) { fmt.Fprintf(mac, "%d:%s", len(part), part) }
	write(string(head))
	write(c.server.def.Name)
	write(c.tool.Name)
	user := ""
	if extra := c.origin.tool.Extra; extra != nil && extra.TokenInfo != nil {
		user = extra.TokenInfo.UserID
	}
	write(user)
	for _, name := range slices.Sorted(maps.Keys(c.args)) {
		write(name)
		write(string(compact(c.args[name])))
	}
	return mac.Sum(nil)
}
