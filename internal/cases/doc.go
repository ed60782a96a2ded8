// Package cases runs the shared cases: small documents that are hard to get
// right, each with the words of what must come out, in ../shared/cases.
//
// A case is an entry of a table in one of the files named after what the cases
// are about. The entry holds what its expect.md says, in the same order; the
// harness (harness_test.go) generates all of them with the command, builds
// them, starts each as a subprocess and gives it an internet that is one
// recording upstream.
//
// Beside what the tables say, everything that holds for any tool is checked for
// every tool here: see [prove.CheckTool].
package cases
