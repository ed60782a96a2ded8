package conformance

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Changes are what the program that serves this package can do to itself.
type Changes struct {
	ToggleTool func()           // shows or hides a tool
	Updated    func(uri string) // tells who subscribed to a resource
}

// NewChanges returns the changes that a program can make.
func NewChanges(toggleTool func(), updated func(uri string)) *Changes {
	return &Changes{ToggleTool: toggleTool, Updated: updated}
}

// TriggerToolChange makes a tool come or go.
//
//mcp:tool destructive=false openworld=false
func (c *Changes) TriggerToolChange() string {
	c.ToggleTool()
	return "The list of tools has changed."
}

// ComesAndGoes is the tool that comes and goes.
//
//mcp:tool readonly openworld=false
func ComesAndGoes() string { return "I am here." }

// TriggerPromptChange adds a prompt.
//
//mcp:tool destructive=false openworld=false
func TriggerPromptChange(server *mcp.Server) string {
	server.AddPrompt(&mcp.Prompt{Name: "test_added", Description: "A prompt that was added later."},
		func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{say("I was added.")}}, nil
		})
	return "The list of prompts has changed."
}

// TriggerUpdate changes the watched resource.
//
//mcp:tool destructive=false openworld=false
func (c *Changes) TriggerUpdate() string {
	c.Updated("test://watched-resource")
	return "The watched resource has changed."
}
