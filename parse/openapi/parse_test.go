package openapi

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// head starts a document with a server.
const head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nservers: [{url: 'https://api.test/v1'}]\n"

// parse reads a document given as text.
func parse(t *testing.T, document string, opts Options) (*ir.Server, *diag.List) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "api.yaml")
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	var diags diag.List
	return Parse(context.Background(), file, opts, &diags), &diags
}

// mustParse is parse for documents that make a server.
func mustParse(t *testing.T, document string, opts Options) (*ir.Server, *diag.List) {
	t.Helper()
	s, diags := parse(t, document, opts)
	if s == nil {
		t.Fatalf("no server:\n%s", printed(diags))
	}
	return s, diags
}

func printed(diags *diag.List) string {
	var b strings.Builder
	if err := diags.Print(&b); err != nil {
		return err.Error()
	}
	return b.String()
}

// codes lists the diagnostics as "code: message".
func codes(diags *diag.List) string {
	var b strings.Builder
	for _, d := range diags.All() {
		fmt.Fprintf(&b, "%s: %s\n", d.Code, d.Message)
	}
	return b.String()
}

// tool returns the tool of that name.
func tool(t *testing.T, s *ir.Server, name string) *ir.Tool {
	t.Helper()
	for _, tool := range s.Tools() {
		if tool.Name == name {
			return tool
		}
	}
	t.Fatalf("no tool %s among %q", name, toolNames(s))
	return nil
}

func toolNames(s *ir.Server) (names []string) {
	for _, tool := range s.Tools() {
		names = append(names, tool.Name)
	}
	return names
}

// show writes a request for comparison, one line a binding.
func show(r *ir.Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", r.Method, r.Path)
	for _, x := range r.Bindings {
		fmt.Fprintf(&b, "%s: %s %s", cmp.Or(x.Arg, x.Value), x.In, x.Wire)
		if x.Part != "" {
			b.WriteString(" of " + x.Part)
		}
		for _, word := range []string{
			string(x.Style), yes(x.Explode, "explode"), x.Content, yes(x.AllowReserved, "reserved"), yes(x.Required, "required"),
		} {
			if word != "" {
				b.WriteString(" " + word)
			}
		}
		b.WriteByte('\n')
	}
	if x := r.Body; x != nil {
		fmt.Fprintf(&b, "%s: %s %q%s\n", x.Arg, x.Kind, x.MediaType, strings.TrimRight(" "+yes(x.Required, "required"), " "))
		for _, f := range x.Fields {
			fmt.Fprintf(&b, "  %+v\n", f)
		}
		if len(x.Others) > 0 {
			fmt.Fprintf(&b, "  others %q\n", x.Others)
		}
	}
	for _, alternative := range r.Security {
		names := []string{}
		for _, use := range alternative {
			name := use.Name
			if len(use.Scopes) > 0 {
				name += "(" + strings.Join(use.Scopes, " ") + ")"
			}
			names = append(names, name)
		}
		fmt.Fprintf(&b, "auth %s\n", strings.Join(names, "+"))
	}
	if len(r.Accept) > 0 {
		fmt.Fprintf(&b, "accept %s\n", strings.Join(r.Accept, " "))
	}
	for _, u := range r.Upstreams {
		fmt.Fprintf(&b, "upstream %s\n", u.URL)
	}
	return b.String()
}

func yes(b bool, word string) string {
	if b {
		return word
	}
	return ""
}

