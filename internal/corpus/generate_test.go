package corpus

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"

	"github.com/seed7346ab69/toolmill/internal/prove"
)

var update = flag.Bool("update", false, "rewrite testdata/skips.txt")

func TestGenerate(t *testing.T) {
	var skips strings.Builder
	for _, d := range documents {
		t.Run(d.name, func(t *testing.T) {
			p := d.parse(t)
			checkCount(t, d, p)
			checkTools(t, d, p)
			for _, s := range p.server.Skips {
				fmt.Fprintf(&skips, "%s %s: %s\n", d.name, s.What, s.Code)
			}
		})
	}
	file := filepath.Join("testdata", "skips.txt")
	if t.Failed() || t.Skipped() {
		return
	}
	if *update {
		if err := os.WriteFile(file, []byte(skips.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), skips.String()); diff != "" {
		t.Errorf("the skipped operations are not those of %s (-want +got); -update rewrites it\n%s", file, diff)
	}
}

// checkCount holds tools and skips against the operations that stand in the
// document, counted by other means.
func checkCount(t *testing.T, d *document, p *parsed) {
	t.Helper()
	tools, skips := len(p.server.Tools()), len(p.server.Skips)
	if want := countOperations(t, d.source(t)); tools+skips != want || p.server.Found != want {
		t.Errorf("%d tools and %d skips (%d found) of %d operations", tools, skips, p.server.Found, want)
	}
}

var methods = []string{"get", "put", "post", "delete", "options", "head", "patch", "trace", "query"}

// countOperations knows as little of OpenAPI as it needs to count.
func countOperations(t *testing.T, file string) int {
	t.Helper()
	paths, file := follow(t, file, decode(t, file)["paths"])
	n := 0
	for _, item := range paths {
		item, _ := follow(t, file, item)
		for key := range item {
			if slices.Contains(methods, key) {
				n++
			}
		}
		more, _ := item["additionalOperations"].(map[string]any)
		n += len(more)
	}
	return n
}

// follow returns the mapping, or the one in the file that it refers to.
func follow(t *testing.T, file string, value any) (map[string]any, string) {
	t.Helper()
	object, _ := value.(map[string]any)
	ref, ok := object["$ref"].(string)
	if !ok || strings.HasPrefix(ref, "#") {
		return object, file
	}
	file = filepath.Join(filepath.Dir(file), filepath.FromSlash(ref))
	return decode(t, file), file
}

func decode(t *testing.T, file string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var value map[string]any
	if filepath.Ext(file) == ".json" {
		err = json.Unmarshal(data, &value)
	} else {
		err = yaml.Unmarshal(data, &value)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return value
}

// bigTool is the size from which on a tool is worth a warning that names it.
const bigTool = 64 << 10

// checkTools judges each tool as tools/list will return it.
func checkTools(t *testing.T, d *document, p *parsed) {
	t.Helper()
	total := 0
	for _, file := range p.tree.Files {
		if path.Dir(file.Path) != "tools" {
			continue
		}
		var compact bytes.Buffer
		if err := json.Compact(&compact, file.Data); err != nil {
			t.Fatalf("%s: %v", file.Path, err)
		}
		var tool prove.Tool
		if err := json.Unmarshal(file.Data, &tool); err != nil {
			t.Fatalf("%s: %v", file.Path, err)
		}
		for _, err := range prove.CheckTool(tool) {
			t.Error(err)
		}
		total += compact.Len()
		if compact.Len() > bigTool && !warned(p, tool.Name) {
			t.Errorf("the tool %s has %d bytes and no warning says so", tool.Name, compact.Len())
		}
	}
	limit := d.maxList
	if limit == 0 {
		limit = 2 * size(t, d.source(t))
	}
	if total > limit {
		t.Errorf("tools/list has %d bytes, more than %d", total, limit)
	}
	t.Logf("%d tools, %d skips, tools/list %d bytes", len(p.server.Tools()), len(p.server.Skips), total)
}

func warned(p *parsed, tool string) bool {
	for _, d := range p.diags {
		if strings.Contains(d.Message, tool) && strings.Contains(d.Code, "large") {
			return true
		}
	}
	return false
}

// size is that of the document with its other files.
func size(t *testing.T, file string) int {
	t.Helper()
	total := 0
	err := filepath.Walk(filepath.Dir(file), func(_ string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			total += int(info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return total
}
