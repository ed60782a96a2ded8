package ir

import (
	"encoding/json"
	"testing"
)

func TestAppendJSON(t *testing.T) {
	tests := []struct {
		name string
		tool Tool
		want string
	}{
		{
			"everything",
			Tool{
				Name: "getPet", Title: "Get a pet", Description: "Finds <one> & \"only\" one.\nReturns: pet.",
				Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(`{"type":"object","properties":{}}`),
				Hints: Hints{ReadOnly: true, Idempotent: true, OpenWorld: true},
				Icons: []string{"https://x.test/a.png", "data:,b"}, Meta: json.RawMessage(`{"a":1}`),
			},
			`{"name":"getPet","title":"Get a pet","description":"Finds <one> & \"only\" one.\nReturns: pet.",` +
				`"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{}},` +
				`"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":true},` +
				`"icons":[{"src":"https://x.test/a.png"},{"src":"data:,b"}],"_meta":{"a":1}}`,
		},
		{
			"no title, no output, bytes that are no text",
			Tool{Name: "x", Description: "a\xffb", Input: json.RawMessage(`{}`), Hints: Hints{Destructive: true}},
			`{"name":"x","description":"a\ufffdb","inputSchema":{},` +
				`"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":false}}`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(tt.tool.AppendJSON([]byte("["))); got != "["+tt.want {
				t.Errorf("got  %s\nwant [%s", got, tt.want)
			}
		})
	}
}
