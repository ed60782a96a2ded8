package runtime

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
)

// converse gives a server on stdio some lines, and returns what it wrote.
func converse(t *testing.T, def Definition, args []string, lines ...string) (stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	p := process{
		args: append([]string{"sample"}, args...), getenv: func(string) string { return "" },
		stdin: strings.NewReader(strings.Join(lines, "\n") + "\n"), stdout: &out, stderr: &log,
	}
	if code := p.run(t.Context(), func(c Config) *Server { return NewServer(c, def) }); code != exitDone {
		t.Fatalf("exit %d: %s", code, log.String())
	}
	return out.String(), log.String()
}

const parentOfTest = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

// apiDef is a server with one tool, getPet, that sends a request to base.
func apiDef(base string) Definition {
	return Definition{
		Name: "pets", Version: "1",
		Upstreams: []Upstream{{URL: base}},
		Tools: []Tool{{Name: "getPet", Handle: func(ctx context.Context, call *Call) (*Result, error) {
			req := call.Request("GET", "/pets/{petId}?full=true")
			req.Path("petId", call.Arg("petId"))
			return call.Do(ctx, req)
		}}},
		Schemas: fstest.MapFS{"tools/getPet.json": {Data: toolFile("getPet", `{"type":"object","properties":{"petId":{"type":"integer"}},"required":["petId"],"additionalProperties":false}`, "")}},
	}
}

func petCall(id int, petID, meta string) string {
	return strings.Replace(callLine(id, "getPet", `{"petId":`+petID+`}`), `"params":{`, `"params":{"_meta":{`+meta+`},`, 1)
}

// TestTraceContext: what a client sends in _meta reaches the upstream, if it can
// stand in a header.
func TestTraceContext(t *testing.T) {
	for _, tc := range []struct {
		name, meta string
		want       map[string]string
	}{
		{"none", ``, nil},
		{"all", `"traceparent":"` + parentOfTest + `","tracestate":"a=1","baggage":"user=ann"`,
			map[string]string{"traceparent": parentOfTest, "tracestate": "a=1", "baggage": "user=ann"}},
		{"baggage alone", `"baggage":"user=ann"`, map[string]string{"baggage": "user=ann"}},
		{"a state without its parent", `"tracestate":"a=1"`, nil},
		{"a parent that is none", `"traceparent":"00-00000000000000000000000000000000-b7ad6b7169203331-01"`, nil},
		{"a parent in capitals", `"traceparent":"` + strings.ToUpper(parentOfTest) + `"`, nil},
		{"no text", `"traceparent":1,"baggage":["a"]`, nil},
		{"a line break", `"baggage":"a=1\r\nX-Evil: 1"`, nil},
		{"too long", `"baggage":"a=` + strings.Repeat("x", 8192) + `"`, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := map[string]string{}
			api := upstream(t, func(w http.ResponseWriter, r *http.Request) {
				for _, name := range []string{"traceparent", "tracestate", "baggage", "X-Evil"} {
					if v := r.Header.Get(name); v != "" {
						got[name] = v
					}
				}
			})
			out, _ := converse(t, apiDef(api), nil, initializeLine, petCall(1, "7", tc.meta))
			if !strings.Contains(out, `200 OK`) || !maps.Equal(got, tc.want) {
				t.Errorf("the API got %q, want %q\n%s", got, tc.want, out)
			}
		})
	}
}

