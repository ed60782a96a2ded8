package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxCompletions is how many values one answer may have (MCP 2025-11-25,
// utilities/completion).
const maxCompletions = 100

// completions are the values that schemas name for the arguments of prompts and
// the variables of resource templates: by what they belong to, then by name.
type completions map[string]map[string][]string

// newCompletions reads them from the packages' schemas.
func newCompletions(packages []Package) (completions, error) {
	out := completions{}
	for _, p := range packages {
		for _, prompt := range p.Prompts {
			if err := out.add("ref/prompt "+prompt.Name, prompt.Input); err != nil {
				return nil, fmt.Errorf("prompt %s: %w", prompt.Name, err)
			}
		}
		for _, r := range p.Resources {
			if err := out.add("ref/resource "+r.URI, r.Input); err != nil {
				return nil, fmt.Errorf("resource %s: %w", r.URI, err)
			}
		}
	}
	return out, nil
}

func (c completions) add(of, input string) error {
	c[of] = map[string][]string{}
	if input == "" {
		return nil
	}
	doc, err := decode(json.RawMessage(input))
	if err != nil {
		return err
	}
	sc := &schema{doc: doc}
	for name, property := range propertiesOf(doc) {
		if values := sc.suggestions(property); len(values) > 0 {
			c[of][name] = values
		}
	}
	return nil
}

// any reports whether there is something to suggest at all.
func (c completions) any() bool {
	for _, arguments := range c {
		if len(arguments) > 0 {
			return true
		}
	}
	return false
}

// suggestions are the values that a schema names: all there are, or examples.
func (sc *schema) suggestions(node any) []string {
	object := sc.resolve(node)
	named := list(object["enum"])
	for _, keyword := range []string{"oneOf", "anyOf"} {
		for _, part := range list(object[keyword]) {
			if part, ok := part.(map[string]any); ok {
				named = append(named, part["const"])
			}
		}
	}
	if slices.Contains(typesOf(object), "boolean") {
		named = append(named, true, false)
	}
	named = append(append(named, object["const"], object["default"]), list(object["examples"])...)
	var out []string
	for _, value := range named {
		text := ""
		switch value := value.(type) {
		case string:
			text = value
		case json.Number:
			text = value.String()
		case bool:
			text = strconv.FormatBool(value)
		}
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// complete answers completion/complete: what begins with the text so far, in
// the schema's order.
func (c completions) complete(_ context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	ref := req.Params.Ref
	arguments, ok := c[ref.Type+" "+ref.Name+ref.URI]
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no such prompt or resource template"}
	}
	values := []string{}
	for _, value := range arguments[req.Params.Argument.Name] {
		if typed := req.Params.Argument.Value; len(value) >= len(typed) && strings.EqualFold(value[:len(typed)], typed) {
			values = append(values, value)
		}
	}
	details := mcp.CompletionResultDetails{Values: values, Total: len(values)}
	if len(values) > maxCompletions {
		details.Values, details.HasMore = values[:maxCompletions], true
	}
	return &mcp.CompleteResult{Completion: details}, nil
}
