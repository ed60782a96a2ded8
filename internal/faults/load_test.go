package faults

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// BenchmarkLoad calls a tool over HTTP without sessions, 64 clients at a time, and
// sees that no call fails and that memory does not grow: the second half against
// the first. -benchtime 30s is how long.
func BenchmarkLoad(b *testing.B) {
	upstream := prove.NewUpstream(b)
	upstream.Reply(good)
	site := prove.StartHTTP(b, environment(upstream), build(b), "-stateless")
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	calls := func(n int) {
		var left atomic.Int64
		left.Store(int64(n))
		var all sync.WaitGroup
		for range clients {
			all.Go(func() {
				for left.Add(-1) >= 0 {
					if err := modernCall(client, site.URL); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		all.Wait()
	}
	calls(10 * clients) // what is made once is there
	b.ResetTimer()
	calls(b.N / 2)
	half := memory(b, site.PID(), "VmRSS")
	calls(b.N - b.N/2)
	b.StopTimer()
	b.ReportMetric(float64(half), "MB-half")
	b.ReportMetric(float64(memory(b, site.PID(), "VmRSS"))/float64(half), "end/half")
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
}

const clients = 64

// modernCall sends one call of 2026-07-28.
func modernCall(client *http.Client, url string) error {
	const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"listDomains","arguments":{},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/call"}, "Mcp-Name": {"listDomains"},
	}
	resp, err := client.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err == nil && !strings.Contains(string(text), "letters.example") {
		err = fmt.Errorf("%s: %s", resp.Status, text)
	}
	return err
}
