package runtime

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Prompt is a text or conversation that people start with.
type Prompt struct {
	Name        string
	Title       string
	Description string
	Arguments   []PromptArgument
	Input       string // JSON Schema of the arguments, empty: none
	Get         Handler
}

// PromptArgument is a text that the client asks its user for.
type PromptArgument struct {
	Name        string
	Description string
	Required    bool
}

// addPrompts registers prompts with the SDK.
func (s *Server) addPrompts(server *mcp.Server, prompts []Prompt) error {
	for _, p := range prompts {
		entry, err := s.textEntry("prompt "+p.Name, p.Input, p.Get)
		if err != nil {
			return fmt.Errorf("prompt %s: %w", p.Name, err)
		}
		listed := &mcp.Prompt{Name: p.Name, Title: p.Title, Description: p.Description}
		for _, a := range p.Arguments {
			listed.Arguments = append(listed.Arguments, &mcp.PromptArgument{Name: a.Name, Description: a.Description, Required: a.Required})
		}
		server.AddPrompt(listed, func(ctx context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return s.getPrompt(ctx, &p, entry, req)
		})
	}
	return nil
}

func (s *Server) getPrompt(ctx context.Context, p *Prompt, entry *tool, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	c := &Call{tool: entry, server: s, progress: noProgress, origin: origin{session: req.Session, prompt: req}}
	result, err := s.answer(ctx, c, entry.check().fromText(req.Params.Arguments))
	if err != nil {
		return nil, err
	}
	if result.IsError {
		return nil, s.protocolError(result)
	}
	out := &mcp.GetPromptResult{Description: p.Description}
	messages := result.messages
	if given, ok := result.asIs.(*mcp.GetPromptResult); ok {
		*out = *given
		out.InputRequests = s.cleanQuestions(given.InputRequests)
		messages = given.Messages
	}
	out.Messages = []*mcp.PromptMessage{}
	for _, m := range messages {
		if m != nil && m.Content != nil {
			out.Messages = append(out.Messages, &mcp.PromptMessage{Role: m.Role, Content: s.clean(m.Content)})
		}
	}
	for _, content := range result.Content {
		out.Messages = append(out.Messages, &mcp.PromptMessage{Role: "user", Content: s.clean(content)})
	}
	return out, nil
}
