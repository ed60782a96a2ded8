package profile

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

func apply(t *testing.T, name string, s *ir.Server) []diag.Diagnostic {
	t.Helper()
	var diags diag.List
	Apply(name, s, &diags)
	return diags.All()
}

func server(tools ...*ir.Tool) *ir.Server {
	return &ir.Server{Name: "petstore", Groups: []ir.Group{{Tools: tools}}}
}

func TestSchemas(t *testing.T) {
	tests := []struct{ name, profile, input, want string }{
		{"claude takes all", "claude", `{"type":"object","properties":{"a":{"type":["string","null"]},"b":{"$ref":"#/$defs/B"}},"$defs":{"B":{}}}`, ""},
		{"openai: properties at the root", "openai", `{"type":"object"}`, `{"type":"object","properties":{}}`},
		{"openai: items that say something", "openai", `{"type":"object","properties":{"a":{"type":"array","items":{}},"b":{"type":"array","items":{"type":"string"}}}}`,
			`{"type":"object","properties":{"a":{"type":"array","items":{"anyOf":[{"type":"string"},{"type":"number"},{"type":"boolean"},{"type":"object"},{"type":"array","items":{"type":"string"}}]}},"b":{"type":"array","items":{"type":"string"}}}}`},
		{"vscode: references in place", "vscode", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A","description":"mine"}},"$defs":{"A":{"type":"string","description":"its"}}}`,
			`{"type":"object","properties":{"a":{"type":"string","description":"mine"}}}`},
		{"vscode: recursion is marked", "vscode", `{"type":"object","properties":{"n":{"$ref":"#/$defs/N"}},"$defs":{"N":{"type":"object","description":"A node.","properties":{"next":{"$ref":"#/$defs/N"}}}}}`,
			`{"type":"object","properties":{"n":{"type":"object","description":"A node.","properties":{"next":{"type":"object","description":"A node. [cut]"}}}}}`},
		{"gemini: enums are of texts", "gemini", `{"type":"object","properties":{"a":{"type":["string","null"],"enum":["me","",null]},"b":{"type":"integer","enum":[1,2],"description":"How many."},"c":{"const":"x"}}}`,
			`{"type":"object","properties":{"a":{"type":"string","enum":["me"],"description":"Values: \"me\", \"\", null.","nullable":true},"b":{"type":"integer","description":"How many. Values: 1, 2."},"c":{"enum":["x"],"type":"string"}}}`},
		{"gemini: one type", "gemini", `{"type":"object","properties":{"a":{"type":["string","integer"],"description":"A."},"b":{"oneOf":[{"type":"string"},{"type":"null"}]}}}`,
			`{"type":"object","properties":{"a":{"description":"A.","anyOf":[{"type":"string"},{"type":"integer"}]},"b":{"type":"string","nullable":true}}}`},
		{"gemini: keywords", "gemini", `{"type":"object","properties":{"a":{"type":"integer","format":"int64","multipleOf":2,"default":4},"b":{"type":"string","format":"uuid"}},"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"integer","format":"int64"},"b":{"type":"string"}}}`},
		{"gemini: allOf", "gemini", `{"type":"object","properties":{"a":{"allOf":[{"type":"string","maxLength":3},{"minLength":1}]}}}`,
			`{"type":"object","properties":{"a":{"type":"string","maxLength":3,"minLength":1}}}`},
		{"strict: all required, optional or null", "strict", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"object","properties":{"c":{"enum":["x"],"type":"string"}}}},"required":["a"],"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":["object","null"],"properties":{"c":{"enum":["x",null],"type":["string","null"]}},"required":["c"],"additionalProperties":false}},"required":["a","b"],"additionalProperties":false}`},
		{"strict: an optional constant may be left out", "strict", `{"type":"object","properties":{"a":{"const":"fast","type":"string"},"b":{"const":"slow","type":"string"}},"required":["b"]}`,
			`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["fast",null]},"b":{"const":"slow","type":"string"}},"required":["a","b"],"additionalProperties":false}`},
		{"strict: an enum that may be null but does not list it", "strict", `{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x"]}}}`,
			`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["x",null]}},"required":["a"],"additionalProperties":false}`},
		{"strict: anything may be left out", "strict", `{"type":"object","properties":{"a":{},"b":{"anyOf":[{"type":"integer"},{}]},"c":{}},"required":["c"]}`,
			`{"type":"object","properties":{"a":{"type":["string","null"],"description":"As JSON text."},"b":{"type":["string","null"],"description":"As JSON text."},"c":{"type":"string","description":"As JSON text."}},"required":["a","b","c"],"additionalProperties":false}`},
		{"strict: a choice with null is not given another", "strict", `{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":["string","null"]}]}}}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"type":"integer"},{"type":["string","null"]}]}},"required":["a"],"additionalProperties":false}`},
		{"strict: a text or an open object is JSON text", "strict", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"object"}]}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"type":"string","description":"As JSON text."}},"required":["a"],"additionalProperties":false}`},
		{"strict: formats", "strict", `{"type":"object","properties":{"a":{"type":"string","format":"uri","description":"Where."},"b":{"type":"string","format":"uuid"},"c":{"type":"integer","format":"int64"}},"required":["a","b","c"]}`,
			`{"type":"object","properties":{"a":{"type":"string","description":"Where. Format: uri."},"b":{"type":"string","format":"uuid"},"c":{"type":"integer"}},"required":["a","b","c"],"additionalProperties":false}`},
		{"strict: allOf", "strict", `{"type":"object","properties":{"a":{"allOf":[{"properties":{"x":{"type":"string"}},"required":["x"]},{"properties":{"y":{"type":"string"}},"required":["y"]}]}},"required":["a"]}`,
			`{"type":"object","properties":{"a":{"properties":{"x":{"type":"string"},"y":{"type":"string"}},"required":["x","y"],"type":"object","additionalProperties":false}},"required":["a"],"additionalProperties":false}`},
		{"gemini: values of several types", "gemini", `{"type":"object","properties":{"a":{"type":["string","integer","null"],"enum":["sit","roll",3,null]}}}`,
			`{"type":"object","properties":{"a":{"description":"Values: \"sit\", \"roll\", 3, null.","anyOf":[{"enum":["sit","roll"],"type":"string"},{"type":"integer"}],"nullable":true}}}`},
		{"gemini: keywords go with their type", "gemini", `{"type":"object","properties":{"a":{"type":["object","array"],"properties":{"x":{"type":"string","format":"int64"}},"required":["x","y"],"items":{"type":"string"},"minItems":1}}}`,
			`{"type":"object","properties":{"a":{"anyOf":[{"properties":{"x":{"type":"string"}},"required":["x"],"type":"object"},{"items":{"type":"string"},"minItems":1,"type":"array"}]}}}`},
		{"gemini: an open object is JSON text", "gemini", `{"type":"object","properties":{"a":{"type":["object","null"],"additionalProperties":true,"description":"Labels."},"b":{"type":"array","items":{}}}}`,
			`{"type":"object","properties":{"a":{"type":"string","description":"Labels. An object, as JSON text.","nullable":true},"b":{"type":"array","items":{"type":"string","description":"As JSON text."}}}}`},
		{"gemini: no arguments", "gemini", `{"type":"object","properties":{},"additionalProperties":false}`, `{"type":"object"}`},
		{"strict: free form is JSON text", "strict", `{"type":"object","properties":{"a":{"type":"object","additionalProperties":{"type":"string"},"description":"Labels."}},"required":["a"],"additionalProperties":false}`,
			`{"type":"object","properties":{"a":{"type":"string","description":"Labels. An object, as JSON text."}},"required":["a"],"additionalProperties":false}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tool := &ir.Tool{Name: "getPet", Input: json.RawMessage(test.input)}
			apply(t, test.profile, server(tool))
			want, full := test.want, test.input
			if want == "" {
				want, full = test.input, ""
			}
			if string(tool.Input) != want {
				t.Errorf("got  %s\nwant %s", tool.Input, want)
			}
			if string(tool.Full) != full {
				t.Errorf("the whole schema is %s", tool.Full)
			}
		})
	}
}

