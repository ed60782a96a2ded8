package ir

import (
	"encoding/json"
	"strings"
	"testing"
)

// sound is a server that breaks no rule.
func sound() *Server {
	s := &Server{
		Name: "pets",
		Auth: []Auth{{Name: "key", Kind: APIKey, In: InHeader, Wire: "X-Key"}},
		Groups: []Group{{Name: "pets", Tools: []*Tool{{
			Name: "getPet", Description: "Finds one pet.",
			Input: json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"},"body":{}},"required":["id"],"additionalProperties":false}`),
			Request: &Request{
				Method: "POST", Path: "/pets/{id}/{id}",
				Bindings: []Binding{{Arg: "id", Wire: "id", In: InPath, Style: Simple, Required: true}},
				Body:     &Body{Arg: "body", MediaType: "application/json", Kind: JSONBody},
				Security: [][]AuthUse{{{Name: "key"}}, {}},
			},
		}}}},
		Skips: []Skip{{What: "HEAD /pets", Code: "method-skipped"}},
		Found: 2,
	}
	return s
}

func TestCheck(t *testing.T) {
	if err := sound().Check(); err != nil {
		t.Fatalf("a sound server: %v", err)
	}
	tests := []struct {
		name  string
		spoil func(s *Server, tool *Tool)
		want  string
	}{
		{"server name", func(s *Server, _ *Tool) { s.Name = "a b" }, `server name "a b"`},
		{"something lost", func(s *Server, _ *Tool) { s.Skips = nil }, "found 2, but 1 tools and 0 skips"},
		{"group order", func(s *Server, _ *Tool) { s.Groups = append(s.Groups, Group{Name: "a"}) }, "not in order"},
		{"tool name", func(_ *Server, x *Tool) { x.Name = "get pet" }, "not a tool name"},
		{"same name", func(s *Server, x *Tool) { s.Groups[0].Tools, s.Skips = append(s.Groups[0].Tools, x), nil }, "two of them"},
		{"no description", func(_ *Server, x *Tool) { x.Description = "" }, "no description"},
		{"no request", func(_ *Server, x *Tool) { x.Request = nil }, "wants a request or a function"},
		{"request and function", func(_ *Server, x *Tool) { x.Func = &Func{} }, "wants a request or a function"},
		{"not JSON", func(_ *Server, x *Tool) { x.Input = json.RawMessage(`{`) }, "input schema"},
		{"union at the root", func(_ *Server, x *Tool) { x.Input = json.RawMessage(`{"type":"object","oneOf":[]}`) }, "oneOf at the root"},
		{"array result", func(_ *Server, x *Tool) { x.Output = json.RawMessage(`{"type":"array"}`) }, `root type "array"`},
		{"illegal argument", func(_ *Server, x *Tool) {
			x.Input = json.RawMessage(`{"type":"object","properties":{"i[d]":{}}}`)
		}, "not an argument name"},
		{"argument that goes nowhere", func(_ *Server, x *Tool) { x.Request.Body = nil }, `bindings ["id"], want ["body" "id"]`},
		{"binding without argument", func(_ *Server, x *Tool) { x.Request.Bindings[0].Arg = "no" }, `bindings ["body" "no"]`},
		{"binding without style", func(_ *Server, x *Tool) { x.Request.Bindings[0].Style = "" }, "incomplete binding"},
		{"path variable", func(_ *Server, x *Tool) { x.Request.Path = "/pets/{id}/{x}" }, `path variables ["id"], want ["id" "x"]`},
		{"body kind", func(_ *Server, x *Tool) { x.Request.Body.Kind = "" }, "body: incomplete"},
		{"unknown scheme", func(_ *Server, x *Tool) { x.Request.Security[0][0].Name = "no" }, `unknown security scheme "no"`},
		{"unused scheme", func(_ *Server, x *Tool) { x.Request.Security = nil }, `security scheme "key": not used`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sound()
			tt.spoil(s, s.Groups[0].Tools[0])
			if err := s.Check(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
