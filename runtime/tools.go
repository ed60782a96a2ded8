package runtime

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// pageBytes ends a page of tools/list. Clients bound a message, often at 16 MiB;
// below that one page is best, since some clients never ask for a second.
const pageBytes = 4 << 20

// listTTL is how long a client may keep a list that cannot change while the
// server runs, in milliseconds.
const listTTL = 3_600_000

// toolset is the registry made ready: tools by name, and the text of tools/list.
//
// The SDK would hold every tool as a value, check it at registration (30 µs and
// 70 kB each) and encode it anew for each tools/list. With a thousand tools that is
// what a user waits for. So the list is made of the files' bytes, and a tool is
// registered with the SDK when it is first called.
type toolset struct {
	byName map[string]*tool
	sorted []*tool
	listed []*tool                // the ones in tools/list, in its order
	pages  func() ([]page, error) // read on first use
}

// tool is one entry of the toolset.
type tool struct {
	Tool
	files    fs.FS
	file     string
	inline   json.RawMessage // its object, where that is in no file
	register sync.Once       // with the SDK
	check    func() *schema  // read on first use
	// additions are arguments to add, given the names of the tool's own; nil: none.
	additions func(names []string) []addition
	pathless  bool // its files have no path; see file_schema.go

	factsRead sync.Once
	facts     facts // read on first use
	factsErr  error
}

// page is one answer to tools/list: its tool objects, separated by commas. They
// are in chunks, because one buffer that grows would be copied again and again.
type page struct {
	first  string // name of the first tool: the cursor that leads here
	size   int
	chunks [][]byte
}

// chunkBytes is the room of a chunk. A tool is never split.
const chunkBytes = 256 << 10

// newToolset orders the registry. It reads no file.
func newToolset(def *Definition, log *slog.Logger) (*toolset, error) {
	set := &toolset{byName: make(map[string]*tool, len(def.Tools))}
	for _, t := range def.Tools {
		if set.byName[t.Name] != nil {
			return nil, fmt.Errorf("tool %s is registered twice", t.Name)
		}
		entry := &tool{Tool: t}
		entry.files, entry.file = t.source(def)
		entry.check = checkOnce(log, t.Name, func() (*schema, error) { return loadSchema(entry.files, entry.file, entry.extended) })
		set.byName[t.Name] = entry
		set.sorted = append(set.sorted, entry)
	}
	slices.SortFunc(set.sorted, func(a, b *tool) int { return cmp.Compare(a.Name, b.Name) })
	set.list(set.sorted)
	return set, nil
}

// list sets what tools/list shows.
func (set *toolset) list(tools []*tool) {
	set.listed = tools
	set.pages = sync.OnceValues(func() ([]page, error) { return read(tools) })
}

// source is where a tool's object stands.
func (t *Tool) source(def *Definition) (files fs.FS, file string) {
	file = "tools/" + cmp.Or(t.File, t.Name+".json")
	if t.local {
		return t.schemas, "mcp_" + file
	}
	return def.Schemas, file
}

// checkOnce returns a tool's check. What hinders it is for the log.
func checkOnce(log *slog.Logger, name string, load func() (*schema, error)) func() *schema {
	return sync.OnceValue(func() *schema {
		sc, err := load()
		if err != nil {
			log.Error("arguments are not checked", "tool", name, "error", err)
		}
		return sc
	})
}

// read makes the pages of the tools' files.
func read(tools []*tool) ([]page, error) {
	pages := []page{{}}
	var file []byte
	for _, t := range tools {
		p := &pages[len(pages)-1]
		if p.size > pageBytes {
			pages = append(pages, page{first: t.Name})
			p = &pages[len(pages)-1]
		}
		var err error
		object := t.inline
		if object == nil {
			if file, err = readFile(t.files, t.file, file); err != nil {
				return nil, fmt.Errorf("tool %s: %w", t.Name, err)
			}
			object = file
		}
		if t.additions != nil {
			if object, err = t.object(); err != nil {
				return nil, err
			}
		}
		if err := p.add(object, t.pathless); err != nil {
			return nil, fmt.Errorf("tool %s: %s: %w", t.Name, t.file, err)
		}
	}
	return pages, nil
}

