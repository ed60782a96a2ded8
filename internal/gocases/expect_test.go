package gocases

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// expectation is an expect.json.
type expectation struct {
	Generate struct {
		Exit        int
		Diagnostics []wantDiagnostic
	}
	Tools             []wantTool
	Resources         []wantResource
	ResourceTemplates []wantResource
	Prompts           []wantPrompt
	Calls             []wantCall
}

type wantDiagnostic struct {
	Pos      string // u.go:19, or only the file
	Contains []string
}

func (w wantDiagnostic) matches(d diagnostic) bool {
	if w.Pos != d.File && w.Pos != fmt.Sprintf("%s:%d", d.File, d.Line) {
		return false
	}
	for _, part := range w.Contains {
		if !strings.Contains(d.Message+" "+d.Hint, part) {
			return false
		}
	}
	return true
}

type wantTool struct {
	Name                 string
	Title                string
	Annotations          map[string]bool
	DescriptionContains  []string
	DescriptionOmits     []string
	PropertyDescriptions map[string]string
	InputSchema          json.RawMessage
	OutputSchema         json.RawMessage
}

type wantResource struct {
	URI, URITemplate, Name, MimeType, DescriptionContains string
}

type wantPrompt struct {
	Name, Title string
	Arguments   []struct {
		Name                string
		Required            bool
		DescriptionContains string
	}
}

type wantCall struct {
	Tool              string
	Arguments         json.RawMessage
	RawArguments      string
	IsError           bool
	TextContains      []string
	TextOmits         []string
	StructuredContent json.RawMessage
	RawStructured     string
	Content           []map[string]any
}

// checkSurface holds tools/list, resources/list, resources/templates/list and
// prompts/list against the case.
func (r *run) checkSurface(t *testing.T, client *prove.Client) {
	tools := map[string]prove.Tool{}
	for _, tool := range client.Tools() {
		tools[tool.Name] = tool
		for _, schema := range []json.RawMessage{tool.InputSchema, tool.OutputSchema} {
			if schema == nil {
				continue
			}
			if _, err := prove.CompileSchema(schema); err != nil {
				t.Errorf("tool %s: a schema does not compile: %v", tool.Name, err)
			}
		}
	}
	if len(tools) != len(r.expect.Tools) {
		t.Errorf("%d tools, want %d", len(tools), len(r.expect.Tools))
	}
	for _, want := range r.expect.Tools {
		tool, ok := tools[want.Name]
		if !ok {
			t.Errorf("no tool %s", want.Name)
			continue
		}
		t.Run(want.Name, func(t *testing.T) { want.check(t, tool) })
	}
	if len(r.expect.Resources)+len(r.expect.ResourceTemplates) > 0 {
		checkResources(t, client, "resources/list", "resources", r.expect.Resources)
		checkResources(t, client, "resources/templates/list", "resourceTemplates", r.expect.ResourceTemplates)
	}
	if len(r.expect.Prompts) > 0 {
		checkPrompts(t, client, r.expect.Prompts)
	}
}

func (want wantTool) check(t *testing.T, tool prove.Tool) {
	if want.Title != "" && tool.Title != want.Title {
		t.Errorf("title %q, want %q", tool.Title, want.Title)
	}
	for name, value := range want.Annotations {
		if got := string(prove.Member(tool.Raw, "/annotations/"+name)); got != fmt.Sprint(value) {
			t.Errorf("%s is %s, want %v", name, got, value)
		}
	}
	for _, part := range want.DescriptionContains {
		if !strings.Contains(tool.Description, part) {
			t.Errorf("the description lacks %q:\n%s", part, tool.Description)
		}
	}
	for _, part := range want.DescriptionOmits {
		if strings.Contains(tool.Description, part) {
			t.Errorf("the description holds %q:\n%s", part, tool.Description)
		}
	}
	for path, part := range want.PropertyDescriptions {
		description := propertyDescription(tool.InputSchema, strings.Split(path, "."))
		if part == "" && description != "" || !strings.Contains(description, part) {
			t.Errorf("the description of %s is %q, want %q in it", path, description, part)
		}
	}
	for _, s := range []struct {
		what      string
		got, want json.RawMessage
	}{{"inputSchema", tool.InputSchema, want.InputSchema}, {"outputSchema", tool.OutputSchema, want.OutputSchema}} {
		switch {
		case s.want == nil:
		case string(s.want) == "null":
			if s.got != nil {
				t.Errorf("%s is %s, want none", s.what, s.got)
			}
		case s.got == nil:
			t.Errorf("%s is missing", s.what)
		default:
			if diff := sameSchema(s.got, s.want); diff != "" {
				t.Errorf("%s: %s\ngot  %s\nwant %s", s.what, diff, s.got, s.want)
			}
		}
	}
}

func propertyDescription(schema json.RawMessage, path []string) string {
	var root any
	if json.Unmarshal(schema, &root) != nil {
		return ""
	}
	text := ""
	node := any(root)
	for _, name := range path {
		node = object(resolve(node, root)["properties"])[name]
		var ok bool
		if text, ok = object(node)["description"].(string); !ok {
			text, _ = resolve(node, root)["description"].(string)
		}
	}
	return text
}

func checkResources(t *testing.T, client *prove.Client, method, member string, want []wantResource) {
	list := listOf(t, client, method, member)
	if len(list) != len(want) {
		t.Errorf("%s: %d, want %d", method, len(list), len(want))
	}
	for _, w := range want {
		i := slices.IndexFunc(list, func(m map[string]any) bool {
			return m["name"] == w.Name && (m["uri"] == w.URI || w.URI == "") && (m["uriTemplate"] == w.URITemplate || w.URITemplate == "")
		})
		if i < 0 {
			t.Errorf("%s: no %s", method, w.Name)
			continue
		}
		description, _ := list[i]["description"].(string)
		if list[i]["mimeType"] != w.MimeType || !strings.Contains(description, w.DescriptionContains) {
			t.Errorf("%s: %v, want %+v", method, list[i], w)
		}
	}
}

