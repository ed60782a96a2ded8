package gen

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// snapshot returns the content of every file below dir; links and folders are
// told by what they are.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		rel = filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			out[rel] = "(folder)"
		case d.Type()&fs.ModeSymlink != 0:
			target, err := os.Readlink(name)
			out[rel] = "(link) " + target
			return err
		default:
			data, err := os.ReadFile(name)
			out[rel] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, tree *Tree, dir string) *Changes {
	t.Helper()
	c, err := tree.Write(dir)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// written makes a folder that holds the petstore.
func written(t *testing.T) (dir string, tree *Tree) {
	t.Helper()
	dir, tree = filepath.Join(t.TempDir(), "out"), generate(t, petstore(), inModule)
	write(t, tree, dir)
	return dir, tree
}

// withoutStore is the petstore after the group store left its document.
func withoutStore() *ir.Server {
	s := petstore()
	s.Groups = s.Groups[:1]
	return s
}

func wantRefused(t *testing.T, err error, text string) {
	t.Helper()
	var refused *RefusedError
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want a refusal", err)
	}
	if d := refused.Diagnostic(); d.Code != "not-ours" || d.Hint == "" || !strings.Contains(d.Message, text) {
		t.Errorf("got %v, want not-ours about %q", d, text)
	}
}

func TestWriteNew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	tree := generate(t, petstore(), Options{Module: "example.com/petstore"})
	c := write(t, tree, dir)
	if len(c.Files) != len(tree.Files) || c.Files[0].Action != Add {
		t.Errorf("changes %v", c.Files)
	}
	got := snapshot(t, dir)
	for _, f := range tree.Files {
		if got[f.Path] != string(f.Data) {
			t.Errorf("%s differs", f.Path)
		}
	}
	if want := len(tree.Files) + len([]string{"tools", "internal", "internal/runtime"}); len(got) != want {
		t.Errorf("%d entries, want %d", len(got), want)
	}
}

func TestWriteTwice(t *testing.T) {
	dir, tree := written(t)
	past := time.Now().Add(-time.Hour).Truncate(time.Second)
	for _, f := range tree.Files {
		if err := os.Chtimes(filepath.Join(dir, f.Path), past, past); err != nil {
			t.Fatal(err)
		}
	}
	if c := write(t, tree, dir); len(c.Files) != 0 {
		t.Errorf("changes %v", c.Files)
	}
	s := petstore()
	s.Groups[0].Tools[0].Description = "Deletes."
	c := write(t, generate(t, s, inModule), dir)
	want := []Change{{Update, "TOOLS.md"}, {Update, "tools/deletePet.json"}, {Update, "tools_pets.go"}}
	if !slices.Equal(c.Files, want) {
		t.Errorf("changes %v, want %v", c.Files, want)
	}
	for _, f := range tree.Files {
		info, err := os.Stat(filepath.Join(dir, f.Path))
		if err != nil {
			t.Fatal(err)
		}
		changed := slices.ContainsFunc(want, func(c Change) bool { return c.Path == f.Path })
		if info.ModTime().Equal(past) == changed {
			t.Errorf("%s: time of change %v", f.Path, info.ModTime())
		}
	}
}

func TestDiffChangesNothing(t *testing.T) {
	dir, tree := written(t)
	put(t, filepath.Join(dir, "tools_pets.go"), header+"\npackage main // edited by hand\n")
	os.Remove(filepath.Join(dir, "tools", "getPet.json"))
	put(t, filepath.Join(dir, "tools_old.go"), header+"\n\npackage main\n")
	before := snapshot(t, dir)
	c, err := tree.Diff(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{{Add, "tools/getPet.json"}, {Update, "tools_pets.go"}, {Remove, "tools_old.go"}}
	if !slices.Equal(c.Files, want) {
		t.Errorf("got %v, want %v", c.Files, want)
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Errorf("something changed:\n%s", d)
	}
	missing := filepath.Join(t.TempDir(), "missing")
	if c, err = tree.Diff(missing); err != nil || len(c.Files) != len(tree.Files) {
		t.Errorf("missing folder: %v, %v", c, err)
	}
	if _, err := os.Stat(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Error("Diff made the folder")
	}
}

func TestStaleFilesLeave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	write(t, generate(t, petstore(), Options{Package: "example.com/petstore"}), dir)
	mine := map[string]string{
		"notes.txt":                 "mine",
		"tools_mine.go":             "package main\n",
		"tools/mine.json":           "{}",
		"internal/other/x.go":       header + "\n\npackage other\n",
		"sub/tools_x.go":            header + "\n\npackage sub\n",
		"generated.go":              header + "\n\npackage main\n",
		"tools_by_another.go":       "// Code generated by protoc. DO NOT EDIT.\n\npackage main\n",
		".hidden":                   "mine",
		"internal/runtime/extra.go": "package runtime\n",
	}
	for name, text := range mine {
		put(t, filepath.Join(dir, name), text)
	}
	// From a copied to an imported runtime, and one group less.
	c := write(t, generate(t, withoutStore(), inModule), dir)
	got := snapshot(t, dir)
	for _, name := range []string{"tools_store.go", "tools/place-order.json", "internal/runtime/call.go"} {
		if _, found := got[name]; found || !slices.Contains(c.Files, Change{Remove, name}) {
			t.Errorf("%s is still there", name)
		}
	}
	for name, text := range mine {
		if got[name] != text {
			t.Errorf("%s: %q, want %q", name, got[name], text)
		}
	}
	for name := range got {
		if strings.HasPrefix(name, ".toolmill") {
			t.Errorf("%s left over", name)
		}
	}
	if len(c.Warnings) != 1 || c.Warnings[0].Code != "old-main" {
		t.Errorf("warnings %v", c.Warnings)
	}
}

