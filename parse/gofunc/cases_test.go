package gofunc_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/gofunc"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// expectation is the part of a shared case's expect.json that the model shows.
type expectation struct {
	Generate struct {
		Exit        int
		Diagnostics []struct {
			Pos      string
			Contains []string
		}
	}
	Tools             []expectedTool
	Resources         []expectedResource
	ResourceTemplates []expectedResource
	Prompts           []struct {
		Name, Title string
		Arguments   []struct {
			Name                string
			Required            bool
			DescriptionContains string
		}
	}
	DepsFields []string
}

type expectedTool struct {
	Name, Title, Go      string
	Annotations          map[string]bool
	DescriptionContains  []string
	DescriptionOmits     []string
	PropertyDescriptions map[string]string
	InputSchema          json.RawMessage
	OutputSchema         json.RawMessage
}

type expectedResource struct {
	URI, URITemplate, Name, MIMEType, DescriptionContains string
}

// sharedCases is the folder of the shared cases; a test that needs it is
// skipped where it is missing.
func sharedCases(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "cases", "go")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the shared cases are not beside the repository")
	}
	return dir
}

func TestSharedCases(t *testing.T) {
	shared := sharedCases(t)
	files, err := filepath.Glob(filepath.Join(shared, "G*", "expect.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no case in %s: %v", shared, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var want expectation
			if err := json.Unmarshal(data, &want); err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if err := os.CopyFS(dir, os.DirFS(filepath.Dir(file))); err != nil {
				t.Fatal(err)
			}
			var diags diag.List
			server := gofunc.Parse(t.Context(), []string{"."}, gofunc.Options{Dir: dir}, &diags)
			checkDiagnostics(t, diags.All(), want)
			if want.Generate.Exit != 0 {
				if server != nil {
					t.Error("there is a server in spite of errors")
				}
				return
			}
			if server == nil {
				t.Fatalf("no server: %v", diags.All())
			}
			checkServer(t, server, want)
		})
	}
}

// welcome are warnings that a case allows and does not ask for.
var welcome = []string{"raw-object", "property-name"}

func checkDiagnostics(t *testing.T, got []diag.Diagnostic, want expectation) {
	t.Helper()
	got = slices.DeleteFunc(got, func(d diag.Diagnostic) bool { return slices.Contains(welcome, d.Code) })
	for _, w := range want.Generate.Diagnostics {
		i := slices.IndexFunc(got, func(d diag.Diagnostic) bool {
			pos := d.File
			if strings.Contains(w.Pos, ":") {
				pos = fmt.Sprintf("%s:%d", d.File, d.Line)
			}
			text := d.Message + " " + d.Hint
			return pos == w.Pos && !slices.ContainsFunc(w.Contains, func(part string) bool { return !strings.Contains(text, part) })
		})
		if i < 0 {
			t.Errorf("no diagnostic at %s with %q", w.Pos, w.Contains)
			continue
		}
		got = slices.Delete(got, i, i+1)
	}
	for _, d := range got {
		t.Errorf("unexpected: %s", d)
	}
}

func checkServer(t *testing.T, s *ir.Server, want expectation) {
	t.Helper()
	tools := s.Tools()
	if len(tools) != len(want.Tools) {
		t.Errorf("%d tools, want %d", len(tools), len(want.Tools))
	}
	for _, w := range want.Tools {
		i := slices.IndexFunc(tools, func(tool *ir.Tool) bool { return tool.Name == w.Name })
		if i < 0 {
			t.Errorf("no tool %s", w.Name)
			continue
		}
		checkTool(t, tools[i], w)
	}
	p := s.Packages[0]
	for _, w := range slices.Concat(want.Resources, want.ResourceTemplates) {
		uri := w.URI + w.URITemplate
		i := slices.IndexFunc(p.Resources, func(r ir.Resource) bool { return r.URI == uri })
		if i < 0 {
			t.Errorf("no resource %s", uri)
			continue
		}
		r := p.Resources[i]
		if r.Name != w.Name || r.MIME != w.MIMEType || r.Template() != (w.URITemplate != "") || !strings.Contains(r.Description, w.DescriptionContains) {
			t.Errorf("resource %s: %+v, want %+v", uri, r, w)
		}
	}
	for _, w := range want.Prompts {
		i := slices.IndexFunc(p.Prompts, func(p ir.Prompt) bool { return p.Name == w.Name })
		if i < 0 || w.Title != p.Prompts[i].Title || len(w.Arguments) != len(p.Prompts[i].Arguments) {
			t.Errorf("prompt %s is missing or differs: %+v", w.Name, p.Prompts)
			continue
		}
		for j, a := range p.Prompts[i].Arguments {
			if e := w.Arguments[j]; a.Name != e.Name || a.Required != e.Required || !strings.Contains(a.Description, e.DescriptionContains) {
				t.Errorf("prompt %s: argument %+v, want %+v", w.Name, a, e)
			}
		}
	}
	var deps []string
	for _, d := range p.Deps {
		deps = append(deps, d.Name+" "+codeText(d.Type))
	}
	slices.Sort(want.DepsFields)
	if !slices.Equal(deps, want.DepsFields) {
		t.Errorf("dependencies %q, want %q", deps, want.DepsFields)
	}
}

