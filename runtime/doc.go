// Package runtime is what a generated MCP server calls.
//
// The generated code is a registry ([Definition]) and one short handler a tool.
// Everything else happens here, one file a concern, in the order a call passes:
//
//	main.go      flags and environment become a [Config]; signals; exit codes
//	gc.go        a collector for short-lived messages
//	stdio*.go    lines in, lines out; a malformed line gets an answer
//	server.go    [NewServer] and [Server.Run]: the protocol, on the MCP Go SDK
//	offer.go     tools left out by the operator
//	tools.go     tools/list from prepared bytes; handlers registered on first use
//	call.go      tools/call: arguments in, [Result] out, panics contained
//	limits.go    how many calls at a time, and how often
//	confirm.go   people asked before a call
//	validate.go  arguments decoded, repaired and checked by a JSON Schema library
//	file_schema.go  the paths of files, where no folder was named
//	repair.go    arguments that are right but for their wrapping
//	violation.go the library's errors, in order and without what was not meant
//	explain.go   violations in words a model can act on
//	request.go   the handler's view: [Request] and its methods
//	do.go        the exchange with the upstream
//	room.go      how much of answers all calls hold
//	response.go  what came back, reduced (select.go), merged (paginate.go) and cut
//	result.go    what the model gets back
//
// A large API is offered through three tools, which search.go answers for by way
// of an index (search_index.go) of words (search_words.go).
//
// An annotated Go package has the same registry ([Package]) and shorter
// handlers, which call its functions:
//
//	register.go  [Server.Add]; values made at start and cleaned up at the end
//	func_*.go    arguments into Go values, Go values into results
//	iter.go      iterators drained, with a limit
//	resource.go  what clients read by URI; prompt.go what people start with
//	enable.go    tools that come and go
//	early.go     standard output kept for the protocol before main
//
// Over HTTP a request passes, before it is a call:
//
//	http.go          the listener, its limits, probes, TLS and the gentle end
//	http_pages.go    which pages in browsers may call
//	http_endpoint.go both eras of the protocol on one path
//	http_sessions.go how many sessions there may be
//	http_message.go  what a message is, before the SDK reads it
//	inbound.go       who may call: static tokens, access tokens, scopes
//
// Beside the way of a call stand what operators see and what developers use:
//
//	log.go, redact*.go  the log, and what clients are asked and told, without secrets
//	observe.go  each message logged and told to an [Observer]; trace context
//	sound.go    errors that can be encoded, whatever they quote
//	trace.go    -trace: every message in a file
//	mock.go     -mock: the document's examples in place of the upstream
//
// One rule everywhere: whatever a model could correct, or should know, is a
// [Result] with IsError set whose text is complete; no secret, no stack and no
// internal address is in any of them.
package runtime
