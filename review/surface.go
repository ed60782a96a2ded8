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
	Upstreams    []string // addresses with their variables, default first
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
	Result                   Result

	object *node.Node // as tools/list returns it
	full   *node.Node // Input before a diet hid parts of it; nil: it hid none
}

// Result is what happens around a call beside its request.
type Result struct {
	Confirm bool     // people are asked before, unless the operator says otherwise
	Select  []string // fields of the result that are kept; empty: all
}

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
		tool.Result = Result{Confirm: t.Confirm != nil && *t.Confirm, Select: t.Select}
		if t.Full != nil {
			if tool.full, err = parseJSON(t.Name, t.Full); err != nil {
				return nil, err
			}
		}
		out.Tools = append(out.Tools, tool)
	}
	return out, nil
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