func codeText(code ir.Code) string {
	var b strings.Builder
	for _, p := range code {
		if p.Path != "" {
			b.WriteString(p.Path + ".")
		}
		b.WriteString(p.Text + p.Name)
	}
	return b.String()
}

func checkTool(t *testing.T, tool *ir.Tool, w expectedTool) {
	t.Helper()
	if tool.Title != w.Title {
		t.Errorf("tool %s: title %q, want %q", w.Name, tool.Title, w.Title)
	}
	hints := map[string]bool{"readOnlyHint": tool.Hints.ReadOnly, "destructiveHint": tool.Hints.Destructive,
		"idempotentHint": tool.Hints.Idempotent, "openWorldHint": tool.Hints.OpenWorld}
	for name, value := range w.Annotations {
		if hints[name] != value {
			t.Errorf("tool %s: %s is %t", w.Name, name, hints[name])
		}
	}
	for _, part := range w.DescriptionContains {
		if !strings.Contains(tool.Description, part) {
			t.Errorf("tool %s: description lacks %q:\n%s", w.Name, part, tool.Description)
		}
	}
	for _, part := range w.DescriptionOmits {
		if strings.Contains(tool.Description, part) {
			t.Errorf("tool %s: description holds %q:\n%s", w.Name, part, tool.Description)
		}
	}
	for path, part := range w.PropertyDescriptions {
		text := propertyText(tool.Input, path)
		if part == "" && text != "" || !strings.Contains(text, part) {
			t.Errorf("tool %s: description of %s is %q, want %q", w.Name, path, text, part)
		}
	}
	if got, want := parsed(t, tool.Input), parsed(t, w.InputSchema); !sameSchema(got, want) {
		t.Errorf("tool %s: input schema\n%s\nwant\n%s", w.Name, tool.Input, compact(w.InputSchema))
	}
	hasOutput := len(w.OutputSchema) > 0 && string(w.OutputSchema) != "null"
	switch {
	case hasOutput != (tool.Output != nil):
		t.Errorf("tool %s: output schema %s, want %s", w.Name, tool.Output, compact(w.OutputSchema))
	case hasOutput && !sameSchema(parsed(t, tool.Output), parsed(t, w.OutputSchema)):
		t.Errorf("tool %s: output schema\n%s\nwant\n%s", w.Name, tool.Output, compact(w.OutputSchema))
	}
}

func compact(data json.RawMessage) string {
	out, _ := json.Marshal(data)
	return string(out)
}

func parsed(t *testing.T, data json.RawMessage) map[string]any {
	t.Helper()
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return out
}

// propertyText finds the description of a property by its dotted path.
func propertyText(schema json.RawMessage, path string) string {
	var text struct {
		Description string
		Properties  map[string]json.RawMessage
	}
	for _, name := range strings.Split(path, ".") {
		_ = json.Unmarshal(schema, &text)
		schema, text.Properties = text.Properties[name], nil
	}
	text.Description = ""
	_ = json.Unmarshal(schema, &text)
	return text.Description
}

// sameSchema compares schemas without what the cases leave open: texts, the
// order of required, the names in $defs.
func sameSchema(a, b map[string]any) bool {
	c := schemaComparison{a: a, b: b, seen: map[[2]string]bool{}}
	return c.same(a, b)
}

type schemaComparison struct {
	a, b map[string]any
	seen map[[2]string]bool
}

func (c schemaComparison) same(a, b any) bool {
	x, okX := a.(map[string]any)
	y, okY := b.(map[string]any)
	if !okX || !okY {
		return reflect.DeepEqual(a, b)
	}
	refX, refY := refName(x), refName(y)
	if refX != "" || refY != "" {
		pair := [2]string{refX, refY}
		if refX != "" && refY != "" {
			if c.seen[pair] {
				return true
			}
			c.seen[pair] = true
		}
		return c.same(target(c.a, refX, x), target(c.b, refY, y))
	}
	for _, key := range slices.Concat(keysOf(x), keysOf(y)) {
		switch key {
		case "description", "title", "examples", "$defs", "deprecated":
		case "required":
			if !slices.Equal(sortedNames(x[key]), sortedNames(y[key])) {
				return false
			}
		case "properties":
			if !c.sameProperties(x[key], y[key]) {
				return false
			}
		case "anyOf":
			l, _ := x[key].([]any)
			m, _ := y[key].([]any)
			if len(l) != len(m) {
				return false
			}
			for i := range l {
				if !c.same(l[i], m[i]) {
					return false
				}
			}
		default:
			if !c.same(x[key], y[key]) {
				return false
			}
		}
	}
	return true
}

func (c schemaComparison) sameProperties(a, b any) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	if len(x) != len(y) {
		return false
	}
	for name := range x {
		if _, ok := y[name]; !ok || !c.same(x[name], y[name]) {
			return false
		}
	}
	return true
}

func refName(schema map[string]any) string {
	ref, _ := schema["$ref"].(string)
	return strings.TrimPrefix(ref, "#/$defs/")
}

func target(root map[string]any, name string, schema map[string]any) any {
	if name == "" {
		return schema
	}
	defs, _ := root["$defs"].(map[string]any)
	return defs[name]
}

func keysOf(m map[string]any) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	return keys
}

func sortedNames(v any) (names []string) {
	list, _ := v.([]any)
	for _, name := range list {
		names = append(names, name.(string))
	}
	slices.Sort(names)
	return names
}
