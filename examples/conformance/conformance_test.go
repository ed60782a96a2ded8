package conformance

import (
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// The suite itself is run by internal/conformance; here is what it does not ask
// for, on stdio.
func TestServer(t *testing.T) {
	client := prove.Start(t, nil, prove.Build(t, "server"))
	if m := client.Send("resources/subscribe", `{"uri":"test://watched-resource"}`).Wait(); m.Error != nil {
		t.Fatalf("subscribing gave %s", m.Raw)
	}
	client.Call("test_trigger_update", `{}`)
	client.WaitFor("notifications/resources/updated")

	client.Call("test_trigger_tool_change", `{}`)
	client.WaitFor("notifications/tools/list_changed")
	if r := client.Call("test_comes_and_goes", `{}`); r.Text() != "I am here." {
		t.Errorf("the tool that came gave %s", r.Raw)
	}

	client.Call("test_trigger_prompt_change", `{}`)
	client.WaitFor("notifications/prompts/list_changed")

	m := client.Send("completion/complete", `{"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},"argument":{"name":"arg1","value":"park"}}`).Wait()
	if !strings.Contains(string(m.Result), `"values":["park"]`) {
		t.Errorf("completion gave %s", m.Raw)
	}
}