func TestParseServer(t *testing.T) {
	s, diags := mustParse(t, `
openapi: 3.0.3
info: {title: Swagger Petstore - OpenAPI 3.0, version: 1.0.27, description: '**Pets** for sale.'}
servers: [{url: 'https://pets.test/v1', description: main}]
tags: [{name: pets, description: About pets}, {name: unused}]
security: [{key: []}]
paths:
  /pets: {get: {operationId: listPets, tags: [pets, other], responses: {'200': {description: ok}}}}
  /: {get: {operationId: root, responses: {'200': {description: ok}}}}
components:
  securitySchemes:
    unused: {type: http, scheme: basic}
    key: {type: apiKey, in: header, name: X-Key, description: From the portal.}
`, Options{})
	if out := codes(diags); out != "" {
		t.Errorf("diagnostics:\n%s", out)
	}
	if s.Name != "petstore" || s.Title != "Swagger Petstore - OpenAPI 3.0" || s.Version != "1.0.27" || s.Description != "Pets for sale." || s.Source != "api.yaml" {
		t.Errorf("server %q %q %q %q %q", s.Name, s.Title, s.Version, s.Description, s.Source)
	}
	if len(s.Upstreams) != 1 || s.Upstreams[0].URL != "https://pets.test/v1" || s.Upstreams[0].Description != "main" {
		t.Errorf("upstreams %+v", s.Upstreams)
	}
	if want := []ir.Auth{{Name: "key", Kind: ir.APIKey, In: ir.InHeader, Wire: "X-Key", Description: "From the portal."}}; !slices.Equal(s.Auth, want) {
		t.Errorf("auth %+v", s.Auth)
	}
	if len(s.Groups) != 2 || s.Groups[0].Name != "default" || s.Groups[1].Name != "pets" || s.Groups[1].Description != "About pets" {
		t.Errorf("groups %+v", s.Groups)
	}
	if s.Found != 2 || !slices.Equal(toolNames(s), []string{"listPets", "root"}) {
		t.Errorf("found %d, tools %q", s.Found, toolNames(s))
	}
}

func TestServerName(t *testing.T) {
	tests := []struct{ title, file, want string }{
		{"Swagger Petstore - OpenAPI 3.0", "x.yaml", "petstore"},
		{"GitHub v3 REST API", "x.yaml", "github"},
		{"The Jobs & Careers API of Örebro", "x.yaml", "jobs-careers-rebro"},
		{"Very long words that together do not fit the limit", "x.yaml", "very-long-words-that-together-do"},
		{strings.Repeat("a", 50), "x.yaml", strings.Repeat("a", 32)},
		{"API", "weather.yaml", "weather"},
		{"", "openapi.json", "api"},
	}
	for _, tt := range tests {
		b := &builder{doc: &Document{Source: tt.file}}
		if got := b.serverName(tt.title); got != tt.want {
			t.Errorf("serverName(%q, %q) = %q, want %q", tt.title, tt.file, got, tt.want)
		}
	}
	for name, ok := range map[string]bool{"my_server-2": true, "my server": false, "ä": false} {
		var diags diag.List
		b := &builder{doc: &Document{Source: "x"}, opts: Options{Name: name}, diags: &diags}
		if b.serverName("T"); diags.HasErrors() == ok {
			t.Errorf("-name %q: %s", name, printed(&diags))
		}
	}
}

