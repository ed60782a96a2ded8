package openapi

import (
	"context"
	"math"
	"path/filepath"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// TestTokens holds the estimate to within 10 % of a tokenizer, over the tools of
// a whole document.
func TestTokens(t *testing.T) {
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	compare := func(t *testing.T, s *ir.Server) {
		t.Helper()
		got, want := 0, 0
		for _, tool := range s.Tools() {
			text := tool.AppendJSON(nil)
			n, err := codec.Count(string(text))
			if err != nil {
				t.Fatal(err)
			}
			got, want = got+ir.Tokens(text), want+n
		}
		if off := float64(got)/float64(want) - 1; math.Abs(off) > 0.1 {
			t.Errorf("estimate %d, tokenizer %d: off by %.0f %%", got, want, 100*off)
		}
	}
	t.Run("our own text", func(t *testing.T) {
		s, _ := mustParse(t, head+`
paths:
  /boxes/{boxId}/messages:
    get:
      operationId: waitForMessage
      summary: Wait for a message
      description: >-
        Waits until a message that matches the filter arrives in the inbox, at most the given number of seconds,
        and answers with its subject, sender, text and attachments. Übergrößen und Umlaute zählen auch: 日本語のテキスト。
      parameters:
        - {name: boxId, in: path, required: true, description: 'Id of the inbox, a UUID.', schema: {type: string, format: uuid}}
        - {name: timeout, in: query, description: Seconds to wait., schema: {type: integer, minimum: 1, maximum: 600, default: 30}}
        - {name: subjectContains, in: query, schema: {type: string, examples: [Welcome to the club, Reset your password]}}
        - {name: order, in: query, schema: {type: string, enum: [newest_first, oldest_first]}}
      responses:
        '200': {description: The message, content: {application/json: {schema: {type: object, properties: {id: {type: string}, subject: {type: string}}}}}}
`, Options{})
		compare(t, s)
	})
	for _, file := range []string{"asana/asana.yaml", "petstore3/petstorev3.json", "slack/slack_web_openapi_v2.json"} {
		t.Run(file, func(t *testing.T) {
			var diags diag.List
			s := Parse(context.Background(), filepath.Join(shared(t, "corpus"), file), Options{}, &diags)
			if s == nil {
				t.Fatal(printed(&diags))
			}
			compare(t, s)
		})
	}
}
