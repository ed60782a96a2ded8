package faults

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// TestFrames sends what is no message, and an id twice, all at once. Each has an
// answer: under its id, or under null where it has none that could be told from
// another's. The last call works.
func TestFrames(t *testing.T) {
	upstream := prove.NewUpstream(t)
	upstream.Reply(good)
	cmd := exec.Command(build(t))
	cmd.Env = environment(upstream)
	lines := []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"0"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/ca`,
		`Content-Length: 120`,
		"\x00\xff\xfe{}",
		`[]`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"listDomains","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"listDomains","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":7,"result":{}}`,
		`{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"listDomains","arguments":{}}}`,
	}
	cmd.Stdin = strings.NewReader(strings.Join(lines, "\n") + "\n")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := map[string]int{}
	last := ""
	for in := bufio.NewReader(stdout); ; {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			break
		}
		var m prove.Message
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.Version != "2.0" {
			t.Fatalf("it wrote %q", line)
		}
		answers[string(m.ID)]++
		if string(m.ID) == `"last"` {
			last = line
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	// The id was used twice at once, unless the first answer was faster.
	if answers["0"] != 1 || answers["7"] < 1 || answers["7"]+answers["null"] != 7 {
		t.Errorf("answers by id: %v", answers)
	}
	if !strings.Contains(last, "letters.example") {
		t.Errorf("the last call gave %q", last)
	}
}
