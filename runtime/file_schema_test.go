package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/parse/profile"
	"github.com/seed7346ab69/toolmill/runtime"
)

// uploads has files in all places that they can have, and a property of the API's
// own that is called path.
const uploads = `openapi: 3.1.0
info: {title: Uploads, version: "1"}
servers: [{url: https://api.test}]
paths:
  /form:
    post:
      operationId: form
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [cover]
              properties:
                cover: {description: A PNG., type: string, format: binary}
                back: {type: string, format: binary}
                pages: {type: array, items: {type: string, format: binary}}
                path: {type: string}
                copy: {type: object, properties: {data: {type: string, contentEncoding: base64}, path: {type: string}}}
      responses: {"204": {description: Done.}}
  /raw:
    put:
      operationId: raw
      requestBody: {required: true, content: {application/octet-stream: {}}}
      responses: {"204": {description: Done.}}
`

// served is a server of the document, as a host's profile has it.
func served(t *testing.T, name string, config runtime.Config) *mcp.ClientSession {
	t.Helper()
	document := filepath.Join(t.TempDir(), "uploads.yaml")
	if err := os.WriteFile(document, []byte(uploads), 0o644); err != nil {
		t.Fatal(err)
	}
	var diags diag.List
	parsed := openapi.Parse(t.Context(), document, openapi.Options{}, &diags)
	if parsed == nil {
		t.Fatalf("%+v", diags)
	}
	if name != "" {
		profile.Apply(name, parsed, &diags)
	}
	files := fstest.MapFS{}
	def := runtime.Definition{Name: "uploads", Version: "1", Schemas: files, Upstreams: []runtime.Upstream{{URL: "https://api.test"}}}
	for _, tool := range parsed.Tools() {
		write := func(path string, v any) {
			text, err := json.MarshalIndent(v, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			files[path] = &fstest.MapFile{Data: text}
		}
		write("tools/"+tool.Name+".json", map[string]any{"name": tool.Name, "inputSchema": json.RawMessage(tool.Input)})
		if tool.Full != nil {
			write("tools/full/"+tool.Name+".json", json.RawMessage(tool.Full))
		}
		def.Tools = append(def.Tools, runtime.Tool{Name: tool.Name, Handle: func(context.Context, *runtime.Call) (*runtime.Result, error) {
			return runtime.Text("called"), nil
		}})
	}
	config.Log = slog.New(slog.DiscardHandler)
	there, here := mcp.NewInMemoryTransports()
	go runtime.NewServer(config, def).Run(t.Context(), there)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// shown is what clients see of all tools: the list, and the whole schemas.
func shown(t *testing.T, session *mcp.ClientSession, search bool) string {
	t.Helper()
	if search {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "describe_tools", Arguments: map[string]any{"names": []string{"form", "raw"}}})
		if err != nil || result.IsError {
			t.Fatal(result, err)
		}
		return result.Content[0].(*mcp.TextContent).Text
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, tool := range list.Tools {
		text, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
		whole, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "schema://" + tool.Name})
		if err == nil {
			all.WriteString(whole.Contents[0].Text)
		}
	}
	return all.String()
}

// Tools offer the path of a file only where its operator named a folder, whatever
// the host, and check arguments the same way.
func TestPathOfFiles(t *testing.T) {
	for _, name := range append(profile.Names(), "") {
		for _, config := range []runtime.Config{{}, {Tools: runtime.SearchTools}, {Select: true, Paginate: true}} {
			t.Run(fmt.Sprint(name, "/", config.Tools, config.Select), func(t *testing.T) {
				for _, folder := range []string{"", t.TempDir()} {
					config.Files = folder
					session := served(t, name, config)
					text := shown(t, session, config.Tools != "")
					// Two of the API's own, one of each of four files.
					schemas := strings.Count(text, `"cover":{`)
					paths, required := 2*schemas, `"required":["data","filename"`
					if folder != "" {
						paths, required = 6*schemas, `"required":["data","path","filename"`
					}
					if got := strings.Count(text, `"path":{`); got != paths || schemas == 0 {
						t.Errorf("folder %q: path is there %d times in %d schemas, want %d:\n%s", folder, got, schemas, paths, text)
					}
					if said := strings.Contains(text, "(base64) or path."); said != (folder != "") {
						t.Errorf("folder %q: described with paths: %v:\n%s", folder, said, text)
					}
					if name == "strict" && !strings.Contains(text, required) && config.Tools == "" {
						t.Errorf("folder %q: no %s in\n%s", folder, required, text)
					}
					result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "form", Arguments: json.RawMessage(`{"body":{"cover":{"path":"a.png"}}}`)})
					if err != nil || result.IsError != (folder == "") {
						t.Errorf("folder %q: a call with a path: %v, %v", folder, result, err)
					}
					if text := result.Content[0].(*mcp.TextContent).Text; folder == "" && !strings.Contains(text, "body.cover.path: unknown property") {
						t.Errorf("a call with a path was refused by %s", text)
					}
				}
			})
		}
	}
}
