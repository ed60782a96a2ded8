package runtime

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// hide takes the caller's own credentials out of a result, should the API have
// repeated them. They are redacted for this call alone: what one caller sends
// must not change what another is told.
func (c *Call) hide(out *mcp.CallToolResult) {
	secrets := []string{c.passedToken()}
	for _, values := range c.passed() {
		for _, value := range values {
			_, credential, _ := strings.Cut(value, " ") // behind the scheme of Authorization
			secrets = append(secrets, value, credential)
		}
	}
	own := NewRedactor()
	if own.Add(secrets...); len(own.forms) == 0 {
		return
	}
	cleaner := &Server{redactor: own}
	for i, content := range out.Content {
		out.Content[i] = cleaner.clean(content)
	}
	if object, ok := out.StructuredContent.(json.RawMessage); ok {
		clean := json.RawMessage(own.Redact(string(object)))
		if out.StructuredContent = clean; !json.Valid(clean) {
			out.StructuredContent = nil
		}
	}
}
