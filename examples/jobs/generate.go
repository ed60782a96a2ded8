// Package jobs turns jobs.yaml into an MCP server with four tools, named in
// snake_case. The output, in server, imports toolmill's runtime.
package jobs

//go:generate go run ../../cmd/toolmill generate jobs.yaml -o server -runtime=import -names=snake
