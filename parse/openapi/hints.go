package openapi

import "github.com/seed7346ab69/toolmill/parse/ir"

// hints are what the method promises (RFC 9110, 9.2; OpenAPI 3.2 for QUERY) in
// the words of MCP 2025-11-25, ToolAnnotations:
//
//	GET HEAD OPTIONS TRACE QUERY  read only, idempotent
//	POST                          adds
//	PATCH                         changes what the call names
//	PUT                           idempotent, destructive: replaces what was there
//	DELETE                        idempotent, destructive
//
// A method not known here gets the protocol's own defaults: not read only,
// destructive, not idempotent. The API is always a world outside the server.
func hints(method string) ir.Hints {
	h := ir.Hints{OpenWorld: true}
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY":
		h.ReadOnly, h.Idempotent = true, true
	case "POST", "PATCH":
	case "PUT", "DELETE":
		h.Destructive, h.Idempotent = true, true
	default:
		h.Destructive = true
	}
	return h
}
