//go:build race

package runtime

// raced says that the race detector is in the binary: it needs several times the
// memory.
const raced = true
