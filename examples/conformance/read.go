package conformance

import (
	"fmt"
	"image"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// StaticText is a text.
//
//mcp:resource uri=test://static-text
func StaticText() string { return "This is the content of the static text resource." }

// StaticBinary is an image.
//
//mcp:resource uri=test://static-binary mime=image/png
func StaticBinary() image.Image { return dot() }

// Data is what a template resource holds.
type Data struct {
	ID           string `json:"id"`
	TemplateTest bool   `json:"templateTest"`
	Data         string `json:"data"`
}

// Template is a resource for each id.
//
//   - id: which one
//
//mcp:resource uri=test://template/{id}/data
func Template(id string) Data {
	return Data{ID: id, TemplateTest: true, Data: "Data for ID: " + id}
}

// WatchedResource is a resource whose changes clients can hear of.
//
//mcp:resource uri=test://watched-resource
func WatchedResource() string { return "Watched resource content" }

// SimplePrompt is a prompt without arguments.
//
//mcp:prompt name=test_simple_prompt
func SimplePrompt() string { return "This is a simple prompt for testing." }

// PromptWithArguments is a prompt with arguments, one of which clients complete.
//
//   - arg1: first test argument
//   - arg2: second test argument
//
//mcp:prompt name=test_prompt_with_arguments
//mcp:param arg1 example=paris example=park example=party
func PromptWithArguments(arg1, arg2 string) string {
	return fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", arg1, arg2)
}

// PromptWithEmbeddedResource is a prompt that holds a resource.
//
//   - resourceURI: the URI of the resource
//
//mcp:prompt name=test_prompt_with_embedded_resource
//mcp:param resourceURI name=resourceUri
func PromptWithEmbeddedResource(resourceURI string) []*mcp.PromptMessage {
	return []*mcp.PromptMessage{
		{Role: "user", Content: embedded(resourceURI, "text/plain", "Embedded resource content for testing.")},
		say("Please process the embedded resource above."),
	}
}

// PromptWithImage is a prompt that holds an image.
//
//mcp:prompt name=test_prompt_with_image
func PromptWithImage() ([]*mcp.PromptMessage, error) {
	picture, err := dotPNG()
	if err != nil {
		return nil, err
	}
	return []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.ImageContent{MIMEType: "image/png", Data: picture}},
		say("Please analyze the image above."),
	}, nil
}

func say(format string, args ...any) *mcp.PromptMessage {
	return &mcp.PromptMessage{Role: "user", Content: &mcp.TextContent{Text: fmt.Sprintf(format, args...)}}
}
