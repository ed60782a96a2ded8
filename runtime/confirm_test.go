package runtime

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// asking is what a client of 2026-07-28 sends that can ask its user.
var asking = strings.Replace(meta, `clientCapabilities":{}`, `clientCapabilities":{"elicitation":{}}`, 1)

// asked is a result that asks.
type asked struct {
	Result struct {
		ResultType    string
		RequestState  string
		Content       []struct{ Text string }
		IsError       bool
		InputRequests map[string]struct {
			Method string
			Params struct {
				Mode, Message   string
				RequestedSchema json.RawMessage
			}
		}
	}
}

// modernCall calls a tool, with an answer to a question if state is not empty.
func (s *serving) modernCall(tool, arguments, state, action string) asked {
	s.t.Helper()
	answer := ""
	if state != "" {
		answer = fmt.Sprintf(`"requestState":%q,"inputResponses":{"confirm":{"action":%q,"content":{}}},`, state, action)
	}
	line := s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,%s%s}}`, tool, arguments, answer, asking))
	var a asked
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		s.t.Fatalf("%v in %s", err, line)
	}
	return a
}

// Clients since 2026-07-28 get the question as a result, and call again.
func TestConfirmModern(t *testing.T) {
	s := serve(t, Config{Confirm: ConfirmDestructive}, zoo(), 0)
	if a := s.modernCall("addPet", `{"id":1}`, "", ""); a.Result.ResultType != "complete" || a.Result.IsError {
		t.Errorf("not destructive: %+v", a)
	}
	a := s.modernCall("deletePet", `{"id":1}`, "", "")
	q := a.Result.InputRequests[answerKey]
	if a.Result.ResultType != "input_required" || q.Method != "elicitation/create" || q.Params.Mode != "form" ||
		q.Params.Message != "May deletePet be called with these arguments?\nid: 1" || string(q.Params.RequestedSchema) != `{"type":"object","properties":{}}` {
		t.Fatalf("%+v", a)
	}
	again := func(what, tool, arguments, state string) {
		t.Helper()
		if a := s.modernCall(tool, arguments, state, "accept"); a.Result.ResultType != "input_required" || a.Result.RequestState == state {
			t.Errorf("%s: %+v", what, a)
		}
	}
	again("other arguments", "deletePet", `{"id":2}`, a.Result.RequestState)
	again("the same number, written otherwise", "deletePet", `{"id":1.0}`, a.Result.RequestState)
	again("another tool", "bare", `{"id":1}`, a.Result.RequestState)
	again("a state that is not ours", "deletePet", `{"id":1}`, "x"+a.Result.RequestState[1:])
	again("no state", "deletePet", `{"id":1}`, "AAAA")
	if done := s.modernCall("deletePet", ` { "id" : 1 } `, a.Result.RequestState, "accept"); done.Result.ResultType != "complete" || done.Result.Content[0].Text != `{"id":1}` {
		t.Errorf("accepted: %+v", done)
	}
	again("an answer that was used", "deletePet", `{"id":1}`, a.Result.RequestState)
	for action, want := range map[string]string{"decline": "the user declined", "cancel": "the user dismissed the question"} {
		a := s.modernCall("deletePet", `{"id":1}`, "", "")
		if a = s.modernCall("deletePet", `{"id":1}`, a.Result.RequestState, action); !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, "deletePet was not called: "+want) {
			t.Errorf("%s: %+v", action, a)
		}
	}
	line := s.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deletePet","arguments":{"id":1},` + meta + `}}`)
	if r := parse(t, line); !r.Result.IsError || !strings.Contains(r.Result.Content[0].Text, "this client cannot ask them") {
		t.Errorf("a client that cannot ask: %s", line)
	}
}

