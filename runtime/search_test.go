package runtime

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// listed returns the names in a tools/list answer.
func listed(t *testing.T, line string) string {
	t.Helper()
	var answer struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	var names []string
	for _, tool := range answer.Result.Tools {
		names = append(names, tool.Name)
	}
	return strings.Join(names, " ")
}

const listLine = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// What tools/list shows under each mode, in the real process.
func TestToolsModes(t *testing.T) {
	const all = "array echo fails leaks nothing panics prints promises waits"
	for _, tc := range []struct {
		name string
		args []string
		want string
	}{
		{"default", nil, all},
		{"all", []string{"-tools=all", "-pin=echo"}, all},
		{"search", []string{"-tools=search"}, "search_tools describe_tools call_tool"},
		{"pinned", []string{"-tools=search", "-pin=waits", "-pin=echo"}, "search_tools describe_tools call_tool echo waits"},
		{"auto within budget", []string{"-tools=auto"}, all},
		{"auto over budget", []string{"-tools=auto", "-tools-budget=10"}, "search_tools describe_tools call_tool"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := start(t, nil, tc.args...)
			c.initialize("2025-11-25")
			if got := listed(t, c.ask(listLine)); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
			if code, rest := c.close(); code != exitDone || rest != "" {
				t.Errorf("exit %d, %q", code, rest)
			}
		})
	}
}

// Pinned tools are in the list: they are not counted among those that are not.
func TestUnlisted(t *testing.T) {
	list, err := inMemory(t, NewServer(Config{Tools: SearchTools, Pinned: []string{"getPet", "listPets", "getPet"}, Log: quiet()}, shop())).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := list.Tools[0].Description; !strings.Contains(text, "does not list 2 of its tools") {
		t.Error(text)
	}
}

// The budget counts what is listed, with what the flags add to it.
func TestToolsBudget(t *testing.T) {
	listing := func(config Config) (tools, bytes int) {
		config.Log = quiet()
		list, err := inMemory(t, NewServer(config, shop())).ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Tools {
			text, err := json.Marshal(tool)
			if err != nil {
				t.Fatal(err)
			}
			bytes += len(text)
		}
		return len(list.Tools), bytes
	}
	for _, config := range []Config{{}, {Select: true}, {Paginate: true}, {Select: true, Paginate: true}} {
		_, bytes := listing(config)
		for budget, want := range map[int]int{tokensIn(bytes) * 9 / 10: 3, tokensIn(bytes) * 11 / 10: 4} {
			config.Tools, config.ToolsBudget = AutoTools, budget
			if got, _ := listing(config); got != want {
				t.Errorf("%t, %t: %d tools within %d tokens, want %d", config.Select, config.Paginate, got, budget, want)
			}
		}
	}
}

func TestToolsModeRefused(t *testing.T) {
	clash := oneTool("")
	clash.Tools[0].Name, clash.Tools[0].File = "call_tool", "tool.json"
	for _, tc := range []struct {
		name string
		def  Definition
		args []string
		code int
		want string
	}{
		{"unknown mode", sample(), []string{"-tools=some"}, exitUsage, "error: -tools some: there are all, search and auto (-h lists the flags)\n"},
		{"negative budget", sample(), []string{"-tools-budget=-1"}, exitUsage, "error: -tools-budget must not be negative (-h lists the flags)\n"},
		{"unknown pin", sample(), []string{"-pin=ecko"}, exitError, "error: -pin ecko: there is no tool of that name; did you mean echo?\n"},
		{"a name that is taken", clash, []string{"-tools=search"}, exitError, "error: -tools search: the API has a tool called call_tool itself; give that another name (x-mcp.name)\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if code, _, _, stderr := command(t, tc.def, nil, tc.args...); code != tc.code || !strings.HasSuffix(stderr, tc.want) {
				t.Errorf("exit %d, %q", code, stderr)
			}
		})
	}
}

