// Package conformance runs the official conformance suite of MCP, its inspector
// and the TypeScript SDKs against servers of ours.
//
// They come from npm and are none of ours, so the tests skip where they are not
// installed:
//
//	npm ci --ignore-scripts --prefix internal/conformance/testdata
//	go test ./internal/conformance
//
// A folder of expected results says which scenarios a server may fail, and why.
// The suite reports an entry that is no longer needed.
package conformance
