// Command toolmill turns an OpenAPI document into a standalone MCP server
// written in Go.
//
//	toolmill generate petstore.yaml -o ./petstore -module example.com/petstore
//	toolmill list petstore.yaml
//	toolmill lint petstore.yaml
//	toolmill diff HEAD:petstore.yaml petstore.yaml
//	toolmill bundle ./petstore
//	toolmill trace trace.jsonl
//	toolmill demo
//
// The command is thin: flags and toolmill.yaml become options (flags.go,
// config.go), parse, gen and review do the work, and what they found is printed for
// people or as one JSON object (report.go). It decides one thing itself, the
// exit code:
//
//	0  done
//	1  the input is missing or has errors, or the output could not be written
//	2  usage: the command line or toolmill.yaml is wrong
//	5  the output is stale (-check), or what a flag forbids is the case (-fail-on)
//
// It also works beside the document it reads:
//
//	//go:generate go run github.com/seed7346ab69/toolmill/cmd/toolmill generate petstore.yaml -o ./petstore
package main
