package main

import "github.com/seed7346ab69/toolmill/examples/tracker"

// trackerDeps makes what the functions of package tracker need and no provider makes.
//
// toolmill wrote this file once and will not touch it again: it is yours.
func trackerDeps() tracker.MCPDeps {
	return tracker.MCPDeps{
		Tracker: issues, // needed by (*Tracker).CreateIssue, (*Tracker).ListIssues, (*Tracker).AddLabel
	}
}
