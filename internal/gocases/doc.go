// Package gocases runs the shared cases of annotated Go: small packages that are
// hard to get right, each with what must come out, in ../shared/cases/go.
//
// The folders G01… say it in an expect.json, which the harness reads: tools with
// their schemas, calls with their results, or the diagnostics of a run that must
// fail. What stands there only as a note, and the expect.md of the folders P118…,
// is written down in notes_test.go and plain_test.go.
//
// Each case is copied to a module of its own; the command generates a server for
// it as a user would, all servers are built into one binary, and each runs as a
// subprocess over stdio.
package gocases
