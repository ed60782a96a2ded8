package runtime

import (
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// changing holds the tools that come and go while a server runs.
type changing struct {
	used   atomic.Bool // clients were told that the list can change
	mu     sync.Mutex
	hidden map[string]bool // by name
	sdk    *mcp.Server     // nil before the server started
	cached []page          // of the visible tools; nil: not read yet
}

// Disable takes tools out of tools/list and refuses calls of them. Clients are
// told (notifications/tools/list_changed) only by a server that announced it
// when they connected: one for which Disable was called before [Server.Run].
func (s *Server) Disable(tools ...string) { s.changing.set(s, true, tools) }

// Enable undoes [Server.Disable].
func (s *Server) Enable(tools ...string) { s.changing.set(s, false, tools) }

func (c *changing) set(s *Server, hide bool, names []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.hidden == nil {
		c.hidden = map[string]bool{}
	}
	if c.sdk == nil {
		c.used.Store(true)
	}
	for _, name := range names {
		if c.hidden[name] == hide {
			continue
		}
		c.hidden[name] = hide
		c.cached = nil
		if c.sdk == nil {
			continue
		}
		switch t := s.tools.byName[name]; {
		case t == nil:
			s.log.Error("there is no tool to enable or disable", "tool", name)
		case hide:
			c.sdk.RemoveTools(name)
		default:
			s.addTool(c.sdk, t)
		}
	}
}

// declared reports whether clients are told that the list can change.
func (c *changing) declared() bool { return c.used.Load() }

// isHidden reports whether a tool is disabled.
func (c *changing) isHidden(name string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.hidden[name]
}

// ttl is how long clients may keep tools/list, in milliseconds.
func (c *changing) ttl() int {
	if c.declared() {
		return 0
	}
	return listTTL
}

// protocol returns the SDK's server, once it runs.
func (c *changing) protocol() *mcp.Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sdk
}

// open registers the visible tools with the SDK, which then tells clients of
// every change. A server whose tools stay registers each on its first call.
func (c *changing) open(s *Server, sdk *mcp.Server) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sdk = sdk; !c.declared() {
		return
	}
	for _, t := range s.tools.sorted {
		if !c.hidden[t.Name] {
			s.addTool(sdk, t)
		}
	}
}

// pages is the text of tools/list as it is now.
func (s *Server) pages() ([]page, error) {
	c := &s.changing
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.hidden) == 0 {
		return s.tools.pages()
	}
	if c.cached != nil {
		return c.cached, nil
	}
	var visible []*tool
	for _, t := range s.tools.listed {
		if !c.hidden[t.Name] {
			visible = append(visible, t)
		}
	}
	pages, err := read(visible)
	if err == nil {
		c.cached = pages
	}
	return pages, err
}
