// Command weather-service serves MCP tools.
//
// toolmill wrote this file once and will not touch it again: it is yours.
package main

import "github.com/seed7346ab69/toolmill/examples/weather/server/internal/runtime"

func main() { runtime.Main(New) }
