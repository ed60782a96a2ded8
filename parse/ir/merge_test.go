package ir

import (
	"encoding/json"
	"testing"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

func TestMerge(t *testing.T) {
	at := func(line int) diag.Pos { return diag.Pos{File: "f", Line: line} }
	made := func(name string, line int) *Tool {
		return &Tool{Name: name, Description: "d", Input: json.RawMessage(`{"type":"object"}`), Func: &Func{}, Pos: at(line)}
	}
	server := func(name string, groups ...Group) *Server {
		s := &Server{Name: name, Source: name, Groups: groups}
		s.Found = len(s.Tools())
		return s
	}
	a := server("a", Group{Name: "x", Description: "A.", Tools: []*Tool{made("b", 1)}}, Group{Name: "z", Tools: []*Tool{made("c", 2)}})
	b := server("b", Group{Name: "x", Description: "B.", Tools: []*Tool{made("a", 3)}}, Group{Name: "y", Tools: []*Tool{made("d", 4)}})
	b.Version, b.Description = "1", "Text."
	b.Packages = []*Package{{Name: "p", Resources: []Resource{{URI: "x://a"}}, Prompts: []Prompt{{Name: "a"}}}}
	var diags diag.List
	m := Merge(a, b, &diags)
	if diags.HasErrors() {
		t.Fatal(diags.All())
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	if m.Name != "a" || m.Version != "1" || m.Description != "Text." || m.Found != 4 || len(m.Packages) != 1 {
		t.Errorf("%+v", m)
	}
	var names string
	for _, g := range m.Groups {
		names += g.Name + ":"
		for _, tool := range g.Tools {
			names += tool.Name
		}
		names += " "
	}
	if want := "x:ab y:d z:c "; names != want || m.Groups[0].Description != "A.\n\nB." {
		t.Errorf("groups %q %q, want %q", names, m.Groups[0].Description, want)
	}
	if len(a.Groups[0].Tools) != 1 {
		t.Error("the groups of the first server have changed")
	}
}

func TestMergeClash(t *testing.T) {
	one := func(line int) *Server {
		pos := diag.Pos{File: "f", Line: line}
		return &Server{Name: "s", Groups: []Group{{Name: "g", Tools: []*Tool{{Name: "a", Pos: pos}}}},
			Packages: []*Package{{Resources: []Resource{{URI: "x://a", Pos: pos}}, Prompts: []Prompt{{Name: "a", Pos: pos}}}}}
	}
	b := one(2)
	b.Groups[0].Tools[0].Name = "A"
	var diags diag.List
	Merge(one(1), b, &diags)
	want := []string{
		"f:2: error: prompt a: f:1 has the same name [duplicate-name]\n\thint: give one of them another name",
		"f:2: error: resource x://a: f:1 has the same name [duplicate-name]\n\thint: give one of them another name",
		"f:2: error: tool A: f:1 has the same name [duplicate-name]\n\thint: give one of them another name",
	}
	got := diags.All()
	if len(got) != len(want) {
		t.Fatalf("got %v", got)
	}
	for i, d := range got {
		if d.String() != want[i] {
			t.Errorf("got %s, want %s", d, want[i])
		}
	}
}
