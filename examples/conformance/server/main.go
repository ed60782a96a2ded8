// Command conformance serves MCP tools.
//
// toolmill wrote this file once and will not touch it again: it is yours.
package main

import (
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed7346ab69/toolmill/examples/conformance"
	"github.com/seed7346ab69/toolmill/runtime"
)

func main() { runtime.Main(withChanges) }

// changes are what the functions can do to the server.
var changes *conformance.Changes

// withChanges returns a server that announces what its functions do through the
// SDK, and that its lists change.
func withChanges(config runtime.Config) *runtime.Server {
	const passing = "test_comes_and_goes"
	var (
		s     *runtime.Server
		shown atomic.Bool
	)
	toggle := func() {
		if shown.CompareAndSwap(false, true) {
			s.Enable(passing)
		} else {
			shown.Store(false)
			s.Disable(passing)
		}
	}
	changes = conformance.NewChanges(toggle, func(uri string) { s.Updated(uri) })
	s = New(config)
	s.Disable(passing)
	s.Declare(func(c *mcp.ServerCapabilities) {
		c.Logging = &mcp.LoggingCapabilities{} //lint:ignore SA1019 the suite tests it
		c.Prompts.ListChanged = true
		c.Resources.Subscribe = true
	})
	return s
}
