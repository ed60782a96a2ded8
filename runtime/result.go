package runtime

import (
	"encoding/json"
	"fmt"
	"strings"

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

	refused  bool                 // the arguments do not fit
	messages []*mcp.PromptMessage // of a prompt
	asIs     any                  // what a Go function made for the protocol itself
	ask      *mcp.CallToolResult  // a question to people, in place of everything else
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

// encode makes the protocol's result: secrets gone, notes added.
func (s *Server) encode(c *Call, r *Result) *mcp.CallToolResult {
	if r.ask != nil {
		return r.ask
	}
	out := &mcp.CallToolResult{}
	if given, ok := r.asIs.(*mcp.CallToolResult); ok {
		*out = *given
		out.InputRequests = s.cleanQuestions(given.InputRequests)
	}
	out.IsError, out.Content, out.StructuredContent = r.IsError, make([]mcp.Content, 0, len(r.Content)+1), nil
	for _, content := range r.Content {
		out.Content = append(out.Content, s.clean(content))
	}
	if !r.IsError {
		object := s.structured(c, r)
		if broken := c.broken(object); broken != "" {
			// A client would refuse it, and its model would see nothing at all.
			out.IsError = true
			text := s.redact(fmt.Sprintf("%s was called, but what came back is not as its outputSchema says. It stands below as it came.\n- %s", c.tool.Name, broken))
			out.Content = append([]mcp.Content{&mcp.TextContent{Text: text}}, out.Content...)
		} else if object != nil {
			out.StructuredContent = object
		}
	}
	if len(c.notes) > 0 {
		text := s.redact(c.noteText())
		out.Content = append(out.Content, &mcp.TextContent{Text: text})
	}
	return out
}

// broken says how a result breaks the tool's promise; empty: it keeps it, or there
// is none. Go functions cannot break theirs: it is made of their types.
func (c *Call) broken(result json.RawMessage) string {
	sc := c.tool.check().promise
	if sc == nil || result == nil || c.tool.local {
		return ""
	}
	value, err := decode(result)
	if err != nil {
		return "a number in it is out of range"
	}
	return strings.Join(explain(sc, value, sc.validate(value)), "\n- ")
}

// structured returns structuredContent, or nil. A tool that promises an output
// schema must have one, or clients call the result broken.
func (s *Server) structured(c *Call, r *Result) json.RawMessage {
	value := r.Structured
	switch {
	case kindOf(value) != 'n':
	case c.tool.check().promise != nil:
		return json.RawMessage(s.redact(fmt.Sprintf(`{"text":%s}`, quote(textContent(r)))))
	default:
		return nil
	}
	if kindOf(value) != '{' {
		value = fmt.Appendf(nil, `{"result":%s}`, value)
	}
	clean := s.redact(string(value))
	if len(clean) == len(value) && clean == string(value) {
		return value
	}
	if !json.Valid([]byte(clean)) { // a secret of digits stood in a number
		return nil
	}
	return json.RawMessage(clean)
}

// clean returns content without secrets. It copies what it changes: the
// handler may keep its own.
func (s *Server) clean(content mcp.Content) mcp.Content {
	switch content := content.(type) {
	case *mcp.TextContent:
		text := *content
		text.Text = s.redact(text.Text)
		return &text
	case *mcp.EmbeddedResource:
		if content.Resource == nil {
			return content
		}
		embedded, resource := *content, *content.Resource
		resource.URI, resource.Text = s.redact(resource.URI), s.redact(resource.Text)
		resource.Blob = s.cleanData(resource.Blob)
		embedded.Resource = &resource
		return &embedded
	case *mcp.ImageContent:
		image := *content
		image.Data = s.cleanData(image.Data)
		return &image
	case *mcp.AudioContent:
		audio := *content
		audio.Data = s.cleanData(audio.Data)
		return &audio
	case *mcp.ResourceLink:
		link := *content
		link.URI, link.Name = s.redact(link.URI), s.redact(link.Name)
		link.Title, link.Description = s.redact(link.Title), s.redact(link.Description)
		return &link
	}
	return content
}

// cleanQuestions returns what a result asks the client, without secrets. What
// travels in requestState is not for people or models, and must come back as it
// was.
func (s *Server) cleanQuestions(asked mcp.InputRequestMap) mcp.InputRequestMap {
	text, err := json.Marshal(asked)
	if err != nil {
		return asked // the SDK says so when it sends it
	}
	clean := s.redact(string(text))
	if clean == string(text) {
		return asked
	}
	out := mcp.InputRequestMap{}
	if err := json.Unmarshal([]byte(clean), &out); err != nil {
		s.log.Error("a question to the client was dropped: it cannot be sent without a secret", "error", err)
	}
	return out
}

// cleanData is bytes without secrets: an API may say of any answer that it is a
// file.
func (s *Server) cleanData(data []byte) []byte {
	if clean := s.redact(string(data)); clean != string(data) {
		return []byte(clean)
	}
	return data
}

// textContent is the text of a result, blocks on lines of their own.
func textContent(r *Result) string {
	var texts []string
	for _, content := range r.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}
