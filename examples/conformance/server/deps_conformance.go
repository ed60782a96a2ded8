package main

import "github.com/seed7346ab69/toolmill/examples/conformance"

// conformanceDeps makes what the functions of package conformance need and no provider makes.
//
// toolmill wrote this file once and will not touch it again: it is yours.
func conformanceDeps() conformance.MCPDeps {
	return conformance.MCPDeps{
		Changes: changes, // needed by (*Changes).TriggerToolChange, (*Changes).TriggerUpdate
	}
}
