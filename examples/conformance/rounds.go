package conformance

//lint:file-ignore SA1019 sampling and roots are deprecated since 2026-07-28, and what the suite tests

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Since 2026-07-28 a server asks by its result: the client answers what
// InputRequests ask and calls again (basic/patterns/mrtr). Whatever a function
// has to remember between the rounds travels in RequestState.

// InputRequiredResultElicitation asks for a name and greets.
//
//mcp:tool readonly
func InputRequiredResultElicitation(req *mcp.CallToolRequest) *mcp.CallToolResult {
	name, ok := field(req.Params.InputResponses, "user_name", "name")
	if !ok {
		return ask("", requests{"user_name": nameForm()})
	}
	return text("Hello, %s!", name)
}

// InputRequiredResultSampling has the client's model answer.
//
//mcp:tool readonly
func InputRequiredResultSampling(req *mcp.CallToolRequest) *mcp.CallToolResult {
	answer, ok := sampled(req.Params.InputResponses, "capital_question")
	if !ok {
		return ask("", requests{"capital_question": sampling("What is the capital of France?", 100)})
	}
	return text("%s", answer)
}

// InputRequiredResultListRoots asks for the client's folders.
//
//mcp:tool readonly
func InputRequiredResultListRoots(req *mcp.CallToolRequest) *mcp.CallToolResult {
	roots, ok := req.Params.InputResponses["client_roots"].(*mcp.ListRootsResult)
	if !ok {
		return ask("", requests{"client_roots": &mcp.ListRootsParams{}})
	}
	return text("The client has %d roots.", len(roots.Roots))
}

// InputRequiredResultRequestState asks for a confirmation, and for what it said
// then.
//
//mcp:tool readonly
func (s *Seal) InputRequiredResultRequestState(req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return s.confirmed(req.Params.InputResponses, req.Params.RequestState)
}

// InputRequiredResultTamperedState refuses a state that it did not write.
//
//mcp:tool readonly
func (s *Seal) InputRequiredResultTamperedState(req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return s.confirmed(req.Params.InputResponses, req.Params.RequestState)
}

func (s *Seal) confirmed(answers mcp.InputResponseMap, state string) (*mcp.CallToolResult, error) {
	if state != "" {
		if _, err := s.open(state); err != nil {
			return nil, err
		}
		if _, ok := field(answers, "confirm", "ok"); ok {
			return text("state-ok"), nil
		}
	}
	return ask(s.close("confirm"), requests{"confirm": form("Please confirm", `{"ok": {"type": "boolean"}}`, "ok")}), nil
}

// InputRequiredResultMultipleInputs asks for three things at once.
//
//mcp:tool readonly
func (s *Seal) InputRequiredResultMultipleInputs(req *mcp.CallToolRequest) *mcp.CallToolResult {
	answers := req.Params.InputResponses
	name, named := field(answers, "user_name", "name")
	greeting, greeted := sampled(answers, "greeting")
	roots, rooted := answers["client_roots"].(*mcp.ListRootsResult)
	if !named || !greeted || !rooted {
		return ask(s.close("three"), requests{
			"user_name":    nameForm(),
			"greeting":     sampling("Generate a greeting", 50),
			"client_roots": &mcp.ListRootsParams{},
		})
	}
	return text("%s %s (%d roots)", greeting, name, len(roots.Roots))
}

// InputRequiredResultMultiRound asks for a name, and then for a colour.
//
//mcp:tool readonly
func (s *Seal) InputRequiredResultMultiRound(req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.RequestState == "" {
		return ask(s.close(""), requests{"step1": form("Step 1: What is your name?", nameField, "name")}), nil
	}
	name, err := s.open(req.Params.RequestState)
	if err != nil {
		return nil, err
	}
	if given, ok := field(req.Params.InputResponses, "step1", "name"); ok {
		name = fmt.Sprint(given)
	}
	colour, ok := field(req.Params.InputResponses, "step2", "color")
	if !ok {
		return ask(s.close(name), requests{
			"step2": form("Step 2: What is your favorite color?", `{"color": {"type": "string"}}`, "color"),
		}), nil
	}
	return text("%s likes %s.", name, colour), nil
}

// InputRequiredResultCapabilities asks only for what the client can answer.
//
//mcp:tool readonly
func InputRequiredResultCapabilities(req *mcp.CallToolRequest) *mcp.CallToolResult {
	if len(req.Params.InputResponses) > 0 {
		return text("The client answered.")
	}
	can, questions := req.ClientCapabilities(), requests{}
	if can != nil && can.Elicitation != nil {
		questions["user_name"] = nameForm()
	}
	if can != nil && can.Sampling != nil {
		questions["greeting"] = sampling("Generate a greeting", 50)
	}
	if len(questions) == 0 {
		return text("The client can answer nothing.")
	}
	return ask("", questions)
}

// InputRequiredResultPrompt asks what the conversation is about, and begins it.
//
//mcp:prompt name=test_input_required_result_prompt
func InputRequiredResultPrompt(req *mcp.GetPromptRequest) *mcp.GetPromptResult {
	about, ok := field(req.Params.InputResponses, "user_context", "context")
	if !ok {
		return &mcp.GetPromptResult{InputRequests: requests{
			"user_context": form("What context should the prompt use?", `{"context": {"type": "string"}}`, "context"),
		}}
	}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{say("Let us talk about %v.", about)}}
}

type requests = mcp.InputRequestMap

const nameField = `{"name": {"type": "string"}}`

func nameForm() *mcp.ElicitParams { return form("What is your name?", nameField, "name") }

// ask is the result of a function that needs to know more.
func ask(state string, questions requests) *mcp.CallToolResult {
	return &mcp.CallToolResult{InputRequests: questions, RequestState: state}
}

func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// field is what the user filled in, if they agreed to.
func field(answers mcp.InputResponseMap, id, name string) (any, bool) {
	answer, ok := answers[id].(*mcp.ElicitResult)
	if !ok || answer.Action != "accept" {
		return nil, false
	}
	value, ok := answer.Content[name]
	return value, ok
}

// sampled is what the client's model said.
func sampled(answers mcp.InputResponseMap, id string) (string, bool) {
	answer, ok := answers[id].(*mcp.CreateMessageWithToolsResult)
	if !ok || len(answer.Content) == 0 {
		return "", false
	}
	return textOf(answer.Content[0]), true
}

// invalidState is the error of a call whose state was changed on its way.
func invalidState() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState is not what this server gave"}
}
