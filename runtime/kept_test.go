package runtime

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An answer that is cut can be read as a whole, without secrets, for a while.
func TestKeptAnswers(t *testing.T) {
	whole := `[` + strings.Repeat(`{"id":1,"key":"hunter2-secret"},`, 200) + `{"id":2}]`
	base := upstream(t, with(200, "application/json", whole).ServeHTTP)
	def := api(base, "GET /pets", pagedSchema, listPets)
	def.Auth = []Auth{{Name: "key", Kind: APIKey, In: "header", Wire: "X-Key"}}
	session := inMemory(t, NewServer(Config{MaxResponse: 500, Log: quiet(), Credentials: map[string]Credential{"key": {Key: "hunter2-secret"}}}, def))
	read := func(uri string) (string, error) {
		result, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			return "", err
		}
		return result.Contents[0].Text, nil
	}
	var links []string
	for range maxKept + 1 {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "listPets"})
		if err != nil || len(result.Content) != 3 {
			t.Fatalf("%+v, %v", result, err)
		}
		link := result.Content[1].(*mcp.ResourceLink)
		note := result.Content[2].(*mcp.TextContent).Text
		if link.MIMEType != "application/json" || !strings.Contains(note, link.URI) {
			t.Fatalf("%+v, %s", link, note)
		}
		links = append(links, link.URI)
	}
	if got, err := read(links[maxKept]); err != nil || got != strings.ReplaceAll(whole, "hunter2-secret", Redacted) {
		t.Errorf("%.100s, %v", got, err)
	}
	if _, err := read(links[1]); err != nil {
		t.Errorf("the oldest that is kept: %v", err)
	}
	if got, err := read(links[0]); err == nil {
		t.Errorf("one too many is kept: %.50s", got)
	}
	if _, err := read("response://listPets/none"); err == nil {
		t.Error("what never was can be read")
	}
}

func TestKeptMemory(t *testing.T) {
	var k kept
	half := strings.Repeat("x", maxKeptBytes/2)
	first := k.keep(keptAnswer{uri: "a/", text: half}, false)
	second := k.keep(keptAnswer{uri: "a/", text: half}, false)
	if _, ok := k.find(first, ""); !ok || first != "a/1" || second != "a/2" {
		t.Errorf("%s, %s: the first is gone", first, second)
	}
	k.keep(keptAnswer{uri: "a/", text: "y"}, false)
	if _, ok := k.find(first, ""); ok || k.size > maxKeptBytes {
		t.Errorf("%d bytes are kept", k.size)
	}
	if uri := k.keep(keptAnswer{text: half + half + "z"}, false); uri != "" {
		t.Error("more than all is kept")
	}
	mine := k.keep(keptAnswer{uri: "a/", text: "z", owner: "ann"}, true)
	if _, ok := k.find(mine, "ben"); ok || len(mine) < 20 {
		t.Errorf("others can read %s", mine)
	}
}

// Clients from before resource links are told in words only.
func TestKeptForOldClients(t *testing.T) {
	base := upstream(t, with(200, "application/json", `[`+strings.Repeat(`1,`, 500)+`1]`).ServeHTTP)
	for version, blocks := range map[string]int{"2025-03-26": 2, "2025-06-18": 3} {
		s := listenHTTP(t, Config{MaxResponse: 100}, api(base, "GET /pets", pagedSchema, listPets))
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "0"}, nil)
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.url}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatal(err)
		}
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "listPets"})
		if err != nil || len(result.Content) != blocks {
			t.Errorf("%s: %+v, %v", version, result, err)
		}
		session.Close()
	}
}

// How to go on depends on the arguments that the tool has.
func TestHowToGoOn(t *testing.T) {
	base := upstream(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"total":847,"items":[%s1000]}`, strings.Repeat("1000,", 846))
	})
	fromOne := strings.Replace(pick("page", "per_page"), `"page":{`, `"page":{"minimum":1,`, 1)
	for _, tc := range []struct{ name, schema, arguments, want string }{
		{"page and size", fromOne, `{}`, "items: showing 10 of 847 items. To see what follows, call again with per_page=10 and page=2."},
		{"first page", fromOne, `{"page":1}`, "call again with per_page=10 and page=2."},
		{"pages from 0", strings.ReplaceAll(fromOne, `"minimum":1`, `"default":0`), `{}`, "call again with per_page=10 and page=1."},
		{"nobody says where pages begin", pick("page", "per_page"), `{}`, "To see all, ask for 10 items at a time, per_page=10, and go on with page."},
		{"a later page", pick("page", "per_page"), `{"page":3}`, "To see all, ask for 10 items at a time, per_page=10, and go on with page."},
		{"offset", pick("offset", "per_page"), `{"offset":20}`, "To see what follows, call again with offset=30."},
		{"cursor and size", pick("cursor", "per_page"), `{}`, "To see all, ask for 10 items at a time, per_page=10, and go on with cursor."},
		{"page only", pick("page"), `{}`, "if one of the optional arguments does that: page."},
		{"size only", pick("per_page"), `{}`, "if one of the optional arguments does that: per_page."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			session := inMemory(t, NewServer(Config{MaxResponse: 75, Log: quiet()}, api(base, "GET /pets", tc.schema, listPets)))
			if text, _ := ask(t, session, "listPets", tc.arguments); !strings.Contains(text, tc.want) {
				t.Errorf("got %s, want %s", text, tc.want)
			}
		})
	}
}
