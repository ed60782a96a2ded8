package review_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/seed7346ab69/toolmill/gen"
	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/review"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestDiffRules compares the two documents of each case and wants the text. The
// name of a case is the rule that it shows.
func TestDiffRules(t *testing.T) {
	for _, rule := range review.Rules {
		t.Run(rule.Code, func(t *testing.T) {
			report := golden(t, filepath.Join("testdata", "diff", rule.Code+".txtar"), nil)
			if !slices.ContainsFunc(report.Changes, func(c review.Change) bool { return c.Rule == rule.Code }) {
				t.Errorf("no change is a %s", rule.Code)
			}
			for _, c := range report.Changes {
				if !slices.ContainsFunc(review.Rules, func(r struct{ Code, Finds string }) bool { return r.Code == c.Rule }) {
					t.Errorf("%s is no rule of the list", c.Rule)
				}
			}
		})
	}
	cases, err := filepath.Glob("testdata/diff/*.txtar")
	if err != nil || len(cases) != len(review.Rules) {
		t.Errorf("%d cases for %d rules: %v", len(cases), len(review.Rules), err)
	}
}

// TestDiffShapes are comparisons that no single rule is about.
func TestDiffShapes(t *testing.T) {
	cases, err := filepath.Glob("testdata/shapes/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { golden(t, file, nil) })
	}
}

// TestDiffDocumentedChanges grades changes of the kinds that public APIs announce.
func TestDiffDocumentedChanges(t *testing.T) {
	cases, err := filepath.Glob("testdata/changelog/*.txtar")
	if err != nil || len(cases) < 20 {
		t.Fatalf("%d cases, want 20 or more: %v", len(cases), err)
	}
	for _, file := range cases {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			golden(t, file, func(t *testing.T, comment string, report *review.Report) {
				_, want, ok := strings.Cut(comment, "grade: ")
				if want = strings.TrimSpace(want); !ok {
					t.Fatal("the comment names no grade")
				}
				worst := review.Safe
				for _, c := range report.Changes {
					worst = max(worst, c.Grade)
				}
				if got := worst.String(); len(report.Changes) == 0 || got != want {
					t.Errorf("worst grade %s of %d changes, want %s", got, len(report.Changes), want)
				}
			})
		})
	}
}

// golden compares old.yaml with new.yaml of an archive and wants the text in
// "text". A comment with "output-schema" reads results too.
func golden(t *testing.T, file string, also func(t *testing.T, comment string, r *review.Report)) *review.Report {
	t.Helper()
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	comment := string(archive.Comment)
	if len(archive.Files) != 3 || archive.Files[2].Name != "text" {
		t.Fatal("want the files old.yaml, new.yaml, text")
	}
	opts := openapi.Options{OutputSchema: strings.Contains(comment, "output-schema")}
	old, new := surface(t, archive.Files[0], opts), surface(t, archive.Files[1], opts)
	report := review.Diff(old, new)
	var text strings.Builder
	report.Text(&text)
	want := &archive.Files[2].Data
	if *update {
		*want = []byte(text.String())
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(*want), text.String()); diff != "" {
		t.Errorf("text differs (-want +got), go test ./review -update rewrites it:\n%s", diff)
	}
	if also != nil {
		also(t, comment, report)
	}
	if none := review.Diff(new, new); len(none.Changes) > 0 {
		t.Errorf("a surface differs from itself: %v", none.Changes)
	}
	return report
}

func surface(t *testing.T, f txtar.File, opts openapi.Options) *review.Surface {
	t.Helper()
	path := filepath.Join(t.TempDir(), f.Name)
	prove.Write(t, path, string(f.Data))
	s, err := review.FromServer(parse(t, path, opts))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t *testing.T, path string, opts openapi.Options) *ir.Server {
	t.Helper()
	var diags diag.List
	server := openapi.Parse(t.Context(), path, opts, &diags)
	if server == nil {
		t.Fatalf("%s: %v", path, diags.All())
	}
	return server
}

// TestFolder reads outputs back: they say the same as the documents they come from.
func TestFolder(t *testing.T) {
	cases, err := filepath.Glob("../golden/openapi/*/args")
	if err != nil || len(cases) == 0 {
		t.Fatalf("no golden cases: %v", err)
	}
	for _, file := range cases {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			args := strings.Fields(prove.Read(t, file))
			server := parse(t, filepath.Join(dir, args[0]), openapi.Options{})
			written := written(t, server)
			for _, tool := range written.Tools {
				if tool.Request == nil {
					t.Errorf("the request of %s is not known", tool.Name)
				}
			}
			parsed, err := review.FromServer(server)
			if err != nil {
				t.Fatal(err)
			}
			report := review.Diff(parsed, written)
			var text strings.Builder
			report.Text(&text)
			if len(report.Changes) > 0 || len(written.Tools) != len(parsed.Tools) || len(written.Tools) == 0 {
				t.Errorf("the output differs from its document:\n%s", text.String())
			}
		})
	}
}