// object returns the tool's object as it is in tools/list.
func (t *tool) object() (json.RawMessage, error) {
	if t.inline != nil {
		return t.inline, nil
	}
	data, err := fs.ReadFile(t.files, t.file)
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", t.Name, err)
	}
	object, err := appendCompact(make([]byte, 0, len(data)), data)
	if err != nil {
		return nil, fmt.Errorf("tool %s: %s: %w", t.Name, t.file, err)
	}
	return t.extendedObject(object), nil
}

// add appends a tool object; pathless: without the paths of files.
func (p *page) add(object []byte, pathless bool) error {
	last := len(p.chunks) - 1
	if last < 0 || cap(p.chunks[last])-len(p.chunks[last]) < len(object)+1 {
		p.chunks = append(p.chunks, make([]byte, 0, max(chunkBytes, len(object)+1)))
		last++
	}
	chunk := p.chunks[last]
	before := len(chunk)
	if p.size > 0 {
		chunk = append(chunk, ',')
	}
	start := len(chunk)
	chunk, err := appendCompact(chunk, object)
	if pathless {
		chunk = append(chunk[:start], withoutPaths(chunk[start:])...)
	}
	p.chunks[last] = chunk
	p.size += len(chunk) - before
	return err
}

// readFile is [fs.ReadFile] into memory that was used before.
func readFile(files fs.FS, name string, buffer []byte) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return buffer, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return buffer, err
	}
	buffer = slices.Grow(buffer[:0], int(info.Size()))[:info.Size()]
	_, err = io.ReadFull(f, buffer)
	return buffer, err
}

// listTools answers tools/list in place of the SDK.
func (s *Server) listTools(ctx context.Context, req mcp.Request) (mcp.Result, error) {
	pages, err := s.pages()
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	i := 0
	if params, ok := req.GetParams().(*mcp.ListToolsParams); ok && params != nil && params.Cursor != "" {
		i = slices.IndexFunc(pages, func(p page) bool { return p.first == params.Cursor })
		if i < 0 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown cursor: start again without one"}
		}
	}
	result := &listResult{
		ListToolsResult: &mcp.ListToolsResult{
			Cacheable: mcp.Cacheable{TTLMs: s.changing.ttl(), CacheScope: s.cacheScope()},
			Tools:     []*mcp.Tool{},
		},
		chunks: pages[i].chunks,
	}
	if i+1 < len(pages) {
		result.NextCursor = pages[i+1].first
	}
	if ctx.Value(insertsPages{}) != nil {
		result.chunks = [][]byte{pageMark(i)}
	}
	return result, nil
}

// listResult is the SDK's result with prepared bytes for its tools. The SDK
// fills what depends on the protocol revision (resultType, _meta).
type listResult struct {
	*mcp.ListToolsResult
	chunks [][]byte
}

// listEnd is how a list without tools ends: tools is its last member.
const listEnd = "]}"

// MarshalJSON puts the tools between the brackets of the empty list.
func (r *listResult) MarshalJSON() ([]byte, error) {
	frame, err := json.Marshal(r.ListToolsResult)
	if err != nil {
		return nil, err
	}
	head, ok := bytes.CutSuffix(frame, []byte(listEnd))
	if !ok {
		return nil, fmt.Errorf("tools is not the last member of %s", frame)
	}
	return slices.Concat(head, bytes.Join(r.chunks, nil), []byte(listEnd)), nil
}

// The SDK encodes each result twice over, which takes longer than all the rest
// of a large tools/list. So on stdio the result holds only a mark, and the
// transport writes the page in its place.

// insertsPages is the context key that says so.
type insertsPages struct{}

// pageMark stands for a page. No tool object is a string.
func pageMark(i int) []byte { return fmt.Appendf(nil, `"page %d"`, i) }

// cutPageMark returns what stands before the mark of a page, and the page.
func cutPageMark(result []byte) (head []byte, i int, ok bool) {
	begin := bytes.LastIndex(result, []byte(`["page `))
	if begin < 0 {
		return nil, 0, false
	}
	head, mark := result[:begin+1], result[begin+1:]
	_, err := fmt.Sscanf(string(mark), `"page %d"`, &i)
	return head, i, err == nil && string(mark) == string(pageMark(i))+listEnd
}

