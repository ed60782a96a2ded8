package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tracedLine is a line of a trace.
type tracedLine struct {
	Time    time.Time
	From    string
	Session string
	Message json.RawMessage
	Text    string
}

func readTrace(t *testing.T, data []byte) []tracedLine {
	t.Helper()
	var lines []tracedLine
	for line := range bytes.Lines(data) {
		var l tracedLine
		if err := json.Unmarshal(line, &l); err != nil || l.Time.IsZero() {
			t.Fatalf("%v in %s", err, line)
		}
		lines = append(lines, l)
	}
	return lines
}

// TestTraceStdio: every message is in the file, both ways, with secrets redacted,
// and the file is its owner's alone.
func TestTraceStdio(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trace.jsonl")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	c := start(t, []string{"SAMPLE_API_KEY_API_KEY=hunter2-secret"}, "-trace", file)
	c.initialize("2025-11-25")
	list := c.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	c.ask("no message")
	c.ask(callLine(2, "echo", `{"id":9007199254740993,"text":"hunter2-secret"}`))
	if code, _ := c.close(); code != 0 {
		t.Fatalf("exit %d: %s", code, c.stderr)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(file); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if bytes.Contains(data, []byte("hunter2-secret")) {
		t.Errorf("a secret is in the trace:\n%s", data)
	}
	lines := readTrace(t, data)
	if len(lines) != 9 {
		t.Fatalf("%d lines:\n%s", len(lines), data)
	}
	for i, want := range []string{"client initialize", "server serverInfo", "client notifications/initialized", "client tools/list", "server inputSchema",
		"client no message", "server not JSON", "client 9007199254740993", "server " + Redacted} {
		from, part, _ := strings.Cut(want, " ")
		if l := lines[i]; l.From != from || !strings.Contains(string(l.Message)+l.Text, part) {
			t.Errorf("line %d: %s %s%s, want %s", i, l.From, l.Message, l.Text, want)
		}
	}
	if string(lines[4].Message) != list {
		t.Errorf("tools/list is not what was sent:\n%s\n%s", lines[4].Message, list)
	}
	c = start(t, nil, "-trace", file)
	c.initialize("2025-11-25")
	c.close()
	if after, _ := os.ReadFile(file); !bytes.HasPrefix(after, data) || len(after) == len(data) {
		t.Errorf("a second server did not append")
	}
}

// TestTraceHTTP: the same over HTTP, in either era, with the session.
func TestTraceHTTP(t *testing.T) {
	name := filepath.Join(t.TempDir(), "trace")
	file, err := openTrace(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	s := listenHTTP(t, Config{Trace: file}, sample())
	session := s.send("POST", initializeLine).header.Get(sessionHeader)
	s.send("POST", callLine(1, "echo", `{"id":1}`), sessionHeader+": "+session, versionHeader+": 2025-11-25")
	s.modernCall("echo", `{"id":2}`)
	// The last line may be written when its message has arrived already.
	var lines []tracedLine
	eventually(t, "six lines", func() bool {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines = readTrace(t, data[:bytes.LastIndexByte(data, '\n')+1])
		return len(lines) == 6
	})
	if session == "" {
		t.Fatal("no session")
	}
	for i, want := range []struct{ from, session, part string }{
		{fromClient, "", "initialize"}, {fromServer, session, "serverInfo"},
		{fromClient, session, `"id":1`}, {fromServer, session, `{\"id\":1}`},
		{fromClient, "", `"id":2`}, {fromServer, "", `{\"id\":2}`},
	} {
		if l := lines[i]; l.From != want.from || l.Session != want.session || !strings.Contains(string(l.Message), want.part) {
			t.Errorf("line %d: %+v %s, want %+v", i, l, l.Message, want)
		}
	}
}

func TestTraceRefused(t *testing.T) {
	code, _, _, stderr := command(t, sample(), nil, "-trace", filepath.Join(t.TempDir(), "no", "file"))
	if code != exitError || !strings.HasPrefix(stderr, "error: -trace: open ") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestTraceBreaks: a full disk ends the trace, not the server.
func TestTraceBreaks(t *testing.T) {
	var log bytes.Buffer
	full := &trace{out: fullDisk{}, redactor: NewRedactor(), log: slog.New(slog.NewTextHandler(&log, nil))}
	full.record(fromClient, "", []byte("{}"))
	full.record(fromClient, "", []byte("{}"))
	if strings.Count(log.String(), "the trace cannot be written") != 1 {
		t.Error(log.String())
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }
