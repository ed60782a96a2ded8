// Package weather turns weather.yaml into an MCP server with two tools. The
// output, in server, brings its own copy of the runtime: it needs nothing of
// toolmill's.
package weather

//go:generate go run ../../cmd/toolmill generate weather.yaml -o server
