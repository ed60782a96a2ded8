package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/profile"
	"github.com/seed7346ab69/toolmill/runtime"
)

// called generates a tool of one argument, a, for a profile, calls it and returns
// what its handler was given: the argument, "none", or the text of an error.
func called(t *testing.T, profileName, schema string, required bool, argument string) string {
	t.Helper()
	// Strict arguments: what a profile asks for is no repair.
	return calledWith(t, runtime.Config{StrictArguments: true}, profileName, schema, required, argument)
}

// calledWith is called with a configuration of the server.
func calledWith(t *testing.T, config runtime.Config, profileName, schema string, required bool, argument string) string {
	t.Helper()
	input := `{"type":"object","properties":{"a":` + schema + `},"additionalProperties":false,"$defs":{"Kind":{"type":"object","additionalProperties":{"type":"string"}}}`
	if required {
		input += `,"required":["a"]`
	}
	tool := &ir.Tool{Name: "tool", Input: json.RawMessage(input + "}")}
	if profileName != "" {
		profile.Apply(profileName, &ir.Server{Name: "s", Groups: []ir.Group{{Tools: []*ir.Tool{tool}}}}, &diag.List{})
	}
	files := fstest.MapFS{"tools/tool.json": {Data: []byte(`{"name":"tool","inputSchema":` + string(tool.Input) + `}`)}}
	if tool.Full != nil {
		files["tools/full/tool.json"] = &fstest.MapFile{Data: tool.Full}
	}
	return calledIn(t, config, files, argument)
}

// calledIn is called with the tool's files.
func calledIn(t *testing.T, config runtime.Config, files fstest.MapFS, argument string) string {
	t.Helper()
	config.Log = slog.New(slog.DiscardHandler)
	def := runtime.Definition{Name: "s", Version: "1", Schemas: files, Upstreams: []runtime.Upstream{{URL: "https://api.test"}},
		Tools: []runtime.Tool{{Name: "tool", Handle: func(_ context.Context, call *runtime.Call) (*runtime.Result, error) {
			if value := call.Arg("a").Value; value != nil {
				return runtime.Text(string(value)), nil
			}
			return runtime.Text("none"), nil
		}}}}
	there, here := mcp.NewInMemoryTransports()
	go runtime.NewServer(config, def).Run(t.Context(), there)
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "tool", Arguments: json.RawMessage(`{"a":` + argument + `}`)})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Content) == 0 {
		t.Fatal("no content")
	}
	return result.Content[0].(*mcp.TextContent).Text
}

