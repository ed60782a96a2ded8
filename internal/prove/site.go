package prove

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// Site is one MCP server process that listens for HTTP.
type Site struct {
	URL string // of the endpoint

	tb     testing.TB
	cmd    *exec.Cmd
	stderr *lockedBuffer
	ended  chan struct{}
}

var listensAt = regexp.MustCompile(`msg=listening url=(\S+)`)

// StartHTTP runs the server name on a free port of this host, with the
// environment env and nothing else. It ends with the test.
func (m *Module) StartHTTP(tb testing.TB, name string, env []string, args ...string) *Site {
	tb.Helper()
	m.check(tb, name)
	return launchHTTP(tb, env, m.bin, append([]string{name, "-transport=http", "-addr=127.0.0.1:0"}, args...)...)
}

// StartHTTP runs a server's binary on a free port of this host, with the
// environment env and nothing else. It ends with the test.
func StartHTTP(tb testing.TB, env []string, bin string, args ...string) *Site {
	tb.Helper()
	return launchHTTP(tb, env, bin, append([]string{"-transport=http", "-addr=127.0.0.1:0"}, args...)...)
}

func launchHTTP(tb testing.TB, env []string, bin string, args ...string) *Site {
	tb.Helper()
	s := &Site{tb: tb, stderr: &lockedBuffer{}, ended: make(chan struct{})}
	s.cmd = exec.Command(bin, args...)
	s.cmd.Env = append([]string{}, env...)
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	found := make(chan string, 1)
	go func() {
		defer close(s.ended)
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			io.WriteString(s.stderr, lines.Text()+"\n")
			if m := listensAt.FindStringSubmatch(lines.Text()); m != nil {
				found <- m[1]
			}
		}
	}()
	tb.Cleanup(func() { s.Stop() })
	select {
	case s.URL = <-found:
	case <-s.ended:
		tb.Fatalf("the server ended instead of listening\n%s", s.stderr)
	}
	return s
}

// Call sends a tools/call of 2026-07-28 with headers ("Name: value") and
// returns its result.
func (s *Site) Call(tool, arguments string, headers ...string) *Result {
	s.tb.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":` + quote(tool) + `,"arguments":` + arguments +
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := http.NewRequestWithContext(s.tb.Context(), http.MethodPost, s.URL, strings.NewReader(body))
	if err != nil {
		s.tb.Fatal(err)
	}
	for _, h := range append([]string{
		"Content-Type: application/json", "Accept: application/json, text/event-stream",
		"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: " + tool,
	}, headers...) {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		s.tb.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		s.tb.Fatal(err)
	}
	text := string(data)
	for line := range strings.Lines(text) {
		if event, ok := strings.CutPrefix(line, "data: "); ok {
			text = event // the last event is the answer
		}
	}
	var m Message
	if err := json.Unmarshal([]byte(text), &m); err != nil || m.Result == nil {
		s.tb.Fatalf("tools/call: %s: %s", resp.Status, data)
	}
	result := &Result{Raw: m.Result}
	if err := json.Unmarshal(m.Result, result); err != nil {
		s.tb.Fatal(err)
	}
	return result
}

// Stop tells the server to end, waits for that and returns its exit code.
func (s *Site) Stop() int {
	if s.cmd.ProcessState == nil {
		_ = s.cmd.Process.Signal(syscall.SIGTERM) // it may have ended by itself
		<-s.ended
		_ = s.cmd.Wait() // the state says the same
	}
	return s.cmd.ProcessState.ExitCode()
}

// PID is the process's.
func (s *Site) PID() int { return s.cmd.Process.Pid }

// Stderr returns what the server has logged so far.
func (s *Site) Stderr() string { return s.stderr.String() }
