// Package node is the tree a document is read into: YAML or JSON, with the
// position of every value, the order of every mapping and the exact text of
// every number.
//
// Everything a model will see (schemas, descriptions, examples) is taken from
// this tree, because typed OpenAPI models hold numbers as float64 and forget
// order. It is read-only after parsing: a pass that changes a document builds
// new nodes and shares the unchanged ones, so one node may hang below several
// parents.
package node
