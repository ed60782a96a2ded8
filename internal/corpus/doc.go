// Package corpus runs real documents, as their providers published them, through
// the whole of toolmill.
//
//   - generate_test.go: every document; one tool or one explained skip for each
//     operation, every schema judged by a validator that is not ours, sizes.
//   - servers_test.go: outputs are compiled, started and asked for their tools.
//   - calls_test.go: every operation is called with arguments made from its own
//     schema, and kin-openapi judges the request that arrives.
//
// The documents lie in ../shared/corpus; where they are missing the tests are
// skipped. TOOLMILL_FULL=1 builds all of them instead of a few.
//
// testdata/skips.txt and testdata/exceptions.txt are what is accepted, each line
// with its reason; a line that is no longer needed fails the test.
package corpus
