package conformance

//lint:file-ignore SA1019 sampling, roots and logging are deprecated since 2026-07-28, and what the suite tests

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The functions below ask something of the client while a call of theirs runs,
// which needs a session: a client before 2026-07-28.

// ToolWithLogging sends three log messages to the client.
//
//mcp:tool readonly openworld=false
func ToolWithLogging(ctx context.Context, session *mcp.ServerSession) (string, error) {
	for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if err := session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: text}); err != nil {
			return "", err
		}
	}
	return "Tool with logging executed successfully", nil
}

// LoggingTool sends a log message, which goes only to a client that asked for
// some in this request.
//
//mcp:tool readonly openworld=false
func LoggingTool(ctx context.Context, session *mcp.ServerSession) (string, error) {
	err := session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: "the logging tool was called"})
	return "Logged, if the client wants to hear of it.", err
}

// Sampling has the client's model answer.
//
//   - prompt: what to ask the model
//
//mcp:tool readonly
func Sampling(ctx context.Context, session *mcp.ServerSession, prompt string) (string, error) {
	answer, err := session.CreateMessage(ctx, sampling(prompt, 100))
	if err != nil {
		return "", err
	}
	return "LLM response: " + textOf(answer.Content), nil
}

// Elicitation asks the client's user for a name and an address.
//
//   - message: what to tell the user
//
//mcp:tool readonly
func Elicitation(ctx context.Context, session *mcp.ServerSession, message string) (string, error) {
	return elicited(ctx, session, form(message, `{
		"username": {"type": "string", "description": "The user's name"},
		"email": {"type": "string", "description": "The user's address"}
	}`, "username", "email"))
}

// ElicitationDefaults asks with a form that is filled in already.
//
//mcp:tool name=test_elicitation_sep1034_defaults readonly
func ElicitationDefaults(ctx context.Context, session *mcp.ServerSession) (string, error) {
	return elicited(ctx, session, form("Please check what is filled in.", `{
		"name": {"type": "string", "default": "John Doe"},
		"age": {"type": "integer", "default": 30},
		"score": {"type": "number", "default": 95.5},
		"status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
		"verified": {"type": "boolean", "default": true}
	}`))
}

// ElicitationEnums asks with a form of choices: one or several, with titles or
// without.
//
//mcp:tool name=test_elicitation_sep1330_enums readonly
func ElicitationEnums(ctx context.Context, session *mcp.ServerSession) (string, error) {
	return elicited(ctx, session, form("Please choose.", `{
		"untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
		"titledSingle": {"type": "string", "oneOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]},
		"legacyEnum": {"type": "string", "enum": ["opt1", "opt2"], "enumNames": ["Option One", "Option Two"]},
		"untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
		"titledMulti": {"type": "array", "items": {"anyOf": [{"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}]}}
	}`))
}

// MissingCapability refuses a client that has no model to ask.
//
//mcp:tool readonly openworld=false
func MissingCapability(req *mcp.CallToolRequest) (string, error) {
	if can := req.ClientCapabilities(); can != nil && can.Sampling != nil {
		return "The client has a model.", nil
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
	})
	if err != nil {
		return "", err
	}
	return "", &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "this tool needs a client with sampling", Data: data}
}

// elicited asks the user and says what came of it.
func elicited(ctx context.Context, session *mcp.ServerSession, ask *mcp.ElicitParams) (string, error) {
	answer, err := session.Elicit(ctx, ask)
	if err != nil {
		return "", err
	}
	content, err := json.Marshal(answer.Content)
	return fmt.Sprintf("User response: action=%s, content=%s", answer.Action, content), err
}

// form asks for the fields that a JSON object of schemas describes.
func form(message, properties string, required ...string) *mcp.ElicitParams {
	schema := map[string]any{"type": "object", "properties": json.RawMessage(properties)}
	if len(required) > 0 {
		schema["required"] = required
	}
	return &mcp.ElicitParams{Message: message, RequestedSchema: schema}
}

// sampling asks the client's model.
func sampling(prompt string, tokens int64) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: prompt}}},
		MaxTokens: tokens,
	}
}

func textOf(content mcp.Content) string {
	if text, ok := content.(*mcp.TextContent); ok {
		return text.Text
	}
	return "(no text)"
}
