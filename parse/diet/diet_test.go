package diet

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// take runs one step, or several, over an input schema.
// take takes a tool through a plan: a level, and steps beside it.
func take(t *testing.T, plan, input string) *ir.Tool {
	t.Helper()
	level, beside, _ := strings.Cut(plan, " ")
	p := NewPlan(level)
	for _, step := range strings.Fields(beside) {
		p.Switch(step, true)
	}
	tool := &ir.Tool{Name: "getPet", Description: "Gets a pet.", Input: json.RawMessage(input)}
	p.Apply(&ir.Server{Groups: []ir.Group{{Tools: []*ir.Tool{tool}}}}, &diag.List{})
	if !json.Valid(tool.Input) {
		t.Fatalf("not JSON: %s", tool.Input)
	}
	return tool
}

func TestSteps(t *testing.T) {
	long := strings.Repeat("Word by word. ", 100)
	tests := []struct{ name, plan, input, want string }{
		{"none leaves all", "none", `{"properties":{"a":{"description":"**A**"}}}`, `{"properties":{"a":{"description":"**A**"}}}`},
		{"markup", "none markup", `{"properties":{"a":{"description":"<p>The <b>size</b>, see [docs](https://x.test)."}}}`,
			`{"properties":{"a":{"description":"The size, see docs."}}}`},
		{"a property called description", "none markup", `{"properties":{"description":{"description":"*x* **y**"}}}`,
			`{"properties":{"description":{"description":"*x* y"}}}`},
		{"an example is no description", "none markup", `{"properties":{"a":{"default":{"description":"**A**"}}}}`,
			`{"properties":{"a":{"default":{"description":"**A**"}}}}`},
		{"markup that is all", "none markup", `{"properties":{"a":{"description":"![](x.png)","type":"string"}}}`, `{"properties":{"a":{"type":"string"}}}`},
		{"the name in other words", "none echoes", `{"properties":{"petId":{"description":"The pet ID"},"order_by":{"description":"Order by"}}}`,
			`{"properties":{"petId":{},"order_by":{}}}`},
		{"the title", "none echoes", `{"properties":{"a":{"title":"Kind of pet","description":"Kind of pet"}}}`, `{"properties":{"a":{"description":"Kind of pet"}}}`},
		{"the list's text at its items", "none echoes", `{"properties":{"a":{"description":"Some tags","items":{"description":"Some tags"}}}}`,
			`{"properties":{"a":{"description":"Some tags","items":{}}}}`},
		{"one text for one name", "none echoes",
			`{"properties":{"a":{"properties":{"c":{"description":"Three letters of ISO 4217."}}},"b":{"properties":{"c":{"description":"Three letters of ISO 4217."},"d":{"description":"Three letters of ISO 4217."}}}}}`,
			`{"properties":{"a":{"properties":{"c":{"description":"Three letters of ISO 4217."}}},"b":{"properties":{"c":{},"d":{"description":"Three letters of ISO 4217."}}}}}`},
		{"length", "none length", `{"properties":{"a":{"description":"` + long + `"}}}`,
			`{"properties":{"a":{"description":"` + strings.TrimSpace(strings.Repeat("Word by word. ", 71)) + ` …"}}}`},
		{"examples", "none examples", `{"properties":{"a":{"examples":[1,2]},"b":{"enum":[1],"examples":[1]},"c":{"default":2,"examples":[2]},"examples":{}}}`,
			`{"properties":{"a":{"examples":[1]},"b":{"enum":[1]},"c":{"default":2},"examples":{}}}`},
		{"all examples", "none all-examples", `{"properties":{"a":{"examples":["` + long + `"]}}}`, `{"properties":{"a":{}}}`},
		{"sentences", "none sentences", `{"properties":{"a":{"description":"` + long + `"}}}`, `{"properties":{"a":{"description":"Word by word."}}}`},
		{"hiding that does not pay", "lean", `{"properties":{"a":{"description":"One. Two."}}}`, `{"properties":{"a":{"description":"One. Two."}}}`},
		{"depth that does not pay", "lean", `{"properties":{"a":{"description":"` + long + `","properties":{"b":{"properties":{"c":{"properties":{"d":{}}}}}}}}}`,
			`{"properties":{"a":{"description":"Word by word.","properties":{"b":{"properties":{"c":{"properties":{"d":{}}}}}}}}}`},
		{"definitions", "none defs", `{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/B"},"B":{},"C":{"$ref":"#/$defs/C"}}}`,
			`{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/B"},"B":{}}}`},
		{"small tools are not brief", "none brief thin", `{"properties":{"a":{"properties":{"b":{"description":"One. Two."}}}}}`,
			`{"properties":{"a":{"properties":{"b":{"description":"One. Two."}}}}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(take(t, test.plan, test.input).Input); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestBriefLeavesArgumentsWhole(t *testing.T) {
	long := "First sentence. " + strings.Repeat("More of it. ", 20)
	var b strings.Builder
	fmt.Fprintf(&b, `{"properties":{"x":{"description":%q,"properties":{`, long)
	for i := range 100 {
		fmt.Fprintf(&b, `"p%d":{"description":%q,"examples":["e"]},`, i, long)
	}
	b.WriteString(`"last":{}}}}}`)
	out := string(take(t, "none brief", b.String()).Input)
	if want := `"p7":{"description":"First sentence."}`; !strings.Contains(out, want) {
		t.Errorf("no %s in %.500s", want, out)
	}
	if want := fmt.Sprintf(`"x":{"description":%q`, long); !strings.Contains(out, want) {
		t.Errorf("the argument's own description is cut: %.500s", out)
	}
}

func TestThinDropsTheDeepestDescriptionsFirst(t *testing.T) {
	level := `{"description":"deepest"}`
	for depth := 5; depth > 0; depth-- {
		var b strings.Builder
		fmt.Fprintf(&b, `{"properties":{"description":%s`, level)
		for i := range 30 {
			fmt.Fprintf(&b, `,"p%d":{"description":"level %d %s"}`, i, depth, strings.Repeat("x", 400))
		}
		level = b.String() + "}}"
	}
	out := string(take(t, "none thin", level).Input)
	if len(out) > thinAbove {
		t.Errorf("it still takes %d bytes", len(out))
	}
	for _, test := range []struct {
		text string
		want bool
	}{{"level 1", true}, {"level 2", true}, {"level 3", false}, {"level 5", false}, {"deepest", false}} {
		if got := strings.Contains(out, test.text); got != test.want {
			t.Errorf("a description of %s: got %v, want %v", test.text, got, test.want)
		}
	}
}

func TestDepth(t *testing.T) {
	input := `{"properties":{"body":{"properties":{"spec":{"properties":{` +
		`"name":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"mode":{"anyOf":[{"const":1},{"const":2}]},` +
		`"pod":{"type":"object","description":"The pod. More.","properties":{"a":{},"b":{}},"required":["a"]},` +
		`"list":{"type":"array","items":{"$ref":"#/$defs/Deep"}},"self":{"$ref":"#/$defs/Deep"}}}}}},` +
		`"$defs":{"Deep":{"type":"object","description":"Deep.","properties":{"x":{"$ref":"#/$defs/Deep"}}}}}`
	want := `{"properties":{"body":{"properties":{"spec":{"properties":{` +
		`"name":{"type":"string"},"tags":{"type":"array","items":{"type":"string"}},"mode":{"anyOf":[{"const":1},{"const":2}]},` +
		`"pod":{"type":"object","description":"The pod. [2 properties cut]"},` +
		`"list":{"type":"array","items":{},"description":"[cut]"},"self":{"type":"object","description":"Deep. [1 property cut]"}}}}}}}`
	tool := take(t, "none depth defs", input)
	if got := string(tool.Input); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if string(tool.Full) != input {
		t.Errorf("the whole schema is %s", tool.Full)
	}
	if want := "Gets a pet.\n\nThe whole schema: schema://getPet"; tool.Description != want {
		t.Errorf("got %q, want %q", tool.Description, want)
	}
	if whole := take(t, "lean", `{"properties":{"a":{"type":"string"}}}`); whole.Full != nil || whole.Description != "Gets a pet." {
		t.Errorf("nothing was hidden: %+v", whole)
	}
}

// TestPointer holds that a description names the whole schema, however long it is,
// and that the report counts what that takes.
func TestPointer(t *testing.T) {
	const pointer = "\n\nThe whole schema: schema://getPet"
	returns := "\n\nReturns: The pet.\nDeprecated."
	input := `{"properties":{"a":{"description":"` + strings.Repeat("Word by word. ", 40) + `"}}}`
	for _, test := range []struct{ name, text, want string }{
		{"short", "Gets a pet." + returns, "Gets a pet." + returns + pointer},
		{"full", strings.Repeat("Gets pets. ", 90) + returns, strings.TrimSpace(strings.Repeat("Gets pets. ", 86)) + " …" + returns + pointer},
		{"full of one text", strings.Repeat("Gets pets. ", 93), strings.TrimSpace(strings.Repeat("Gets pets. ", 89)) + " …" + pointer},
		{"longer by choice", strings.Repeat("Gets pets. ", 200), strings.Repeat("Gets pets. ", 200) + pointer},
	} {
		t.Run(test.name, func(t *testing.T) {
			tool := &ir.Tool{Name: "getPet", Description: test.text, Input: json.RawMessage(input)}
			before := len(tool.Input) + len(tool.Description)
			p := NewPlan(None)
			p.Switch("sentences", true)
			cuts := p.Apply(&ir.Server{Groups: []ir.Group{{Tools: []*ir.Tool{tool}}}}, &diag.List{})
			if tool.Description != test.want {
				t.Errorf("got  %q\nwant %q", tool.Description, test.want)
			}
			want := []Cut{{"sentences", 1, before - len(tool.Input) - len(tool.Description)}}
			if !slices.Equal(cuts, want) {
				t.Errorf("got %v, want %v", cuts, want)
			}
		})
	}
}

func TestOutput(t *testing.T) {
	for _, test := range []struct {
		size int
		kept bool
	}{{outputLimit, true}, {outputLimit + 1, false}} {
		tool := &ir.Tool{Request: &ir.Request{}, Input: json.RawMessage(`{}`), Output: json.RawMessage(strings.Repeat(" ", test.size-2) + "{}")}
		cuts := NewPlan(Safe).Apply(&ir.Server{Groups: []ir.Group{{Tools: []*ir.Tool{tool}}}}, &diag.List{})
		if kept := tool.Output != nil; kept != test.kept || kept != (len(cuts) == 0) {
			t.Errorf("%d bytes: kept %v, cuts %v", test.size, kept, cuts)
		}
	}
}

func TestOutputIsCleanedToo(t *testing.T) {
	output := `{"properties":{"petId":{"description":"The pet ID"},"a":{"description":"<b>A</b> pet, see [b](#b).","examples":[1,2]}}}`
	for _, test := range []struct{ level, want string }{
		{None, output},
		{Safe, `{"properties":{"petId":{},"a":{"description":"A pet, see b.","examples":[1]}}}`},
	} {
		tool := &ir.Tool{Func: &ir.Func{}, Input: json.RawMessage(`{}`), Output: json.RawMessage(output)}
		NewPlan(test.level).Apply(&ir.Server{Groups: []ir.Group{{Tools: []*ir.Tool{tool}}}}, &diag.List{})
		if string(tool.Output) != test.want {
			t.Errorf("%s: got %s", test.level, tool.Output)
		}
	}
	// out=full asks for a large one.
	tool := &ir.Tool{Func: &ir.Func{}, Input: json.RawMessage(`{}`), Output: json.RawMessage(strings.Repeat(" ", outputLimit) + "{}")}
	if NewPlan(Safe).Apply(&ir.Server{Groups: []ir.Group{{Tools: []*ir.Tool{tool}}}}, &diag.List{}); tool.Output == nil {
		t.Error("the schema of a function's result is gone")
	}
}

func TestPlan(t *testing.T) {
	for _, test := range []struct {
		name, level string
		switches    map[string]bool
		taken, left []string
	}{
		{"none", None, nil, nil, []string{"markup", "depth", "defs"}},
		{"safe", Safe, nil, []string{"markup", "brief", "defs"}, []string{"depth", "sentences"}},
		{"lean", Lean, nil, []string{"markup", "depth", "defs"}, nil},
		{"a step more", Safe, map[string]bool{"depth": true}, []string{"markup", "depth"}, []string{"sentences"}},
		{"a step less", Lean, map[string]bool{"depth": false}, []string{"markup", "sentences"}, []string{"depth"}},
		{"one alone", None, map[string]bool{"echoes": true}, []string{"echoes"}, []string{"markup", "defs"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			// The order of flags must not matter: steps first, then the level.
			p := NewPlan(Safe)
			for step, on := range test.switches {
				p.Switch(step, on)
			}
			if err := p.Set(test.level); err != nil {
				t.Fatal(err)
			}
			for _, s := range Steps() {
				if got := p.takes(s); slices.Contains(test.taken, s.Name) && !got || slices.Contains(test.left, s.Name) && got {
					t.Errorf("%s: taken %v", s.Name, got)
				}
			}
		})
	}
	for _, level := range []string{"", "fat", "safe,+depth"} {
		if err := NewPlan(Safe).Set(level); err == nil || !strings.Contains(err.Error(), "want none|safe|lean") {
			t.Errorf("%q: got %v", level, err)
		}
	}
}

// TestDocs holds the table in docs/tokens.md to the steps.
func TestDocs(t *testing.T) {
	text := prove.Read(t, filepath.Join(prove.Root(t), "docs", "tokens.md"))
	for _, s := range steps {
		if row := fmt.Sprintf("| `-diet-%s` | %s | %s |", s.Name, s.Level, s.About); !strings.Contains(text, row) {
			t.Errorf("no row %s", row)
		}
	}
}

func TestLargeToolsAreNamed(t *testing.T) {
	diags := &diag.List{}
	tool := &ir.Tool{Name: "getPet", Input: json.RawMessage(`{"properties":{"a":{"enum":["` + strings.Repeat("x", Large) + `"]}}}`)}
	NewPlan(Safe).Apply(&ir.Server{Groups: []ir.Group{{Tools: []*ir.Tool{tool}}}}, diags)
	all := diags.All()
	if len(all) != 1 || all[0].Code != "large-tool" || !strings.Contains(all[0].Message, " at inputSchema/properties/a/enum/0") {
		t.Errorf("got %v", all)
	}
}

func TestCostliest(t *testing.T) {
	x := func(n int) string { return strings.Repeat("x", n) }
	tests := []struct{ name, description, input, output, want string }{
		{"nothing", "Gets.", `{}`, "", ""},
		{"the description", x(300), `{"properties":{"a":{"description":"` + x(200) + `"}}}`, "", "description"},
		{"an argument's description", x(200), `{"properties":{"a":{"description":"` + x(300) + `"}}}`, "", "inputSchema/properties/a/description"},
		{"the result", x(200), `{}`, `{"properties":{"a":{"enum":["` + x(300) + `"]}}}`, "outputSchema/properties/a/enum/0"},
		{"a name with signs", "", `{"properties":{"a/b~":{"anyOf":[{},{"enum":["` + x(900) + `","y"]}]}}}`, "", "inputSchema/properties/a~1b~0/anyOf/1/enum/0"},
		{"one of many properties", "", `{"properties":{"a":{"title":"` + x(300) + `"},"b":{"title":"` + x(310) + `"},"c":{"title":"` + x(300) + `"},"d":{"title":"` + x(300) + `"}}}`,
			"", "inputSchema/properties/b"},
		{"one of many definitions", "", `{"properties":{"a":{}},"$defs":{"A":{"title":"` + x(300) + `"},"properties":{"title":"` + x(310) + `"},"C":{"title":"` + x(300) + `"},"D":{"title":"` + x(300) + `"}}}`,
			"", "inputSchema/$defs/properties"},
	}
	for _, test := range tests {
		tool := &ir.Tool{Name: "getPet", Description: test.description, Input: json.RawMessage(test.input)}
		if test.output != "" {
			tool.Output = json.RawMessage(test.output)
		}
		if got, size := Costliest(tool); got != test.want || size > len(tool.AppendJSON(nil)) {
			t.Errorf("%s: got %s (%d bytes), want %s", test.name, got, size, test.want)
		}
	}
}

func TestFirstSentence(t *testing.T) {
	word := strings.Repeat("wörd ", 40)
	tests := []struct{ text, want string }{
		{"", ""},
		{"One. Two.", "One."},
		{"v1.2 is meant\nhere", "v1.2 is meant"},
		{word, strings.TrimSpace(word[:114]) + "…"},
		{strings.Repeat("ö", 100), strings.Repeat("ö", 58) + "…"},
	}
	for _, test := range tests {
		if got := firstSentence(test.text); got != test.want || len(got) > maxBrief {
			t.Errorf("%q: got %q, want %q", test.text, got, test.want)
		}
	}
}
