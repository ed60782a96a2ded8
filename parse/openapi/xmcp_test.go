package openapi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// exposed writes one operation with extensions of the document, its path and
// itself, each a line or nothing.
func exposed(document, path, operation string) string {
	return head + document + "\npaths:\n  /a:\n    " + path + "\n    post:\n      operationId: addPet\n      summary: Add a pet\n      " + operation +
		"\n      responses: {'200': {description: ok}}\n  /b: {get: {operationId: other, x-mcp: true, responses: {'200': {description: ok}}}}\n"
}

func TestEnabled(t *testing.T) {
	for _, tt := range []struct {
		name                      string
		document, path, operation string
		include, exclude          []string
		want                      bool
	}{
		{name: "nothing said", want: true},
		{name: "operation", operation: "x-mcp: false"},
		{name: "operation, as an object", operation: "x-mcp: {enabled: false}"},
		{name: "path", path: "x-mcp: false"},
		{name: "document", document: "x-mcp: false"},
		{name: "opt in", document: "x-mcp: false", operation: "x-mcp: true", want: true},
		{name: "operation over path", path: "x-mcp: {enabled: false}", operation: "x-mcp: {enabled: true}", want: true},
		{name: "path over document", document: "x-mcp: true", path: "x-mcp: false"},
		{name: "other keys say nothing about it", document: "x-mcp: false", operation: "x-mcp: {title: Add}"},
		{name: "null says nothing", document: "x-mcp: false", operation: "x-mcp: null"},
		{name: "quoted", operation: "x-mcp: 'false'"},
		{name: "speakeasy", operation: "x-speakeasy-mcp: {disabled: true}"},
		{name: "speakeasy opts in", document: "x-mcp: false", operation: "x-speakeasy-mcp: {disabled: false}", want: true},
		{name: "kong", operation: "x-kong-mcp-exclude: true"},
		{name: "kong, quoted", operation: "x-kong-mcp-exclude: 'true'"},
		{name: "kong, quoted and false", operation: "x-kong-mcp-exclude: 'false'", want: true},
		{name: "speakeasy, a boolean", operation: "x-speakeasy-mcp: false"},
		{name: "speakeasy, quoted", operation: "x-speakeasy-mcp: {disabled: 'true'}"},
		{name: "gram, a boolean", operation: "x-gram: false"},
		{name: "x-mcp over aliases", operation: "x-mcp: true\n      x-kong-mcp-exclude: true", want: true},
		{name: "a pattern does not bring back", operation: "x-mcp: false", include: []string{"op:*"}},
		{name: "a name brings back", operation: "x-mcp: false", include: []string{"op:addPet", "op:other"}, want: true},
		{name: "exclude beats x-mcp", operation: "x-mcp: true", exclude: []string{"op:addPet"}},
		{name: "x-mcp is no include", operation: "x-mcp: true", include: []string{"op:other"}},
		{name: "speakeasy's scopes are tags", operation: "x-speakeasy-mcp: {scopes: [write]}", exclude: []string{"tag:write"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opts := Options{Include: selectors(t, tt.include...), Exclude: selectors(t, tt.exclude...)}
			s, diags := mustParse(t, exposed(tt.document, tt.path, tt.operation), opts)
			if got := slices.Contains(toolNames(s), "addPet"); got != tt.want {
				t.Errorf("addPet is a tool: %v, want %v\n%s", got, tt.want, printed(diags))
			}
			if s.Excluded+s.Found != 2 {
				t.Errorf("excluded %d, found %d", s.Excluded, s.Found)
			}
		})
	}
}

// describeTool writes what x-mcp can change of a tool.
func describeTool(t *ir.Tool) string {
	confirm := "-"
	if t.Confirm != nil {
		confirm = fmt.Sprint(*t.Confirm)
	}
	return fmt.Sprintf("%s | %s | %s | %v | %q | %s", t.Name, t.Title, strings.ReplaceAll(t.Description, "\n", " "), t.Hints, t.Select, confirm)
}

