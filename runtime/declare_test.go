package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestComplete(t *testing.T) {
	var many []string
	for i := range 130 {
		many = append(many, fmt.Sprintf(`"v%d"`, i))
	}
	p := Package{
		Prompts: []Prompt{{Name: "greet", Get: func(context.Context, *Call) (*Result, error) { return Text("x"), nil }, Input: `{"type":"object","properties":{
			"tone":{"enum":["formal","Friendly","curt"]},
			"city":{"type":"string","default":"Rome","examples":["Paris","Rome"]},
			"loud":{"type":"boolean"},
			"size":{"$ref":"#/$defs/size"},
			"kind":{"oneOf":[{"const":"a","description":"an a"},{"const":"b"}]},
			"many":{"enum":[` + strings.Join(many, ",") + `]},
			"name":{"type":"string"}},"$defs":{"size":{"enum":[10,1.50]}}}`}},
		Resources: []Resource{{URI: "shop://{shelf}", Name: "shelf", Read: func(context.Context, *Call) (*Result, error) { return Text("x"), nil }, Input: `{"type":"object","properties":{"shelf":{"enum":["top","bottom"]}},"required":["shelf"]}`}},
	}
	s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
	s.Add(p)
	client := session(t, s, nil)
	if client.InitializeResult().Capabilities.Completions == nil {
		t.Error("completions are not declared")
	}
	prompt, shelf := &mcp.CompleteReference{Type: "ref/prompt", Name: "greet"}, &mcp.CompleteReference{Type: "ref/resource", URI: "shop://{shelf}"}
	for _, c := range []struct {
		ref               *mcp.CompleteReference
		argument, so, far string
	}{
		{prompt, "tone", "", "formal Friendly curt"},
		{prompt, "tone", "F", "formal Friendly"},
		{prompt, "tone", "formally", ""},
		{prompt, "tone", "\xff", ""},
		{prompt, "city", "", "Rome Paris"},
		{prompt, "loud", "t", "true"},
		{prompt, "size", "1", "10 1.50"},
		{prompt, "kind", "", "a b"},
		{prompt, "name", "", ""},
		{prompt, "nothing", "", ""},
		{shelf, "shelf", "b", "bottom"},
		{&mcp.CompleteReference{Type: "ref/prompt", Name: "nobody"}, "tone", "", "error"},
	} {
		t.Run(fmt.Sprintf("%s %s %q", c.ref.Name, c.argument, c.so), func(t *testing.T) {
			got := "error"
			result, err := client.Complete(t.Context(), &mcp.CompleteParams{Ref: c.ref, Argument: mcp.CompleteParamsArgument{Name: c.argument, Value: c.so}})
			if err == nil {
				got = strings.Join(result.Completion.Values, " ")
			}
			if got != c.far {
				t.Errorf("got %q (%v), want %q", got, err, c.far)
			}
		})
	}
	result, err := client.Complete(t.Context(), &mcp.CompleteParams{Ref: prompt, Argument: mcp.CompleteParamsArgument{Name: "many"}})
	if err != nil || len(result.Completion.Values) != maxCompletions || result.Completion.Total != 130 || !result.Completion.HasMore {
		t.Errorf("of 130 values: %+v, %v", result, err)
	}
}

func TestSubscribe(t *testing.T) {
	s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
	s.Add(textPackage())
	s.Declare(func(c *mcp.ServerCapabilities) { c.Resources.Subscribe = true })
	s.Updated("shop://readme") // before it runs: nobody to tell
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			const uri = "shop://items/7"
			var updated atomic.Bool
			client := sessionOf(t, s, &mcp.ClientOptions{ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
				updated.Store(req.Params.URI == uri)
			}}, version)
			if err := client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
			// Since 2026-07-28 the SDK's client does not wait until it is subscribed.
			eventually(t, "the client hears of the update", func() bool { s.Updated(uri); return updated.Load() })
			if err := client.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
				t.Error(err)
			}
		})
	}
	client := sessionOf(t, s, nil, "2025-11-25")
	if err := client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "shop://nothing"}); err == nil {
		t.Error("a client could subscribe to nothing")
	}
}

// Without a word from the program nobody may subscribe.
func TestNotDeclared(t *testing.T) {
	s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
	s.Add(Package{Resources: textPackage().Resources[:1]})
	client := sessionOf(t, s, nil, "2025-11-25")
	c := client.InitializeResult().Capabilities
	//lint:ignore SA1019 what is deprecated is not declared
	if c.Resources.Subscribe || c.Logging != nil || c.Completions != nil {
		t.Errorf("capabilities %+v", c)
	}
	if err := client.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "shop://readme"}); err == nil {
		t.Error("a client could subscribe")
	}
}

