package runtime

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
)

func TestAfterEachGC(t *testing.T) {
	var called atomic.Int32
	afterEachGC(func() { called.Add(1) })
	for called.Load() < 3 {
		runtime.GC()
	}
}

// The collector follows the size of the heap, and leaves alone what the environment
// says.
func TestTuneGC(t *testing.T) {
	percent := func() int {
		setting := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		metrics.Read(setting)
		return int(setting[0].Value.Uint64())
	}
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	before, beforeLimit := percent(), limit()
	tuneGC(func(name string) string { return map[string]string{"GOGC": "70"}[name] })
	if percent() != before || limit() != beforeLimit {
		t.Errorf("with GOGC: %d, %d", percent(), limit())
	}
	defer debug.SetMemoryLimit(beforeLimit)
	defer debug.SetGCPercent(before)
	tuneGC(func(name string) string { return map[string]string{"GOMEMLIMIT": "1GiB"}[name] })
	if limit() != beforeLimit {
		t.Errorf("with GOMEMLIMIT: %d", limit())
	}
	large := make([]byte, 2*smallHeap)
	for percent() != largeHeapPercent {
		runtime.GC()
	}
	runtime.KeepAlive(large)
	for percent() != smallHeapPercent {
		runtime.GC()
	}
}

// A line of 50 MB is refused without costing many times as much, and the next
// call works.
func TestHugeLine(t *testing.T) {
	c := start(t, nil)
	c.initialize("2025-11-25")
	want := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"a message may have %d bytes at most"}}`, maxLine)
	for range 2 {
		if got := c.ask(callLine(1, "echo", `{"id":1,"body":{"data":"`+strings.Repeat("x", 50<<20)+`"}}`)); got != want {
			t.Error(got)
		}
	}
	if r := parse(t, c.ask(callLine(2, "echo", `{"id":1}`))); r.Result.IsError {
		t.Errorf("%+v", r)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		t.Skip("the most memory that a process had is known on Linux alone: ", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var most int
	if _, err := fmt.Sscan(rest, &most); err != nil {
		t.Fatal(err)
	}
	if most > 300<<10 && !raced {
		t.Errorf("the server took %d kB", most)
	}
}
