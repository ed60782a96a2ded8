// Command clock serves MCP tools.
//
// toolmill wrote this file once and will not touch it again: it is yours.
package main

import "clock.example/mcp/internal/runtime"

func main() { runtime.Main(New) }
