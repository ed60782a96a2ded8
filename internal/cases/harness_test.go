package cases

import (
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

// run is one case after generation.
type run struct {
	*prove.Generation
	*testCase
	module   *prove.Module
	pkg      string // name of the package and of the server
	source   string // path or URL that was generated from
	upstream *prove.Upstream
	tools    map[string]prove.Tool
}

func TestCases(t *testing.T) {
	root := prove.Shared(t, "cases", "openapi")
	cases := allCases()
	checkComplete(t, root, cases)
	if t.Failed() {
		return
	}
	module := prove.NewModule(t)
	runs := make([]*run, len(cases))
	for i := range cases {
		runs[i] = generate(t, module, root, &cases[i])
	}
	module.Build(t)
	var vetted []string
	for _, r := range runs {
		if r.vet {
			vetted = append(vetted, r.pkg)
		}
	}
	module.Vet(t, vetted...)
	t.Run("case", func(t *testing.T) {
		for _, r := range runs {
			t.Run(r.name(), func(t *testing.T) {
				t.Parallel()
				r.test(t)
			})
		}
	})
}

// checkComplete fails when a folder has no entry, an entry no folder, or an
// expect.md other lines than an entry was written against.
func checkComplete(t *testing.T, root string, cases []testCase) {
	t.Helper()
	folders, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]*testCase{}
	for i := range cases {
		c := &cases[i]
		if first[c.folder] == nil {
			first[c.folder] = c
		} else if c.variant == "" {
			t.Errorf("%s has two entries without a variant", c.folder)
		}
	}
	for _, folder := range folders {
		c := first[folder.Name()]
		if c == nil {
			t.Errorf("the case %s is in no table", folder.Name())
			continue
		}
		delete(first, folder.Name())
		text, err := os.ReadFile(filepath.Join(root, folder.Name(), "expect.md"))
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.Collect(strings.Lines(strings.TrimSpace(string(text))))
		if len(lines) != c.lines {
			t.Errorf("%s: expect.md has %d lines, the table was written against %d", c.folder, len(lines), c.lines)
		}
		for _, part := range slices.Sorted(maps.Keys(c.pending)) {
			if n := countContaining(lines, part); n != 1 {
				t.Errorf("%s: %d lines of expect.md hold the pending %q, want 1", c.folder, n, part)
			}
			t.Logf("pending: %s: %s…: %s", c.folder, part, c.pending[part])
		}
	}
	for folder := range first {
		t.Errorf("the case %s has an entry but no folder", folder)
	}
}

func countContaining(lines []string, part string) int {
	n := 0
	for _, line := range lines {
		if strings.Contains(line, part) {
			n++
		}
	}
	return n
}

var notIdent = regexp.MustCompile(`[^a-z0-9]+`)

