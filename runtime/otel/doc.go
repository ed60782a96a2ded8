// Package otel gives a server OpenTelemetry: traces and metrics, sent by OTLP
// over HTTP, when the standard environment asks for them. A server that was
// generated with -otel imports it; no other has its libraries linked.
//
// What is recorded follows the OpenTelemetry semantic conventions for MCP and
// for HTTP clients: a span and a duration for each message that the server
// answers, and for each request that it sends. Arguments, results, queries and
// credentials are in none of them.
package otel
