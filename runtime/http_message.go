package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// bodyTime is how long the body of a request may take to come in. The rest of a
// request has no such limit: an answer may stream for as long as a call runs.
const bodyTime = 30 * time.Second

// maxInitialize bounds the message that opens a session, which the session keeps.
const maxInitialize = 64 << 10

// message is what the endpoint has to know of a JSON-RPC message before the SDK
// reads it: which era it belongs to, and what it asks for.
type message struct {
	method string // empty: an answer to a request of ours
	tool   string // of tools/call
	modern bool   // carries its protocol version itself (2026-07-28, basic)

	arguments json.RawMessage // of tools/call
}

// readMessages reads the messages of a POST, and leaves the body to be read
// again. It answers for itself when there are none, and ok is false.
func readMessages(w http.ResponseWriter, r *http.Request, limit int64) (messages []message, ok bool) {
	body, err := readBody(w, r, limit)
	tooLarge := (*http.MaxBytesError)(nil)
	switch {
	case errors.As(err, &tooLarge):
		refuse(w, http.StatusRequestEntityTooLarge, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message may have %d bytes at most", limit))
		return nil, false
	case err != nil:
		refuse(w, http.StatusBadRequest, jsonrpc.CodeInvalidRequest, "the message did not come in whole")
		return nil, false
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	messages, refusal := parseMessages(body)
	if refusal != nil {
		refuse(w, http.StatusBadRequest, refusal.Code, refusal.Message)
	}
	return messages, refusal == nil
}

func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	// What cannot set deadlines is a test's response writer.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err == nil {
		_ = control.SetReadDeadline(time.Time{})
	}
	return body, err
}

// parseMessages reads a message, or a batch of them, which clients of 2025-03-26
// may send.
func parseMessages(body []byte) ([]message, *jsonrpc.Error) {
	if !utf8.Valid(body) || !json.Valid(body) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the message is not JSON in UTF-8"}
	}
	batch := []json.RawMessage{body}
	if kindOf(bytes.TrimSpace(body)) == '[' {
		batch = nil
		_ = json.Unmarshal(body, &batch) // it is valid
	}
	var messages []message
	for _, text := range batch {
		m, err := parseMessage(text)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: err.Error()}
		}
		messages = append(messages, m)
	}
	if len(messages) == 0 {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "there is no message"}
	}
	return messages, nil
}

// parseMessage compares names exactly, as the SDK does: a struct would also take
// "Method" for "method", and see another message than is run.
func parseMessage(text json.RawMessage) (message, error) {
	var m message
	var members map[string]json.RawMessage
	if json.Unmarshal(text, &members) != nil || members == nil {
		return m, errors.New("the message is not a JSON-RPC 2.0 object")
	}
	if !usableID(members["id"]) {
		return m, errors.New("an id must be a string or an integer below 2^53")
	}
	if json.Unmarshal(orNull(members["method"]), &m.method) != nil {
		return m, errors.New("method must be a string")
	}
	if m.method == "initialize" && len(text) > maxInitialize {
		return m, fmt.Errorf("initialize may have %d bytes at most", maxInitialize)
	}
	var params, meta map[string]json.RawMessage
	_ = json.Unmarshal(orNull(members["params"]), &params) // the SDK says what is wrong with them
	_ = json.Unmarshal(orNull(params["_meta"]), &meta)
	_, m.modern = meta[mcp.MetaKeyProtocolVersion]
	m.modern = m.modern || slices.Contains(modernMethods, m.method)
	if m.method == "tools/call" {
		_ = json.Unmarshal(orNull(params["name"]), &m.tool)
		m.arguments = params["arguments"]
	}
	return m, nil
}

// modernMethods exist since 2026-07-28 only.
var modernMethods = []string{"server/discover", "subscriptions/listen"}

func orNull(value json.RawMessage) json.RawMessage {
	if value == nil {
		return json.RawMessage("null")
	}
	return value
}

// usableID reports whether an answer can have the id: the SDK makes an int64 of
// any number, by way of a float64. None is the id of a notification.
func usableID(id json.RawMessage) bool {
	if kindOf(id) != '0' {
		return true // the SDK knows what to do about other kinds
	}
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && n < 1<<53 && n > -1<<53
}

// refuse answers a request that does not reach the SDK. The error has no id, as
// the message may have none (2025-11-25, transports).
func refuse(w http.ResponseWriter, status int, code int64, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"jsonrpc":"2.0","error":{"code":%d,"message":%s}}`, code, quote(text))
}
