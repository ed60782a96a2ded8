package runtime

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// BenchmarkGC is what the collector's setting is worth on stdio: calls of a whole
// process, with Go's own setting as the reference of the same run. GOGC in the
// environment is what a server takes instead of its own.
//
//	go test ./runtime -run xxx -bench GC -benchtime 20000x
func BenchmarkGC(b *testing.B) {
	took := func(env []string) time.Duration {
		c := start(b, env)
		c.initialize("2025-11-25")
		c.ask(callLine(0, "echo", `{"id":1}`))
		inFlight := make(chan struct{}, 32)
		begin := time.Now()
		go func() {
			for i := range b.N {
				inFlight <- struct{}{}
				if _, err := io.WriteString(c.stdin, callLine(i, "echo", fmt.Sprintf(`{"id":%d,"body":{"text":"some text"}}`, i))+"\n"); err != nil {
					return // the reader says so
				}
			}
		}()
		for range b.N {
			if line := c.read(); strings.Contains(line, `"isError":true`) {
				b.Fatal(line)
			}
			<-inFlight
		}
		elapsed := time.Since(begin)
		if code, _ := c.close(); code != 0 {
			b.Fatal(c.stderr)
		}
		return elapsed
	}
	own, reference := took(nil), took([]string{"GOGC=100"})
	b.ReportMetric(float64(own)/float64(reference), "of-GOGC=100")
	b.ReportMetric(float64(b.N)/own.Seconds(), "calls/s")
}
