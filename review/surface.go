package review

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
)

// Surface is what a server offers.
type Surface struct {
	Server *Server // nil: not known, as in the folder of a Go package
	Tools  []*Tool // by Name
	// Skipped are the requests that became no tool, with the code of the reason.
	// It is nil where that is not known.
	Skipped map[string]string
}

// Server is what tools share.
type Server struct {
	Name         string
	Instructions string
	Upstreams    []string // addresses, default first
	Schemes      []Scheme // by Name
}

// Scheme is a security scheme: "apiKey in header X-Key".
type Scheme struct{ Name, How string }

// Tool is one tool.
type Tool struct {
	Name, Title, Description string
	Input, Output            *node.Node // JSON Schemas; Output may be nil
	Hints                    ir.Hints
	Request                  *Request // nil: not known
	Result                   *Result  // nil: not known

	object *node.Node // as tools/list returns it
	full   *node.Node // Input before a diet hid parts of it; nil: it hid none, or that is not known
}

// Result is what happens around a call beside its request.
type Result struct {
	Confirm *bool    // whether people are asked before; nil: nothing is said
	Select  []string // fields of the result that are kept; empty: all
}

// Request is what a tool does when it is called.
type Request struct {
	Calls      string            // "GET /pets/{petId}", or the function
	Method     string            // empty: a function
	Upstreams  []string          // of its own; empty: the server's
	Places     map[string]string // where each argument goes: "query filter[name]"
	Body       string            // media type; empty: none is sent
	Accept     []string          // media types of answers
	Auth       []string          // alternatives: "key", "key + token", "" for none; empty: no credential
	Scopes     []string          // "token: read", sorted; nil: not known
	Deprecated bool
}

const jsonType = "application/json"

// FromServer makes the surface of a parsed document or of Go functions.
func FromServer(s *ir.Server) (*Surface, error) {
	out := &Surface{
		Server:  &Server{Name: s.Name, Instructions: s.Description, Upstreams: addresses(s.Upstreams)},
		Skipped: make(map[string]string, len(s.Skips)),
	}
	for _, a := range s.Auth {
		out.Server.Schemes = append(out.Server.Schemes, Scheme{a.Name, schemeText(a.Kind, string(a.In), a.Wire, a.TokenURL)})
	}
	for _, k := range s.Skips {
		what, _, _ := strings.Cut(k.What, " (")
		out.Skipped[what] = k.Code
	}
	var object []byte
	for _, t := range s.Tools() {
		object = t.AppendJSON(object[:0])
		tool, err := readTool(t.Name, object)
		if err != nil {
			return nil, err
		}
		if tool.Request = functionRequest(t); t.Request != nil {
			tool.Request = operationRequest(t)
		}
		tool.Result = &Result{Confirm: t.Confirm, Select: t.Select}
		if t.Full != nil {
			if tool.full, err = parseJSON(t.Name, t.Full); err != nil {
				return nil, err
			}
		}
		out.Tools = append(out.Tools, tool)
	}
	return out, nil
}

func functionRequest(t *ir.Tool) *Request {
	if t.Func == nil {
		return nil
	}
	return &Request{Calls: t.Func.Doc + " of " + t.Func.Package, Deprecated: t.Deprecated}
}

func operationRequest(t *ir.Tool) *Request {
	from := t.Request
	r := &Request{
		Calls: from.Method + " " + from.Path, Method: from.Method, Upstreams: addresses(from.Upstreams),
		Places: map[string]string{}, Accept: from.Accept, Scopes: []string{}, Deprecated: t.Deprecated,
	}
	if len(r.Accept) == 0 {
		r.Accept = []string{jsonType}
	}
	for _, b := range from.Bindings {
		if b.Value == "" {
			r.Places[b.Arg] = place(string(b.In), b.Part, b.Wire)
		}
	}
	if from.Body != nil {
		r.Body = from.Body.MediaType
	}
	for _, alternative := range from.Security {
		var names []string
		for _, use := range alternative {
			names = append(names, use.Name)
			for _, scope := range use.Scopes {
				r.Scopes = append(r.Scopes, use.Name+": "+scope)
			}
		}
		r.Auth = append(r.Auth, strings.Join(names, " + "))
	}
	slices.Sort(r.Scopes)
	r.Scopes = slices.Compact(r.Scopes)
	return r
}

// place names where an argument goes; the whole query has no name of its own, a
// header may be that of a part of the body.
func place(in, part, wire string) string {
	switch in {
	case string(ir.InQuerystring):
		return in
	case string(ir.InPart):
		return "header " + wire + " of part " + part
	}
	return in + " " + wire
}

func schemeText(kind ir.AuthKind, in, wire, tokenURL string) string {
	text := string(kind)
	if in != "" {
		text += " in " + in + " " + wire
	}
	if tokenURL != "" {
		text += " from " + tokenURL
	}
	return text
}

func addresses(upstreams []ir.Upstream) []string {
	var out []string
	for _, u := range upstreams {
		out = append(out, u.URL)
	}
	return out
}

// readTool reads an object of tools/list; file names it in errors.
func readTool(file string, data []byte) (*Tool, error) {
	o, err := parseJSON(file, data)
	if err != nil {
		return nil, err
	}
	t := &Tool{
		Name: o.Get("name").Text(), Title: o.Get("title").Text(), Description: o.Get("description").Text(),
		Input: o.Get("inputSchema"), Output: o.Get("outputSchema"), object: o,
	}
	if t.Name == "" || !t.Input.IsMap() {
		return nil, fmt.Errorf("%s: this is no tool: it has no name or no inputSchema", file)
	}
	hints := o.Get("annotations")
	// Two of the hints are true where they are not given (MCP 2025-11-25, ToolAnnotations).
	t.Hints = ir.Hints{
		ReadOnly: hints.Get("readOnlyHint").Is(true), Destructive: !hints.Get("destructiveHint").Is(false),
		Idempotent: hints.Get("idempotentHint").Is(true), OpenWorld: !hints.Get("openWorldHint").Is(false),
	}
	return t, nil
}

func parseJSON(file string, data []byte) (*node.Node, error) {
	f := &node.File{Name: file, Location: file}
	if err := node.Parse(f, data); err != nil {
		return nil, err // begins with the file
	}
	return f.Root, nil
}

func (s *Surface) sort() {
	slices.SortFunc(s.Tools, func(a, b *Tool) int { return cmp.Compare(a.Name, b.Name) })
}
