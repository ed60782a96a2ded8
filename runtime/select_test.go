package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestSelection(t *testing.T) {
	const answer = `{"total":2,"items":[{"id":1.10,"name":"a","owner":{"id":7,"name":"x"}},{"id":2,"owner":null}],"next":"c"}`
	for _, tc := range []struct{ name, paths, value, want, missing string }{
		{"one field", "total", answer, `{"total":2}`, ""},
		{"the answer's order", "next,total", answer, `{"total":2,"next":"c"}`, ""},
		{"in a list", "items[].id", answer, `{"items":[{"id":1.10},{"id":2}]}`, ""},
		{"without brackets", "items.id", answer, `{"items":[{"id":1.10},{"id":2}]}`, ""},
		{"deeper", "items[].owner.name, total", answer, `{"total":2,"items":[{"owner":{"name":"x"}},{"owner":null}]}`, ""},
		{"a whole and its part", "items,items[].id", answer, `{"items":[{"id":1.10},{"id":2}]}`, ""},
		{"a list at the root", "[].id", `[{"id":1,"b":2},{"id":3}]`, `[{"id":1},{"id":3}]`, ""},
		{"as in JSONPath", "$.total", answer, `{"total":2}`, ""},
		{"missing", "totl,items[].owner.age", answer, `{"items":[{"owner":{}},{"owner":null}]}`, "totl items.owner.age"},
		{"an empty list says nothing", "items[].id", `{"items":[]}`, `{"items":[]}`, ""},
		{"a scalar", "a", `5`, `5`, ""},
		{"space is kept in what is whole", "items", `{"items": [1, 2]}`, `{"items":[1, 2]}`, ""},
	} {
		sel := parseSelection(tc.paths)
		if got := string(sel.apply(nil, json.RawMessage(tc.value))); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
		if got := strings.Join(sel.missing(""), " "); got != tc.missing {
			t.Errorf("%s: missing %q, want %q", tc.name, got, tc.missing)
		}
	}
	deep := json.RawMessage(strings.Repeat("[", 9000) + `{"b":1}` + strings.Repeat("]", 9000))
	if got := parseSelection("a").apply(nil, deep); string(got) != string(deep) {
		t.Errorf("what lies too deep is not kept as a whole: %d bytes of %d", len(got), len(deep))
	}
	for _, empty := range []string{"", ",", " . ", "[]", "$"} {
		if parseSelection(empty) != nil {
			t.Errorf("%q selects something", empty)
		}
	}
}

// api is a server with one tool that asks the upstream.
func api(base, request, schema string, handle Handler) Definition {
	return Definition{
		Name: "api", Version: "1", Upstreams: []Upstream{{URL: base}},
		Tools:   []Tool{{Name: "listPets", Request: request, Handle: handle}},
		Schemas: fstest.MapFS{"tools/listPets.json": {Data: toolFile("listPets", schema, "")}},
	}
}

const pagedSchema = `{"type":"object","properties":{"page":{"type":"integer"},"per_page":{"type":"integer"},"offset":{"type":"integer"},"cursor":{"type":"string"}},"additionalProperties":false}`

// pick is pagedSchema with some of its arguments.
func pick(names ...string) string {
	var list []string
	for _, name := range names {
		kind := "integer"
		if name == "cursor" || name == "starting_after" {
			kind = "string"
		}
		list = append(list, fmt.Sprintf(`%q:{"type":%q}`, name, kind))
	}
	return `{"type":"object","properties":{` + strings.Join(list, ",") + `},"additionalProperties":false}`
}

func listPets(ctx context.Context, c *Call) (*Result, error) {
	req := c.Request("GET", "/pets")
	for _, name := range []string{"page", "per_page", "offset", "cursor", "starting_after"} {
		req.Query(name, c.Arg(name))
	}
	return c.Do(ctx, req)
}

// The arguments that the flags add are listed, checked and used.
func TestAddedArguments(t *testing.T) {
	var queries []string
	base := upstream(t, func(w http.ResponseWriter, r *http.Request) {
		queries = append(queries, r.URL.RawQuery)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `[{"id":1,"name":"a"}]`)
	})
	schema := func(session *mcp.ClientSession) string {
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		properties := list.Tools[0].InputSchema.(map[string]any)["properties"].(map[string]any)
		return strings.Join(sortedKeys(properties), " ")
	}
	for _, tc := range []struct {
		name   string
		config Config
		def    Definition
		listed string
	}{
		{"none", Config{}, api(base, "GET /pets", pagedSchema, listPets), "cursor offset page per_page"},
		{"fields", Config{Select: true}, api(base, "GET /pets", pagedSchema, listPets), "_fields cursor offset page per_page"},
		{"both", Config{Select: true, Paginate: true}, api(base, "GET /pets", pagedSchema, listPets), "_fields _max_items cursor offset page per_page"},
		{"no pages", Config{Paginate: true}, api(base, "GET /pets", pick("per_page"), listPets), "per_page"},
		{"not read", Config{Paginate: true}, api(base, "POST /pets", pagedSchema, listPets), "cursor offset page per_page"},
		{"no arguments at all", Config{Select: true}, api(base, "GET /pets", `{"type":"object","additionalProperties":false}`, listPets), "_fields"},
		{"the API's own", Config{Select: true}, api(base, "GET /pets", pick("_fields"), listPets), "_fields"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.config.Log = quiet()
			if got := schema(inMemory(t, NewServer(tc.config, tc.def))); got != tc.listed {
				t.Errorf("got %s, want %s", got, tc.listed)
			}
		})
	}
	session := inMemory(t, NewServer(Config{Select: true, Log: quiet()}, api(base, "GET /pets", pagedSchema, listPets)))
	for _, tc := range []struct {
		name, arguments, want string
	}{
		{"selected", `{"_fields":"id"}`, `[{"id":1}]`},
		{"misspelt", `{"_fields":"id,nmae"}`, "[{\"id\":1}]\nNote: the answer has no field nmae; its fields are id, name."},
		{"of another type", `{"_fields":["id"]}`, "listPets was not called, because its arguments do not fit:\n- _fields: must be a string, got an array"},
		{"not added", `{"_max_items":5}`, "listPets was not called, because its arguments do not fit:\n- _max_items: unknown argument (allowed: _fields, cursor, offset, page, per_page)"},
	} {
		if text, _ := ask(t, session, "listPets", tc.arguments); text != tc.want {
			t.Errorf("%s: %s", tc.name, text)
		}
	}
	for _, q := range queries {
		if q != "" {
			t.Errorf("the API was sent %s", q)
		}
	}
}

// A tool with a selection of its own always reduces, before what the model asks for.
func TestToolSelect(t *testing.T) {
	base := upstream(t, with(200, "application/json", `{"total":1,"items":[{"id":1,"secret":2,"name":"a"}]}`).ServeHTTP)
	def := api(base, "GET /pets", pagedSchema, listPets)
	def.Tools[0].Select = []string{"items[].id", "items[].name"}
	session := inMemory(t, NewServer(Config{Select: true, Log: quiet()}, def))
	for arguments, want := range map[string]string{
		`{}`:                         `{"items":[{"id":1,"name":"a"}]}`,
		`{"_fields":"items.id"}`:     `{"items":[{"id":1}]}`,
		`{"_fields":"items.secret"}`: "{\"items\":[{}]}\nNote: the answer has no field items.secret; its fields are items, items[].id, items[].name.",
	} {
		if text, _ := ask(t, session, "listPets", arguments); text != want {
			t.Errorf("%s: %s", arguments, text)
		}
	}
}
