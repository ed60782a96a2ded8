package faults

import (
	"fmt"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// BenchmarkSoak calls a tool over stdio, eight calls at a time, and sees that
// nothing is left open and that memory does not grow: the second half against
// the first. 200,000 calls are -benchtime 200000x.
func BenchmarkSoak(b *testing.B) {
	upstream := prove.NewUpstream(b)
	upstream.Reply(good)
	client := prove.Start(b, environment(upstream), build(b))
	const atOnce = 8
	calls := func(n int) {
		for n > 0 {
			var pending []*prove.Pending
			for range min(n, atOnce) {
				pending = append(pending, client.Begin("listDomains", `{}`))
			}
			for _, call := range pending {
				if result := call.Result(); result.IsError {
					b.Fatalf("a call gave %s", result.Raw)
				}
			}
			n -= len(pending)
		}
	}
	calls(100) // what is made once is there
	before, threads := descriptors(b, client.PID()), status(b, client.PID(), "Threads")
	b.ResetTimer()
	calls(b.N / 2)
	half := memory(b, client.PID(), "VmRSS")
	calls(b.N - b.N/2)
	b.StopTimer()
	end := memory(b, client.PID(), "VmRSS")
	b.ReportMetric(float64(half), "MB-half")
	b.ReportMetric(float64(end)/float64(half), "end/half")
	b.ReportMetric(float64(status(b, client.PID(), "Threads")-threads), "threads-more")
	eventually(b, fmt.Sprintf("the %d descriptors of the start are left", before), func() bool {
		return descriptors(b, client.PID()) <= before+1
	})
}