func TestNamesFitBehindThePrefix(t *testing.T) {
	long := strings.Repeat("updateTheWholeThing", 3)
	a, b, short := &ir.Tool{Name: long + "A"}, &ir.Tool{Name: long + "B"}, &ir.Tool{Name: "getPet"}
	if found := apply(t, "claude", server(a, b, short)); len(found) != 0 {
		t.Errorf("got %v", found)
	}
	const room = maxName - len("mcp__petstore__")
	if len(a.Name) != room || len(b.Name) != room || a.Name == b.Name || short.Name != "getPet" {
		t.Errorf("got %s, %s, %s", a.Name, b.Name, short.Name)
	}
	s := server(&ir.Tool{Name: "getPet"})
	s.Name = strings.Repeat("store", 12)
	if found := apply(t, "gemini", s); len(found) != 1 || found[0].Code != "long-server-name" {
		t.Errorf("got %v", found)
	}
}

// VS Code takes so much of a server's name and no more.
func TestALongServerNameCostsVSCodeNothing(t *testing.T) {
	tool := &ir.Tool{Name: strings.Repeat("x", maxName-len("mcp_githuboffici_"))}
	s := server(tool)
	s.Name = strings.Repeat("githubofficial", 5)
	if found := apply(t, "vscode", s); len(found) != 0 || len(tool.Name) != maxName-18 {
		t.Errorf("got %s, %v", tool.Name, found)
	}
}

