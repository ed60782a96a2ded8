package cases

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

func bothDeprecated(t *testing.T, r *run) {
	for _, name := range []string{"oldA", "oldB"} {
		if text := r.tools[name].Description; !strings.Contains(strings.ToLower(text), "deprecated") {
			t.Errorf("%s is not said to be deprecated: %q", name, text)
		}
	}
}

// countsExcluded wants what was left out to be nowhere in the output, but counted.
func countsExcluded(t *testing.T, r *run) {
	for path, text := range files(t, r.Dir) {
		if strings.Contains(text, "dropUser") || strings.Contains(text, "/audit") {
			t.Errorf("%s holds an operation that is left out", path)
		}
		if path == "TOOLS.md" && !strings.Contains(text, "Left out by choice: 4 operations of the document.") {
			t.Errorf("TOOLS.md does not count what is left out:\n%s", text)
		}
	}
}

func shortDescription(t *testing.T, r *run) {
	text := r.tools["longText"].Description
	switch n := utf8.RuneCountInString(text); {
	case !strings.HasPrefix(text, "Short summary."):
		t.Errorf("the description begins with %.40q", text)
	case n > 1024:
		t.Errorf("the description has %d characters", n)
	case !strings.Contains(text, "…"):
		t.Errorf("the description has no mark where it was cut: %q", text)
	case strings.ContainsRune(text, utf8.RuneError):
		t.Errorf("the description was cut inside a character: %q", text)
	}
}

func fullDescription(t *testing.T, r *run) {
	text := r.tools["longText"].Description
	if !strings.HasPrefix(text, "Short summary.") || !strings.Contains(text, "日本語テキスト end") {
		t.Errorf("the description is not whole: %.40q … %d characters", text, utf8.RuneCountInString(text))
	}
}

// formatsUnsaid: no line at run time, at most one each at generation time.
func formatsUnsaid(t *testing.T, r *run) {
	client := r.start(t, nil)
	client.Call("sendSms", `{"body":{"to":"x","at":1,"fee":"1.2"}}`)
	client.Close()
	for _, format := range []string{"phone-number", "unix-time", "decimal"} {
		if strings.Contains(client.Stderr(), format) {
			t.Errorf("the server logs about the format:\n%s", client.Stderr())
		}
		if countContaining(slices.Collect(strings.Lines(r.Stderr)), format) > 1 {
			t.Errorf("generate says more than one thing about a format:\n%s", r.Stderr)
		}
	}
}

// harmless: a hostile document gives the declarations, directives and files that
// any document of its shape would, and its text is data.
func harmless(t *testing.T, r *run) {
	fset := token.NewFileSet()
	var declared []string
	for path := range files(t, r.Dir) {
		if strings.Contains(path, "..") || strings.ContainsAny(path, "\"`\\ ") {
			t.Errorf("a file is called %q", path)
		}
		if filepath.Ext(path) != ".go" || path == "prove_entry.go" {
			continue
		}
		file, err := parser.ParseFile(fset, filepath.Join(r.Dir, path), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			declared = append(declared, declaredNames(decl)...)
		}
		for _, imp := range file.Imports {
			if imp.Path.Value == `"C"` {
				t.Errorf("%s uses cgo", path)
			}
		}
		for _, group := range file.Comments {
			for _, c := range group.List {
				if strings.HasPrefix(c.Text, "//go:") && c.Text != "//go:embed tools/*.json" {
					t.Errorf("%s has the directive %s", path, c.Text)
				}
			}
		}
	}
	slices.Sort(declared)
	if want := []string{"New", "main", "opOsExit3", "tools"}; !slices.Equal(declared, want) {
		t.Errorf("the package declares %q, want %q", declared, want)
	}
	tool := r.tools["op_os_Exit_3"]
	if !strings.Contains(tool.Title, "s` + string(panic(4)) + `") {
		t.Errorf("the summary is %q", tool.Title)
	}
	for _, part := range []string{"line1", "func init(){panic(5)}", "var Y = 2"} {
		if !strings.Contains(tool.Description, part) {
			t.Errorf("the description %q lacks %q", tool.Description, part)
		}
	}
	var schema struct {
		Properties map[string]struct {
			Description string
			Default     string
			Enum        []string
		}
	}
	if err := json.Unmarshal(tool.InputSchema, &schema); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		if p.Enum == nil {
			continue // the undeclared path variable
		}
		if p.Default != "%s%n{{.}}" || !slices.Equal(p.Enum, []string{`a"+b`, "`", "%s%n{{.}}"}) || p.Description != "//go:embed /etc/passwd" {
			t.Errorf("the argument %s became %+v", name, p)
		}
	}
}

func declaredNames(decl ast.Decl) []string {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		var names []string
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			}
		}
		return names
	}
	return nil
}

