package gen

import (
	"go/build"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// TestNamingWorstCase shows what becomes of tool names that are no Go
// identifiers, no file names, or equal under some rule.
func TestNamingWorstCase(t *testing.T) {
	want := []struct{ name, ident, file string }{
		{"-x", "x", "-x.json"},
		{"2fa", "tool2fa", "2fa.json"},
		{"404", "tool404", "404.json"},
		{"APIKeys", "apiKeys", "APIKeys.json"},
		{"CON", "con", "CON_tool.json"},
		{"GetPet", "getPet2", "GetPet.json"},
		{"ID", "id", "ID.json"},
		{"_hidden", "hidden", "_hidden.json"},
		{"__", "tool2", "__.json"},
		{"a-b", "aB2", "a-b.json"},
		{"aB", "aB", "aB.json"},
		{"a_b", "aB3", "a_b.json"},
		{"any", "anyTool", "any.json"},
		{"call", "callTool", "call.json"},
		{"config", "configTool", "config.json"},
		{"context", "contextTool", "context.json"},
		{"embed", "embedTool", "embed.json"},
		{"error", "errorTool", "error.json"},
		{"func", "funcTool", "func.json"},
		{"getPet", "getPet", "getPet_2.json"},
		{"get_v1", "getV1", "get_v1.json"},
		{"getv_1", "getv1", "getv_1.json"},
		{"get-v1", "getV1_2", "get-v1.json"},
		{"init", "initTool", "init.json"},
		{"lpt1", "lpt1", "lpt1_tool.json"},
		{"main", "mainTool2", "main.json"},
		{"mainTool", "mainTool", "mainTool.json"},
		{"new", "newTool", "new.json"},
		{"req", "reqTool", "req.json"},
		{"runtime", "runtimeTool", "runtime.json"},
		{"tool", "tool", "tool.json"},
		{"tools", "toolsTool", "tools.json"},
		{"type", "typeTool", "type.json"},
	}
	var tools []*ir.Tool
	for _, w := range want {
		tools = append(tools, &ir.Tool{Name: w.name})
	}
	idents, files := handlerNames(tools), toolFileNames(tools)
	got := want[:0:0]
	for i, tl := range tools {
		got = append(got, struct{ name, ident, file string }{want[i].name, idents[tl], files[tl]})
	}
	for i := range want {
		if want[i] != got[i] {
			t.Errorf("got %v, want %v", got[i], want[i])
		}
	}
}

var worstGroups = []struct{ name, file string }{
	{"default", "tools_default.go"},
	{"pets", "tools_pets.go"},
	{"Pets", "tools_pets_2.go"},
	{"PETS!", "tools_pets_3.go"},
	{"Pet Store / orders", "tools_pet_store_orders.go"},
	{"requestForQuotation", "tools_request_for_quotation.go"},
	{"linux", "tools_linux_group.go"},
	{"Windows", "tools_windows_group.go"},
	{"pets_amd64", "tools_pets_amd64_group.go"},
	{"js_wasm", "tools_js_wasm_group.go"},
	{"test", "tools_test_group.go"},
	{"a_test", "tools_a_test_group.go"},
	{"unix", "tools_unix.go"},
	{"../../etc", "tools_etc.go"},
	{"日本", "tools_group_cf2abf0c.go"},
	{"", "tools_group_e3b0c442.go"},
	{"___", "tools_group_bda25155.go"},
	{strings.Repeat("long", 40), "tools_longlonglonglonglonglonglonglonglonglonglonglonglonglon_ed357a84.go"},
}

func TestGroupFileNames(t *testing.T) {
	var groups []ir.Group
	var want []string
	for _, g := range worstGroups {
		groups, want = append(groups, ir.Group{Name: g.name}), append(want, g.file)
	}
	if d := cmp.Diff(want, groupFileNames(groups)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestGroupFilesBuild asks the go command's own rules whether a file would be
// left out anywhere.
func TestGroupFilesBuild(t *testing.T) {
	list, err := exec.Command("go", "tool", "dist", "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	words := []string{"test"}
	for platform := range strings.FieldsSeq(string(list)) {
		goos, goarch, _ := strings.Cut(platform, "/")
		words = append(words, goos, goarch)
	}
	var groups []ir.Group
	for _, w := range words {
		groups = append(groups, ir.Group{Name: w}, ir.Group{Name: "x " + w}, ir.Group{Name: "linux " + w})
	}
	for platform := range strings.FieldsSeq(string(list)) {
		c := build.Default
		c.GOOS, c.GOARCH, _ = strings.Cut(platform, "/")
		c.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package main\n")), nil }
		for i, name := range groupFileNames(groups) {
			if ok, err := c.MatchFile(".", name); err != nil || !ok || strings.HasSuffix(name, "_test.go") {
				t.Errorf("group %q: %s is left out on %s: %v", groups[i].Name, name, platform, err)
			}
		}
	}
}
