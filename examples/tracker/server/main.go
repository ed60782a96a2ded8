// Command tracker serves MCP tools.
//
// toolmill wrote this file once and will not touch it again: it is yours.
package main

import (
	"github.com/seed7346ab69/toolmill/examples/tracker"
	"github.com/seed7346ab69/toolmill/runtime"
)

func main() { runtime.Main(withoutLabels) }

// issues is the tracker, empty when the server starts.
var issues *tracker.Tracker

// withoutLabels returns the server without add_label until there is an issue
// that could have one. A server that disables a tool before it runs announces
// that its list of tools changes.
func withoutLabels(config runtime.Config) *runtime.Server {
	var s *runtime.Server
	issues = tracker.New(func() { s.Enable("add_label") })
	s = New(config)
	s.Disable("add_label")
	return s
}
