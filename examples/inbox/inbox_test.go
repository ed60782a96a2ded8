package inbox

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// calls are one for each tool: what the API must see, and what it answers.
var calls = []struct {
	tool, args string
	request    string
	body       string
	key        bool
	answer     string
	result     string // text of the result
}{
	{
		tool: "listDomains", args: `{}`,
		request: "GET https://inbox.example/api/v2/domains",
		answer:  "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[\"letters.example\"]",
		result:  `["letters.example"]`,
	},
	{
		tool: "createInbox", args: `{"body":{"local":"quiet-otter","minutes":5}}`, key: true,
		request: "POST https://inbox.example/api/v2/inboxes", body: `{"local":"quiet-otter","minutes":5}`,
		answer: "HTTP/1.1 201 Created\nContent-Type: application/json\n\n{\"id\":\"ibx_83\"}",
		result: `{"id":"ibx_83"}`,
	},
	{
		tool: "waitForMessage", args: `{"inboxId":"ibx_83","subject":"Your order","seconds":50}`, key: true,
		request: "GET https://inbox.example/api/v2/inboxes/ibx_83/wait?subject=Your%20order&seconds=50",
		answer:  "HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"id\":9007199254740993}",
		result:  `{"id":9007199254740993}`,
	},
	{
		tool: "listMessages", args: `{"inboxId":"ibx_83","after":9007199254740993}`, key: true,
		request: "GET https://inbox.example/api/v2/inboxes/ibx_83/messages?after=9007199254740993",
		answer:  "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[]",
		result:  `[]`,
	},
	{
		tool: "getMessage", args: `{"inboxId":"ibx_83","messageId":9007199254740993}`, key: true,
		request: "GET https://inbox.example/api/v2/inboxes/ibx_83/messages/9007199254740993",
		answer:  "HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"text\":\"Your code is 481516.\"}",
		result:  `{"text":"Your code is 481516."}`,
	},
	{
		tool: "runAssertions", args: `{"inboxId":"ibx_83","messageId":9007199254740993,"body":{"assertions":[{"field":"text","is":"matches","value":"code is [0-9]+"}]}}`, key: true,
		request: "POST https://inbox.example/api/v2/inboxes/ibx_83/messages/9007199254740993/assertions",
		body:    `{"assertions":[{"field":"text","is":"matches","value":"code is [0-9]+"}]}`,
		answer:  "HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"passed\":true}",
		result:  `{"passed":true}`,
	},
	{
		tool: "deleteInbox", args: `{"inboxId":"ibx_83"}`, key: true,
		request: "DELETE https://inbox.example/api/v2/inboxes/ibx_83",
		answer:  "HTTP/1.1 204 No Content\n\n",
	},
}

func TestServer(t *testing.T) {
	bin := prove.Build(t, "server")
	upstream := prove.NewUpstream(t)
	client := prove.Start(t, append(upstream.Env(), "API_KEY_INBOX=secret"), bin)

	var want, got []string
	for _, c := range calls {
		want = append(want, c.tool)
	}
	for _, tool := range client.Tools() {
		got = append(got, tool.Name)
		if strings.Contains(string(tool.InputSchema), "X-Inbox-Key") {
			t.Errorf("%s takes the key as an argument", tool.Name)
		}
	}
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Fatalf("tools/list has %q, want %q", got, want)
	}

	for _, c := range calls {
		t.Run(c.tool, func(t *testing.T) {
			upstream.Reply(prove.Answer{Raw: c.answer})
			result := client.Call(c.tool, c.args)
			if result.IsError || (c.result != "" && result.Text() != c.result) {
				t.Errorf("the result is %s, want %s", result.Raw, c.result)
			}
			seen := upstream.Take()
			if len(seen) != 1 {
				t.Fatalf("the API saw %d requests", len(seen))
			}
			req := seen[0]
			if line := req.Method + " " + req.URL; line != c.request || string(req.Body) != c.body {
				t.Errorf("the API saw %s %s, want %s %s", line, req.Body, c.request, c.body)
			}
			if key := req.Header.Get("X-Inbox-Key"); (key == "secret") != c.key {
				t.Errorf("the key was %q", key)
			}
		})
	}
}

// A model learns that the operator has to set a key, and which.
func TestMissingKey(t *testing.T) {
	upstream := prove.NewUpstream(t)
	client := prove.Start(t, upstream.Env(), prove.Build(t, "server"))
	result := client.Call("deleteInbox", `{"inboxId":"ibx_83"}`)
	if !result.IsError || !strings.Contains(result.Text(), "API_KEY_INBOX") {
		t.Errorf("without a key: %s", result.Raw)
	}
	if seen := upstream.Take(); len(seen) > 0 {
		t.Errorf("it was sent all the same: %s", seen[0].Head)
	}
}