// written reads the output of a server back.
func written(t *testing.T, server *ir.Server) *review.Surface {
	t.Helper()
	tree, err := gen.Generate(server, gen.Options{Package: "example.com/server", Runtime: gen.Import})
	if err != nil {
		t.Fatal(err)
	}
	folder := fstest.MapFS{}
	for _, f := range tree.Files {
		folder[f.Path] = &fstest.MapFile{Data: f.Data}
	}
	if !review.IsFolder(folder) {
		t.Fatal("not known as an output")
	}
	s, err := review.ReadFolder(folder)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFolderDiet reads back what a diet hid.
func TestFolderDiet(t *testing.T) {
	hidden := func(full string) *ir.Server {
		path := filepath.Join(t.TempDir(), "api.yaml")
		prove.Write(t, path, lockDocument)
		server := parse(t, path, openapi.Options{})
		tool := server.Tools()[1]
		tool.Full, tool.Input = []byte(full), []byte(`{"type":"object","properties":{}}`)
		return server
	}
	server := hidden(`{"type":"object","properties":{"author":{"type":"string"}}}`)
	parsed, err := review.FromServer(server)
	if err != nil {
		t.Fatal(err)
	}
	if r := review.Diff(parsed, written(t, server)); len(r.Changes) > 0 {
		t.Errorf("the output differs from its source: %v", r.Changes)
	}
	r := review.Diff(parsed, written(t, hidden(`{"type":"object","properties":{"author":{"type":"integer"}}}`)))
	if len(r.Changes) != 1 || r.Changes[0].Rule != "type-changed" {
		t.Errorf("want one change of a type, got %v", r.Changes)
	}
}

// TestReadFolderRefuses says what is wrong with folders that are no output, or
// damaged.
func TestReadFolderRefuses(t *testing.T) {
	const register = ir.GeneratedHeader + "\npackage main\n\nvar _ = d{Name: \"a\", Tools: []t{{Name: \"getPet\", Handle: getPet}}}\n"
	for _, test := range []struct {
		name, want string
		files      map[string]string
	}{
		{"nothing", "holds no output of toolmill", nil},
		{"a server of others", "holds no output of toolmill", map[string]string{"server.go": "package main\n"}},
		{"no tool file", "tool getPet: open tools/getPet.json", map[string]string{"server.go": register}},
		{"no JSON", "tools/getPet.json:1:2", map[string]string{"server.go": register, "tools/getPet.json": "{"}},
		{"no tool", "this is no tool", map[string]string{"server.go": register, "tools/getPet.json": `{"name":"getPet"}`}},
		{"no Go", "expected", map[string]string{"server.go": ir.GeneratedHeader + "\nfunc"}},
		{"a way out", "invalid", map[string]string{"server.go": strings.Replace(register, "getPet", "../../getPet", 1)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range test.files {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				prove.Write(t, filepath.Join(dir, name), text)
			}
			if _, err := review.ReadFolder(os.DirFS(dir)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// TestMarkdown holds what a comment must not do: mention people, hold markup of
// the document, or grow without end.
func TestMarkdown(t *testing.T) {
	tool := func(name, description string) *ir.Tool {
		return &ir.Tool{Name: name, Description: description, Input: []byte(`{"type":"object"}`), Func: &ir.Func{}}
	}
	compare := func(old, new []*ir.Tool) string {
		var sides []*review.Surface
		for _, tools := range [][]*ir.Tool{old, new} {
			s, err := review.FromServer(&ir.Server{Name: "shelf", Groups: []ir.Group{{Name: "default", Tools: tools}}})
			if err != nil {
				t.Fatal(err)
			}
			sides = append(sides, s)
		}
		var b strings.Builder
		review.Diff(sides[0], sides[1]).Markdown(&b)
		return b.String()
	}
	got := compare([]*ir.Tool{tool("find", "Asks @ann about <script> and _this_")},
		[]*ir.Tool{tool("find", "Asks @bob about #7, https://evil.example and `code`")})
	const want = "<br>Asks <del>`@ann`</del> <ins>`@bob`</ins> about <del>&lt;script&gt;</del> " +
		"<ins>\\#7, `https://evil.example`</ins> and <del>\\_this\\_</del> <ins>`'code'`</ins>\n"
	if !strings.Contains(got, want) {
		t.Errorf("want %s in\n%s", want, got)
	}
	var old, new []*ir.Tool
	for i := range 900 {
		name := fmt.Sprintf("tool%03d", i)
		old = append(old, tool(name, strings.Repeat("a", i%7+1)+" book "+name))
		new = append(new, tool(name, strings.Repeat("b", i%9+1)+" loan "+strings.Repeat("c", 50)))
	}
	got = compare(old, new)
	if len(got) > 65_000 || !strings.Contains(got, "more changes are too many for a comment") || !strings.Contains(got, "890 more risky") {
		t.Errorf("%d bytes, ending in %s", len(got), got[len(got)-200:])
	}
}
