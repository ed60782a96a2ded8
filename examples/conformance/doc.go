// Package conformance has one function for each thing that the conformance suite
// of MCP asks a server for. The names and many of the texts are the suite's:
// what test_simple_text answers, it looks for. See internal/conformance for how
// it is run.
//
//mcp:package prefix=test title="Conformance fixtures" version=1.0.0
package conformance

//go:generate go run ../../cmd/toolmill generate . -o server -runtime=import
