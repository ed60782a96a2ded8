package search

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/runtime"
)

// measured is how many operations of the document the summaries are taken from.
const measured = 300

// TestQuality holds what search_tools promises, on GitHub's document: the tool of
// a summary, of a summary with words missing, and of the same in other words.
func TestQuality(t *testing.T) {
	document := prove.Shared(t, "corpus", "github", "api.github.com.json")
	var diags diag.List
	server := openapi.Parse(t.Context(), document, openapi.Options{}, &diags)
	if server == nil {
		t.Fatal(diags.All())
	}
	session := connect(t, server)
	names := map[string]string{} // by operationId
	for _, tool := range server.Tools() {
		names[tool.OperationID] = tool.Name
	}
	summaries := summariesOf(t, document)
	cases := []struct {
		name    string
		queries []query
		first   int // of the results count
		least   float64
	}{
		{"summaries", summaries, 3, 0.95},
		{"two words dropped", dropWords(summaries), 3, 0.85},
		{"reworded", reworded(t), 5, 0.70},
	}
	for _, tc := range cases {
		t.Run(tc.name, func(t *testing.T) {
			hits := 0
			for _, q := range tc.queries {
				want := names[q.operation]
				if want == "" {
					t.Fatalf("the document has no operation %s", q.operation)
				}
				if slices.Contains(find(t, session, q.text, tc.first), want) {
					hits++
				} else {
					t.Logf("%s: %q", want, q.text)
				}
			}
			share := float64(hits) / float64(len(tc.queries))
			t.Logf("%.1f %% of %d in the first %d", 100*share, len(tc.queries), tc.first)
			if share < tc.least {
				t.Errorf("%.1f %%, want %.0f %%", 100*share, 100*tc.least)
			}
		})
	}
}

// query asks for an operation.
type query struct{ operation, text string }

// summariesOf returns the summaries of the first operations, in document order.
func summariesOf(t *testing.T, document string) []query {
	t.Helper()
	var queries []query
	dec := json.NewDecoder(strings.NewReader(prove.Read(t, document)))
	var path []string
	eachMember(t, dec, func(key string) {
		if key != "paths" {
			skip(t, dec)
			return
		}
		eachMember(t, dec, func(p string) {
			path = append(path, p)
			eachMember(t, dec, func(method string) {
				var op struct {
					OperationID string `json:"operationId"`
					Summary     string `json:"summary"`
				}
				if !slices.Contains([]string{"get", "put", "post", "delete", "patch", "head", "options"}, method) {
					skip(t, dec)
					return
				}
				if err := dec.Decode(&op); err != nil {
					t.Fatal(err)
				}
				queries = append(queries, query{op.OperationID, op.Summary})
			})
		})
	})
	if len(queries) < measured {
		t.Fatalf("%d operations in %d paths", len(queries), len(path))
	}
	return queries[:measured]
}

// eachMember calls do for each key of the object that comes next; do reads the value.
func eachMember(t *testing.T, dec *json.Decoder, do func(key string)) {
	t.Helper()
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		t.Fatalf("%v, %v: not an object", open, err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		do(key.(string))
	}
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
}

func skip(t *testing.T, dec *json.Decoder) {
	t.Helper()
	var ignored json.RawMessage
	if err := dec.Decode(&ignored); err != nil {
		t.Fatal(err)
	}
}

// draws is how often words are drawn that are dropped. One draw is up to three
// points above or below another.
const draws = 5

// dropWords drops two words of each summary at random, but leaves two: "List"
// alone asks for nothing.
func dropWords(summaries []query) []query {
	random := rand.New(rand.NewPCG(1, 2))
	var out []query
	for _, q := range slices.Repeat(summaries, draws) {
		words := strings.Fields(q.text)
		for range 2 {
			if len(words) > 2 {
				i := random.IntN(len(words))
				words = slices.Delete(words, i, i+1)
			}
		}
		out = append(out, query{q.operation, strings.Join(words, " ")})
	}
	return out
}

func reworded(t *testing.T) []query {
	t.Helper()
	var out []query
	for line := range strings.Lines(prove.Read(t, "testdata/reworded.txt")) {
		if operation, text, ok := strings.Cut(strings.TrimSpace(line), " "); ok && operation != "#" {
			out = append(out, query{operation, text})
		}
	}
	return out
}

// connect runs a server in search mode and returns a client of it.
func connect(t *testing.T, server *ir.Server) *mcp.ClientSession {
	t.Helper()
	files := fstest.MapFS{}
	def := runtime.Definition{Name: server.Name, Title: server.Title, Schemas: files, Detached: true}
	for _, tool := range server.Tools() {
		files["tools/"+tool.Name+".json"] = &fstest.MapFile{Data: tool.AppendJSON(nil)}
		def.Tools = append(def.Tools, runtime.Tool{Name: tool.Name, Request: tool.Request.Method + " " + tool.Request.Path})
	}
	ours, theirs := mcp.NewInMemoryTransports()
	s := runtime.NewServer(runtime.Config{Tools: runtime.SearchTools, Log: slog.New(slog.DiscardHandler)}, def)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx, ours) }()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil).Connect(t.Context(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close(); cancel(); <-ended })
	return session
}

// find returns the names of the tools that a search found.
func find(t *testing.T, session *mcp.ClientSession, text string, limit int) []string {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "search_tools", Arguments: map[string]any{"query": text, "limit": limit}})
	if err != nil || result.IsError {
		t.Fatalf("%s: %+v, %v", text, result, err)
	}
	var found []struct{ Name string }
	if err := json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), &found); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name)
	}
	return names
}

// TestList holds that the list of search mode is short whatever the API.
func TestList(t *testing.T) {
	for _, document := range []string{"github/api.github.com.json", "kubernetes/k8s.json", "docusign/docusignv3.1.json"} {
		t.Run(document, func(t *testing.T) {
			var diags diag.List
			server := openapi.Parse(t.Context(), prove.Shared(t, append([]string{"corpus"}, strings.Split(document, "/")...)...), openapi.Options{}, &diags)
			if server == nil {
				t.Fatal(diags.All())
			}
			size, listed, whole := 0, 0, 0
			for _, tool := range server.Tools() {
				var file bytes.Buffer
				object := tool.AppendJSON(nil)
				if err := json.Indent(&file, object, "", "  "); err != nil {
					t.Fatal(err)
				}
				size, listed, whole = size+file.Len(), listed+len(object), whole+ir.Tokens(object)
			}
			// What -tools auto goes by.
			if ratio := float64(listed) / float64(whole); ratio < 4 || ratio > 4.7 {
				t.Errorf("%.2f bytes a token, want about 4.3", ratio)
			}
			if ratio := float64(size) / float64(whole); ratio > 7 {
				t.Errorf("%.2f bytes a token in files, want well below 8", ratio)
			}
			list, err := connect(t, server).ListTools(t.Context(), nil)
			if err != nil || len(list.Tools) != 3 {
				t.Fatalf("%+v, %v", list, err)
			}
			text, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			if tokens := ir.Tokens(text); tokens >= 1500 {
				t.Errorf("%d tokens", tokens)
			} else {
				t.Logf("%d tokens", tokens)
			}
		})
	}
}
