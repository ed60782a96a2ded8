// Package review judges the surface of a server: the tools as a model, a client
// and an operator notice them.
//
// A [Surface] is made of a document or Go functions ([FromServer]) or read from
// what toolmill wrote ([ReadFolder]). [Diff] says in words what changed between
// two of them and how much that matters, [Lint] what makes one hard to use, and
// a [Lock] pins one by a digest for each tool.
//
// All of it is pure: values in, values and text out.
package review