func TestEmptyFoldersLeave(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	write(t, generate(t, petstore(), Options{Package: "example.com/petstore"}), dir)
	write(t, generate(t, petstore(), inModule), dir)
	if _, err := os.Stat(filepath.Join(dir, "internal")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("internal is still there")
	}
}

func TestOnceFilesStay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	tree := generate(t, petstore(), Options{Module: "example.com/petstore"})
	write(t, tree, dir)
	for _, name := range []string{"main.go", "README.md", "go.sum"} {
		put(t, filepath.Join(dir, name), "mine\n")
	}
	if c := write(t, tree, dir); len(c.Files) != 0 {
		t.Errorf("changes %v", c.Files)
	}
	os.Remove(filepath.Join(dir, "README.md"))
	put(t, filepath.Join(dir, "readme.md"), "mine too\n")
	if c := write(t, tree, dir); len(c.Files) != 0 {
		t.Errorf("the same name in other case: changes %v", c.Files)
	}
	os.Remove(filepath.Join(dir, "main.go"))
	if c := write(t, tree, dir); !slices.Equal(c.Files, []Change{{Add, "main.go"}}) {
		t.Errorf("changes %v", c.Files)
	}
}

func TestWriteRefuses(t *testing.T) {
	owned := header + "\n\npackage main\n"
	for _, test := range []struct {
		name  string
		files map[string]string // put into a new folder, or over the petstore
		over  bool
		about string
	}{
		{"a folder of others", map[string]string{"doc.txt": "mine"}, false, "not empty"},
		{"a server.go of others", map[string]string{"server.go": "package main\n"}, false, "not empty"},
		{"generated files without server.go", map[string]string{"tools_pets.go": owned}, false, "not empty"},
		{"a handler file of others", map[string]string{"tools_pets.go": "package main\n"}, true, "tools_pets.go"},
		{"a header further down", map[string]string{"tools_pets.go": "// Mine.\n" + header + "\npackage main\n"}, true, "tools_pets.go"},
		{"a TOOLS.md of others", map[string]string{"TOOLS.md": "# Mine\n"}, true, "TOOLS.md"},
		{"a tool file that is not registered", map[string]string{"server.go": owned, "tools/getPet.json": "{}"}, true, "getPet.json"},
		{"server.go does not parse", map[string]string{"server.go": header + "\nnonsense", "tools/getPet.json": "{}"}, true, "getPet.json"},
		{"other case", map[string]string{"tools_pets.go": "", "TOOLS_PETS.go": "package main\n"}, true, "TOOLS_PETS.go"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir, tree := written(t)
			if !test.over {
				dir = t.TempDir()
			}
			for name := range test.files {
				os.Remove(filepath.Join(dir, name))
			}
			for name, text := range test.files {
				if text != "" {
					put(t, filepath.Join(dir, name), text)
				}
			}
			before := snapshot(t, dir)
			_, err := tree.Write(dir)
			wantRefused(t, err, test.about)
			if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
				t.Errorf("something changed:\n%s", d)
			}
		})
	}
}

func TestWriteBesideDotFiles(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, ".gitignore"), "/petstore\n")
	put(t, filepath.Join(dir, ".git", "HEAD"), "ref\n")
	write(t, generate(t, petstore(), inModule), dir)
	if got := snapshot(t, dir); got[".gitignore"] != "/petstore\n" || got[".git/HEAD"] != "ref\n" || got["server.go"] == "" {
		t.Errorf("got %v", got)
	}
}

func TestNotAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	put(t, file, "mine")
	_, err := generate(t, petstore(), inModule).Write(file)
	wantRefused(t, err, "not a folder")
	if _, err := generate(t, petstore(), inModule).Write(filepath.Join(file, "below")); err == nil {
		t.Error("wrote below a file")
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	for _, link := range []string{".", "tools", "tools_pets.go", "tools/getPet.json", "TOOLS.md", "server.go"} {
		t.Run(link, func(t *testing.T) {
			dir, tree := written(t)
			outside := filepath.Join(t.TempDir(), "outside")
			if err := os.Rename(filepath.Join(dir, link), outside); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(outside, filepath.Join(dir, link)); err != nil {
				t.Skip(err)
			}
			before, beforeOut := snapshot(t, filepath.Dir(dir)), snapshot(t, filepath.Dir(outside))
			s := petstore()
			s.Version = "2.0.0"
			s.Groups[0].Tools[1].Description = "Other."
			_, err := generate(t, s, inModule).Write(dir)
			wantRefused(t, err, "")
			if d := cmp.Diff(before, snapshot(t, filepath.Dir(dir))); d != "" {
				t.Errorf("inside changed:\n%s", d)
			}
			if d := cmp.Diff(beforeOut, snapshot(t, filepath.Dir(outside))); d != "" {
				t.Errorf("outside changed:\n%s", d)
			}
			_ = tree
		})
	}
}

