// Package diag holds diagnostics: what is wrong with an input, where, why, and
// what to do next.
//
// Nothing in parse stops at the first mistake. Each phase adds what it finds to
// a [List]; the command sorts and prints the list once, and turns it into an
// exit code. A diagnostic prints as
//
//	petstore.yaml:41:7: error: operation getPet: parameter "id" has no schema [no-schema]
//		hint: add a schema, for example {type: string}
//
// so that editors jump to it and people know the next step.
package diag
