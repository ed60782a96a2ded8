// Command database serves MCP tools.
//
// toolmill wrote this file once and will not touch it again: it is yours.
package main

import "github.com/seed7346ab69/toolmill/runtime"

func main() { runtime.Main(New) }