// anyDirectory: a document in many files gives the same from wherever the
// command is started, by a relative path too.
func anyDirectory(t *testing.T, r *run) {
	for _, dir := range []string{filepath.Dir(r.source), filepath.Dir(filepath.Dir(r.source)), t.TempDir()} {
		source, err := filepath.Rel(dir, r.source)
		if err != nil {
			t.Fatal(err)
		}
		out := t.TempDir()
		g := prove.Generate(t, dir, nil, source, "-o", out, "-runtime=import")
		if g.Exit != 0 {
			t.Fatalf("in %s: exit %d\n%s", dir, g.Exit, g.Stderr)
		}
		want, got := files(t, r.Dir), files(t, out)
		for path, text := range got {
			if filepath.Ext(path) == ".json" && text != want[path] {
				t.Errorf("in %s: %s differs", dir, path)
			}
		}
	}
}

func nothingFetched(t *testing.T, r *run) {
	// The upstream is the command's internet: it would have seen a fetch.
	for _, req := range r.upstream.Take() {
		t.Errorf("generate fetched %s", req.URL)
	}
	if r.exit != 0 {
		return
	}
	for path, text := range files(t, r.Dir) {
		if r.variant == "" && strings.Contains(text, "outside the spec directory") {
			t.Errorf("%s holds what lies outside", path)
		}
	}
}

// skipsCounted: the machine-readable report lets a program notice the skips.
func skipsCounted(t *testing.T, r *run) {
	g := prove.Generate(t, t.TempDir(), nil, r.source, "-o", filepath.Join(t.TempDir(), "out"), "-runtime=import", "-json")
	var report struct {
		Tools       []json.RawMessage `json:"tools"`
		Skips       []json.RawMessage `json:"skips"`
		Operations  int               `json:"operations"`
		Diagnostics []json.RawMessage `json:"diagnostics"`
	}
	if err := json.Unmarshal([]byte(g.Stdout), &report); err != nil {
		t.Fatalf("%v in %s", err, g.Stdout)
	}
	if report.Operations != 4 || len(report.Tools)+len(report.Skips) != 4 || len(report.Skips) != 2 {
		t.Errorf("the report counts wrongly:\n%s", g.Stdout)
	}
	for _, pointer := range []string{"#/paths/~1badref/post", "#/paths/~1badparam/get"} {
		if !strings.Contains(r.Stderr+g.Stdout, pointer) {
			t.Errorf("no diagnostic has the pointer %s:\n%s", pointer, r.Stderr)
		}
	}
}

// scalarForArray: refused, or sent as a=r, never with quotes.
func scalarForArray(t *testing.T, req *prove.Request, result *prove.Result) {
	switch {
	case req == nil && !result.IsError:
		t.Errorf("nothing was sent and nothing said: %s", result.Raw)
	case req != nil && req.Target != "/v1/search?a=r":
		t.Errorf("sent as %s", req.Target)
	}
}

func cookiePairs(want ...string) func(*testing.T, *prove.Request, *prove.Result) {
	return func(t *testing.T, req *prove.Request, _ *prove.Result) {
		lines := req.Header.Values("Cookie")
		if len(lines) != 1 {
			t.Fatalf("there are %d Cookie headers: %q", len(lines), lines)
		}
		got := strings.Split(lines[0], "; ")
		slices.Sort(got)
		if !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("Cookie: %s, want the pairs %q", lines[0], want)
		}
	}
}

func multipartParts(t *testing.T, req *prove.Request, _ *prove.Result) {
	mediaType, params, err := mime.ParseMediaType(req.Header.Get("Content-Type"))
	if err != nil || mediaType != "multipart/form-data" {
		t.Fatalf("Content-Type is %s (%v)", req.Header.Get("Content-Type"), err)
	}
	type part struct{ name, contentType, body string }
	var got []part
	var filename string
	for reader := multipart.NewReader(bytes.NewReader(req.Body), params["boundary"]); ; {
		p, err := reader.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(p)
		if err != nil {
			t.Fatal(err)
		}
		contentType := p.Header.Get("Content-Type")
		if p.FormName() == "title" {
			contentType = "" // free: text/plain or none
		}
		if p.FormName() == "file" {
			filename = p.FileName()
		}
		got = append(got, part{p.FormName(), contentType, string(body)})
	}
	want := []part{{"file", "application/pdf", "%PDF-1"}, {"title", "", "T"}, {"meta", "application/json", `{"k":"v"}`}}
	if !slices.Equal(got, want) || filename == "" {
		t.Errorf("the parts are %q, want %q; file name %q\n%s", got, want, filename, req.Body)
	}
}

