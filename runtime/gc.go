package runtime

import (
	"math"
	"runtime"
	"runtime/debug"
)

// On stdio most of what the SDK allocates is gone when the next message comes. A
// heap that grows to five times what lives is 12 MB more for a usual server, and up
// to three quarters more calls a second. With large messages, or what a Go function
// holds, it would be hundreds; so a heap of that size is left to Go's own setting.
// The limit is for a message that makes the heap large at once.
const (
	smallHeap        = 64 << 20  // what lives, in bytes
	smallHeapLimit   = 256 << 20 // all memory
	smallHeapPercent = 400
	largeHeapPercent = 100
)

// tuneGC sets the garbage collector, but nothing that the environment has set.
func tuneGC(getenv func(string) string) {
	if getenv("GOGC") != "" {
		return
	}
	set := func(large bool) {
		percent, limit := smallHeapPercent, int64(smallHeapLimit)
		if large {
			percent, limit = largeHeapPercent, math.MaxInt64
		}
		debug.SetGCPercent(percent)
		if getenv("GOMEMLIMIT") == "" {
			debug.SetMemoryLimit(limit)
		}
	}
	set(false)
	// Right after a collection, what is allocated is what lives. Package
	// runtime/metrics knows it exactly, but takes a millisecond of each start.
	var heap runtime.MemStats
	before := false
	afterEachGC(func() {
		runtime.ReadMemStats(&heap)
		if large := heap.HeapAlloc > smallHeap; large != before {
			before = large
			set(large)
		}
	})
}

// afterEachGC has f called after every collection: the finalizer of something that
// nobody holds makes the next such thing.
func afterEachGC(f func()) {
	var arm func()
	arm = func() {
		// A pointer, because small things without one share their memory.
		runtime.SetFinalizer(new(*int), func(**int) {
			f()
			arm()
		})
	}
	arm()
}
