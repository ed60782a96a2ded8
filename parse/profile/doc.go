// Package profile rewrites tools for hosts that accept less than JSON Schema
// 2020-12: some put names of their own before a tool's, follow no references, or
// refuse a whole list for one keyword. docs/tokens.md says what is generated without
// a profile, and who takes that.
//
// A [Profile] is a list of passes over the input schema, each with one concern.
// The schema from before stands in [ir.Tool.Full]: the server checks arguments
// against it, so that a profile changes what a model is told and never what an API
// is sent.
//
// profile.go has the hosts with their limits and sources, names.go their limits of
// names, the other files a pass or two each.
package profile