func pdfResource(t *testing.T, _ *prove.Request, result *prove.Result) {
	for _, c := range result.Content {
		if c.Type == "resource" && c.Resource != nil {
			if c.Resource.MIMEType != "application/pdf" || string(c.Resource.Blob) != "%PDF" || c.Resource.URI == "" {
				t.Errorf("the resource is %s", result.Raw)
			}
			return
		}
	}
	t.Errorf("no resource in %s", result.Raw)
}

// bigResponse: the model gets part of a large list with a note, and the process
// stays small when the upstream does not stop.
func bigResponse(t *testing.T, r *run) {
	var list strings.Builder
	list.WriteByte('[')
	for i := range 5000 {
		if i > 0 {
			list.WriteByte(',')
		}
		item, err := json.Marshal(map[string]any{"id": i, "name": "xxxxxxxxxxxxxxxxxxxx"})
		if err != nil {
			t.Fatal(err)
		}
		list.Write(item)
	}
	list.WriteByte(']')
	r.upstream.Reply(prove.Answer{Raw: ok("application/json", list.String())})

	cut := r.start(t, nil, "-max-response=20000").Call("listDevices", "{}")
	text := cut.Text()
	end := strings.LastIndexByte(text, ']')
	var items []json.RawMessage
	switch start := strings.IndexByte(text, '['); {
	case cut.IsError:
		t.Errorf("cutting is no error: %s", cut.Raw)
	case len(text) > 21_000 || !utf8.ValidString(text):
		t.Errorf("the text has %d bytes", len(text))
	case start < 0 || end < start:
		t.Errorf("no JSON array in %.200s", text)
	default:
		if err := json.NewDecoder(strings.NewReader(text[start:])).Decode(&items); err != nil || len(items) == 0 || len(items) >= 5000 {
			t.Errorf("%d items, %v", len(items), err)
		}
		if !strings.Contains(text, "5000") && !strings.Contains(text, "5,000") {
			t.Errorf("the note does not say how many there are: %s", text[end:])
		}
	}

	whole := r.start(t, nil, "-max-response=0").Call("listDevices", "{}")
	if whole.IsError || !prove.SameJSON([]byte(whole.Text()), []byte(list.String())) {
		t.Errorf("without a limit the text has %d bytes of %d", len(whole.Text()), list.Len())
	}

	const huge = 2 << 30
	sent := 0
	r.upstream.Reply(prove.Answer{Stream: func(w io.Writer) error {
		if _, err := io.WriteString(w, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n[\""); err != nil {
			return err
		}
		chunk := bytes.Repeat([]byte("x"), 1<<16)
		for sent < huge {
			n, err := w.Write(chunk)
			sent += n
			if err != nil {
				return err
			}
		}
		return nil
	}})
	client := r.start(t, nil)
	endless := client.Call("listDevices", "{}")
	if !endless.IsError {
		t.Errorf("2 GiB gave %.300s", endless.Raw)
	}
	client.Close()
	if usage, ok := client.Usage().(*syscall.Rusage); ok && usage.Maxrss > 512<<10 {
		t.Errorf("the server took %d KiB of memory", usage.Maxrss)
	}
	r.upstream.Reply(prove.Answer{})
}

// hangs: an upstream that does not answer ends with a timeout, and a call that
// the client gives up is given up upstream.
func hangs(t *testing.T, r *run) {
	r.upstream.Take()
	r.upstream.Reply(prove.Answer{Hang: true})
	result := r.start(t, nil, "-timeout=1s").Call("list", "{}")
	if text := strings.ToLower(result.Text()); !result.IsError || !(strings.Contains(text, "timeout") || strings.Contains(text, "timed out") || strings.Contains(text, "time")) {
		t.Errorf("a hanging upstream gave %s", result.Raw)
	}
	r.upstream.Take()

	arrived := make(chan *prove.Request, 1)
	r.upstream.Handle(func(req *prove.Request) prove.Answer {
		arrived <- req
		return prove.Answer{Hang: true}
	})
	client := r.start(t, nil)
	pending := client.Begin("list", "{}")
	req := <-arrived
	client.Notify("notifications/cancelled", `{"requestId":`+pending.ID+`,"reason":"test"}`)
	<-req.Gone
}

// refusesToStart: with env alone the server ends at once with a message that has
// the parts, and calls nobody.
func refusesToStart(env []string, parts ...string) func(*testing.T, *run) {
	return func(t *testing.T, r *run) {
		r.upstream.Take()
		code, said := r.module.Run(t, r.pkg, append(r.upstream.Env(), env...))
		if code == 0 {
			t.Errorf("the server started")
		}
		for _, part := range parts {
			if !strings.Contains(said, part) {
				t.Errorf("the message lacks %q:\n%s", part, said)
			}
		}
		for _, req := range r.upstream.Take() {
			t.Errorf("the upstream saw %s", req.URL)
		}
	}
}
