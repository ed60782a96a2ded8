// Package prove holds what the tests of the whole need: it generates servers
// with the real command, builds them, starts them as subprocesses and watches
// both of their sides.
//
//   - [Upstream] stands for every host of the internet and keeps the raw bytes
//     of each request.
//   - [Module] generates many servers and builds them with one compiler run.
//   - [Client] speaks JSON-RPC to a server over stdio, line by line, so that
//     numbers and key order stay as they are on the wire.
//   - [Arguments] makes arguments for a tool from its own inputSchema.
//
// Nothing here knows how the generator or the runtime works inside; a test that
// passes through this package has seen only what a user and an API would see.
package prove