// middleware answers tools/list and makes the SDK know a tool that is called.
func (s *Server) middleware(server *mcp.Server) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		answer := func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if params, ok := req.GetParams().(*mcp.CallToolParamsRaw); ok && method == "tools/call" {
				s.register(server, params.Name)
				result, err := next(ctx, method, req)
				return result, s.suggestTool(params.Name, err)
			}
			return next(ctx, method, req)
		}
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/list" {
				return s.listTools(ctx, req)
			}
			if call, ok := req.(*mcp.CallToolRequest); ok && s.catalog != nil && call.Params != nil && call.Params.Name == callName {
				return s.catalog.call(ctx, call, answer)
			}
			return answer(ctx, method, req)
		}
	}
}

// register adds a tool to the SDK's server. An unknown tool stays unknown to the
// SDK, whose error is the protocol's.
func (s *Server) register(server *mcp.Server, name string) {
	t := s.tools.byName[name]
	if t == nil || s.changing.declared() || s.changing.isHidden(name) {
		return
	}
	t.register.Do(func() { s.addTool(server, t) })
}

// suggestTool adds to the SDK's error for an unknown tool the one that was
// probably meant.
func (s *Server) suggestTool(name string, err error) error {
	coded, own := (*jsonrpc.Error)(nil), s.catalog.names()
	if !errors.As(err, &coded) || coded.Code != jsonrpc.CodeInvalidParams || len(name) > maxQuoted ||
		s.offers(name) || slices.Contains(own, name) {
		return err
	}
	return &jsonrpc.Error{Code: coded.Code, Message: coded.Message + didYouMean(s.nearTool(name, own...)), Data: coded.Data}
}

// offers reports whether a tool can be found and called.
func (s *Server) offers(name string) bool {
	return s.tools.byName[name] != nil && !s.changing.isHidden(name)
}

// nearTool returns the tool that name was probably meant to be, or "": one of a
// similar name, which more may be too, or in search mode one that does what the name
// says.
func (s *Server) nearTool(name string, more ...string) string {
	names := slices.DeleteFunc(s.tools.names(), func(n string) bool { return !s.offers(n) })
	if near := nearest(name, append(names, more...)); near != "" || s.catalog == nil {
		return near
	}
	ix, err := s.catalog.index()
	if err != nil {
		return ""
	}
	for _, found := range ix.search(name) {
		if s.offers(found.tool.Name) {
			return found.tool.Name
		}
	}
	return ""
}

func (s *Server) addTool(server *mcp.Server, t *tool) {
	server.AddTool(t.stub(), func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return s.call(ctx, t, req)
	})
}

// stub is what the SDK knows of a tool. It neither lists it nor validates with
// its schema, but compares arguments with the headers that repeat them.
func (t *tool) stub() *mcp.Tool {
	input := map[string]any{"type": "object"}
	if t.local { // no document can ask for headers
		if properties := mirrored(t.check().doc); len(properties) > 0 {
			input["properties"] = properties
		}
	}
	return &mcp.Tool{Name: t.Name, InputSchema: input}
}

// mirrored is what a schema says of the arguments that clients repeat in headers
// (MCP 2026-07-28, x-mcp-header).
func mirrored(node any) map[string]any {
	kept := map[string]any{}
	for name, property := range propertiesOf(node) {
		object, _ := property.(map[string]any)
		types := slices.DeleteFunc(typesOf(object), func(name string) bool { return name == "null" })
		inner := mirrored(object)
		if len(types) != 1 || !has(object, headerKeyword) && len(inner) == 0 {
			continue
		}
		what := map[string]any{"type": types[0]}
		if has(object, headerKeyword) {
			what[headerKeyword] = object[headerKeyword]
		}
		if len(inner) > 0 {
			what["properties"] = inner
		}
		kept[name] = what
	}
	return kept
}

const headerKeyword = "x-mcp-header"
