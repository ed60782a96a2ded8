package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pageBytes ends a page of tools/list. Clients bound a message, often at 16 MiB;
// below that one page is best, since some clients never ask for a second.
const pageBytes = 4 << 20

// listTTL is how long a client may keep the list, in milliseconds: it cannot
// change while the server runs.
const listTTL = 3_600_000

// toolset is the registry made ready: tools by name, and the text of tools/list.
//
// The SDK would hold every tool as a value, check it at registration (30 µs and
// 70 kB each) and encode it anew for each tools/list. With a thousand tools that is
// what a user waits for. So the list is made of the files' bytes, and a tool is
// registered with the SDK when it is first called.
type toolset struct {
	byName map[string]*tool
	pages  []page
}

// tool is one entry of the toolset.
type tool struct {
	Tool
	register sync.Once      // with the SDK
	check    func() *schema // compiled on first use
}

// page is one answer to tools/list.
type page struct {
	first string // name of its first tool: the cursor that leads here
	items []byte // tool objects, separated by commas
}

// newToolset reads the tools' files, by name.
func newToolset(def *Definition, log *slog.Logger) (*toolset, error) {
	tools := slices.Clone(def.Tools)
	slices.SortFunc(tools, func(a, b Tool) int { return cmp.Compare(a.Name, b.Name) })
	set := &toolset{byName: make(map[string]*tool, len(tools))}
	for _, t := range tools {
		if set.byName[t.Name] != nil {
			return nil, fmt.Errorf("tool %s is registered twice", t.Name)
		}
		file := "tools/" + cmp.Or(t.File, t.Name+".json")
		data, err := fs.ReadFile(def.Schemas, file)
		if err != nil {
			return nil, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		if err := set.list(t.Name, data); err != nil {
			return nil, fmt.Errorf("tool %s: %s: %w", t.Name, file, err)
		}
		set.byName[t.Name] = &tool{Tool: t, check: sync.OnceValue(func() *schema {
			sc, err := loadSchema(def.Schemas, file)
			if err != nil {
				log.Error("arguments are not checked", "tool", t.Name, "error", err)
			}
			return sc
		})}
	}
	return set, nil
}

// list appends a tool object to the last page, or begins a page.
func (set *toolset) list(name string, data []byte) error {
	if n := len(set.pages); n == 0 || len(set.pages[n-1].items) > pageBytes {
		set.pages = append(set.pages, page{first: name})
	}
	p := &set.pages[len(set.pages)-1]
	if len(p.items) > 0 {
		p.items = append(p.items, ',')
	}
	var err error
	p.items, err = appendCompact(p.items, data)
	return err
}

// page returns the page that a cursor leads to and the cursor of the next one.
func (set *toolset) page(cursor string) (items []byte, next string, ok bool) {
	i := 0
	if cursor != "" {
		i = slices.IndexFunc(set.pages, func(p page) bool { return p.first == cursor })
	}
	switch {
	case i < 0:
		return nil, "", false
	case len(set.pages) == 0:
		return nil, "", true
	case i+1 < len(set.pages):
		next = set.pages[i+1].first
	}
	return set.pages[i].items, next, true
}

// listTools answers tools/list in place of the SDK.
func (s *Server) listTools(req mcp.Request) (mcp.Result, error) {
	var cursor string
	if params, ok := req.GetParams().(*mcp.ListToolsParams); ok && params != nil {
		cursor = params.Cursor
	}
	items, next, ok := s.tools.page(cursor)
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown cursor: start again without one"}
	}
	return &listResult{
		ListToolsResult: &mcp.ListToolsResult{
			Cacheable:  mcp.Cacheable{TTLMs: listTTL, CacheScope: "public"},
			NextCursor: next,
			Tools:      []*mcp.Tool{},
		},
		items: items,
	}, nil
}

// listResult is the SDK's result with prepared bytes for its tools. The SDK
// fills what depends on the protocol revision (resultType, _meta).
type listResult struct {
	*mcp.ListToolsResult
	items []byte
}

// MarshalJSON puts the tools between the brackets of the empty list, which is
// the last member.
func (r *listResult) MarshalJSON() ([]byte, error) {
	frame, err := json.Marshal(r.ListToolsResult)
	if err != nil {
		return nil, err
	}
	end := len(frame) - len("]}")
	if end < 0 || string(frame[end:]) != "]}" {
		return nil, fmt.Errorf("tools is not the last member of %s", frame)
	}
	out := make([]byte, 0, len(frame)+len(r.items))
	out = append(out, frame[:end]...)
	out = append(out, r.items...)
	return append(out, "]}"...), nil
}

// middleware answers tools/list and makes the SDK know a tool that is called.
func (s *Server) middleware(server *mcp.Server) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch method {
			case "tools/list":
				return s.listTools(req)
			case "tools/call":
				if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok {
					s.register(server, params.Name)
				}
			}
			return next(ctx, method, req)
		}
	}
}

// register adds a tool to the SDK's server. Its schema there is a stub: the SDK
// neither lists it nor validates with it. An unknown tool stays unknown to the
// SDK, whose error is the protocol's.
func (s *Server) register(server *mcp.Server, name string) {
	t := s.tools.byName[name]
	if t == nil {
		return
	}
	t.register.Do(func() {
		stub := &mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)}
		server.AddTool(stub, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return s.call(ctx, t, req), nil
		})
	})
}
