package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"
)

// Resource is something that clients read by its URI.
type Resource struct {
	URI         string // with {variables} (RFC 6570) a template
	Name        string
	Title       string
	Description string
	MIME        string
	Input       string // JSON Schema of the variables, empty: none
	Read        Handler
}

// addResources registers resources with the SDK.
func (s *Server) addResources(server *mcp.Server, resources []Resource) error {
	for _, r := range resources {
		entry, err := s.textEntry("resource "+r.Name, r.Input, r.Read)
		if err != nil {
			return fmt.Errorf("resource %s: %w", r.URI, err)
		}
		if u, err := url.Parse(r.URI); !strings.Contains(r.URI, "{") {
			if err != nil || u.Scheme == "" {
				return fmt.Errorf("resource %s: not an absolute URI", r.URI)
			}
			server.AddResource(&mcp.Resource{URI: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIME},
				func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
					return s.readResource(ctx, &r, entry, req, nil)
				})
			continue
		}
		template, err := uritemplate.New(r.URI)
		if err != nil {
			return fmt.Errorf("resource %s: %w", r.URI, err)
		}
		server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: r.URI, Name: r.Name, Title: r.Title, Description: r.Description, MIMEType: r.MIME},
			func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return s.readResource(ctx, &r, entry, req, variables(template, req.Params.URI))
			})
	}
	return nil
}

// variables are the values that a URI gives to the variables of its template.
func variables(template *uritemplate.Template, uri string) map[string]string {
	values := map[string]string{}
	match := template.Match(uri)
	for _, name := range template.Varnames() {
		if v := match.Get(name); v.Valid() {
			values[name] = v.String()
		}
	}
	return values
}

func (s *Server) readResource(ctx context.Context, r *Resource, entry *tool, req *mcp.ReadResourceRequest, values map[string]string) (*mcp.ReadResourceResult, error) {
	c := &Call{tool: entry, server: s, progress: noProgress, origin: origin{session: req.Session, resource: req}}
	result, err := s.answer(ctx, c, entry.check().fromText(values))
	if err != nil {
		return nil, err
	}
	if result.IsError {
		return nil, s.protocolError(result)
	}
	if given, ok := result.asIs.(*mcp.ReadResourceResult); ok {
		return s.cleanResource(given), nil
	}
	out := &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{}}
	for _, content := range result.Content {
		out.Contents = append(out.Contents, resourceContents(s.clean(content), req.Params.URI, r.MIME))
	}
	if len(out.Contents) == 0 {
		out.Contents = append(out.Contents, &mcp.ResourceContents{URI: req.Params.URI, MIMEType: r.MIME})
	}
	return out, nil
}

// resourceContents makes content of a tool what a resource holds.
func resourceContents(content mcp.Content, uri, mediaType string) *mcp.ResourceContents {
	out := &mcp.ResourceContents{URI: uri, MIMEType: mediaType}
	switch content := content.(type) {
	case *mcp.TextContent:
		out.Text = content.Text
	case *mcp.ImageContent:
		out.Blob, out.MIMEType = content.Data, cmp.Or(mediaType, content.MIMEType)
	case *mcp.AudioContent:
		out.Blob, out.MIMEType = content.Data, cmp.Or(mediaType, content.MIMEType)
	case *mcp.EmbeddedResource:
		if r := content.Resource; r != nil {
			out.Text, out.Blob, out.MIMEType = r.Text, r.Blob, cmp.Or(mediaType, r.MIMEType)
		}
	case *mcp.ResourceLink:
		out.Text = content.URI
	}
	return out
}

// cleanResource returns a result without secrets.
func (s *Server) cleanResource(given *mcp.ReadResourceResult) *mcp.ReadResourceResult {
	out := *given
	out.Contents, out.InputRequests = nil, s.cleanQuestions(given.InputRequests)
	for _, c := range given.Contents {
		if c != nil {
			clean := *c
			clean.URI, clean.Text, clean.Blob = s.redact(c.URI), s.redact(c.Text), s.cleanData(c.Blob)
			out.Contents = append(out.Contents, &clean)
		}
	}
	return &out
}

// textEntry is what answers for a resource or prompt: like a tool, but its
// arguments are text.
func (s *Server) textEntry(name, input string, handle Handler) (*tool, error) {
	doc, err := decode(json.RawMessage(cmp.Or(input, `{"type":"object","properties":{},"additionalProperties":false}`)))
	if err != nil {
		return nil, err
	}
	return &tool{
		Tool:  Tool{Name: name, local: true, Handle: s.limited(name, 0, handle)},
		check: checkOnce(s.log, name, func() (*schema, error) { return newSchema(doc) }),
	}, nil
}

// fromText makes arguments of texts, each of the type that the schema names.
func (sc *schema) fromText(values map[string]string) json.RawMessage {
	args := map[string]json.RawMessage{}
	for name, text := range values {
		node := sc.resolve(sc.property(sc.doc, name))
		types := typesOf(node)
		plain := len(types) == 0 || slices.Contains(types, "string")
		if text == "" && !sc.required(name) && (!plain || node["enum"] != nil) {
			continue // a form field that was left empty
		}
		args[name] = quote(text)
		if raw := json.RawMessage(strings.TrimSpace(text)); !plain && json.Valid(raw) {
			args[name] = raw
		}
	}
	return argsObject(args)
}

// protocolError is a failure where the protocol has no result for one.
func (s *Server) protocolError(result *Result) *jsonrpc.Error {
	code := int64(jsonrpc.CodeInternalError)
	if result.refused {
		code = jsonrpc.CodeInvalidParams
	}
	return s.redactError(&jsonrpc.Error{Code: code, Message: textContent(result)})
}

func (s *Server) redactError(err *jsonrpc.Error) *jsonrpc.Error {
	clean := *err
	clean.Message, clean.Data = s.redact(err.Message), json.RawMessage(s.redact(string(err.Data)))
	if len(clean.Data) == 0 {
		clean.Data = nil
	}
	return &clean
}

func noProgress(context.Context, float64, float64, string) {}