// TestCallLog: each call is in the log with its tool, status and time, failures
// as warnings, and never its arguments.
func TestCallLog(t *testing.T) {
	api := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "4711") {
			http.Error(w, "no such pet", http.StatusNotFound)
		}
	})
	lines := []string{initializeLine, petCall(1, "1", ""), petCall(2, "4711", ""), petCall(3, `"secret-argument"`, ""),
		callLine(4, "getPets", "{}"), `{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":"b"}}}`}
	for _, tc := range []struct {
		level string
		want  []string
	}{
		{"debug", []string{
			"level=DEBUG msg=answered method=initialize status=ok took=",
			"level=DEBUG msg=answered method=tools/call tool=getPet status=ok took=",
			"level=WARN msg=answered method=tools/call tool=getPet status=tool_error took=",
			"level=WARN msg=answered method=tools/call tool=getPets status=-32602 took=",
			"level=DEBUG msg=answered method=completion/complete status=-32601 took=",
		}},
		{"warn", []string{
			"level=WARN msg=answered method=tools/call tool=getPet status=tool_error took=",
			"level=WARN msg=answered method=tools/call tool=getPets status=-32602 took=",
		}},
	} {
		_, log := converse(t, apiDef(api), []string{"-log-level", tc.level}, lines...)
		for _, want := range tc.want {
			if !strings.Contains(log, want) {
				t.Errorf("%s: no %s in\n%s", tc.level, want, log)
			}
		}
		if strings.Contains(log, "secret-argument") || strings.Contains(log, "no such pet") {
			t.Errorf("%s: arguments or results are in the log:\n%s", tc.level, log)
		}
		if tc.level == "warn" && strings.Count(log, "\n") != 3 {
			t.Errorf("more than the three failures:\n%s", log)
		}
	}
	_, log := converse(t, apiDef(api), []string{"-log-level=debug", "-log-format=json"}, lines...)
	if !strings.Contains(log, `"msg":"answered","method":"tools/call","tool":"getPet","status":"ok","took":`) {
		t.Errorf("no JSON:\n%s", log)
	}
}

// seer is an observer that writes down what it hears.
type seer struct {
	mu    sync.Mutex
	heard []string
	fail  error
}

func (s *seer) note(parts ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, strings.Join(parts, " "))
}

func (s *seer) Received(ctx context.Context, m Received) (context.Context, func(string)) {
	s.note("received", m.Method, m.Tool, m.Version, m.Context["traceparent"])
	return ctx, func(failure string) { s.note("answered", m.Method, failure) }
}

func (s *seer) Sending(r Sending) func(*http.Response, error) {
	r.Request.Header.Set("traceparent", "of the observer")
	s.note("sending", r.Template, strings.TrimPrefix(r.URL, "http://"+r.Request.URL.Host))
	return func(resp *http.Response, err error) { s.note("got", resp.Status) }
}

func (s *seer) Close(context.Context) error {
	s.note("close")
	return s.fail
}

func TestObserver(t *testing.T) {
	var got string
	api := upstream(t, func(_ http.ResponseWriter, r *http.Request) { got = r.Header.Get("traceparent") })
	def := apiDef(api)
	s := &seer{fail: errors.New("no collector")}
	def.Observe = func(name, version string, log *slog.Logger) (Observer, error) {
		s.note("observe", name, version)
		return s, nil
	}
	_, log := converse(t, def, nil, initializeLine, petCall(1, "7", `"traceparent":"`+parentOfTest+`"`))
	heard := s.heard
	want := []string{"observe pets 1", "received initialize   ", "answered initialize ",
		"received tools/call getPet 2025-11-25 " + parentOfTest, "sending /pets/{petId} /pets/7", "got 200 OK", "answered tools/call ", "close"}
	if !slices.Equal(heard, want) {
		t.Errorf("heard %q\nwant  %q", heard, want)
	}
	if got != "of the observer" || !strings.Contains(log, "no collector") {
		t.Errorf("the API got %q; log: %s", got, log)
	}
	s.heard = nil
	inner := `{"name":"getPet","arguments":{"petId":7}}`
	converse(t, def, []string{"-tools=search"}, initializeLine, callLine(1, "call_tool", inner), callLine(2, "made_up", "{}"), callLine(3, "search_tools", `{"query":"pet"}`))
	for _, want := range []string{"received tools/call getPet 2025-11-25 ", "received tools/call  2025-11-25 ", "received tools/call search_tools 2025-11-25 "} {
		if !slices.Contains(s.heard, want) {
			t.Errorf("heard no %q: %q", want, s.heard)
		}
	}
	def.Observe = func(string, string, *slog.Logger) (Observer, error) { return nil, errors.New("grpc is not spoken") }
	if out, log := converse(t, def, nil, initializeLine, petCall(1, "7", "")); !strings.Contains(out, "200 OK") || !strings.Contains(log, "grpc is not spoken") {
		t.Errorf("without telemetry: %s, %s", out, log)
	}
}