// A call through call_tool is the call itself: the same answer in every case.
func TestCallTool(t *testing.T) {
	c := start(t, []string{"SAMPLE_API_KEY_API_KEY=hunter2-secret"}, "-tools=search")
	c.initialize("2025-11-25")
	same := func(answer string) string { _, rest, _ := strings.Cut(answer, `"result":`); return rest }
	for _, tc := range []struct{ name, tool, arguments string }{
		{"a value", "echo", `{"id":7}`},
		{"exact numbers", "echo", `{"id":12345678901234567890,"body":{"b":1.10}}`},
		{"repaired", "echo", `{"id":"7","on":"true"}`},
		{"refused", "echo", `{"idd":7}`},
		{"an array", "array", `{}`},
		{"a secret", "leaks", `{}`},
		{"a panic", "panics", `{}`},
		{"an error", "fails", `{}`},
		{"an output schema", "promises", `{}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			direct := c.ask(callLine(1, tc.tool, tc.arguments))
			through := c.ask(callLine(1, "call_tool", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tc.tool, tc.arguments)))
			if direct != through || same(direct) == "" {
				t.Errorf("direct %s\nthrough %s", direct, through)
			}
		})
	}
	for _, tc := range []struct{ name, arguments, want string }{
		{"no arguments", `{"name":"array"}`, `[1,2]`},
		{"arguments in a string", `{"name":"echo","arguments":"{\"id\":7}"}`, `{"id":7}`},
		{"all in a string", `"{\"name\":\"echo\",\"arguments\":{\"id\":7}}"`, `{"id":7}`},
		{"no name", `{}`, "name: required argument is missing"},
		{"name of another type", `{"name":["echo"]}`, "name: must be a string"},
		{"misspelt", `{"name":"ecko"}`, `name: there is no tool "ecko"; did you mean echo? (search_tools finds tools by what they do)`},
		{"itself", `{"name":"call_tool","arguments":{"name":"echo"}}`, `name: there is no tool "call_tool"`},
		{"arguments beside the name", `{"name":"echo","id":7}`, "id: unknown argument"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := parse(t, c.ask(callLine(1, "call_tool", tc.arguments)))
			if len(got.Result.Content) == 0 || !strings.Contains(got.Result.Content[0].Text, tc.want) {
				t.Errorf("%+v, want %s", got, tc.want)
			}
		})
	}
	for name, want := range map[string]string{"ecko": "echo", "cal_tool": "call_tool"} {
		if got := c.ask(callLine(1, name, `{}`)); !strings.Contains(got, `"error":{"code":-32602,"message":"unknown tool \"`+name+`\"; did you mean `+want+`?"}`) {
			t.Errorf("an unknown tool by its own name: %s", got)
		}
	}
}

// The log names the tool behind call_tool, and a call of nothing ends nothing.
func TestCallToolObserved(t *testing.T) {
	c := start(t, nil, "-tools=search", "-log-level=debug")
	c.initialize("2025-11-25")
	c.ask(callLine(1, "call_tool", `{"name":"echo","arguments":{"id":7}}`))
	if got := parse(t, c.ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call"}`)); got.Error == nil {
		t.Errorf("no params: %+v", got)
	}
	if code, _ := c.close(); code != exitDone || !strings.Contains(c.stderr.String(), "method=tools/call tool=echo") {
		t.Errorf("exit %d, %s", code, c.stderr)
	}
}

// shop is an API with tools to find; getPet has parts that its list hides.
func shop() Definition {
	files := fstest.MapFS{}
	def := Definition{Name: "shop", Title: "Shop", Upstreams: []Upstream{{URL: "https://api.test"}}, Schemas: files}
	add := func(name, request, title, description, schema string, readOnly, destructive bool) {
		files["tools/"+name+".json"] = &fstest.MapFile{Data: fmt.Appendf(nil,
			`{"name":%q,"title":%q,"description":%q,"inputSchema":%s,"annotations":{"readOnlyHint":%t,"destructiveHint":%t}}`,
			name, title, title+"\n\n"+description, schema, readOnly, destructive)}
		def.Tools = append(def.Tools, Tool{Name: name, Request: request, Handle: echo})
	}
	add("getPet", "GET /pets/{id}", "Get a pet", "Returns one pet by its id.", `{"type":"object","properties":{"id":{"type":"integer","description":"cut"}},"required":["id"]}`, true, false)
	files["tools/full/getPet.json"] = &fstest.MapFile{Data: []byte(`{"type":"object","properties":{"id":{"type":"integer","minimum":1}},"required":["id"]}`)}
	add("listPets", "GET /pets", "List pets", "All pets of the shop.", `{"type":"object","properties":{"limit":{"type":"integer"},"offset":{"type":"integer"}}}`, true, false)
	add("deletePet", "DELETE /pets/{id}", "Delete a pet", "It cannot be undone.", `{"type":"object","properties":{"id":{"type":"integer"},"force":{"type":"boolean"}},"required":["id"]}`, false, true)
	add("placeOrder", "POST /store/order", "Place an order", "Buys a pet.", `{"type":"object","properties":{"body":{"type":"object"}}}`, false, false)
	return def
}

