package runtime

import (
	"context"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/yosida95/uritemplate/v3"
)

// Declare changes what the server tells clients that it can do, which otherwise
// is what its tools, resources and prompts need. A program calls it before
// [Server.Run] when it does more through the SDK: functions that log to clients
// need Logging, prompts that are added to the SDK's server need
// Prompts.ListChanged. With Resources.Subscribe clients may ask to be told of
// changes; see [Server.Updated].
func (s *Server) Declare(change func(*mcp.ServerCapabilities)) {
	s.declare = append(s.declare, change)
}

// Updated tells the clients that subscribed to a resource that it has changed
// (notifications/resources/updated).
func (s *Server) Updated(uri string) {
	if sdk := s.changing.protocol(); sdk != nil {
		// The SDK has no error to give.
		_ = sdk.ResourceUpdated(context.Background(), &mcp.ResourceUpdatedNotificationParams{URI: uri})
	}
}

// capabilities are what the server can do. Lists cannot change, but for the
// tools of a server that said so.
func (s *Server) capabilities() *mcp.ServerCapabilities {
	c := &mcp.ServerCapabilities{}
	if len(s.def.Tools) > 0 {
		c.Tools = &mcp.ToolCapabilities{ListChanged: s.changing.declared()}
	}
	if s.hidesSchemas() || s.cuts() {
		c.Resources = &mcp.ResourceCapabilities{}
	}
	for _, p := range s.packages {
		if len(p.Resources) > 0 {
			c.Resources = &mcp.ResourceCapabilities{}
		}
		if len(p.Prompts) > 0 {
			c.Prompts = &mcp.PromptCapabilities{}
		}
	}
	for _, change := range s.declare {
		change(c)
	}
	return c
}

// offer fills in how the SDK serves what was declared.
func (s *Server) offer(options *mcp.ServerOptions) error {
	options.Capabilities = s.capabilities()
	suggested, err := newCompletions(s.packages)
	if err != nil {
		return err
	}
	if suggested.any() {
		options.CompletionHandler = suggested.complete
	}
	if r := options.Capabilities.Resources; r != nil && r.Subscribe {
		options.SubscribeHandler = func(_ context.Context, req *mcp.SubscribeRequest) error { return s.subscribable(req.Params.URI) }
		options.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	}
	return nil
}

// subscribable refuses a URI that no resource has: nobody would ever say that
// it changed.
func (s *Server) subscribable(uri string) error {
	for _, p := range s.packages {
		if slices.ContainsFunc(p.Resources, func(r Resource) bool { return r.has(uri) }) {
			return nil
		}
	}
	return mcp.ResourceNotFoundError(uri)
}

// has reports whether the resource is read by a URI.
func (r *Resource) has(uri string) bool {
	if !strings.Contains(r.URI, "{") {
		return r.URI == uri
	}
	template, err := uritemplate.New(r.URI)
	return err == nil && template.Regexp().MatchString(uri)
}
