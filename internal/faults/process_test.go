package faults

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

const patience = time.Minute

// good is what the upstream answers when nothing is wrong.
var good = prove.Answer{Raw: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[\"letters.example\"]"}

// binary is the server of a document, built once.
var binary string

func TestMain(m *testing.M) {
	folder, err := os.MkdirTemp("", "toolmill-faults-")
	if err != nil {
		panic(err)
	}
	kept = filepath.Join(folder, "server")
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

var kept string

func build(tb testing.TB) string {
	tb.Helper()
	if binary == "" {
		if err := os.Rename(prove.Build(tb, filepath.Join(prove.Root(tb), "examples", "inbox", "server")), kept); err != nil {
			tb.Fatal(err)
		}
		binary = kept
	}
	return binary
}

// environment leads the server to the upstream.
func environment(upstream *prove.Upstream) []string {
	return []string{"BASE_URL=" + upstream.URL, "API_KEY_INBOX=secret"}
}

// descriptors counts what a process has open.
func descriptors(tb testing.TB, pid int) int {
	tb.Helper()
	if runtime.GOOS != "linux" {
		tb.Skip("open descriptors are counted in /proc")
	}
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	if err != nil {
		tb.Fatal(err)
	}
	return len(entries)
}

// memory is what a process has, in MB: VmRSS now, VmHWM at most.
func memory(tb testing.TB, pid int, line string) int {
	tb.Helper()
	return status(tb, pid, line) >> 10
}

// status is a number in a process's status.
func status(tb testing.TB, pid int, line string) int {
	tb.Helper()
	for text := range strings.Lines(prove.Read(tb, fmt.Sprintf("/proc/%d/status", pid))) {
		if value, ok := strings.CutPrefix(text, line+":"); ok {
			var n int
			if _, err := fmt.Sscan(value, &n); err != nil {
				tb.Fatal(err)
			}
			return n
		}
	}
	tb.Fatalf("the status has no %s", line)
	return 0
}

// eventually waits until something holds.
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatalf("never: %s", what)
		}
	}
}