// A host that writes an object as JSON text writes what is in it as the profile asks.
func TestProfiledInText(t *testing.T) {
	const object = `{"type":"object","properties":{"b":{},"c":{"type":["string","null"]},"d":{"type":"string"}}}`
	for _, tt := range []struct{ name, schema, argument, want string }{
		{"an object", object, `"{\"b\":\"[1]\",\"c\":null,\"d\":\"[2]\"}"`, `{"b":[1],"d":"[2]"}`},
		{"an item", `{"type":"array","items":` + object + `}`, `[{"b":"1","c":null,"d":"x"},"{\"b\":\"true\",\"c\":null}"]`, `[{"b":1,"d":"x"},{"b":true}]`},
		{"a property", `{"type":"object","properties":{"o":` + object + `}}`, `{"o":"{\"b\":\"{}\",\"c\":null}"}`, `{"o":{"b":{}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := calledWith(t, runtime.Config{}, "strict", tt.schema, true, tt.argument)
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// What a profile asks for in another form reaches the API in its own.
func TestProfiledArguments(t *testing.T) {
	for _, tt := range []struct {
		name, profile, schema string
		required              bool
		argument, want        string
	}{
		{"anything: an array", "strict", `{}`, true, `"[1,2]"`, `[1,2]`},
		{"anything: an object, exactly", "strict", `{}`, true, `"{\"n\": 1.50}"`, `{"n": 1.50}`},
		{"anything: a string in quotes", "strict", `{}`, true, `"\"5\""`, `"5"`},
		{"anything: no JSON stays a string", "strict", `{}`, true, `"plain words"`, `"plain words"`},
		{"anything: null that is meant", "strict", `{}`, false, `"null"`, `null`},
		{"anything left out", "strict", `{}`, false, `null`, `none`},
		{"an open object", "strict", `{"type":"object"}`, true, `"{\"x\":1}"`, `{"x":1}`},
		{"an open object behind a reference", "strict", `{"$ref":"#/$defs/Kind"}`, true, `"{\"x\":\"1\"}"`, `{"x":"1"}`},
		{"an open object or a text", "strict", `{"anyOf":[{"type":"string"},{"type":"object"}]}`, true, `"{\"x\":1}"`, `{"x":1}`},
		{"a text of an open object or a text", "strict", `{"anyOf":[{"type":"string"},{"type":"object"}]}`, true, `"7"`, `"7"`},
		{"a value in a list", "strict", `{"type":"array","items":{}}`, true, `["[1]","x",2]`, `[[1],"x",2]`},
		{"a value in an object", "strict", `{"type":"object","properties":{"b":{"description":"Any."},"c":{"type":"string"}}}`, true, `{"b":"{\"d\":[]}","c":"[1]"}`, `{"b":{"d":[]},"c":"[1]"}`},
		{"a value in a choice of objects", "strict", `{"oneOf":[{"type":"object","properties":{"k":{"const":"x"},"v":{}},"required":["k","v"]},{"type":"object","properties":{"k":{"const":"y"}},"required":["k"]}]}`, true, `{"k":"x","v":"[1]"}`, `{"k":"x","v":[1]}`},
		{"a string that holds JSON", "strict", `{"type":"string"}`, true, `"[1,2]"`, `"[1,2]"`},
		{"a string that holds JSON, made of parts", "strict", `{"allOf":[{"type":"string"},{"minLength":1}]}`, true, `"[1,2]"`, `"[1,2]"`},
		{"a string that holds JSON and says so", "strict", `{"type":"string","description":"As JSON text."}`, true, `"[1,2]"`, `"[1,2]"`},
		{"a string left out", "strict", `{"type":"string"}`, false, `null`, `none`},
		{"a constant left out", "strict", `{"const":"fast","type":"string"}`, false, `null`, `none`},
		{"null where it is a value too", "strict", `{"type":["string","null"]}`, false, `null`, `none`},
		{"null where it is a value and asked for", "strict", `{"type":["string","null"]}`, true, `null`, `null`},
		{"an optional property left out", "strict", `{"type":"object","properties":{"b":{"type":["string","null"]},"c":{"type":"string"}},"required":["c"]}`, true, `{"b":null,"c":"x"}`, `{"c":"x"}`},
		{"gemini: an open object", "gemini", `{"type":"object","additionalProperties":true}`, true, `"{\"x\":1}"`, `{"x":1}`},
		{"gemini: a number or a text", "gemini", `{"type":["string","integer"]}`, true, `"5"`, `"5"`},
		{"gemini: null where it is a value", "gemini", `{"type":["string","null"]}`, false, `null`, `null`},
		{"openai: anything", "openai", `{"type":"array","items":{}}`, true, `["[1]"]`, `["[1]"]`},
		{"no profile", "", `{}`, true, `"[1,2]"`, `"[1,2]"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := called(t, tt.profile, tt.schema, tt.required, tt.argument); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// A schema that many ways lead to is compared once, not once for each way.
func TestProfiledManyWays(t *testing.T) {
	const levels, ways = 20, 12
	defs := `"Last":{"type":"object","properties":{"z":{}}}`
	next := "Last"
	for i := range levels {
		name := fmt.Sprintf("Level%d", i)
		way := fmt.Sprintf(`{"$ref":"#/$defs/%s"}`, next)
		defs += fmt.Sprintf(`,"%s":{"anyOf":[%s{"$ref":"#/$defs/%s"}]}`, name, strings.Repeat(way+",", ways), name)
		next = name
	}
	whole := fmt.Sprintf(`{"type":"object","properties":{"a":{"$ref":"#/$defs/%s"}},"$defs":{%s}}`, next, defs)
	files := fstest.MapFS{
		"tools/tool.json":      {Data: []byte(`{"name":"tool","inputSchema":{"type":"object","properties":{"a":{"type":"object","properties":{"z":{"type":"string"}}}}}}`)},
		"tools/full/tool.json": {Data: []byte(whole)},
	}
	if got := calledIn(t, runtime.Config{}, files, `{"z":"[1]"}`); got != `{"z":[1]}` {
		t.Error(got)
	}
}
