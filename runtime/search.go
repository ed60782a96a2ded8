package runtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A list of a thousand tools fills a model's context before it has done anything.
// So a server can offer three tools in place of all: one finds tools, one tells all
// about them, one calls them. The others are not listed, but whoever knows their
// names may call them as always, as clients that kept an older list do.

// The values of [Config.Tools].
const (
	AllTools    = "all"
	SearchTools = "search"
	AutoTools   = "auto"
)

// The tools of search mode.
const (
	searchName   = "search_tools"
	describeName = "describe_tools"
	callName     = "call_tool"
)

const (
	// defaultFound is how many tools a search returns if it is not told.
	defaultFound = 10
	// maxFound and maxDescribed bound one answer.
	maxFound     = 50
	maxDescribed = 20
	// maxFileBytes is more than the files of tools have for each token, white space
	// included.
	maxFileBytes = 8
)

// tokensIn is about how many tokens there are in so much of tools/list.
func tokensIn(bytes int) int { return bytes * 10 / 43 }

// catalog is search mode. Nil: all tools are listed.
type catalog struct {
	server *Server
	own    []*tool                // the three, in the order of the list
	index  func() (*index, error) // made at the first search
}

// newCatalog returns nil unless the configuration asks for search mode.
func (s *Server) newCatalog() (*catalog, error) {
	switch s.config.Tools {
	case "", AllTools, SearchTools, AutoTools:
	default:
		return nil, fmt.Errorf("-tools %s: there are all, search and auto", s.config.Tools)
	}
	for _, name := range s.config.Pinned {
		if s.tools.byName[name] == nil {
			return nil, fmt.Errorf("-pin %s: there is no tool of that name%s", name, didYouMean(nearest(name, s.tools.names())))
		}
	}
	if on, err := s.searches(); err != nil || !on {
		return nil, err
	}
	for _, name := range []string{searchName, describeName, callName} {
		if s.tools.byName[name] != nil {
			return nil, fmt.Errorf("-tools %s: the API has a tool called %s itself; give that another name (x-mcp.name)", s.config.Tools, name)
		}
	}
	c := &catalog{server: s}
	c.index = sync.OnceValues(func() (*index, error) { return newIndex(s.tools.sorted) })
	c.own = []*tool{
		c.tool(searchName, c.search), c.tool(describeName, c.describe), c.tool(callName, nil),
	}
	return c, nil
}

// searches decides between all tools and search mode. Most large APIs are known to be
// over the budget by the size of their files; else what would be listed is counted,
// which is read in any case if it is listed.
func (s *Server) searches() (bool, error) {
	if s.config.Tools != AutoTools {
		return s.config.Tools == SearchTools, nil
	}
	size := 0
	for _, t := range s.tools.sorted {
		info, err := fs.Stat(t.files, t.file)
		if err != nil {
			return false, fmt.Errorf("tool %s: %w", t.Name, err)
		}
		if size += int(info.Size()); size/maxFileBytes > s.config.ToolsBudget {
			return true, nil
		}
	}
	pages, err := s.tools.pages()
	if err != nil {
		return false, err
	}
	listed := 0
	for _, p := range pages {
		listed += p.size
	}
	return tokensIn(listed) > s.config.ToolsBudget, nil
}

// narrow leaves the catalog's tools and the pinned ones in tools/list.
func (c *catalog) narrow(set *toolset) {
	if c == nil {
		return
	}
	listed := slices.Clone(c.own)
	for _, t := range set.sorted {
		if slices.Contains(c.server.config.Pinned, t.Name) {
			listed = append(listed, t)
		}
	}
	set.list(listed)
}

// names are those of the catalog's tools.
func (c *catalog) names() []string {
	if c == nil {
		return nil
	}
	return []string{searchName, describeName, callName}
}

// open makes the SDK know the catalog's tools. call_tool never gets that far.
func (c *catalog) open(server *mcp.Server) {
	if c != nil {
		c.server.addTool(server, c.own[0])
		c.server.addTool(server, c.own[1])
	}
}

// target is the tool that a call is for: what call_tool is told to call, and of
// every other tool itself. It is empty where call_tool is told nothing sensible.
func (c *catalog) target(name string, arguments json.RawMessage) string {
	if c == nil || name != callName {
		return name
	}
	raw := unwrap(arguments)
	if !json.Valid(raw) || kindOf(raw) != '{' {
		return ""
	}
	target := ""
	for key, value := range members(raw) {
		if key == "name" {
			target = textOf(value)
		}
	}
	return target
}

// unwrap returns the object in a JSON string, as [Call.accept] reads it.
func unwrap(arguments json.RawMessage) json.RawMessage {
	raw := bytes.TrimSpace(arguments)
	if kindOf(raw) == '"' && json.Valid(raw) {
		raw = bytes.TrimSpace([]byte(stringOf(raw)))
	}
	return raw
}

// dispatch makes a call of call_tool the call that it is about, so that all that
// holds for that tool holds here. Otherwise it returns why not.
func (c *catalog) dispatch(req *mcp.CallToolRequest) (inner *mcp.CallToolRequest, own *Call, refusal *Result) {
	own = &Call{tool: c.own[2], server: c.server, progress: noProgress}
	if refusal := own.accept(req.Params.Arguments); refusal != nil {
		return nil, own, refusal
	}
	name := textOf(own.args["name"])
	if name != c.target(callName, req.Params.Arguments) {
		return nil, own, own.refuse("name: it must be there once, as a string")
	}
	if !c.server.offers(name) {
		return nil, own, own.refuse("name: " + c.unknown(name))
	}
	params := *req.Params
	params.Name, params.Arguments = name, own.args["arguments"]
	changed := *req
	changed.Params = &params
	return &changed, own, nil
}