// inMemory runs a server and returns a client of it.
func inMemory(t *testing.T, s *Server) *mcp.ClientSession {
	t.Helper()
	client, server := mcp.NewInMemoryTransports()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(t.Context(), server) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil).Connect(t.Context(), client, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close(); <-ended })
	return session
}

// ask calls a tool and returns its text.
func ask(t *testing.T, session *mcp.ClientSession, tool, arguments string) (text string, failed bool) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, content := range result.Content {
		if text, ok := content.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n"), result.IsError
}

func TestSearchTools(t *testing.T) {
	s := NewServer(Config{Tools: SearchTools, Log: quiet()}, shop())
	s.Disable("listPets")
	session := inMemory(t, s)
	for _, tc := range []struct {
		name, arguments, want string
		failed                bool
	}{
		{"by title", `{"query":"get a pet","limit":1}`, `[{"name":"getPet","description":"Get a pet: Returns one pet by its id.","arguments":"id","hints":"read-only"}]`, false},
		{"by other words", `{"query":"remove pets","limit":1}`, `[{"name":"deletePet","description":"Delete a pet: It cannot be undone.","arguments":"id, force?","hints":"destructive"}]`, false},
		{"by name", `{"query":"placeOrder"}`, `[{"name":"placeOrder","description":"Place an order: Buys a pet.","arguments":"body?"}]`, false},
		{"by path", `{"query":"/store"}`, `[{"name":"placeOrder","description":"Place an order: Buys a pet.","arguments":"body?"}]`, false},
		{"misspelt", `{"query":"ordre"}`, `[{"name":"placeOrder","description":"Place an order: Buys a pet.","arguments":"body?"}]`, false},
		{"nothing", `{"query":"weather"}`, "[]\nNote: no tool matches. Say in other words what is to be done, and to what: \"delete a label\".", false},
		{"no words", `{"query":"of the"}`, "[]\nNote: no tool matches. Say in other words what is to be done, and to what: \"delete a label\".", false},
		{"no query", `{}`, "search_tools was not called, because its arguments do not fit:\n- query: required argument is missing (a string; What the tool should do, in plain words.)", true},
		{"too many", `{"query":"pet","limit":99}`, "search_tools was not called, because its arguments do not fit:\n- limit: must be at most 50, got 99", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if text, failed := ask(t, session, "search_tools", tc.arguments); text != tc.want || failed != tc.failed {
				t.Errorf("got %s (%t), want %s", text, failed, tc.want)
			}
		})
	}
	if text, failed := ask(t, session, "call_tool", `{"name":"listPets"}`); !failed || !strings.Contains(text, "there is no tool") {
		t.Errorf("a disabled tool: %s", text)
	}
	s.Enable("listPets")
	if text, _ := ask(t, session, "search_tools", `{"query":"list pets","limit":1}`); !strings.Contains(text, "listPets") {
		t.Errorf("an enabled tool is not found: %s", text)
	}
}

