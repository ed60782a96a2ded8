// Package demo shows a person who never saw MCP what toolmill makes: it takes
// the document in library.yaml through generation and compilation, starts the
// program that comes out, talks to it with the SDK's client and prints every
// message with a sentence before it.
//
// Nothing is pretended but the API: upstream.go plays it with the examples of
// the document. The order of work is in [Run], the conversation in script.go,
// the recording of messages in record.go and their print in package conversation.
package demo