func TestAPinnedNameIsNotMovedWithoutAWord(t *testing.T) {
	name := strings.Repeat("updateTheWholeThing", 3)
	pinned := &ir.Tool{Name: name, Pinned: diag.Pos{File: "pets.yaml", Line: 7, Col: 9}}
	found := apply(t, "claude", server(pinned, &ir.Tool{Name: name + "B"}))
	want := "pets.yaml:7:9: warning: the given name " + name + " is too long for a host of the profile claude; the tool is " + pinned.Name +
		" [pinned-name-moved]\n\thint: give it at most 48 characters, or the server a shorter one with -name"
	if len(found) != 1 || found[0].String() != want {
		t.Errorf("got  %v\nwant %s", found, want)
	}
	short := &ir.Tool{Name: "getPet", Pinned: diag.Pos{File: "pets.yaml", Line: 7, Col: 9}}
	if found := apply(t, "claude", server(short)); len(found) != 0 || short.Name != "getPet" {
		t.Errorf("got %s, %v", short.Name, found)
	}
}

// numbered makes the names of equal properties differ.
func numbered(properties string) string {
	for i := 0; strings.Contains(properties, `"property"`); i++ {
		properties = strings.Replace(properties, `"property"`, fmt.Sprintf(`"p%d"`, i), 1)
	}
	return properties
}

// What a description says of the whole schema is true after a tool is renamed.
func TestTheWholeSchemaIsFoundAfterRenaming(t *testing.T) {
	many := strings.Repeat(`"property":{"type":"string","maxLength":40},`, 20)
	deep := `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"object","properties":{"c":{"type":"object","properties":{` + numbered(many) + `"z":{"type":"string"}}}}}}}}}`
	tool := &ir.Tool{Name: strings.Repeat("updateTheWholeThing", 3), Description: "Updates it.", Input: json.RawMessage(deep)}
	s := server(tool)
	diet.NewPlan(diet.Lean).Apply(s, &diag.List{})
	apply(t, "claude", s)
	if want := "Updates it.\n\n" + ir.WholeSchema(tool.Name); tool.Description != want || len(tool.Name) != 48 || string(tool.Full) != deep {
		t.Errorf("got %q for %s, whole %s", tool.Description, tool.Name, tool.Full)
	}
}

// Who has trouble with long names is named, and what helps.
func TestLongNames(t *testing.T) {
	n := func(length int) string { return strings.Repeat("n", length) }
	for _, tt := range []struct {
		name, profile, server string
		tools                 []string
		want                  string // empty: no warning
	}{
		{"all fit", "", "petstore", []string{n(46), n(45)}, ""},
		{"what VS Code cuts stays apart", "", "petstore", []string{"a" + n(48), "b" + n(48)}, ""},
		{"what VS Code cuts is the same", "", "petstore", []string{n(47) + "a", n(47) + "b", n(10)}, "longest " + n(47) + "a: VS Code cuts 2 until they are the same [long-names]\n\thint: -profile claude (which fits Cursor and opencode too), gemini or vscode shortens names for that host\n"},
		{"refused", "", "petstore", []string{"a" + n(51), "b" + n(48)}, "longest a" + n(51) + ": Cursor leaves out 1; Claude Code fails with 1 on Amazon Bedrock and in tool search [long-names]\n\thint: -profile claude (which fits Cursor and opencode too), gemini or vscode shortens names for that host; a -name of at most 5 characters keeps"},
		{"what Gemini CLI cuts is the same", "", "github-official-octokit", []string{n(5) + "a" + n(34), n(5) + "b" + n(33) + "n"}, "; Gemini CLI cuts 2 until they are the same [long-names]"},
		{"all", "", "github-official-octokit", []string{"a" + n(40), "b" + n(39)}, "Cursor leaves out 2; Claude Code fails with 2 on Amazon Bedrock and in tool search; opencode fails with 1 on OpenAI [long-names]"},
		{"a profile that leaves names", "openai", "petstore", []string{n(60)}, "[long-names]"},
		{"a profile that shortens", "claude", "petstore", []string{n(60)}, ""},
		{"no tools", "", "petstore", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &ir.Server{Name: tt.server, Groups: []ir.Group{{}}}
			for _, name := range tt.tools {
				s.Groups[0].Tools = append(s.Groups[0].Tools, &ir.Tool{Name: name})
			}
			got := ""
			for _, d := range apply(t, tt.profile, s) {
				got += d.String() + "\n"
			}
			if !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
				t.Errorf("got  %swant %s", got, tt.want)
			}
		})
	}
}

func TestTooManyTools(t *testing.T) {
	var tools []*ir.Tool
	for i := range 129 {
		tools = append(tools, &ir.Tool{Name: fmt.Sprint("t", i), Input: json.RawMessage(`{"type":"object","properties":{}}`)})
	}
	if found := apply(t, "openai", server(tools...)); len(found) != 1 || found[0].Code != "too-many-tools" {
		t.Errorf("got %v", found)
	}
	if found := apply(t, "openai", server(tools[1:]...)); len(found) != 0 {
		t.Errorf("got %v", found)
	}
}