// A query that says too little is told so, with what there is.
func TestSearchVague(t *testing.T) {
	def := shop()
	for i, group := range []string{"pets", "pets", "pets", "store orders"} {
		def.Tools[i].Group = group
	}
	const vague = "so vague a query fits %d tools, and these are not better than the others. Say also to what it is to be done: \"delete a label\". There are tools for: pets, store orders."
	s := NewServer(Config{Tools: SearchTools, Log: quiet()}, def)
	session := inMemory(t, s)
	for _, tc := range []struct{ name, arguments, want string }{
		{"what is done", `{"query":"List","limit":1}`, fmt.Sprintf(vague, 2)},
		{"and small words", `{"query":"Get the","limit":1}`, fmt.Sprintf(vague, 2)},
		{"all that fit", `{"query":"list","limit":2}`, ""},
		{"to what", `{"query":"pet","limit":1}`, ""},
		{"both", `{"query":"get pets","limit":1}`, ""},
		{"small words", `{"query":"an"}`, "no tool matches. Say in other words what is to be done, and to what: \"delete a label\". There are tools for: pets, store orders."},
		{"nothing", `{"query":"weather"}`, "There are tools for: pets, store orders."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			text, _ := ask(t, session, "search_tools", tc.arguments)
			_, note, _ := strings.Cut(text, "\nNote: ")
			if !strings.HasSuffix(note, tc.want) || tc.want == "" && note != "" {
				t.Errorf("got %s, want %s", text, tc.want)
			}
		})
	}
	s.Disable("placeOrder")
	if text, _ := ask(t, session, "search_tools", `{"query":"an"}`); !strings.HasSuffix(text, "There are tools for: pets.") {
		t.Error(text)
	}
}

// A tool of one word is not vague to ask for.
func TestVagueTitle(t *testing.T) {
	ix, err := newIndex([]*tool{{Tool: Tool{Name: "a"}, inline: json.RawMessage(`{"name":"search","title":"Search"}`)}})
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]bool{"search": false, "search all": false, "list": true, "": true, "label": false} {
		if got := ix.vague(query); got != want {
			t.Errorf("%s: %t", query, got)
		}
	}
}

func TestDescribeTools(t *testing.T) {
	session := inMemory(t, NewServer(Config{Tools: SearchTools, Log: quiet()}, shop()))
	const getPet = `{"name":"getPet","title":"Get a pet","description":"Get a pet\n\nReturns one pet by its id.","inputSchema":{"type":"object","properties":{"id":{"type":"integer","minimum":1}},"required":["id"]},"annotations":{"readOnlyHint":true,"destructiveHint":false}}`
	for _, tc := range []struct {
		name, arguments, want string
		failed                bool
	}{
		{"the whole schema", `{"names":["getPet"]}`, "[" + getPet + "]", false},
		{"one is unknown", `{"names":["getPets","getPet"]}`, "[" + getPet + "]\nNote: there is no tool \"getPets\"; did you mean getPet? (search_tools finds tools by what they do).", false},
		{"all are unknown", `{"names":["buy"]}`, "describe_tools was not called, because its arguments do not fit:\n- there is no tool \"buy\"; did you mean placeOrder? (search_tools finds tools by what they do)", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if text, failed := ask(t, session, "describe_tools", tc.arguments); text != tc.want || failed != tc.failed {
				t.Errorf("got %s (%t), want %s", text, failed, tc.want)
			}
		})
	}
}

// The scopes that a token needs are those of the tool behind call_tool.
func TestCallToolScopes(t *testing.T) {
	a := newAuthorityServer(t, "/.well-known/oauth-authorization-server")
	const audience = "https://mcp.example.com/mcp"
	s := listenHTTP(t, Config{Tools: SearchTools}, scoped(), "-auth-issuer="+a.URL, "-auth-audience="+audience)
	for _, tc := range []struct {
		name, arguments string
		status          int
	}{
		{"a tool that needs none", `{"name":"array"}`, 200},
		{"a tool that needs more", `{"name":"echo","arguments":{"id":7}}`, 403},
		{"in a string", `"{\"name\":\"echo\",\"arguments\":{\"id\":7}}"`, 403},
		{"named twice", `{"name":"array","name":"echo","arguments":{"id":7}}`, 403},
		{"named twice, the other way", `{"name":"echo","name":"array"}`, 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			token := "Authorization: Bearer " + a.sign(t, "ES256", a.claims(audience, nil))
			got := s.modernCall("call_tool", tc.arguments, token)
			if got.status != tc.status {
				t.Errorf("%+v", got)
			}
			if strings.Contains(got.body, `{\"id\":7}`) {
				t.Errorf("echo was called: %s", got.body)
			}
		})
	}
}