// A function that asks by its result, for each kind of call, is called again with
// the client's answer.
func TestInputRequired(t *testing.T) {
	ask := mcp.InputRequestMap{"name": &mcp.ElicitParams{Message: "Name? hunter2-secret", RequestedSchema: json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`)}}
	given := func(answers mcp.InputResponseMap) string {
		answer, ok := answers["name"].(*mcp.ElicitResult)
		if !ok {
			return ""
		}
		return fmt.Sprint(answer.Content["name"])
	}
	p := goPackage(map[string]goTool{"greet": {`{"type":"object"}`, func(_ context.Context, call *Call) (*Result, error) {
		if name := given(call.ToolRequest().Params.InputResponses); name != "" {
			return Text(name), nil
		}
		return AsIs(&mcp.CallToolResult{InputRequests: ask})
	}}})
	p.Prompts = []Prompt{{Name: "greet", Get: func(_ context.Context, call *Call) (*Result, error) {
		if name := given(call.PromptRequest().Params.InputResponses); name != "" {
			return Text(name), nil
		}
		return AsIs(&mcp.GetPromptResult{InputRequests: ask})
	}}}
	p.Resources = []Resource{{URI: "shop://greet", Name: "greet", Read: func(_ context.Context, call *Call) (*Result, error) {
		if name := given(call.ResourceRequest().Params.InputResponses); name != "" {
			return Text(name), nil
		}
		return AsIs(&mcp.ReadResourceResult{InputRequests: ask})
	}}}
	s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
	s.redactor.Add("hunter2-secret")
	s.Add(p)
	client := session(t, s, &mcp.ClientOptions{ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		if req.Params.Message != "Name? REDACTED" {
			t.Errorf("the client is asked %q", req.Params.Message)
		}
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
	}})
	if result, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: "greet"}); err != nil || textIn(result) != "Ada" {
		t.Errorf("the tool gave %+v, %v", result, err)
	}
	if result, err := client.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet"}); err != nil || len(result.Messages) != 1 {
		t.Errorf("the prompt gave %+v, %v", result, err)
	}
	if result, err := client.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop://greet"}); err != nil || len(result.Contents) != 1 || result.Contents[0].Text != "Ada" {
		t.Errorf("the resource gave %+v, %v", result, err)
	}
}

// What a client repeats in a header must be what it sends (MCP 2026-07-28,
// Streamable HTTP), from the first call on.
func TestHTTPHeadersOfArguments(t *testing.T) {
	schema := `{"type":"object","properties":{"region":{"type":["string","null"],"x-mcp-header":"Region"},
		"in":{"type":"object","properties":{"deep":{"type":"boolean","x-mcp-header":"Deep"}}},"other":{"type":"integer"}}}`
	server := func() *httpServer {
		s := NewServer(Config{Log: quiet()}, Definition{Name: "go", Version: "1"})
		s.Add(goPackage(map[string]goTool{"find": {schema, func(context.Context, *Call) (*Result, error) { return Text("found"), nil }}}))
		o := newOptions(&s.def)
		if err := o.parse([]string{"-transport=http", "-addr=127.0.0.1:0"}); err != nil {
			t.Fatal(err)
		}
		h, err := s.listen(&o.http)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { h.listener.Close() })
		return h
	}
	for _, c := range []struct {
		name, arguments string
		headers         []string
		want            int
	}{
		{"as in the body", `{"region":"eu","other":1}`, []string{"Mcp-Param-Region: eu"}, 200},
		{"encoded", `{"region":"eü"}`, []string{"Mcp-Param-Region: =?base64?ZcO8?="}, 200},
		{"neither", `{"other":1}`, nil, 200},
		{"another", `{"region":"eu"}`, []string{"Mcp-Param-Region: us"}, 400},
		{"missing", `{"region":"eu"}`, nil, 400},
		{"of nothing", `{}`, []string{"Mcp-Param-Region: eu"}, 400},
		{"of a field", `{"in":{"deep":true}}`, []string{"Mcp-Param-Deep: true"}, 200},
		{"another of a field", `{"in":{"deep":true}}`, []string{"Mcp-Param-Deep: false"}, 400},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/mcp", strings.NewReader(modernBody("tools/call", `"name":"find","arguments":`+c.arguments)))
			setHeaders(r, modern("tools/call", slices.Concat([]string{"Mcp-Name: find"}, c.headers)...))
			w := httptest.NewRecorder()
			server().http.Handler.ServeHTTP(w, r)
			if w.Code != c.want {
				t.Errorf("status %d, want %d: %s", w.Code, c.want, w.Body)
			}
		})
	}
}
