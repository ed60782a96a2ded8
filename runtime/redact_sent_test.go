package runtime

//lint:file-ignore SA1019 sampling and logging are there for clients before 2026-07-28

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Whatever a Go function sends by the session holds no secret when it arrives, and
// is what it was otherwise.
func TestRedactSent(t *testing.T) {
	const secret, big = "hunter2-secret", int64(9007199254740991)
	var mu sync.Mutex
	got := map[string]string{}
	hear := func(what string, v any) {
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		defer mu.Unlock()
		got[what] += string(text)
	}
	progressed, logged := make(chan struct{}), make(chan struct{})
	options := &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			hear("question", req.Params)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"n": 1}}, nil
		},
		CreateMessageHandler: func(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			hear("prompt", req.Params)
			return &mcp.CreateMessageResult{Content: &mcp.TextContent{Text: "ok"}, Model: "m", Role: "assistant"}, nil
		},
		LoggingMessageHandler: func(_ context.Context, req *mcp.LoggingMessageRequest) {
			hear("log", req.Params)
			close(logged)
		},
		ProgressNotificationHandler: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
			hear("progress", req.Params)
			close(progressed)
		},
	}
	s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
	s.redactor.Add(secret, "55555555")
	s.Declare(func(c *mcp.ServerCapabilities) { c.Logging = &mcp.LoggingCapabilities{} })
	s.Add(goPackage(map[string]goTool{"ask": {`{"type":"object"}`, func(ctx context.Context, call *Call) (*Result, error) {
		session := call.Session()
		schema := json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"n":{"type":"integer","description":"as in %s","maximum":%d}}}`, secret, big))
		answer, err := session.Elicit(ctx, &mcp.ElicitParams{Message: "Is it <" + secret + ">?", RequestedSchema: schema})
		if err != nil || answer.Action != "accept" {
			return nil, fmt.Errorf("%v, %w", answer, err)
		}
		_, err = session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: big, SystemPrompt: "key " + secret,
			Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "use " + secret}}}})
		if err != nil {
			return nil, err
		}
		if err := session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: map[string]any{"key": secret}}); err != nil {
			return nil, err
		}
		call.Progress(ctx)(1, 2, "with "+secret)
		// What would be no message without the secret is not sent.
		if _, err := session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 55555555}); err == nil || strings.Contains(err.Error(), "55555555") {
			return nil, fmt.Errorf("a secret number: %w", err)
		}
		return Text("asked"), nil
	}}}))
	client := sessionOf(t, s, options, "2025-11-25")
	if err := client.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
		t.Fatal(err)
	}
	params := &mcp.CallToolParams{Name: "ask"}
	params.SetProgressToken("token-1")
	result, err := client.CallTool(t.Context(), params)
	if err != nil || textIn(result) != "asked" {
		t.Fatal(result, err)
	}
	<-progressed
	<-logged
	for what, want := range map[string][]string{
		"question": {`Is it \u003cREDACTED\u003e?`, "as in REDACTED", fmt.Sprint(big), `"mode":"form"`},
		"prompt":   {"key REDACTED", "use REDACTED", fmt.Sprint(big)},
		"log":      {`{"key":"REDACTED"}`, `"level":"info"`},
		"progress": {"with REDACTED", `"progressToken":"token-1"`, `"total":2`},
	} {
		for _, part := range want {
			if !strings.Contains(got[what], part) {
				t.Errorf("%s: no %s in %s", what, part, got[what])
			}
		}
		if strings.Contains(got[what], secret) {
			t.Errorf("%s: %s", what, got[what])
		}
	}
}