func TestWords(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"listForUser", "list user"},
		{"repos_get-HTTPStatus", "repo get http status"},
		{"Delete deleting deleted deletion", "delet delet delet delet"},
		{"created creating creation", "creat creat creat"},
		{"policies classes boxes statuses access", "polici class box status access"},
		{"PRs and IDs of Dependabot's repos", "pull request id dependabot repo"},
		{"turn off e-mail", "disabl email"},
		{"running runs planned", "run run plan"},
		{"action comment station", "action comment station"},
		{"", ""},
		{"Größe_ändern", "größ ändern"},
	} {
		if got := strings.Join(words(tc.text), " "); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.text, got, tc.want)
		}
	}
}

// Whatever a document or a model says, searching neither panics nor depends on
// the order of maps.
func FuzzSearch(f *testing.F) {
	for _, seed := range [][2]string{{"getPet", "get a pet"}, {"listHTTPServers2", "turn off PRs"}, {"", "'’s"}, {"IDs", "it's"}, {"Ünïcode", "\xff"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, title, query string) {
		object, err := json.Marshal(map[string]any{"name": "a", "title": title, "description": query, "inputSchema": map[string]any{"properties": map[string]any{query: true}}})
		if err != nil {
			t.Fatal(err)
		}
		ix, err := newIndex([]*tool{{Tool: Tool{Name: "a"}, inline: object}, {Tool: Tool{Name: "b"}, inline: json.RawMessage(`{"name":"b"}`)}})
		if err != nil {
			t.Fatal(err)
		}
		first := len(ix.search(query))
		if again := len(ix.search(query)); again != first {
			t.Errorf("%d tools, then %d", first, again)
		}
	})
}

// People are asked about the tool behind call_tool, with its arguments, and the
// tools that the operator left out do not exist there either.
func TestCallToolRules(t *testing.T) {
	s := serve(t, Config{Tools: SearchTools, Confirm: ConfirmDestructive}, zoo(), 0)
	const arguments = `{"name":"deletePet","arguments":{"id":1}}`
	a := s.modernCall("call_tool", arguments, "", "")
	if q := a.Result.InputRequests[answerKey]; q.Params.Message != "May deletePet be called with these arguments?\nid: 1" {
		t.Fatalf("%+v", a)
	}
	if other := s.modernCall("call_tool", `{"name":"deletePet","arguments":{"id":2}}`, a.Result.RequestState, "accept"); other.Result.ResultType != "input_required" {
		t.Errorf("the answer is good for other arguments: %+v", other)
	}
	if done := s.modernCall("call_tool", arguments, a.Result.RequestState, "accept"); done.Result.ResultType != "complete" || done.Result.Content[0].Text != `{"id":1}` {
		t.Errorf("accepted: %+v", done)
	}
	s = serve(t, Config{Tools: SearchTools, Offer: Offer{Operation: "read"}}, zoo(), 0)
	if a := s.modernCall("call_tool", arguments, "", ""); !a.Result.IsError || !strings.Contains(a.Result.Content[0].Text, `there is no tool "deletePet"`) {
		t.Errorf("a tool that was left out: %+v", a)
	}
	if a := s.modernCall("search_tools", `{"query":"delete pet"}`, "", ""); strings.Contains(a.Result.Content[0].Text, "deletePet") {
		t.Errorf("a tool that was left out is found: %+v", a)
	}
}

// What a search tells of a tool does not repeat its title.
func TestToldText(t *testing.T) {
	for _, tc := range []struct{ name, title, description, want string }{
		{"title above", "Get a pet", "Get a pet\n\nReturns one.", "Get a pet: Returns one."},
		{"a full stop behind the title", "Get a pet", "Get a pet.\n\nReturns one.", "Get a pet: Returns one."},
		{"title with a full stop", "Get a pet.", "Get a pet.\n\nReturns one.", "Get a pet: Returns one."},
		{"title alone", "Get a pet", "Get a pet", "Get a pet"},
		{"title begins another word", "Get a pet", "Get a petition.", "Get a pet: Get a petition."},
		{"no title", "", "Gets a pet.\n\nOne.", "Gets a pet."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := entry{tool: &tool{}, title: tc.title, description: tc.description}
			if got := e.found().Description; got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
