package runtime

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// The endpoint must see the message that the SDK will answer: who may call is
// decided by it.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{
		initializeLine, callLine(1, "echo", `{"id":1}`), modernBody("server/discover", ""),
		`{"jsonrpc":"2.0","method":"a","Method":"b","id":1}`, `{"jsonrpc":"2.0","method":"a","method":"b","id":1}`,
		`{"jsonrpc":"2.0","m\u0065thod":"a","id":"x"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, `[{"jsonrpc":"2.0","method":"a"}]`, ` [] `, "null", "",
		`{"jsonrpc":"2.0","method":null,"id":1e0}`, `{"jsonrpc":"2.0","method":"a\ud800","id":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		messages, refusal := parseMessages(data)
		if refusal != nil {
			return
		}
		msg, err := jsonrpc.DecodeMessage(data)
		req, ok := msg.(*jsonrpc.Request)
		if err != nil || !ok {
			return
		}
		if len(messages) != 1 || messages[0].method != req.Method {
			t.Errorf("%q: the SDK sees %q, the endpoint %+v", data, req.Method, messages)
		}
		if n, ok := req.ID.Raw().(int64); ok && (n >= 1<<53 || n <= -1<<53) {
			t.Errorf("%q has an id that is not kept", data)
		}
	})
}