func TestLineEndsOfWindows(t *testing.T) {
	dir, tree := written(t)
	for _, name := range []string{"server.go", "TOOLS.md", "tools/getPet.json"} {
		text := string(tree.File(name).Data)
		put(t, filepath.Join(dir, name), strings.ReplaceAll(text, "\n", "\r\n"))
	}
	if c, err := tree.Diff(dir); err != nil || len(c.Files) != 0 {
		t.Errorf("got %v, %v", c, err)
	}
	// Still ours.
	if c := write(t, generate(t, withoutStore(), inModule), dir); !slices.Contains(c.Files, Change{Remove, "tools/place-order.json"}) {
		t.Errorf("got %v", c.Files)
	}
}

// halfway starts to write the tree to dir and fails at the rename with that
// number. It returns nil when there are fewer.
func halfway(t *testing.T, tree *Tree, dir string, number int) *move {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	set, err := tree.open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(set.close)
	if _, err := set.changes(tree); err != nil {
		t.Fatal(err)
	}
	m := newMove(set[0])
	m.rename = func(from, to string) error {
		if number--; number < 0 {
			return errors.New("disk on fire")
		}
		return m.root.Rename(from, to)
	}
	if err := m.prepare(); err != nil {
		t.Fatal(err)
	}
	if m.commit() == nil {
		return nil
	}
	return m
}

// zoo is the petstore with a group less, a group more and a changed tool.
func zoo() *ir.Server {
	s := withoutStore()
	s.Version = "2.0.0"
	s.Groups[0].Tools[0].Description = "Other."
	s.Groups = append(s.Groups, ir.Group{Name: "zoo", Tools: []*ir.Tool{{Name: "visit", Description: "x",
		Input: s.Groups[0].Tools[0].Input, Request: &ir.Request{Method: "GET", Path: "/zoo"}}}})
	return s
}

// TestFailureLeavesWhatWasThere makes each rename of a write fail in turn.
func TestFailureLeavesWhatWasThere(t *testing.T) {
	next := generate(t, zoo(), Options{Package: "example.com/petstore"})
	for n := 0; ; n++ {
		dir, _ := written(t)
		before := snapshot(t, dir)
		m := halfway(t, next, dir, n)
		if m == nil {
			if n < len(next.Files) {
				t.Errorf("%d renames only", n)
			}
			break
		}
		if err := m.undo(); err != nil {
			t.Fatalf("rename %d: %v", n, err)
		}
		if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
			t.Fatalf("rename %d: something changed:\n%s", n, d)
		}
	}
}

// TestNextRunHeals kills a write at each rename, and then writes something else.
func TestNextRunHeals(t *testing.T) {
	third := zoo()
	third.Groups[1].Tools[0].Name = "visitZoo"
	third.Groups[0].Tools[1].Description = "Third."
	for _, over := range []bool{false, true} {
		for n := 0; ; n++ {
			dir := filepath.Join(t.TempDir(), "out")
			if over {
				write(t, generate(t, petstore(), inModule), dir)
			}
			if halfway(t, generate(t, zoo(), inModule), dir, n) == nil {
				break
			}
			tree := generate(t, third, inModule)
			if _, err := tree.Write(dir); err != nil {
				t.Fatalf("over %v, rename %d: %v", over, n, err)
			}
			got := snapshot(t, dir)
			for name := range got {
				if !strings.HasPrefix(name, ".toolmill-") && got[name] != "(folder)" && tree.File(name) == nil {
					t.Errorf("over %v, rename %d: %s left over", over, n, name)
				}
			}
			for _, f := range tree.Files {
				if got[f.Path] != string(f.Data) {
					t.Errorf("over %v, rename %d: %s differs", over, n, f.Path)
				}
			}
		}
	}
}

func TestReadOnlyFolders(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("needs a user that permissions bind")
	}
	for _, name := range []string{".", "tools"} {
		dir, _ := written(t)
		before := snapshot(t, dir)
		locked := filepath.Join(dir, name)
		if err := os.Chmod(locked, 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.Chmod(locked, 0o755) })
		if _, err := generate(t, withoutStore(), inModule).Write(dir); err == nil {
			t.Errorf("%s: no error", name)
		}
		if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
			t.Errorf("%s: something changed:\n%s", name, d)
		}
	}
}
