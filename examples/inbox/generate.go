// Package inbox turns inbox.yaml into an MCP server with seven tools and an API
// key. The output, in server, imports toolmill's runtime.
package inbox

//go:generate go run ../../cmd/toolmill generate inbox.yaml -o server -runtime=import
