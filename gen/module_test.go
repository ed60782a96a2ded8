package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestPackagePath(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "app", "go.mod"), "module example.com/app // ours\n\ngo 1.26\n")
	put(t, filepath.Join(dir, "app", "broken", "go.mod"), "nonsense\n")
	put(t, filepath.Join(dir, "app", "file"), "")
	for _, test := range []struct {
		dir, want string
		fails     bool
	}{
		{"app", "example.com/app", false},
		{"app/cmd/petstore", "example.com/app/cmd/petstore", false},
		{"app/file/below", "example.com/app/file/below", false},
		{"app/broken", "", true},
		{".", "", false},
	} {
		got, err := PackagePath(filepath.Join(dir, test.dir))
		if got != test.want || (err != nil) != test.fails {
			t.Errorf("%s: got %q, %v", test.dir, got, err)
		}
	}
}

func TestModuleFit(t *testing.T) {
	tree := generate(t, petstore(), Options{Module: "example.com/petstore"})
	dir := filepath.Join(t.TempDir(), "out")
	write(t, tree, dir)
	if c := write(t, tree, dir); len(c.Warnings) != 0 {
		t.Errorf("our own go.mod: %v", c.Warnings)
	}
	put(t, filepath.Join(dir, "go.mod"), "module example.com/petstore\n\ngo 1.26\n\nrequire github.com/modelcontextprotocol/go-sdk v1.0.0\n")
	c, err := tree.Diff(dir)
	if err != nil || len(c.Warnings) != 1 || c.Warnings[0].Code != "old-go-mod" {
		t.Errorf("an old go.mod: %v, %v", c, err)
	}
	put(t, filepath.Join(dir, "go.mod"), "module example.com/other\n")
	if _, err := tree.Diff(dir); err == nil || err.(*RefusedError).Code != "module-path" {
		t.Errorf("another module: %v", err)
	}
	put(t, filepath.Join(dir, "go.mod"), "module\n")
	if _, err := tree.Diff(dir); err == nil {
		t.Error("a broken go.mod: no error")
	}
}

func TestModuleAround(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "cmd", "petstore")
	tree := generate(t, petstore(), Options{Package: "example.com/app/cmd/petstore"})
	put(t, filepath.Join(dir, "go.mod"), "module example.com/app\n\ngo 1.26\n")
	c, err := tree.Diff(out)
	if err != nil || len(c.Warnings) != 1 || c.Warnings[0].File != filepath.Join(dir, "go.mod") ||
		!strings.Contains(c.Warnings[0].Hint, "go get ") || !strings.Contains(c.Warnings[0].Hint, " github.com/modelcontextprotocol/go-sdk@v") ||
		!strings.HasSuffix(c.Warnings[0].Hint, " && go mod tidy") {
		t.Errorf("nothing required: %v, %v", c, err)
	}
	text := "module example.com/app\n\ngo 1.26\n"
	for _, r := range tree.requires {
		text += "\nrequire " + r.Path + " " + r.Version + "\n"
	}
	put(t, filepath.Join(dir, "go.mod"), text)
	if c, err := tree.Diff(out); err != nil || len(c.Warnings) != 0 {
		t.Errorf("all required: %v, %v", c, err)
	}
	t.Chdir(dir)
	put(t, "go.mod", "module example.com/app\n")
	if c, err := tree.Diff("cmd/petstore"); err != nil || len(c.Warnings) != 1 || c.Warnings[0].File != "go.mod" {
		t.Errorf("a relative folder: %v, %v", c, err)
	}
}

func TestImportedRuntimeFit(t *testing.T) {
	tree := generate(t, petstore(), Options{Package: "example.com/app/petstore", Runtime: Import})
	for _, test := range []struct {
		name, file string
		warns      bool
	}{
		{"not required", "module example.com/app\n\nrequire example.com/toolmill v1.0.0\n", true},
		{"required", "module example.com/app\n\nrequire " + modulePath + " v0.0.0\n", false},
		{"required and replaced", "module example.com/app\n\nrequire " + modulePath + " v0.0.0\n\nreplace " + modulePath + " => ../toolmill\n", false},
		{"replaced alone, which go build refuses", "module example.com/app\n\nreplace " + modulePath + " => ../toolmill\n", true},
		{"toolmill itself", "module " + modulePath + "\n", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, filepath.Join(dir, "go.mod"), test.file)
			c, err := tree.Diff(filepath.Join(dir, "petstore"))
			if err != nil || len(c.Warnings) > 1 || (len(c.Warnings) == 1) != test.warns {
				t.Fatalf("%v, %v", c, err)
			}
			if w := c.Warnings; test.warns && (w[0].File != filepath.Join(dir, "go.mod") || !strings.Contains(w[0].Hint, "go mod edit -replace "+modulePath+"=")) {
				t.Errorf("%+v", w)
			}
		})
	}
}

func TestMainFit(t *testing.T) {
	dir, tree := written(t)
	for text, warnings := range map[string]int{
		"package main\n\nimport \"example.com/petstore/internal/runtime\"\n\nfunc main() { runtime.Main(New) }\n": 1,
		"package main\n\nimport \"" + RuntimePath + "\"\n\nfunc main() { runtime.Main(New) }\n":                   0,
		"package main\n\nimport \"fmt\"\n": 0,
		"nonsense\n":                       0,
	} {
		put(t, filepath.Join(dir, "main.go"), text)
		c, err := tree.Diff(dir)
		if err != nil || len(c.Warnings) != warnings {
			t.Errorf("%q: %v, %v", text, c, err)
		}
	}
	os.Remove(filepath.Join(dir, "main.go"))
	if c, err := tree.Diff(dir); err != nil || len(c.Warnings) != 0 {
		t.Errorf("no main.go: %v, %v", c, err)
	}
}