func TestExposure(t *testing.T) {
	const plain = "addPet | Add a pet | Add a pet | {false false false true} | [] | -"
	for _, tt := range []struct {
		name                      string
		document, path, operation string
		want                      string
		diags                     []string // none: no diagnostic at all
	}{
		{name: "nothing said", want: plain},
		{
			name: "everything", operation: "x-mcp: {name: add, title: New pet, description: ' Adds one. ', hints: {readOnly: true, destructive: true, idempotent: true, openWorld: false}, select: [id, owner.name], confirm: true}",
			want: `add | New pet | Adds one. | {true true true false} | ["id" "owner.name"] | true`,
		},
		{name: "the nearest of each key", document: "x-mcp: {title: D, select: [d], confirm: true, hints: {idempotent: true, openWorld: false}}", path: "x-mcp: {title: P, hints: {openWorld: true, readOnly: true}}", operation: "x-mcp: {confirm: false}",
			want: `addPet | P | Add a pet | {true false true true} | ["d"] | false`},
		{
			name: "unknown keys", operation: "x-mcp: {enabeld: false, colour: red, hints: {readOnlyHint: true}, x-own: 1}", want: plain,
			diags: []string{
				"api.yaml:11:15: warning: operation addPet: x-mcp.enabeld is an unknown key; it is ignored [unknown-key]\n\thint: did you mean enabled?",
				"x-mcp.colour is an unknown key", "x-mcp.hints.readOnlyHint is an unknown key; it is ignored [unknown-key]\n\thint: did you mean readOnly?",
			},
		},
		{name: "wrong kinds", operation: "x-mcp: {select: id, confirm: 3, hints: true, title: [x]}", want: `addPet | Add a pet | Add a pet | {false false false true} | ["id"] | -`,
			diags: []string{"x-mcp.select is a string, read as a list of one", "x-mcp.confirm is a number and must be a boolean", "x-mcp.hints is a boolean and must be a mapping", "x-mcp.title is a list and must be text"}},
		{name: "no x-mcp at all", operation: "x-mcp: [1]", want: plain, diags: []string{"x-mcp is a list and must be a mapping; it is ignored"}},
		{name: "a name for many", path: "x-mcp: {name: add}", want: plain, diags: []string{"api.yaml:7:19: warning: path /a: x-mcp.name belongs to an operation; it is ignored [misplaced-name]"}},
		{name: "a long description is cut", operation: "x-mcp: {description: '" + strings.Repeat("word ", 300) + "'}", want: "addPet | Add a pet | " + strings.Repeat("word ", 203) + "word… | {false false false true} | [] | -"},
		{name: "hidden characters", operation: `x-mcp: {title: "a\u200bb", description: "c\u202ed"}`, want: "addPet | ab | cd | {false false false true} | [] | -"},
		{
			name:      "speakeasy",
			operation: "x-speakeasy-mcp: {name: add-pet, title: T, description: D, scopes: [write], destructiveHint: true, idempotentHint: true, other: 1}",
			want:      "add-pet | T | D | {false true true true} | [] | -",
		},
		{name: "gram", operation: "x-gram: {name: add_pet, summary: S, description: D, confirm: always, responseFilterType: jq}", want: "add_pet | S | D | {false false false true} | [] | true"},
		{name: "gram without confirmation", operation: "x-gram: {summary: '', confirm: never}", want: "addPet | Add a pet | Add a pet | {false false false true} | [] | false"},
		{name: "kong", operation: "x-kong-mcp-tool-name: add-pet\n      x-kong-mcp-tool-description: D", want: "add-pet | Add a pet | D | {false false false true} | [] | -"},
		{name: "kong's name is changed where it must be", operation: "x-kong-mcp-tool-name: add a pet", want: "add_a_pet | Add a pet | Add a pet | {false false false true} | [] | -",
			diags: []string{`the name "add a pet" is not legal as a tool name and changed to "add_a_pet" [name-folded]`}},
		{
			name: "x-mcp over the others", operation: "x-mcp: {title: X}\n      x-speakeasy-mcp: {title: S, description: S}\n      x-gram: {name: g, title: G, description: G}",
			want: "g | X | S | {false false false true} | [] | -",
		},
		{
			name: "others of the wrong kind", operation: "x-speakeasy-mcp: true\n      x-gram: {name: 3, description: [], confirm: sometimes}\n      x-kong-mcp-exclude: 3",
			want: "3 | Add a pet | Add a pet | {false false false true} | [] | -",
			diags: []string{
				"api.yaml:11:24: warning: operation addPet: x-speakeasy-mcp is a boolean and must be a mapping; it is read as whether the operation is a tool [wrong-type]",
				`x-gram.name is a number, read as the text "3"`, "x-gram.description is a list and must be text; it is ignored", "x-gram.confirm is neither always nor never; it is ignored",
				"x-kong-mcp-exclude is a number and must be a boolean; it is ignored",
			},
		},
		{name: "others quoted", operation: "x-speakeasy-mcp: {readOnlyHint: 'true', scopes: write}", want: "addPet | Add a pet | Add a pet | {true false false true} | [] | -",
			diags: []string{"x-speakeasy-mcp.readOnlyHint is text, read as true [quoted-boolean]", "x-speakeasy-mcp.scopes is a string, read as a list of one"}},
		{name: "a list for a mapping", operation: "x-gram: [1]", want: plain, diags: []string{"x-gram is a list and must be a mapping; it is ignored"}},
		{name: "null says nothing", operation: "x-gram: null\n      x-speakeasy-mcp: {name: null, disabled: null}\n      x-kong-mcp-exclude: null", want: plain},
		{name: "a description for the server", document: "x-mcp: {description: All about pets.}", want: "addPet | Add a pet | All about pets. | {false false false true} | [] | -",
			diags: []string{"api.yaml:4:22: warning: x-mcp.description at the root replaces the description of every tool [shared-description]\n\thint: describe the server in info.description, each tool at its operation"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := mustParse(t, exposed(tt.document, tt.path, tt.operation), Options{})
			i := slices.IndexFunc(s.Tools(), func(t *ir.Tool) bool { return t.OperationID == "addPet" })
			if got := describeTool(s.Tools()[i]); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			out := printed(diags)
			if len(tt.diags) == 0 && out != "" {
				t.Errorf("diagnostics:\n%s", out)
			}
			for _, want := range tt.diags {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
}

// What a flag leaves out has no mistakes. What x-mcp leaves out may be left out by
// one.
func TestMistakesOfExcludedOperations(t *testing.T) {
	for _, tt := range []struct {
		name, document, operation string
		exclude                   []string
		want                      string // in the diagnostics; empty: there are none
	}{
		{"kept", "", "x-mcp: {enabeld: true}", nil, "x-mcp.enabeld is an unknown key"},
		{"by a flag", "", "x-mcp: {enabeld: true}\n      x-kong-mcp-exclude: 3\n      parameters: 3", []string{"op:addPet"}, ""},
		{"by x-mcp", "x-mcp: false", "x-mcp: {enabeld: true}\n      parameters: 3", nil, "x-mcp.enabeld is an unknown key"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, diags := mustParse(t, exposed(tt.document, "", tt.operation), Options{Exclude: selectors(t, tt.exclude...)})
			got := printed(diags)
			if !strings.Contains(got, tt.want) || tt.want == "" && got != "" || strings.Contains(got, "parameters") {
				t.Errorf("got %s", got)
			}
		})
	}
}

// A tool that is said to be read-only destroys nothing, whatever its method.
func TestReadOnlyDelete(t *testing.T) {
	op := &Operation{Method: "DELETE"}
	if h := toolHints(op); !h.Destructive {
		t.Errorf("got %+v", h)
	}
	s, _ := mustParse(t, head+"paths: {/a: {delete: {operationId: a, x-mcp: {hints: {readOnly: true}}, responses: {'200': {description: ok}}}}}\n",
		Options{Include: selectors(t, "is:read-only"), Exclude: nil})
	if h := tool(t, s, "a").Hints; !h.ReadOnly || h.Destructive {
		t.Errorf("got %+v", h)
	}
}

// pinned writes an operation for each pair of operationId and name.
func pinned(pairs ...string) string {
	var b strings.Builder
	b.WriteString(head + "paths:\n")
	for i := 0; i < len(pairs); i += 2 {
		fmt.Fprintf(&b, "  /%c: {get: {operationId: %s, x-mcp: {name: %q}, responses: {'200': {description: ok}}}}\n", 'a'+i, pairs[i], pairs[i+1])
	}
	return strings.ReplaceAll(b.String(), `x-mcp: {name: ""}, `, "")
}

func TestPinnedNames(t *testing.T) {
	for _, tt := range []struct {
		name     string
		document string
		style    ir.NameStyle
		want     []string // tools in the order of the operations; nil: none is made
		diags    []string
	}{
		{"before an operationId that has it", pinned("get", "", "b", "get"), "", []string{"get_2", "get"}, []string{"[name-clash]"}},
		{"as written", pinned("getPet", "fetchPet", "b", ""), ir.Snake, []string{"fetchPet", "b"}, nil},
		{"an operationId that is no name does not matter", pinned("a.b", "ab"), "", []string{"ab"}, nil},
		{"no name", pinned("a", "get a pet"), "", nil, []string{`api.yaml:5:44: error: operation a: x-mcp.name "get a pet" is no tool name [bad-tool-name]`, "for example get_a_pet"}},
		{"too long", pinned("a", strings.Repeat("x", 65)), "", nil, []string{"[bad-tool-name]", "at most 64"}},
		{"twice", pinned("a", "x", "b", "x"), "", nil, []string{`api.yaml:6:44: error: operation b: the name "x" is given at `, "api.yaml:5:44 too [duplicate-name]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := parse(t, tt.document, Options{Names: tt.style})
			var got []string
			if s != nil {
				tools := s.Tools()
				slices.SortFunc(tools, func(a, b *ir.Tool) int { return a.Pos.Line - b.Pos.Line })
				for _, tool := range tools {
					got = append(got, tool.Name)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q\n%s", got, tt.want, printed(diags))
			}
			for _, want := range tt.diags {
				if !strings.Contains(printed(diags), want) {
					t.Errorf("no %q in\n%s", want, printed(diags))
				}
			}
		})
	}
}

func TestPinnedNamesKnowTheirPlace(t *testing.T) {
	s, _ := mustParse(t, pinned("getPet", "fetchPet", "other", ""), Options{})
	if at := tool(t, s, "fetchPet").Pinned.String(); !strings.HasSuffix(at, "api.yaml:5:49") {
		t.Errorf("fetchPet is pinned at %q", at)
	}
	if at := tool(t, s, "other").Pinned.String(); at != "" {
		t.Errorf("other is pinned at %q", at)
	}
}