func checkPrompts(t *testing.T, client *prove.Client, want []wantPrompt) {
	list := listOf(t, client, "prompts/list", "prompts")
	if len(list) != len(want) {
		t.Errorf("%d prompts, want %d", len(list), len(want))
	}
	for _, w := range want {
		i := slices.IndexFunc(list, func(m map[string]any) bool { return m["name"] == w.Name })
		if i < 0 {
			t.Errorf("no prompt %s", w.Name)
			continue
		}
		if title, _ := list[i]["title"].(string); title != w.Title {
			t.Errorf("prompt %s: title %q, want %q", w.Name, title, w.Title)
		}
		args, _ := list[i]["arguments"].([]any)
		if len(args) != len(w.Arguments) {
			t.Errorf("prompt %s: %d arguments, want %d", w.Name, len(args), len(w.Arguments))
			continue
		}
		for j, a := range w.Arguments {
			got := object(args[j])
			required, _ := got["required"].(bool)
			description, _ := got["description"].(string)
			if got["name"] != a.Name || required != a.Required || !strings.Contains(description, a.DescriptionContains) {
				t.Errorf("prompt %s: argument %v, want %+v", w.Name, got, a)
			}
		}
	}
}

func listOf(t *testing.T, client *prove.Client, method, member string) []map[string]any {
	t.Helper()
	m := client.Send(method, "{}").Wait()
	var result map[string]json.RawMessage
	var list []map[string]any
	if m.Error != nil || json.Unmarshal(m.Result, &result) != nil || json.Unmarshal(result[member], &list) != nil {
		t.Errorf("%s: %s", method, m.Raw)
	}
	return list
}

// checkCalls makes the calls in their order.
func (r *run) checkCalls(t *testing.T, client *prove.Client) {
	outputs := map[string]json.RawMessage{}
	for _, tool := range client.Tools() {
		outputs[tool.Name] = tool.OutputSchema
	}
	for i, want := range r.expect.Calls {
		if noted[fmt.Sprintf("%s/%d", r.pkg, i)] {
			continue
		}
		method, what, special := strings.Cut(want.Tool, " ")
		if special {
			t.Run(fmt.Sprint(i, " ", want.Tool), func(t *testing.T) { want.checkMessage(t, client, method, what) })
			continue
		}
		arguments := oneLine(want.Arguments)
		if want.RawArguments != "" {
			arguments = want.RawArguments
		}
		t.Run(fmt.Sprint(i, " ", want.Tool), func(t *testing.T) {
			result := client.Call(want.Tool, arguments)
			want.check(t, result)
			if result.IsError || outputs[want.Tool] == nil {
				return
			}
			if err := validate(outputs[want.Tool], result.Structured); err != nil {
				t.Errorf("%s breaks the outputSchema: %v", result.Structured, err)
			}
		})
	}
}

func (want wantCall) check(t *testing.T, result *prove.Result) {
	if result.IsError != want.IsError {
		t.Errorf("isError %v, want %v\n%s", result.IsError, want.IsError, result.Raw)
	}
	text := result.Text()
	for _, part := range want.TextContains {
		if !strings.Contains(text, part) {
			t.Errorf("the text lacks %q: %s", part, text)
		}
	}
	for _, part := range want.TextOmits {
		if strings.Contains(text, part) {
			t.Errorf("the text holds %q: %s", part, text)
		}
	}
	// The bytes, where given, say more: the parsed form has lost digits.
	if want.RawStructured == "" && want.StructuredContent != nil && !prove.SameJSON(result.Structured, want.StructuredContent) {
		t.Errorf("structuredContent %s, want %s", result.Structured, want.StructuredContent)
	}
	if want.RawStructured != "" && string(result.Structured) != want.RawStructured {
		t.Errorf("structuredContent %s, want the bytes %s", result.Structured, want.RawStructured)
	}
	if want.Content != nil {
		var got []map[string]any
		if err := json.Unmarshal(prove.Member(result.Raw, "/content"), &got); err != nil || len(got) != len(want.Content) {
			t.Errorf("content %s, want %v", result.Raw, want.Content)
			return
		}
		for i, block := range want.Content {
			for key, value := range block {
				if got[i][key] != value {
					t.Errorf("content %d: %s is %v, want %v", i, key, got[i][key], value)
				}
			}
		}
	}
}

// checkMessage is for resources/read and prompts/get, whose answers are text.
func (want wantCall) checkMessage(t *testing.T, client *prove.Client, method, what string) {
	params := fmt.Sprintf(`{"uri":%q}`, what)
	if method == "prompts/get" {
		params = fmt.Sprintf(`{"name":%q,"arguments":%s}`, what, oneLine(want.Arguments))
	}
	m := client.Send(method, params).Wait()
	if m.Error != nil {
		t.Errorf("%s", m.Raw)
	}
	text := string(m.Result)
	if contents := prove.Member(m.Result, "/contents/0/text"); contents != nil {
		if err := json.Unmarshal(contents, &text); err != nil {
			t.Error(err)
		}
	}
	for _, part := range want.TextContains {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in %s", part, text)
		}
	}
}

// oneLine fits a JSON text into a message.
func oneLine(text json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Compact(&b, text); err != nil {
		return string(text)
	}
	return b.String()
}

func validate(schema, value json.RawMessage) error {
	compiled, err := prove.CompileSchema(schema)
	if err != nil {
		return err
	}
	var v any
	d := json.NewDecoder(strings.NewReader(string(value)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return err
	}
	return compiled.Validate(v)
}
