package runtime

import (
	"context"
	"encoding/json"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A diet hides what lies deep in a large input schema. The whole of it stands in a
// folder beside the tool's file: arguments are checked against it, and clients
// read it as a resource.

// fullScheme begins the URI of a tool's whole input schema. Tool names need no
// escapes in a URI.
const fullScheme = "schema://"

// fullSchema returns the whole input schema for a tool's file; fs.ErrNotExist
// where the list shows all of it.
func fullSchema(files fs.FS, file string) (json.RawMessage, error) {
	dir, name := path.Split(file)
	return fs.ReadFile(files, dir+"full/"+name)
}

// hidesSchemas reports whether the list shows less than all of some tool. The
// tools of the API share one folder, so that one of them stands for all: a server
// of a thousand need not look a thousand times before it starts.
func (s *Server) hidesSchemas() bool {
	looked := false
	return slices.ContainsFunc(s.def.Tools, func(t Tool) bool {
		if !t.local && looked {
			return false
		}
		looked = looked || !t.local
		files, file := t.source(&s.def)
		_, err := fs.Stat(files, path.Dir(file)+"/full")
		return err == nil
	})
}

// addFullSchemas offers whole input schemas as resources.
func (s *Server) addFullSchemas(server *mcp.Server) {
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: fullScheme + "{tool}",
		Name:        "tool-schema",
		Title:       "Whole input schema of a tool",
		Description: "What a tool takes, with the parts that its schema in the list marks as cut.",
		MIMEType:    "application/schema+json",
	}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		t := s.tools.byName[strings.TrimPrefix(req.Params.URI, fullScheme)]
		if t == nil || s.changing.isHidden(t.Name) {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		schema, err := t.fullInput()
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
			URI: req.Params.URI, MIMEType: "application/schema+json", Text: string(schema),
		}}}, nil
	})
}

// fullInput is the whole input schema of a tool.
func (t *tool) fullInput() (json.RawMessage, error) {
	if schema, err := fullSchema(t.files, t.file); err == nil {
		whole, err := appendCompact(nil, schema)
		if err == nil {
			whole, _ = t.extended(whole)
		}
		return whole, err
	}
	data, err := t.object()
	if err != nil {
		return nil, err
	}
	var object struct {
		Input json.RawMessage `json:"inputSchema"`
	}
	err = json.Unmarshal(data, &object)
	return object.Input, err
}
