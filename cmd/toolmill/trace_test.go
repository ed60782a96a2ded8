package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const traceOfTest = `{"time":"2026-11-30T12:00:00Z","from":"client","message":{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}}
{"time":"2026-11-30T12:00:00.0123Z","from":"server","session":"s1","message":{"jsonrpc":"2.0","id":1,"result":{"big":9007199254740993}}}
{"time":"2026-11-30T12:00:01Z","from":"client","session":"s1","message":{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"getPet","arguments":{"petId":7}}}}
{"time":"2026-11-30T12:00:01.1Z","from":"server","session":"s1","message":{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{}}}
{"time":"2026-11-30T12:00:03.1Z","from":"client","session":"s1","message":{"jsonrpc":"2.0","id":2,"result":{"action":"accept"}}}
{"time":"2026-11-30T12:00:04Z","from":"server","session":"s1","message":{"jsonrpc":"2.0","id":2,"result":{"content":[]}}}
{"time":"2026-11-30T12:00:05Z","from":"client","text":"no \u001b[31m message"}
{"time":"2026-11-30T12:00:06Z","from":"server","message":{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}}
`

const shownTrace = `    client → server   12:00:00.000  initialize
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}

Session s1

    server → client   12:00:00.012  answer to initialize after 12.3ms
        {"jsonrpc": "2.0", "id": 1, "result": {"big": 9007199254740993}}

    client → server   12:00:01.000  tools/call getPet
        {
          "jsonrpc": "2.0",
          "id": 2,
          "method": "tools/call",
          "params": {"name": "getPet", "arguments": {"petId": 7}}
        }

    server → client   12:00:01.100  elicitation/create
        {"jsonrpc": "2.0", "id": 2, "method": "elicitation/create", "params": {}}

    client → server   12:00:03.100  answer to elicitation/create after 2s
        {"jsonrpc": "2.0", "id": 2, "result": {"action": "accept"}}

    server → client   12:00:04.000  answer to tools/call getPet after 3s
        {"jsonrpc": "2.0", "id": 2, "result": {"content": []}}

No session

    client → server   12:00:05.000  no message
        "no \x1b[31m message"

    server → client   12:00:06.000  answer
        {"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "the message is not JSON"}}

`

func TestTrace(t *testing.T) {
	lines := strings.SplitAfter(traceOfTest, "\n")
	for _, tc := range []struct {
		name, file, args string
		exit             int
		out, errs        string // what is printed; out may be the number of lines
		lines            int
	}{
		{name: "all of it", file: traceOfTest, out: shownTrace, lines: -1},
		{name: "one tool", file: traceOfTest, args: "-tool=getPet -json", lines: 2,
			out: `{"time":"2026-11-30T12:00:04Z","from":"server","session":"s1","method":"tools/call","tool":"getPet","answer":true,"took":3,"message":{"jsonrpc":"2.0","id":2,"result":{"content":[]}}}`},
		{name: "two methods", file: traceOfTest, args: "-method=initialize -method elicitation/create -json", lines: 4, out: `"took":0.0123`},
		{name: "one session", file: traceOfTest, args: "-session=s1 -json", lines: 5, out: "getPet"},
		{name: "nothing of it", file: traceOfTest, args: "-tool=getPets", lines: 0},
		{name: "an empty file", lines: 0},
		{name: "the last line cut off", file: lines[0] + lines[1][:50], args: "-json", lines: 1,
			errs: "FILE:2:1: warning: the last line is cut off: the server was ended while it wrote [cut-line]\n"},
		{name: "no newline at the end", file: lines[0] + strings.TrimSpace(lines[1]), args: "-json", lines: 2},
		{name: "another file", file: "openapi: 3.1.0\ninfo: {}\n", exit: exitInput, lines: 0,
			errs: "FILE:1:1: error: this is no line of a trace [bad-trace]\n\thint: servers write one with -trace FILE\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "trace.jsonl")
			if err := os.WriteFile(file, []byte(tc.file), 0o600); err != nil {
				t.Fatal(err)
			}
			var out, errs bytes.Buffer
			exit := run(t.Context(), append([]string{"trace", file}, strings.Fields(tc.args)...), &out, &errs)
			if got := strings.ReplaceAll(errs.String(), file, "FILE"); exit != tc.exit || got != tc.errs {
				t.Errorf("exit %d, %q, want %d, %q", exit, got, tc.exit, tc.errs)
			}
			switch {
			case tc.lines < 0 && out.String() != tc.out:
				t.Errorf("got\n%swant\n%s", out.String(), tc.out)
			case tc.lines >= 0 && (strings.Count(out.String(), "\n") != tc.lines || !strings.Contains(out.String(), tc.out)):
				t.Errorf("want %d lines with %s, got\n%s", tc.lines, tc.out, out.String())
			}
		})
	}
	var out, errs bytes.Buffer
	if exit := run(t.Context(), []string{"trace"}, &out, &errs); exit != exitUsage || !strings.Contains(errs.String(), "one FILE") {
		t.Errorf("without a file: exit %d, %s", exit, errs.String())
	}
	if exit := run(t.Context(), []string{"trace", filepath.Join(t.TempDir(), "none")}, &out, &errs); exit != exitInput {
		t.Errorf("without that file: exit %d", exit)
	}
}
