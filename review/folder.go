package review

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// folders are the kinds of folder that toolmill writes, by the file that says
// which tools are served, and where those are.
var folders = []struct{ register, tools string }{
	{"server.go", "tools"},
	{ir.RegisterFile, "mcp_tools"},
}

// IsFolder reports whether a folder holds what toolmill wrote.
func IsFolder(fsys fs.FS) bool {
	for _, f := range folders {
		if ours(fsys, f.register) {
			return true
		}
	}
	return false
}

// IsServer reports whether a folder holds a server that toolmill wrote.
func IsServer(fsys fs.FS) bool { return ours(fsys, folders[0].register) }

func ours(fsys fs.FS, name string) bool {
	data, err := fs.ReadFile(fsys, name)
	first, _, _ := strings.Cut(string(data), "\n")
	return err == nil && strings.TrimRight(first, "\r") == ir.GeneratedHeader
}

// ReadFolder reads the surface from what toolmill wrote: the tools from their
// JSON files, their requests from the handlers, what they share from server.go.
// What the handlers of Go functions call, and the scopes of credentials, are not
// known from there.
func ReadFolder(fsys fs.FS) (*Surface, error) {
	for _, f := range folders {
		if !ours(fsys, f.register) {
			continue
		}
		register, err := parseGo(fsys, f.register)
		if err != nil {
			return nil, err
		}
		s := &Surface{}
		served := registered(register)
		if err := s.readTools(fsys, f.tools, served); err != nil {
			return nil, err
		}
		if f.register == "server.go" {
			s.Server = definition(register)
			if err := s.readHandlers(fsys, served); err != nil {
				return nil, err
			}
		}
		return s, nil
	}
	return nil, errors.New("the folder holds no output of toolmill: neither server.go nor " + ir.RegisterFile)
}

func parseGo(fsys fs.FS, name string) (*ast.File, error) {
	data, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return parser.ParseFile(token.NewFileSet(), name, data, parser.ParseComments|parser.SkipObjectResolution)
}

// readTools reads the files of the tools that are served.
func (s *Surface) readTools(fsys fs.FS, dir string, served map[string]entry) error {
	for _, name := range slices.Sorted(maps.Keys(served)) {
		e := served[name]
		data, err := fs.ReadFile(fsys, path.Join(dir, e.file))
		if err != nil {
			return fmt.Errorf("tool %s: %w", name, err)
		}
		tool, err := readTool(path.Join(dir, e.file), data)
		if err != nil {
			return err
		}
		full := path.Join(dir, "full", e.file)
		switch data, err := fs.ReadFile(fsys, full); {
		case errors.Is(err, fs.ErrNotExist): // nothing was hidden
		case err != nil:
			return fmt.Errorf("tool %s: %w", name, err)
		default:
			if tool.full, err = parseJSON(full, data); err != nil {
				return err
			}
		}
		tool.Result = e.result
		s.Tools = append(s.Tools, tool)
	}
	s.sort()
	return nil
}

// readHandlers reads what each tool sends.
func (s *Surface) readHandlers(fsys fs.FS, served map[string]entry) error {
	files, err := fs.Glob(fsys, "tools_*.go")
	if err != nil {
		return err
	}
	requests := map[string]*Request{} // by handler
	for _, name := range files {
		if !ours(fsys, name) {
			continue
		}
		file, err := parseGo(fsys, name)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
				if r := handlerRequest(f); r != nil {
					requests[f.Name.Name] = r
				}
			}
		}
	}
	for _, t := range s.Tools {
		t.Request = requests[served[t.Name].handler]
	}
	return nil
}

// entry is a line of the register.
type entry struct {
	file, handler string
	result        Result
}

// registered returns the tools that a register names.
func registered(file *ast.File) map[string]entry {
	out := map[string]entry{}
	for item := range elements(find(file, "Tools")) {
		f := fields(item)
		name := text(f["Name"])
		e := entry{file: name + ".json", result: Result{Confirm: f["Confirm"] != nil}}
		for field := range elements(f["Select"]) {
			e.result.Select = append(e.result.Select, text(field))
		}
		if other := text(f["File"]); other != "" {
			e.file = other
		}
		if handler, ok := f["Handle"].(*ast.Ident); ok {
			e.handler = handler.Name
		}
		if name != "" {
			out[name] = e
		}
	}
	return out
}

// authKinds are the kinds of credential by their constants in the runtime.
var authKinds = map[string]ir.AuthKind{
	"APIKey": ir.APIKey, "Basic": ir.Basic, "Bearer": ir.Bearer,
	"ClientCredentials": ir.ClientCredentials, "MutualTLS": ir.MutualTLS,
}

// definition reads what server.go says of the server.
func definition(file *ast.File) *Server {
	s := &Server{Name: text(find(file, "Name")), Instructions: text(find(file, "Instructions"))}
	for item := range elements(find(file, "Upstreams")) {
		s.Upstreams = append(s.Upstreams, addresses([]ir.Upstream{upstream(item)})...)
	}
	for item := range elements(find(file, "Auth")) {
		f := fields(item)
		how := schemeText(authKinds[selected(f["Kind"])], text(f["In"]), text(f["Wire"]), text(f["TokenURL"]))
		s.Schemes = append(s.Schemes, Scheme{text(f["Name"]), how})
	}
	slices.SortFunc(s.Schemes, func(a, b Scheme) int { return strings.Compare(a.Name, b.Name) })
	return s
}