// generate runs the command. The first entry of a folder is run twice, which must
// give the same bytes.
func generate(t *testing.T, module *prove.Module, root string, c *testCase) *run {
	t.Helper()
	r := &run{testCase: c, module: module, pkg: notIdent.ReplaceAllString(strings.ToLower(c.name()), "_"), upstream: prove.NewUpstream(t)}
	folder := filepath.Join(root, c.folder)
	if len(c.edit) > 0 {
		folder = editedCopy(t, folder, c.edit)
	}
	flags := make([]string, len(c.flags))
	for i, flag := range c.flags {
		flags[i] = strings.ReplaceAll(flag, "$FOLDER", folder)
	}
	name := c.source
	if name == "" {
		name = "openapi.yaml"
	}
	r.source = filepath.Join(folder, name)
	var env []string
	dir := t.TempDir()
	if address, err := url.Parse(name); err == nil && address.Host != "" {
		r.source = name
		r.upstream.Handle(serveFile(address, folder))
	}
	env = r.upstream.Env()
	r.Generation = module.Generate(t, r.pkg, dir, env, r.source, flags...)
	if c.exit == 0 && c.variant == "" {
		again := prove.Generate(t, dir, env, append([]string{r.source, "-o", filepath.Join(module.Dir, "again", r.pkg), "-runtime=import"}, flags...)...)
		if r.Exit != again.Exit || r.Stderr != strings.ReplaceAll(again.Stderr, "/again/", "/") {
			t.Errorf("%s: two runs said different things:\n%s\nand\n%s", c.name(), r.Stderr, again.Stderr)
		}
		sameTree(t, c.name(), r.Dir, filepath.Join(module.Dir, "again", r.pkg))
		if err := os.RemoveAll(filepath.Join(module.Dir, "again")); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// serveFile answers with the case's document at its address and 404 elsewhere.
func serveFile(address *url.URL, folder string) func(*prove.Request) prove.Answer {
	return func(req *prove.Request) prove.Answer {
		data, err := os.ReadFile(filepath.Join(folder, filepath.Base(address.Path)))
		if err != nil || req.URL != address.String() {
			return prove.Answer{Raw: "HTTP/1.1 404 Not Found\n\n"}
		}
		return prove.Answer{Raw: "HTTP/1.1 200 OK\nContent-Type: application/yaml\n\n" + string(data)}
	}
}

// editedCopy copies a case's folder and replaces text in its documents.
func editedCopy(t *testing.T, folder string, edit []string) string {
	t.Helper()
	out := t.TempDir()
	if err := os.CopyFS(out, os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	changed := false
	for path := range files(t, out) {
		full := filepath.Join(out, path)
		data, err := os.ReadFile(full)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for i := 0; i < len(edit); i += 2 {
			text = strings.ReplaceAll(text, edit[i], edit[i+1])
		}
		changed = changed || text != string(data)
		if err := os.Chmod(full, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if !changed {
		t.Fatalf("%s holds nothing of what should be edited", folder)
	}
	return out
}

// files returns the content of all files below dir.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		out[path] = string(data)
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return out
}

func sameTree(t *testing.T, name, a, b string) {
	t.Helper()
	first, second := files(t, a), files(t, b)
	if !maps.Equal(first, second) {
		for path := range first {
			if first[path] != second[path] {
				t.Errorf("%s: two runs gave different bytes in %s", name, path)
			}
		}
	}
}

// test checks one case in the order of what a user sees: messages, files, tools,
// calls.
func (r *run) test(t *testing.T) {
	if r.Exit != r.exit {
		t.Fatalf("generate exited with %d, want %d\n%s%s", r.Exit, r.exit, r.Stdout, r.Stderr)
	}
	printed := r.Stdout + r.Stderr
	for _, part := range r.says {
		if !strings.Contains(printed, part) {
			t.Errorf("generate does not say %q:\n%s", part, printed)
		}
	}
	for part, want := range r.mentions {
		if got := countContaining(slices.Collect(strings.Lines(r.Stderr)), part); got != want {
			t.Errorf("%q stands in %d lines of what generate says, want %d:\n%s", part, got, want, printed)
		}
	}
	for _, part := range r.silent {
		if strings.Contains(printed, part) {
			t.Errorf("generate says %q:\n%s", part, printed)
		}
	}
	if strings.Contains(printed, "goroutine ") {
		t.Errorf("generate prints a stack:\n%s", printed)
	}
	if r.exit != 0 {
		if written := files(t, r.Dir); len(written) > 0 {
			t.Errorf("generate failed and left %v", slices.Sorted(maps.Keys(written)))
		}
	} else {
		r.testFiles(t)
		r.testTools(t)
		r.testCalls(t)
	}
	if r.check != nil {
		r.check(t, r)
	}
}

// testFiles checks what holds for every output: it can be written to any file
// system, and says nothing of the machine it was made on.
func (r *run) testFiles(t *testing.T) {
	seen := map[string]string{}
	for path, text := range files(t, r.Dir) {
		if other := seen[strings.ToLower(path)]; other != "" {
			t.Errorf("%s and %s are one file on some file systems", path, other)
		}
		seen[strings.ToLower(path)] = path
		if strings.Contains(text, r.Dir) || strings.Contains(text, filepath.Dir(r.source)) {
			t.Errorf("%s holds an absolute path", path)
		}
	}
}

// start starts the server with env and the upstream as its whole environment.
func (r *run) start(t *testing.T, env []string, flags ...string) *prove.Client {
	t.Helper()
	return r.module.Start(t, r.pkg, append(r.upstream.Env(), env...), flags...)
}

func (r *run) testTools(t *testing.T) {
	var env []string
	if len(r.calls) > 0 {
		env = r.calls[0].env // some servers need one to start
	}
	client := r.start(t, env)
	r.tools = map[string]prove.Tool{}
	var names []string
	var raw strings.Builder
	for _, tool := range client.Tools() {
		names = append(names, tool.Name)
		r.tools[tool.Name] = tool
		raw.Write(tool.Raw)
		raw.WriteByte('\n')
		for _, err := range prove.CheckTool(tool) {
			// Gemini's Schema is OpenAPI 3.0's, where this is how null is said.
			if slices.Contains(r.flags, "gemini") && strings.Contains(err.Error(), "has nullable,") {
				continue
			}
			t.Error(err)
		}
	}
	slices.Sort(names)
	if r.testCase.tools != nil && !slices.Equal(names, r.testCase.tools) {
		t.Errorf("tools/list names %q, want %q", names, r.testCase.tools)
	}
	for _, part := range r.raw {
		if !strings.Contains(raw.String(), part) {
			t.Errorf("tools/list does not hold %s:\n%s", part, raw.String())
		}
	}
	for _, part := range r.rawNot {
		if strings.Contains(raw.String(), part) {
			t.Errorf("tools/list holds %s:\n%s", part, raw.String())
		}
	}
	for _, m := range r.schemas {
		r.testMember(t, m)
	}
	if err := client.Close(); err != nil {
		t.Errorf("the server ended with %v when its stdin did\n%s", err, client.Stderr())
	}
}

func (r *run) testMember(t *testing.T, m member) {
	t.Helper()
	tool, ok := r.tools[m.tool]
	if !ok {
		t.Errorf("there is no tool %s", m.tool)
		return
	}
	pointer := m.at
	if !strings.HasPrefix(pointer, "/") {
		pointer = "/inputSchema/properties/" + pointer
	}
	got := prove.Member(tool.Raw, pointer)
	switch {
	case m.want == "" && got != nil:
		t.Errorf("%s: %s is %s, want nothing", m.tool, m.at, got)
	case m.want == "*" && got == nil, m.want != "" && m.want != "*" && !prove.SameJSON(got, []byte(m.want)):
		t.Errorf("%s: %s is %s, want %s\n%s", m.tool, m.at, got, m.want, tool.Raw)
	}
}

// testCalls makes the calls in order, those with the same environment on the
// same server.
func (r *run) testCalls(t *testing.T) {
	clients := map[string]*prove.Client{}
	for i, c := range r.calls {
		key := fmt.Sprint(c.env, c.flags)
		if clients[key] == nil {
			clients[key] = r.start(t, c.env, c.flags...)
		}
		t.Run(fmt.Sprintf("call %d %s", i+1, c.tool), func(t *testing.T) { c.test(t, clients[key], r.upstream) })
	}
}
