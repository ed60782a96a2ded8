package gen

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// code is text with "path.Name" pieces in braces: "[]{example.com/x.T}".
func code(text string) ir.Code {
	var c ir.Code
	for text != "" {
		before, after, found := strings.Cut(text, "{")
		if before != "" {
			c = append(c, ir.CodePiece{Text: before})
		}
		if !found {
			break
		}
		var name string
		name, text, _ = strings.Cut(after, "}")
		dot := strings.LastIndexByte(name, '.')
		c = append(c, ir.CodePiece{Path: name[:dot], Name: name[dot+1:]})
	}
	return c
}

func input(name, kind string) ir.FuncArg {
	return ir.FuncArg{Kind: ir.ArgInput, Name: name, Wire: name, Type: code(kind)}
}

// goTool is a tool of package shop that calls a function.
func goTool(name string, f *ir.Func) *ir.Tool {
	f.Package = "example.com/shop"
	if f.Doc == "" {
		f.Doc = camel(name)
	}
	if f.Callee == nil {
		f.Callee = code(camel(name))
	}
	return &ir.Tool{Name: name, Description: "x", Input: json.RawMessage(`{"type":"object","properties":{}}`), Func: f}
}

func goServer(dir string, p *ir.Package) *ir.Server {
	p.ImportPath, p.Name, p.Dir = "example.com/shop", "shop", dir
	return &ir.Server{Name: "shop", Found: len(p.Tools), Packages: []*ir.Package{p}, Groups: []ir.Group{{Name: "shop", Tools: p.Tools}}}
}

var toServer = Options{Package: "example.com/cmd/server", Runtime: Import}

// register returns the mcp_gen.go of the one package.
func register(t *testing.T, p *ir.Package) string {
	t.Helper()
	tree := generate(t, goServer("shop", p), toServer)
	file := findFile(tree.Packages[0].Files, ir.RegisterFile)
	if file == nil {
		t.Fatalf("no %s in %+v", ir.RegisterFile, tree.Packages)
	}
	return string(file.Data)
}

