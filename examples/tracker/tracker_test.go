package tracker

import (
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

func TestServer(t *testing.T) {
	client := prove.Start(t, nil, prove.Build(t, "server"))
	wantTools(t, client, "create_issue", "list_issues")

	m := client.Begin("add_label", `{"number":1,"label":"bug"}`).Wait()
	if m.Error == nil || m.Error.Code != -32602 {
		t.Errorf("add_label before there is an issue gave %s", m.Raw)
	}

	result := client.Call("create_issue", `{"title":"It does not start"}`)
	if string(result.Structured) != `{"number":1,"title":"It does not start","labels":[]}` {
		t.Errorf("create_issue gave %s", result.Raw)
	}
	client.WaitFor("notifications/tools/list_changed")
	wantTools(t, client, "add_label", "create_issue", "list_issues")

	result = client.Call("add_label", `{"number":1,"label":"bug"}`)
	if result.IsError || !strings.Contains(string(result.Structured), `"labels":["bug"]`) {
		t.Errorf("add_label gave %s", result.Raw)
	}
	result = client.Call("add_label", `{"number":1,"label":"wish"}`)
	if !result.IsError || !strings.Contains(result.Text(), "feature") {
		t.Errorf("a label that does not exist gave %s", result.Raw)
	}
	result = client.Call("add_label", `{"number":2,"label":"bug"}`)
	if !result.IsError || !strings.Contains(result.Text(), "there is no issue 2: the last one is 1") {
		t.Errorf("an issue that does not exist gave %s", result.Raw)
	}
	result = client.Call("list_issues", `{"label":"docs"}`)
	if string(result.Structured) != `{"result":[]}` {
		t.Errorf("list_issues gave %s", result.Raw)
	}
}

func wantTools(t *testing.T, client *prove.Client, want ...string) {
	t.Helper()
	var got []string
	for _, tool := range client.Tools() {
		got = append(got, tool.Name)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("tools/list has %v, want %v", got, want)
	}
}