// call answers call_tool by way of next, which answers calls.
func (c *catalog) call(ctx context.Context, req *mcp.CallToolRequest, next mcp.MethodHandler) (mcp.Result, error) {
	inner, own, refusal := c.dispatch(req)
	if refusal != nil {
		return c.server.encode(own, refusal), nil
	}
	result, err := next(ctx, "tools/call", inner)
	if out, ok := result.(*mcp.CallToolResult); ok && err == nil && len(own.notes) > 0 {
		out.Content = append(out.Content, &mcp.TextContent{Text: own.noteText()})
	}
	return result, err
}

// unknown says that there is no tool of a name, and which may be meant.
func (c *catalog) unknown(name string) string {
	return fmt.Sprintf("there is no tool %q%s (%s finds tools by what they do)", cut(name, 80), didYouMean(c.server.nearTool(name)), searchName)
}

func didYouMean(near string) string {
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// found is what a search returns for a tool.
type found struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Arguments   string `json:"arguments,omitempty"`
	Hints       string `json:"hints,omitempty"`
}

// search answers search_tools.
func (c *catalog) search(_ context.Context, call *Call) (*Result, error) {
	ix, err := c.index()
	if err != nil {
		return nil, err
	}
	limit := defaultFound
	if arg := call.Arg("limit"); arg.Given() {
		n, err := strconv.ParseFloat(string(arg.Value), 64) // 5.0 is an integer, too
		if err != nil {
			return nil, err
		}
		limit = int(n)
	}
	query := textOf(call.Arg("query").Value)
	list, matching := []found{}, 0
	for _, e := range ix.search(query) {
		if !c.server.offers(e.tool.Name) {
			continue
		}
		if matching++; matching <= limit {
			list = append(list, e.found())
		}
	}
	switch {
	case matching == 0:
		call.note("no tool matches. Say in other words what is to be done, and to what: \"delete a label\"." + c.groups())
	case matching > limit && ix.vague(query):
		call.note(fmt.Sprintf("so vague a query fits %d tools, and these are not better than the others. Say also to what it is to be done: \"delete a label\".%s", matching, c.groups()))
	}
	return Value("tools", list)
}

// groups tells what the tools are about; empty where the document does not say.
func (c *catalog) groups() string {
	var names []string
	for _, t := range c.server.tools.sorted {
		if t.Group != "" && c.server.offers(t.Name) {
			names = append(names, cut(printable(t.Group), 40))
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return " There are tools for: " + ellipsis(listText(slices.Compact(names)), 600) + "."
}

// maxToldText bounds the text of one tool that was found, in bytes.
const maxToldText = 200

// found tells of a tool what decides whether to call it.
func (e *entry) found() found {
	lead, _ := e.paragraphs()
	text := cmp.Or(e.title, lead)
	if e.title != "" && lead != "" && !strings.EqualFold(e.title, strings.TrimSuffix(lead, ".")) {
		text = strings.TrimSuffix(e.title, ".") + ": " + lead
	}
	names := slices.Clone(e.required)
	for _, name := range e.optional {
		names = append(names, name+"?")
	}
	f := found{Name: e.tool.Name, Description: cut(text, maxToldText), Arguments: listText(names)}
	switch {
	case e.readOnly:
		f.Hints = "read-only"
	case e.destructive:
		f.Hints = "destructive"
	}
	return f
}

// describe answers describe_tools with objects as tools/list has them, but for
// their input schemas, which are whole.
func (c *catalog) describe(_ context.Context, call *Call) (*Result, error) {
	objects := []json.RawMessage{}
	var unknown []string
	for name := range items(call.Arg("names").Value) {
		name := textOf(name)
		if !c.server.offers(name) {
			unknown = append(unknown, c.unknown(name))
			continue
		}
		object, err := c.server.tools.byName[name].whole()
		if err != nil {
			return nil, err
		}
		objects = append(objects, object)
	}
	if len(objects) == 0 {
		return call.refuse(unknown...), nil
	}
	for _, text := range unknown {
		call.note(text + ".")
	}
	return Value("tools", objects)
}

// whole is a tool's object with its whole input schema.
func (t *tool) whole() (json.RawMessage, error) {
	object, err := t.object()
	if err != nil {
		return nil, err
	}
	input, err := t.fullInput()
	if err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for key, value := range members(object) {
		if key == "inputSchema" {
			value = input
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quote(key)...), ':'), value...)
	}
	return append(out, '}'), nil
}

// tool makes one of the catalog's tools.
func (c *catalog) tool(name string, handle Handler) *tool {
	object := catalogTool(name, c.unlisted(), cmp.Or(c.server.def.Title, c.server.def.Name))
	t := &tool{Tool: Tool{Name: name, Handle: handle, local: true}, inline: object}
	t.check = checkOnce(c.server.log, name, func() (*schema, error) {
		doc, err := decode(object)
		if err != nil {
			return &schema{}, err
		}
		return newSchema(lookup(doc, []string{"inputSchema"}))
	})
	return t
}

// unlisted is how many tools are only found by searching.
func (c *catalog) unlisted() (n int) {
	for _, t := range c.server.tools.sorted {
		if !slices.Contains(c.server.config.Pinned, t.Name) {
			n++
		}
	}
	return n
}

// names are those of all tools, in order.
func (set *toolset) names() []string { return slices.Sorted(maps.Keys(set.byName)) }
