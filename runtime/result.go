package runtime

import (
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Result is what a handler hands back to the model. A result belongs to one
// call and is never shared: the SDK writes into what it sends.
type Result struct {
	// Content is what a host shows or gives the model as text, images and so on.
	Content []mcp.Content
	// Structured is the same data as JSON, exact bytes, or nil. Arrays and
	// scalars are wrapped on the way out: structuredContent is an object in
	// every protocol revision before 2026-07-28.
	Structured json.RawMessage
	// IsError says that Content explains a failure. Hosts show the model only
	// the text of such a result, so the text must be complete.
	IsError bool
}

// Text returns a result of plain text.
func Text(text string) *Result {
	return &Result{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// JSON returns a result that holds one JSON value, as text and as structured
// content. The value must be valid JSON; its bytes are kept.
func JSON(value json.RawMessage) *Result {
	return &Result{Content: []mcp.Content{&mcp.TextContent{Text: string(value)}}, Structured: value}
}

// Failure returns a result that tells the model what went wrong.
func Failure(format string, args ...any) *Result {
	r := Text(fmt.Sprintf(format, args...))
	r.IsError = true
	return r
}