// A long name is cut in the message, which says how long it is and may be.
func TestLongServerName(t *testing.T) {
	_, diags := parse(t, get("/a", "[]", ""), Options{Name: strings.Repeat("a", 200)})
	want := "error: server name \"" + strings.Repeat("a", 62) + "…\" of 200 characters is not legal [bad-name]\n\thint: use letters, digits, - and _, at most 128\n"
	if got := printed(diags); got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

func TestLargeCounts(t *testing.T) {
	s, diags := mustParse(t, get("/a", "[{name: x, in: query, schema: {type: array, maxItems: 9223372036854775807, items: {type: string}}}]", ""), Options{})
	if got := string(s.Tools()[0].Input); strings.Contains(got, "maxItems") {
		t.Error(got)
	}
	if got := codes(diags); got != "" {
		t.Error(got)
	}
}

func TestAsyncAPI(t *testing.T) {
	_, diags := parse(t, "asyncapi: 2.0.0\ninfo: {title: T, version: '1'}\n", Options{})
	want := "1:1: error: the document is an AsyncAPI document, which is not supported [unsupported-version]\n" +
		"\thint: AsyncAPI describes messages, not the operations of an HTTP API; an OpenAPI document is a mapping with openapi (or swagger), info and paths\n"
	if got := printed(diags); !strings.HasSuffix(got, want) {
		t.Errorf("got %swant %s", got, want)
	}
}

func TestMethodsAndSkips(t *testing.T) {
	document := head + `
paths:
  /subs:
    summary: Subscriptions
    x-owner: {get: not an operation}
    parameters: [{name: dry, in: query, schema: {type: boolean}}]
    post:
      operationId: subscribe
      callbacks: {onEvent: {'{$request.body#/url}': {post: {operationId: cbEvent, responses: {'200': {description: ok}}}}}}
      responses: {'201': {description: made}}
    head: {operationId: headSubs, responses: {'200': {description: ok}}}
    trace: {operationId: traceSubs, responses: {'200': {description: ok}}}
    options: {responses: {'200': {description: ok}}}
webhooks:
  newSub: {post: {operationId: hookNewSub, responses: {'200': {description: ok}}}}
`
	s, diags := mustParse(t, document, Options{})
	if !slices.Equal(toolNames(s), []string{"subscribe"}) || s.Found != 4 {
		t.Errorf("P96: tools %q, found %d", toolNames(s), s.Found)
	}
	for i, what := range []string{"HEAD /subs (headSubs)", "TRACE /subs (traceSubs)", "OPTIONS /subs"} {
		if s.Skips[i].What != what || s.Skips[i].Code != "method-skipped" || s.Skips[i].Pos.Line == 0 {
			t.Errorf("skip %+v, want %s", s.Skips[i], what)
		}
	}
	if diags.Count(diag.Skip) != 3 || !strings.Contains(printed(diags), "-all-methods") {
		t.Errorf("diagnostics:\n%s", printed(diags))
	}
	s, _ = mustParse(t, document, Options{AllMethods: true})
	if want := []string{"headSubs", "options_subs", "subscribe", "traceSubs"}; !slices.Equal(toolNames(s), want) || len(s.Skips) != 0 {
		t.Errorf("all methods: %q, skips %v", toolNames(s), s.Skips)
	}
}

func TestNoTools(t *testing.T) {
	tests := []struct{ name, document, want, hint string }{
		{
			"P97: webhooks only", "openapi: 3.1.0\ninfo: {title: T, version: '1'}\nwebhooks:\n  ping: {post: {responses: {'200': {description: ok}}}}\n",
			"0 operations found (1 webhook ignored)", "webhook",
		},
		{
			"P140: every operation removed by a rule", head + "paths:\n  /a: {head: {responses: {'200': {description: ok}}}, options: {responses: {'200': {description: ok}}}}\n",
			"2 operations found (2 skipped as method-skipped)", "-all-methods",
		},
		{"nothing there", head + "paths: {}\n", "0 operations found", "paths"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := parse(t, tt.document, Options{})
			if s != nil {
				t.Fatal("a server without tools")
			}
			if out := printed(diags); !strings.Contains(out, tt.want) || !strings.Contains(out, tt.hint) || !strings.Contains(out, "[no-tools]") {
				t.Errorf("got %s\nwant %q and a hint with %q", out, tt.want, tt.hint)
			}
		})
	}
}

func TestOneBadOperation(t *testing.T) {
	s, diags := mustParse(t, head+`
paths:
  /ok: {get: {operationId: fine, responses: {'200': {description: ok}}}}
  /badref:
    post: {operationId: badRef, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Missing'}}}}, responses: {'200': {description: ok}}}
  /badparam:
    get: {operationId: badParam, parameters: [{in: query, schema: {type: string}}], responses: {'200': {description: ok}}}
  /loop:
    post: {operationId: loop, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}, responses: {'200': {description: ok}}}
  /noresp:
    get: {operationId: noResp}
components:
  schemas: {A: {$ref: '#/components/schemas/B'}, B: {$ref: '#/components/schemas/A'}}
`, Options{})
	if s.Found != 5 || !slices.Equal(toolNames(s), []string{"fine", "noResp"}) {
		t.Errorf("P98: found %d, tools %q", s.Found, toolNames(s))
	}
	out := printed(diags)
	for _, want := range []string{
		"operation badRef (#/paths/~1badref/post): ", "#/components/schemas/Missing", "[dangling-ref]",
		"badParam", "A -> B -> A", "[alias-loop]",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if diags.Count(diag.Skip) != 3 {
		t.Errorf("skips:\n%s", out)
	}
}
