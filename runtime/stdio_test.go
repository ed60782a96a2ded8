package runtime

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// Both eras of the protocol, as raw lines against a process.
func TestEras(t *testing.T) {
	t.Run("initialize", func(t *testing.T) {
		for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
			c := start(t, nil)
			answer := c.initialize(version)
			for _, want := range []string{`"protocolVersion":"` + version + `"`, `"capabilities":{"resources":{},"tools":{}}`, `"instructions":"Use echo."`, `"name":"sample"`, `"title":"Sample"`, `"version":"1.2.3"`} {
				if !strings.Contains(answer, want) {
					t.Errorf("%s: initialize lacks %s: %s", version, want, answer)
				}
			}
			checkList(t, c.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`), "")
			r := parse(t, c.ask(callLine(3, "echo", `{"id":9007199254740993}`)))
			if string(r.Result.StructuredContent) != `{"id":9007199254740993}` || r.Result.ResultType != "" {
				t.Errorf("%s: %+v", version, r)
			}
			if code, rest := c.close(); code != 0 || rest != "" {
				t.Errorf("%s: exit %d, rest %q", version, code, rest)
			}
		}
	})
	t.Run("2026-07-28", func(t *testing.T) {
		c := start(t, nil)
		discover := c.ask(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}`)
		for _, want := range []string{`"2026-07-28"`, `"capabilities":{"resources":{},"tools":{}}`, `"ttlMs":3600000`, `"cacheScope":"public"`, `"resultType":"complete"`} {
			if !strings.Contains(discover, want) {
				t.Errorf("discover lacks %s: %s", want, discover)
			}
		}
		checkList(t, c.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+meta+`}}`), "complete")
		for _, tool := range []string{"echo", "echo"} { // the second finds it registered
			line := c.ask(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"id":1},` + meta + `}}`)
			if r := parse(t, line); r.Result.ResultType != "complete" || r.Result.IsError || !strings.Contains(line, "serverInfo") {
				t.Errorf("call: %s", line)
			}
		}
	})
}

// checkList compares tools/list with the registry.
func checkList(t *testing.T, line, resultType string) {
	t.Helper()
	var list struct {
		Result struct {
			Tools []struct {
				Name        string
				InputSchema map[string]any
			}
			TTLMs      int
			CacheScope string
			ResultType string
			NextCursor string
			Meta       map[string]any `json:"_meta"`
		}
	}
	if err := json.Unmarshal([]byte(line), &list); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	r := list.Result
	if r.TTLMs != listTTL || r.CacheScope != "public" || r.ResultType != resultType || r.NextCursor != "" || (r.Meta != nil) != (resultType != "") {
		t.Errorf("list: %s", line)
	}
	var names []string
	for _, tool := range r.Tools {
		names = append(names, tool.Name)
		if tool.InputSchema["type"] != "object" {
			t.Errorf("tool %s has no schema", tool.Name)
		}
	}
	if got, want := strings.Join(names, " "), "array echo fails leaks nothing panics prints promises waits"; got != want {
		t.Errorf("tools: %s, want %s", got, want)
	}
}

// Lines that are no message get an error, and the server goes on.
func TestBrokenLines(t *testing.T) {
	cases := []struct{ name, line, want string }{
		{"not JSON", `not json`, `"id":null,"error":{"code":-32700`},
		{"cut JSON", `{"jsonrpc":"2.0","id":7,`, `"id":null,"error":{"code":-32700`},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}", `"error":{"code":-32700`},
		{"an empty object", `{}`, `"id":null,"error":{"code":-32600`},
		{"a number", `1`, `"id":null,"error":{"code":-32600`},
		{"an empty batch", `[]`, `"error":{"code":-32600`},
		{"a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `"error":{"code":-32600`},
		{"another version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, `"id":7,"error":{"code":-32600`},
		{"a text id", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"id":"a","error":{"code":-32600`},
		{"an id of another type", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `"id":null,"error":{"code":-32600`},
		{"an id that is no integer", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `"id":1.5,"error":{"code":-32600`},
		{"an id that would overflow", `{"jsonrpc":"2.0","id":99999999999999999999,"method":"ping"}`, `"id":99999999999999999999,"error":{"code":-32600`},
		{"an id that would be rounded", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, `"id":9007199254740993,"error":{"code":-32600`},
		{"an id with an empty fraction", `{"jsonrpc":"2.0","id":5.0,"method":"ping"}`, `"id":5,"result"`},
		{"an id with space around it", `{ "id" : 5 , "jsonrpc":"2.0","method":"ping"}`, `"id":5,"result"`},
		{"method of another type", `{"jsonrpc":"2.0","id":7,"method":5}`, `"id":7,"error":{"code":-32600`},
		{"unknown method", `{"jsonrpc":"2.0","id":7,"method":"nope"}`, `"id":7,"error":{"code":-32601`},
		{"unknown tool", callLine(7, "nope", `{}`), `"id":7,"error":{"code":-32602,"message":"unknown tool \"nope\""}`},
		{"a misspelt tool", callLine(7, "ecko", `{}`), `"id":7,"error":{"code":-32602,"message":"unknown tool \"ecko\"; did you mean echo?"}`},
		{"unknown cursor", `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"cursor":"nope"}}`, `"id":7,"error":{"code":-32602`},
		{"a call without params", `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, `"id":7,"error":{"code":-32600`},
		{"a second handshake", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"0"}}}`, `"id":7,"error":{"code":-32600`},
	}
	c := start(t, nil)
	c.initialize("2025-11-25")
	for _, tc := range cases {
		if got := c.ask(tc.line); !strings.Contains(got, tc.want) || strings.Contains(got, "wireDecode") {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
	c.send("", "   ", "\t\r") // blank lines get no answer
	if got := c.ask("\ufeff" + `{"jsonrpc":"2.0","id":8,"method":"ping"}` + "\r"); got != `{"jsonrpc":"2.0","id":8,"result":{}}` {
		t.Errorf("ping with a byte order mark: %s", got)
	}
	if code, rest := c.close(); code != 0 || rest != "" {
		t.Errorf("exit %d, rest %q, log %s", code, rest, c.stderr)
	}
}

func TestBeforeHandshake(t *testing.T) {
	c := start(t, nil)
	if got := c.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); !strings.Contains(got, `"code":-32600`) {
		t.Errorf("tools/list before initialize: %s", got)
	}
}

// A long line is a long argument, and only beyond the limit an error.
func TestLongLines(t *testing.T) {
	c := start(t, nil)
	c.initialize("2025-11-25")
	long := strings.Repeat("x", 5<<20)
	if r := parse(t, c.ask(callLine(1, "echo", `{"id":1,"body":{"data":"`+long+`"}}`))); r.Result.IsError || len(r.Result.Content[0].Text) < len(long) {
		t.Errorf("5 MB argument: %d bytes came back", len(r.Result.Content[0].Text))
	}
}

func TestLineLimit(t *testing.T) {
	in := strings.NewReader("short\n" + strings.Repeat("x", 300<<10) + "\nlast")
	out := new(strings.Builder)
	transport := &lineTransport{in: in, out: out, log: quiet(), limit: 100 << 10}
	conn, err := transport.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if msg, err := conn.Read(t.Context()); err != io.EOF {
		t.Fatalf("got %v, %v, want the end", msg, err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "-32700") || !strings.Contains(lines[1], "-32600") || !strings.Contains(lines[2], "-32700") {
		t.Errorf("answers: %q", lines)
	}
}

// What came in before the input ended is answered: "server < requests" works.
func TestAnswersAfterEOF(t *testing.T) {
	c := start(t, nil)
	c.send(
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"0"}}}`,
		callLine(2, "echo", `{"id":1}`), callLine(3, "array", `{}`), `{"jsonrpc":"2.0","id":4,"method":"ping"}`)
	code, rest := c.close()
	if code != 0 || strings.Count(rest, "\n") != 4 {
		t.Errorf("exit %d, answers:\n%s", code, rest)
	}
}

// A call that never ends does not keep the server from ending.
func TestEndings(t *testing.T) {
	t.Run("input ends during a call", func(t *testing.T) {
		c := start(t, nil)
		c.initialize("2025-11-25")
		c.send(callLine(1, "waits", `{}`))
		if code, _ := c.close(); code != 0 {
			t.Errorf("exit %d: %s", code, c.stderr)
		}
	})
	t.Run("SIGTERM", func(t *testing.T) {
		c := start(t, nil)
		c.initialize("2025-11-25")
		if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(c.stdout); err != nil {
			t.Fatal(err)
		}
		if err := c.cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, c.stderr)
		}
	})
}

// A cancelled call ends at once and has no answer, and progress goes only to who
// asked.
func TestCancelAndProgress(t *testing.T) {
	c := start(t, nil)
	c.initialize("2025-11-25")
	c.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"waits","arguments":{},"_meta":{"progressToken":"p"}}}`)
	if got := c.read(); !strings.Contains(got, `"progressToken":"p"`) || !strings.Contains(got, `"message":"half"`) {
		t.Errorf("progress: %s", got)
	}
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	if got := c.ask(callLine(2, "array", `{}`)); !strings.Contains(got, `"id":2,"result"`) {
		t.Errorf("answer: %s", got)
	}
	if code, rest := c.close(); code != 0 || rest != "" {
		t.Errorf("exit %d, rest %q", code, rest)
	}
}

// TestCallsInFlight has an upstream that answers nobody before 16 calls of one
// session are with it.
func TestCallsInFlight(t *testing.T) {
	const calls = 16
	arrived, release := make(chan struct{}, calls), make(chan struct{})
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	go func() {
		for range calls {
			<-arrived
		}
		close(release)
	}()
	requests, send := io.Pipe()
	receive, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		done <- byRuntime(base).Run(context.Background(), &lineTransport{in: requests, out: answers, log: quiet()})
	}()
	c := &child{t: t, stdin: send, stdout: bufio.NewReader(receive)}
	c.initialize("2025-11-25")
	for i := range calls {
		c.send(callLine(i, "tool", fmt.Sprintf(`{"id":%d}`, i)))
	}
	for range calls {
		if line := c.read(); !strings.Contains(line, "200 OK") || strings.Contains(line, `"isError":true`) {
			t.Error(line)
		}
	}
	send.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Nothing but messages on standard output, whoever writes to it.
func TestStdoutIsClean(t *testing.T) {
	c := start(t, nil)
	c.initialize("2025-11-25")
	if r := parse(t, c.ask(callLine(1, "prints", `{}`))); r.Result.Content[0].Text != "printed" {
		t.Errorf("%+v", r)
	}
	c.close()
	if log := c.stderr.String(); !strings.Contains(log, "not a message") || !strings.Contains(log, "neither") {
		t.Errorf("standard error: %s", log)
	}
}

// The model learns that a tool failed, the log why, and neither the secret.
func TestContained(t *testing.T) {
	c := start(t, []string{"SAMPLE_API_KEY_API_KEY=hunter2-secret"})
	c.initialize("2025-11-25")
	for id, tool := range []string{"panics", "fails", "nothing"} {
		line := c.ask(callLine(id, tool, `{}`))
		if r := parse(t, line); !r.Result.IsError || strings.Contains(line, "10.0.0.1") || strings.Contains(line, "goroutine") {
			t.Errorf("%s: %s", tool, line)
		}
	}
	if got := c.ask(callLine(9, "leaks", `{}`)); !strings.Contains(got, "key is REDACTED") {
		t.Errorf("leaks: %s", got)
	}
	c.close()
	log := c.stderr.String()
	if strings.Contains(log, "hunter2") || !strings.Contains(log, "REDACTED") || !strings.Contains(log, "sample_test.go") {
		t.Errorf("log: %s", log)
	}
}

// A name that a client makes up ends nothing, nor does it fill the log.
func TestHostileNames(t *testing.T) {
	c := start(t, nil)
	c.initialize("2025-11-25")
	for id, uri := range []string{"x://\x00", "x://\u202e", "schema://\x1b[31m", "response://\U000e0041"} {
		line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "resources/read", "params": map[string]string{"uri": uri}})
		if got := c.ask(string(line)); !strings.Contains(got, `"error":{`) {
			t.Errorf("%q: %s", uri, got)
		}
	}
	long := strings.Repeat("\u00e4\"", 50_000)
	for what, line := range map[string]string{
		"tool":   callLine(9, long, `{}`),
		"prompt": fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":"prompts/get","params":{"name":%s}}`, quote(long)),
	} {
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":%s}}`, quote(fmt.Sprintf("unknown %s %q", what, cut(long, maxQuoted))))
		if got := c.ask(line); got != want {
			t.Errorf("%s: %.500s, want %s", what, got, want)
		}
	}
	c.close()
	if log := c.stderr.String(); len(log) > 10_000 {
		t.Errorf("%d bytes of log: %.1000s", len(log), log)
	}
}

func TestResultShapes(t *testing.T) {
	c := start(t, nil)
	c.initialize("2025-11-25")
	for _, tc := range []struct{ tool, text, structured string }{
		{"array", `[1,2]`, `{"result":[1,2]}`},
		{"promises", `plain`, `{"text":"plain"}`},
	} {
		r := parse(t, c.ask(callLine(1, tc.tool, `{}`)))
		if r.Result.Content[0].Text != tc.text || string(r.Result.StructuredContent) != tc.structured {
			t.Errorf("%s: %+v, want %s and %s", tc.tool, r, tc.text, tc.structured)
		}
	}
}