// Servers that share a key take the answers to each other's questions; others do
// not.
func TestConfirmKey(t *testing.T) {
	config := Config{Confirm: ConfirmAll, ConfirmKey: "0123456789abcdef"}
	one, two, stranger := serve(t, config, zoo(), 0), serve(t, config, zoo(), 0), serve(t, Config{Confirm: ConfirmAll}, zoo(), 0)
	a := one.modernCall("getPet", `{"id":1}`, "", "")
	if done := two.modernCall("getPet", `{"id":1}`, a.Result.RequestState, "accept"); done.Result.ResultType != "complete" {
		t.Errorf("%+v", done)
	}
	if done := stranger.modernCall("getPet", `{"id":1}`, a.Result.RequestState, "accept"); done.Result.ResultType != "input_required" {
		t.Errorf("%+v", done)
	}
}

// Clients with a handshake are asked in the course of the call.
func TestConfirmSession(t *testing.T) {
	for _, tc := range []struct{ name, capability, answer, want string }{
		{"accepted", `"elicitation":{}`, `"result":{"action":"accept","content":{}}`, `{"id":1}`},
		{"forms", `"elicitation":{"form":{},"url":{}}`, `"result":{"action":"accept"}`, `{"id":1}`},
		{"declined", `"elicitation":{}`, `"result":{"action":"decline"}`, "deletePet was not called: the user declined"},
		{"an error", `"elicitation":{}`, `"error":{"code":-32603,"message":"broken"}`, "the client brought no answer"},
		{"cannot ask", ``, ``, "this client cannot ask them"},
		{"URLs alone", `"elicitation":{"url":{}}`, ``, "this client cannot ask them"},
	} {
		s := serve(t, Config{Confirm: ConfirmWrite}, zoo(), 0)
		s.ask(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{` + tc.capability + `},"clientInfo":{"name":"test","version":"0"}}}`)
		s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		line := s.ask(callLine(1, "deletePet", `{"id":1}`))
		if tc.answer != "" {
			var request struct {
				ID     json.RawMessage
				Method string
				Params struct{ Message string }
			}
			if err := json.Unmarshal([]byte(line), &request); err != nil || request.Method != "elicitation/create" || !strings.Contains(request.Params.Message, "id: 1") {
				t.Fatalf("%s: %v, %s", tc.name, err, line)
			}
			line = s.ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, request.ID, tc.answer))
		}
		if r := parse(t, line); len(r.Result.Content) == 0 || !strings.Contains(r.Result.Content[0].Text, tc.want) || r.Result.IsError != strings.Contains(tc.want, " ") {
			t.Errorf("%s: %s", tc.name, line)
		}
	}
}

func TestMustAsk(t *testing.T) {
	def := zoo()
	for i := range def.Tools {
		def.Tools[i].Confirm = def.Tools[i].Name == "getPet"
	}
	for kind, want := range map[Confirm]string{
		ConfirmMarked:      "getPet",
		ConfirmDestructive: "bare deletePet getPet", // no hint is no promise
		ConfirmWrite:       "addPet bare deletePet getPet",
		ConfirmAll:         "addPet bare deletePet getOrder getPet",
		ConfirmNone:        "",
	} {
		s := NewServer(Config{Confirm: kind, Log: quiet()}, def)
		if _, err := s.start(); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range s.tools.sorted {
			if s.mustAsk(tool) {
				names = append(names, tool.Name)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %s, want %s", kind, got, want)
		}
	}
}

// A question shows what will be sent, no secret, and nothing that hides.
func TestQuestion(t *testing.T) {
	def := zoo()
	def.Auth = []Auth{{Name: "key", Kind: APIKey}}
	s := NewServer(Config{Log: quiet(), Credentials: map[string]Credential{"key": {Key: "hunter2-secret"}}}, def)
	many := map[string]json.RawMessage{}
	for i := range shownArgs + 3 {
		many[fmt.Sprintf("a%02d", i)] = json.RawMessage("1")
	}
	for _, tc := range []struct {
		name string
		args map[string]json.RawMessage
		want string
	}{
		{"none", nil, "May t be called? It has no arguments."},
		{"sorted, compact", map[string]json.RawMessage{"b": json.RawMessage(`[ 1, "x y" ]`), "a": json.RawMessage(`"q\"r"`)}, "May t be called with these arguments?\na: \"q\\\"r\"\nb: [1,\"x y\"]"},
		{"secret", map[string]json.RawMessage{"a": json.RawMessage(`"hunter2-secret"`)}, "May t be called with these arguments?\na: \"REDACTED\""},
		{"secret for a name", map[string]json.RawMessage{"hunter2-secret": json.RawMessage(`1`)}, "May t be called with these arguments?\nREDACTED: 1"},
		{"hidden", map[string]json.RawMessage{"a": json.RawMessage("\"\u202ex\u200b\"")}, "May t be called with these arguments?\na: \"\\u202ex\\u200b\""},
		{"long", map[string]json.RawMessage{"a": quote(strings.Repeat("x", 600)), "z": json.RawMessage("true")},
			"May t be called with these arguments?\na: \"" + strings.Repeat("x", 496) + "… (the beginning of 602 bytes)\nz: true"},
	} {
		if got := s.question(&Call{server: s, tool: &tool{Tool: Tool{Name: "t"}}, args: tc.args}); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	if got := s.question(&Call{server: s, tool: &tool{Tool: Tool{Name: "t"}}, args: many}); !strings.HasSuffix(got, "\na39: 1\n… and 3 more") {
		t.Error(got)
	}
}

// In search mode the question is about the tool behind call_tool.
func TestConfirmSearch(t *testing.T) {
	s := serve(t, Config{Confirm: ConfirmAll, Tools: SearchTools}, zoo(), 0)
	if a := s.modernCall("search_tools", `{"query":"pet"}`, "", ""); a.Result.ResultType != "complete" || a.Result.IsError {
		t.Errorf("%+v", a)
	}
	inner := `{"name":"deletePet","arguments":{"id":1}}`
	a := s.modernCall("call_tool", inner, "", "")
	if a.Result.InputRequests[answerKey].Params.Message != "May deletePet be called with these arguments?\nid: 1" {
		t.Fatalf("%+v", a)
	}
	if done := s.modernCall("call_tool", inner, a.Result.RequestState, "accept"); done.Result.ResultType != "complete" || done.Result.Content[0].Text != `{"id":1}` {
		t.Errorf("%+v", done)
	}
}

// Over HTTP both eras can ask; a client without a session before 2026-07-28 cannot
// be asked.
func TestConfirmHTTP(t *testing.T) {
	started, ended, release := make(chan string, 1), make(chan string, 1), make(chan struct{})
	close(release)
	s := listenHTTP(t, Config{Confirm: ConfirmAll}, waiting(started, ended, release))
	call := func(answer string) asked {
		t.Helper()
		body := modernBody("tools/call", `"name":"tool","arguments":{"id":1}`+answer)
		body = strings.Replace(body, `clientCapabilities":{}`, `clientCapabilities":{"elicitation":{}}`, 1)
		reply := s.send("POST", body, modern("tools/call", "Mcp-Name: tool")...)
		var a asked
		if err := json.Unmarshal([]byte(reply.body), &a); err != nil {
			t.Fatalf("%v in %+v", err, reply)
		}
		return a
	}
	a := call("")
	if a.Result.ResultType != "input_required" || a.Result.RequestState == "" {
		t.Fatalf("%+v", a)
	}
	a = call(fmt.Sprintf(`,"requestState":%q,"inputResponses":{"confirm":{"action":"accept"}}`, a.Result.RequestState))
	if a.Result.ResultType != "complete" || <-ended != "1 done" {
		t.Errorf("%+v", a)
	}
	<-started
	session := s.openWith(`{"elicitation":{}}`)
	question := <-s.begin(t.Context(), callLine(7, "tool", `{"id":2}`), session...)
	var request struct{ ID json.RawMessage }
	if err := json.Unmarshal([]byte(question), &request); err != nil || !strings.Contains(question, "elicitation/create") {
		t.Fatalf("%v in %s", err, question)
	}
	s.send("POST", fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept"}}`, request.ID), session...)
	if got := <-ended; got != "2 done" {
		t.Error(got)
	}
	<-started
	stateless := listenHTTP(t, Config{Confirm: ConfirmAll}, zoo(), "-stateless")
	if reply := stateless.send("POST", callLine(1, "getPet", `{"id":1}`)); !strings.Contains(reply.body, "this client cannot ask them") {
		t.Errorf("%+v", reply)
	}
}