// TestHandlers holds what follows the signature of each handler.
func TestHandlers(t *testing.T) {
	text := ir.FuncResult{Kind: ir.ResultText, Type: code("string")}
	for _, c := range []struct {
		name string
		f    *ir.Func
		want string
	}{
		{"nothing", &ir.Func{}, "Do()\nreturn runtime.Done()"},
		{"an error only", &ir.Func{Error: ir.PlainError}, "if err := Do(); err != nil {\nreturn runtime.Failed(err)\n}\nreturn runtime.Done()"},
		{"arguments and their defaults", &ir.Func{
			Args: []ir.FuncArg{input("q", "string"), {Kind: ir.ArgInput, Wire: "max", Type: code("int"), Default: "10"},
				{Kind: ir.ArgInput, Wire: "tags", Type: code("[]string"), Default: `["a"]`, Variadic: true}},
			Results: []ir.FuncResult{text}},
			"var in struct {\nQ    string   `json:\"q\"`\nMax  int      `json:\"max\"`\nTags []string `json:\"tags\"`\n}\nin.Max = 10\n" +
				"runtime.Default(&in.Tags, `[\"a\"]`)\nif err := call.Decode(&in); err != nil {\nreturn nil, err\n}\n" +
				"result := Do(in.Q, in.Max, in.Tags...)\nreturn runtime.Text(result), nil"},
		{"a whole input object by pointer", &ir.Func{Input: ptr(code("Order")), Error: ir.PlainError,
			Args:    []ir.FuncArg{{Kind: ir.ArgContext}, {Kind: ir.ArgObject, Pointer: true, Defaults: []ir.FieldDefault{{Field: "Page.Size", Type: code("int"), JSON: "20"}}}},
			Results: []ir.FuncResult{{Kind: ir.ResultPointer, Type: code("*Order")}}},
			"var in Order\nin.Page.Size = 20\nif err := call.Decode(&in); err != nil {\nreturn nil, err\n}\nresult, err := Do(ctx, &in)\n" +
				"if err != nil {\nreturn runtime.Failed(err)\n}\nreturn runtime.Object(result)"},
		{"what the server gives", &ir.Func{Args: []ir.FuncArg{{Kind: ir.ArgRequest}, {Kind: ir.ArgPrompt}, {Kind: ir.ArgResource}, {Kind: ir.ArgSession}, {Kind: ir.ArgServer}, {Kind: ir.ArgLogger}, {Kind: ir.ArgProgress}}},
			"Do(call.ToolRequest(), call.PromptRequest(), call.ResourceRequest(), call.Session(), call.Protocol(), call.Logger(), call.Progress(ctx))\nreturn runtime.Done()"},
		{"fixed values and zeros", &ir.Func{Args: []ir.FuncArg{{Kind: ir.ArgFixed, Type: code("bool"), Fixed: "true"},
			{Kind: ir.ArgFixed, Type: code("{time.Duration}"), Fixed: `"1m"`}, {Kind: ir.ArgZero, Type: code("*Order")}}},
			"Do(true, runtime.Constant[time.Duration](`\"1m\"`), runtime.Zero[*Order]())\nreturn runtime.Done()"},
		{"decoding of our own", &ir.Func{Args: []ir.FuncArg{
			{Kind: ir.ArgInput, Wire: "wait", Type: code("{time.Duration}"), Codec: ir.CodecDuration},
			{Kind: ir.ArgInput, Wire: "to", Type: code("*{net/url.URL}"), Codec: ir.CodecURL},
			{Kind: ir.ArgInput, Wire: "from", Type: code("{net/url.URL}"), Codec: ir.CodecURL},
			{Kind: ir.ArgReader, Wire: "body"}}},
			"var in struct {\nWait runtime.Duration `json:\"wait\"`\nTo   runtime.URL      `json:\"to\"`\nFrom runtime.URL      `json:\"from\"`\nBody string           `json:\"body\"`\n}\n" +
				"if err := call.Decode(&in); err != nil {\nreturn nil, err\n}\nDo(in.Wait.Duration, in.To.URL, in.From.Value(), strings.NewReader(in.Body))\nreturn runtime.Done()"},
		{"several results, one left out", &ir.Func{Error: ir.PlainError,
			Results: []ir.FuncResult{{Name: "lo", Kind: ir.ResultValue, Type: code("int")}, {Kind: ir.ResultValue, Skip: true}, {Name: "hi", Kind: ir.ResultValue, Type: code("int")}}},
			"result1, _, result2, err := Do()\nif err != nil {\nreturn runtime.Failed(err)\n}\nreturn runtime.Results(\"lo\", result1, \"hi\", result2)"},
		{"a result that is left out", &ir.Func{Results: []ir.FuncResult{{Kind: ir.ResultValue, Skip: true}}}, "_ = Do()\nreturn runtime.Done()"},
		{"text only", &ir.Func{Out: ir.OutText, Results: []ir.FuncResult{{Name: "result", Kind: ir.ResultSlice, Type: code("[]int")}}},
			"result := Do()\nreturn runtime.TextOnly(runtime.Value(\"result\", result))"},
		{"a type that is text", &ir.Func{Results: []ir.FuncResult{{Kind: ir.ResultText, Type: code("Name")}}}, "result := Do()\nreturn runtime.Text(string(result)), nil"},
		{"bytes", &ir.Func{MIME: "image/png", Results: []ir.FuncResult{{Kind: ir.ResultBytes, Type: code("[]byte")}}}, "result := Do()\nreturn call.Blob(result, \"image/png\")"},
		{"a reader", &ir.Func{MaxBytes: 9, Results: []ir.FuncResult{{Kind: ir.ResultReader, Type: code("{io.Reader}")}}}, "result := Do()\nreturn call.Stream(ctx, result, \"\", 9)"},
		{"content blocks", &ir.Func{Results: []ir.FuncResult{{Kind: ir.ResultContent, Type: code("[]{example.com/mcp.Content}")}}}, "result := Do()\nreturn runtime.Contents(result...)"},
		{"an iterator", &ir.Func{MaxItems: 5, Results: []ir.FuncResult{{Name: "result", Kind: ir.ResultSeqErr, Type: code("{iter.Seq2}[int, error]")}}},
			"result := Do()\nreturn runtime.CollectErr(ctx, call, \"result\", result, 5)"},
		{"a function of another package", &ir.Func{Callee: code("{example.com/go-strings.Join}[{example.com/v2/model.T}]")}, "strings.Join[model.T]()\nreturn runtime.Done()"},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := register(t, &ir.Package{Tools: []*ir.Tool{goTool("do", c.f)}})
			_, body, _ := strings.Cut(source, "func mcpDo(ctx context.Context, call *runtime.Call) (*runtime.Result, error) {\n")
			var lines []string
			for l := range strings.Lines(strings.TrimSuffix(body, "}\n")) {
				lines = append(lines, strings.TrimLeft(l, "\t"))
			}
			if diff := cmp.Diff(c.want+"\n", strings.Join(lines, "")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }

// TestPackageNames gives the package every name that our code would like to use.
func TestPackageNames(t *testing.T) {
	scope := []string{"call", "context", "ctx", "embed", "err", "in", "mcpDo", "mcpTools", "mcpValues", "result", "runtime", "s", "start", "strings", "time", "v"}
	p := &ir.Package{
		Scope: scope,
		Tools: []*ir.Tool{goTool("do", &ir.Func{Timeout: "90s", Error: ir.PlainError, Callee: code("call"),
			Receiver: &ir.Value{Provider: 0, Dep: -1},
			Args:     []ir.FuncArg{{Kind: ir.ArgContext}, {Kind: ir.ArgReader, Wire: "in"}, {Kind: ir.ArgEnv, Env: "A_B", Type: code("string")}},
			Results:  []ir.FuncResult{{Kind: ir.ResultText, Type: code("string")}}})},
		Providers: []ir.Provider{{Doc: "start", Callee: code("start"), Type: code("*v"), Name: "v", Cleanup: true, Error: true,
			Args: []ir.FuncArg{{Kind: ir.ArgValue, From: &ir.Value{Provider: -1, Dep: 0}}}}},
		Deps: []ir.Dep{{Name: "Clock", Type: code("{example.com/time.Clock}"), Doc: "needed by start"}},
	}
	source := register(t, p)
	file, err := parser.ParseFile(token.NewFileSet(), "mcp_gen.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	taken := map[string]bool{}
	for _, name := range scope {
		taken[name] = true
	}
	for _, spec := range file.Imports {
		name := strings.Trim(spec.Path.Value, `"`)
		name = name[strings.LastIndexByte(name, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if taken[name] {
			t.Errorf("the import %s is called as something of the package", name)
		}
		taken[name] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil && taken[n.Name.Name] {
				t.Errorf("func %s is declared twice", n.Name)
			}
		case *ast.Field:
			for _, name := range n.Names {
				if taken[name.Name] && n.Type != nil && name.Name != "v" {
					t.Errorf("parameter or field %s hides something of the package", name)
				}
			}
		}
		return true
	})
	for _, part := range []string{"v_.v.call(ctx_, strings2.NewReader(in_.In), v_.envAB)", "v_.v, cleanup, err_ = start(v_.deps.Clock)", "90 * time"} {
		if !strings.Contains(source, part) {
			t.Errorf("no %q in\n%s", part, source)
		}
	}
}

func TestTakenNamesAreRefused(t *testing.T) {
	for _, name := range []string{"RegisterMCP", "MCPDeps", "error", "nil"} {
		_, err := Generate(goServer("shop", &ir.Package{Scope: []string{name}, Tools: []*ir.Tool{goTool("do", &ir.Func{})}}), toServer)
		refused(t, err, "taken-name", name)
	}
	s := goServer("shop", &ir.Package{Tools: []*ir.Tool{goTool("do", &ir.Func{})}})
	_, err := Generate(s, Options{Module: "example.com/server"})
	refused(t, err, "module-path", "module")
	s.Packages[0].Name = "main"
	_, err = Generate(s, toServer)
	refused(t, err, "package-main", "package main")
}

func refused(t *testing.T, err error, code, text string) {
	t.Helper()
	var r *RefusedError
	if !errors.As(err, &r) || r.Code != code || !strings.Contains(r.Message, text) {
		t.Errorf("got %v, want %s about %s", err, code, text)
	}
}

// TestRuntimeCopy puts a copied runtime where the annotated packages can import
// it.
func TestRuntimeCopy(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"example.com", "internal/runtime/doc.go"},
		{"example.com/cmd/server", "runtime/doc.go"},
	} {
		tree := generate(t, goServer("shop", &ir.Package{Tools: []*ir.Tool{goTool("do", &ir.Func{})}}), Options{Package: c.output})
		if tree.File(c.want) == nil {
			t.Errorf("%s: no %s", c.output, c.want)
		}
		source := string(findFile(tree.Packages[0].Files, ir.RegisterFile).Data)
		if want := c.output + "/" + strings.TrimSuffix(c.want, "/doc.go"); !strings.Contains(source, `"`+want+`"`) {
			t.Errorf("%s: the package does not import %s:\n%s", c.output, want, source)
		}
	}
}

// packageFolders writes two packages and their server, and returns the folders.
func packageFolders(t *testing.T) (out, shop, bar string) {
	t.Helper()
	root := t.TempDir()
	out, shop, bar = filepath.Join(root, "server"), filepath.Join(root, "shop"), filepath.Join(root, "bar")
	put(t, filepath.Join(shop, "shop.go"), "package shop\n")
	put(t, filepath.Join(bar, "bar.go"), "package bar\n")
	write(t, generate(t, twoPackages(shop, bar), toServer), out)
	return out, shop, bar
}

func twoPackages(shop, bar string) *ir.Server {
	s := goServer(shop, &ir.Package{Tools: []*ir.Tool{goTool("do", &ir.Func{}), goTool("undo", &ir.Func{})}})
	second := &ir.Package{ImportPath: "example.com/bar", Name: "bar", Dir: bar, Tools: []*ir.Tool{goTool("mix", &ir.Func{})}}
	s.Packages = append(s.Packages, second)
	s.Groups = append(s.Groups, ir.Group{Name: "zbar", Tools: second.Tools})
	return s
}

func TestPackageFolders(t *testing.T) {
	out, shop, bar := packageFolders(t)
	for _, name := range []string{"mcp_gen.go", "mcp_tools/do.json", "mcp_tools/undo.json"} {
		if _, err := os.Stat(filepath.Join(shop, name)); err != nil {
			t.Error(err)
		}
	}
	changes, err := generate(t, twoPackages(shop, bar), toServer).Diff(out)
	if err != nil || changes.Count() != 0 {
		t.Errorf("a second run would change %+v (%v)", changes, err)
	}

	// One tool less, one package without a directive.
	next := goServer(shop, &ir.Package{Tools: []*ir.Tool{goTool("do", &ir.Func{})}})
	next.Plain = []string{bar}
	write(t, generate(t, next, toServer), out)
	for name, want := range map[string]bool{
		filepath.Join(shop, "mcp_tools/do.json"):   true,
		filepath.Join(shop, "mcp_tools/undo.json"): false,
		filepath.Join(bar, "mcp_gen.go"):           false,
		filepath.Join(bar, "mcp_tools"):            false,
		filepath.Join(bar, "bar.go"):               true,
	} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

// TestForeignFilesInPackages leaves alone what toolmill did not write, and then
// writes nothing anywhere.
func TestForeignFilesInPackages(t *testing.T) {
	for _, name := range []string{"mcp_gen.go", "mcp_tools/mix.json"} {
		out, shop, bar := packageFolders(t)
		put(t, filepath.Join(bar, "mcp_gen.go"), "package bar\n")
		put(t, filepath.Join(bar, name), "package bar\n")
		before := []map[string]string{snapshot(t, out), snapshot(t, shop), snapshot(t, bar)}
		next := twoPackages(shop, bar)
		next.Packages[0].Tools = next.Packages[0].Tools[:1]
		next.Groups[0].Tools = next.Packages[0].Tools
		_, err := generate(t, next, toServer).Write(out)
		wantRefused(t, err, filepath.Join(bar, "mcp_gen.go"))
		if diff := cmp.Diff(before, []map[string]string{snapshot(t, out), snapshot(t, shop), snapshot(t, bar)}); diff != "" {
			t.Errorf("%s: something changed:\n%s", name, diff)
		}
	}
}

// TestAllFoldersOrNone makes the last folder of a write fail.
func TestAllFoldersOrNone(t *testing.T) {
	out, shop, bar := packageFolders(t)
	before := []map[string]string{snapshot(t, out), snapshot(t, shop), snapshot(t, bar)}
	next := twoPackages(shop, bar)
	for _, tool := range next.Tools() {
		tool.Description = "Other."
	}
	tree := generate(t, next, toServer)
	set, err := tree.open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer set.close()
	if _, err := set.changes(tree); err != nil {
		t.Fatal(err)
	}
	// A folder where a file must go: seen by no comparison, since it comes later.
	last := set[len(set)-1]
	last.changes = append(last.changes, Change{Add, "bar.go/x"})
	last.want = append([]File{{Path: "bar.go/x"}}, last.want...)
	if err := set.apply(); err == nil {
		t.Fatal("no error")
	}
	if diff := cmp.Diff(before, []map[string]string{snapshot(t, out), snapshot(t, shop), snapshot(t, bar)}); diff != "" {
		t.Errorf("something changed:\n%s", diff)
	}
}

// A second server made of a package takes it from the first one, which is told.
func TestTwoServers(t *testing.T) {
	root := t.TempDir()
	shop, first, second := filepath.Join(root, "shop"), filepath.Join(root, "first"), filepath.Join(root, "second")
	put(t, filepath.Join(root, "go.mod"), "module example.com\n\ngo 1.26\n")
	put(t, filepath.Join(shop, "shop.go"), "package shop\n")
	server := func(dir string, mode Runtime) (told []string) {
		t.Helper()
		s := goServer(shop, &ir.Package{Tools: []*ir.Tool{goTool("do", &ir.Func{})}})
		for _, w := range write(t, generate(t, s, Options{Package: "example.com/" + filepath.Base(dir), Runtime: mode}), dir).Warnings {
			if w.Code == "two-servers" {
				told = append(told, w.String())
			}
		}
		return told
	}
	if told := server(first, Copy); told != nil {
		t.Errorf("the only server: %q", told)
	}
	if told := server(first, Copy); told != nil {
		t.Errorf("the same again: %q", told)
	}
	if told := server(first, Import); told != nil {
		t.Errorf("the same with another runtime: %q", told)
	}
	server(first, Copy)
	if told := server(second, Copy); len(told) != 1 || !strings.Contains(told[0], "the server in "+first+" too") {
		t.Errorf("a second server: %q", told)
	}
	if err := os.RemoveAll(second); err != nil {
		t.Fatal(err)
	}
	if told := server(first, Copy); told != nil {
		t.Errorf("the other one is gone: %q", told)
	}
}
