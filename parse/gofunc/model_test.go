package gofunc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/gofunc"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// callText writes a call on one line: receiver, arguments, results.
func callText(f *ir.Func) string {
	var b strings.Builder
	if f.Receiver != nil {
		b.WriteString(valueText(f.Receiver) + ".")
	}
	b.WriteString(codeText(f.Callee) + "(" + argsText(f.Args) + ")")
	var results []string
	for _, r := range f.Results {
		text := string(r.Kind)
		if r.Name != "" {
			text = r.Name + " " + text
		}
		if r.Skip {
			text = "_"
		}
		results = append(results, text)
	}
	if f.Error != ir.NoError {
		results = append(results, "error "+string(f.Error))
	}
	if f.Input != nil {
		b.WriteString(" in " + codeText(*f.Input))
	}
	if len(results) > 0 {
		b.WriteString(" -> " + strings.Join(results, ", "))
	}
	return b.String()
}

func argsText(args []ir.FuncArg) string {
	var out []string
	for _, a := range args {
		text := string(a.Kind)
		switch a.Kind {
		case ir.ArgInput:
			text = a.Wire + " " + codeText(a.Type)
		case ir.ArgReader:
			text = a.Wire + " reader"
		case ir.ArgValue:
			text = valueText(a.From)
		case ir.ArgFixed:
			text = "fixed " + a.Fixed
		case ir.ArgEnv:
			text = "env " + a.Env
		}
		for _, part := range []struct {
			is   bool
			text string
		}{
			{a.Pointer, " pointer"}, {a.Variadic, " variadic"}, {a.Optional, " optional"},
			{a.Codec != "", " by " + string(a.Codec)}, {a.Default != "", " = " + a.Default},
		} {
			if part.is {
				text += part.text
			}
		}
		for _, d := range a.Defaults {
			text += fmt.Sprintf(" .%s %s = %s", d.Field, codeText(d.Type), d.JSON)
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

func valueText(v *ir.Value) string {
	if v.Dep >= 0 {
		return fmt.Sprintf("dep%d", v.Dep)
	}
	return fmt.Sprintf("provider%d", v.Provider)
}

// TestShapes reads a function of every shape.
func TestShapes(t *testing.T) {
	var diags diag.List
	s := gofunc.Parse(t.Context(), []string{"./testdata/shapes"}, gofunc.Options{}, &diags)
	if s == nil {
		t.Fatalf("no server: %v", diags.All())
	}
	for _, d := range diags.All() {
		t.Errorf("unexpected: %s", d)
	}
	if s.Name != "shapes" || s.Version != "1.2.3" || s.Title != "All shapes" || s.Description != "Call what you like." || s.Source != "shapes" {
		t.Errorf("server %q %q %q %q %q", s.Name, s.Version, s.Title, s.Description, s.Source)
	}
	want := map[string]string{
		"sh_plain":     `Plain(context, s string, n int optional = 3, when time.Time optional)`,
		"sh_struct":    `Struct(context, object pointer .Paging.Limit int = 20) in Query -> pointer, error error`,
		"sh_mixed":     `Mixed(q Query .Paging.Limit int = 5, n int) -> object`,
		"sh_variadic":  `Variadic(sep string, parts []string variadic optional) -> text`,
		"sh_options":   `Options(n int) -> result value`,
		"sh_friendly":  `Friendly(d time.Duration optional by duration = "1m30s", u *net/url.URL optional by url, v net/url.URL by url)`,
		"sh_stream":    `Stream(body reader) -> result value, error error`,
		"sh_injected":  `Injected(request, prompt, resource, session, server, logger, progress)`,
		"sh_elsewhere": `Elsewhere(fixed true, env TENANT, zero, fixed 2000000000, n int)`,

		"sh_dependency": `Dependency(dep0, n int)`,
		"sh_blank":      `Blank(reason string)`,
		"sh_no_result":  `NoResult() -> error error`,
		"sh_number":     `Number() -> result value`,
		"sh_named":      `Named() -> count value, error error`,
		"sh_list":       `List() -> result slice`,
		"sh_map":        `Map() -> map`,

		"sh_map_by_number":     `MapByNumber() -> map`,
		"sh_pointer_to_number": `PointerToNumber() -> result value`,
		"sh_several":           `Several() -> result1 value, second slice, result3 value`,
		"sh_lookup":            `Lookup() -> value value, ok value`,
		"sh_ignored":           `Ignored() -> pointer, _, error error`,
		"sh_texts":             `Texts() -> text`,
		"sh_bytes":             `Bytes() -> bytes`,
		"sh_reader":            `Reader() -> reader, error error`,
		"sh_buffer":            `Buffer() -> reader`,
		"sh_image":             `Image() -> image`,
		"sh_gray":              `Gray() -> image`,
		"sh_content":           `Content() -> content`,
		"sh_raw":               `Raw() -> mcp, error error`,
		"sh_sequence":          `Sequence() -> result seq`,
		"sh_failing":           `Failing() -> result seqErr`,
		"sh_pairs":             `Pairs() -> result seq2`,
		"sh_concrete":          `Concrete() -> error concrete`,
		"sh_no_schema":         `NoSchema() -> result value`,

		"sh_hour":  `dep1.Hour() -> result value`,
		"sh_set":   `dep1.Set(t time.Time)`,
		"sh_size":  `provider0.Size() -> result value`,
		"sh_calls": `provider0.Calls() -> result value`,
		"sh_use":   `Use(provider0, n int)`,
		"any_size": `provider0.Size() -> result value`,

		"sh_to_upper": `strings.ToUpper(s string) -> text`,
		"year":        `time.Time.Year(time time.Time) -> result value`,
		"replace":     `(*strings.Replacer).Replace(dep2, s string) -> text`,
		"replace_a":   `replacer.Replace(s string) -> text`,
	}
	for _, tool := range s.Tools() {
		if got := callText(tool.Func); got != want[tool.Name] {
			t.Errorf("%s: %s\nwant %s", tool.Name, got, want[tool.Name])
		}
		delete(want, tool.Name)
	}
	for name := range want {
		t.Errorf("no tool %s", name)
	}
	checkShapeValues(t, s)
}

// checkShapeValues looks at what exists once, and at what directives set.
func checkShapeValues(t *testing.T, s *ir.Server) {
	p := s.Packages[0]
	var deps []string
	for _, d := range p.Deps {
		deps = append(deps, d.Name+" "+codeText(d.Type))
	}
	if got, want := strings.Join(deps, ", "), "Buffer *bytes.Buffer, Clock *Clock, Replacer *strings.Replacer"; got != want {
		t.Errorf("dependencies %s, want %s", got, want)
	}
	if len(p.Providers) != 1 {
		t.Fatalf("providers %+v", p.Providers)
	}
	pr := p.Providers[0]
	if got, want := codeText(pr.Callee)+"("+argsText(pr.Args)+")", "NewStore(context, env STORE_PATH, logger, dep1)"; got != want || !pr.Cleanup || !pr.Error || pr.Name != "store" {
		t.Errorf("provider %s, want %s: %+v", got, want, pr)
	}
	for name, want := range map[string]string{
		"sh_struct":    `{"type":"object","properties":{"limit":{"type":"integer","maximum":100,"default":20},"cursor":{"type":"string","description":"Cursor is where to go on.","maxLength":64},"text":{"type":"string","description":"what to find","x-mcp-header":"Text","minLength":1},"wait":{"type":"integer","description":"how long\nIn nanoseconds."},"old":{"type":"integer","description":"Old is not used any more.","deprecated":true},"tags":{"type":"array","items":{"type":"string"},"maxItems":3}},"required":["text"],"additionalProperties":false}`,
		"sh_elsewhere": `{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"],"additionalProperties":false}`,
		"sh_friendly":  `{"type":"object","properties":{"d":{"type":"string","description":"A duration such as \"1m30s\".","default":"1m30s"},"u":{"type":"string","format":"uri-reference"},"v":{"type":"string","format":"uri-reference"}},"required":["v"],"additionalProperties":false}`,
	} {
		if got := string(tool(t, s, name).Input); got != want {
			t.Errorf("%s: input\n%s, want\n%s", name, got, want)
		}
	}
	for name, want := range map[string]string{
		"sh_several":   `{"type":"object","properties":{"result1":{"type":"integer"},"second":{"type":"array","description":"the other","items":{"type":"string"}}`,
		"sh_pairs":     `{"type":"object","properties":{"result":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"integer"}},"required":["key","value"]}}},"required":["result"]}`,
		"sh_lookup":    `{"type":"object","properties":{"value":{"type":"string"},"ok":{"type":"boolean"}},"required":["value","ok"]}`,
		"sh_no_schema": ``,
		"sh_texts":     ``,
	} {
		if got := string(tool(t, s, name).Output); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: output\n%s, want\n%s", name, got, want)
		}
	}
	if f := tool(t, s, "sh_bytes").Func; f.MIME != "image/png" || f.MaxBytes != 10 {
		t.Errorf("sh_bytes: %+v", f)
	}
	if tool := tool(t, s, "sh_struct"); strings.Join(tool.Icons, " ") != "https://shapes.test/a.png data:,b" || string(tool.Meta) != `{"shapes.test/a":[1]}` {
		t.Errorf("sh_struct: icons %q, meta %s", tool.Icons, tool.Meta)
	}
	if len(s.Groups) != 2 || s.Groups[0].Name != "searches" || len(s.Groups[0].Tools) != 1 || s.Groups[1].Name != "shapes" {
		t.Errorf("groups %+v", s.Groups)
	}
	if f := tool(t, s, "sh_sequence").Func; f.MaxItems != 5 {
		t.Errorf("sh_sequence: %+v", f)
	}
	if f := tool(t, s, "sh_elsewhere").Func; f.Timeout != "30s" {
		t.Errorf("sh_elsewhere: %+v", f)
	}
}
