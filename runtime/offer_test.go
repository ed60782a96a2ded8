package runtime

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// zoo is a definition with groups and hints.
func zoo() Definition {
	files := fstest.MapFS{}
	def := Definition{Name: "zoo", Version: "1", Upstreams: []Upstream{{URL: "https://api.test"}}, Schemas: files}
	for _, t := range []struct{ name, group, hints string }{
		{"getPet", "pets", `"readOnlyHint":true,"destructiveHint":false`},
		{"addPet", "pets", `"readOnlyHint":false,"destructiveHint":false`},
		{"deletePet", "pets", `"readOnlyHint":false,"destructiveHint":true`},
		{"getOrder", "store", `"readOnlyHint":true`},
		{"bare", "", ""},
	} {
		extra := ""
		if t.hints != "" {
			extra = `,"annotations":{` + t.hints + `}`
		}
		files["tools/"+t.name+".json"] = &fstest.MapFile{Data: toolFile(t.name, `{"type":"object","properties":{"id":{"type":"integer"}}}`, extra)}
		def.Tools = append(def.Tools, Tool{Name: t.name, Group: t.group, Handle: echo})
	}
	return def
}

func TestOffer(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"", "addPet bare deletePet getOrder getPet"},
		{"-read-only", "getOrder getPet"},
		{"-read-only=false", "addPet bare deletePet getOrder getPet"},
		{"-operation read", "getOrder getPet"},
		{"-operation write", "addPet bare deletePet"},
		{"-tool bare", "bare"},
		{"-tag pets", "addPet deletePet getPet"},
		{"-tag store -tool bare", "bare getOrder"},
		{"-tag pets -no-tool deletePet", "addPet getPet"},
		{"-tag pets -tag store -read-only -no-tool getPet", "getOrder"},
		{"-tag pets -read-only -operation read", "getPet"},
	} {
		def := zoo()
		o := newOptions(&def)
		if err := o.parse(strings.Fields(tc.args)); err != nil {
			t.Errorf("%s: %v", tc.args, err)
			continue
		}
		tools, err := o.Offer.apply(&def)
		if err != nil {
			t.Errorf("%s: %v", tc.args, err)
		}
		var names []string
		for _, t := range tools {
			names = append(names, t.Name)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.args, got, tc.want)
		}
	}
}

func TestRefusedOffer(t *testing.T) {
	for _, tc := range []struct {
		args, want string
		code       int
	}{
		{"-tool getpet", "-tool getpet: there is no tool of that name; did you mean getPet? (there are: getPet, addPet, deletePet, getOrder, bare)", 2},
		{"-no-tool x", "-no-tool x: there is no tool of that name (there are", 2},
		{"-tag pet", "-tag pet: there is no tag of that name; did you mean pets? (there are: pets, store)", 2},
		{"-operation both", "there are read and write", 2},
		{"-read-only -operation write", "would leave no tool", 2},
		{"-read-only=perhaps", "true or false", 2},
		{"-tool addPet -read-only", "no tool is left", 1},
		{"-rate getPets=1/s", "-rate getPets: there is no tool of that name; did you mean getPet?", 2},
		{"-rate getPet", "must be like getPet=10/s", 2},
		{"-rate getPet=0/s", "must be like getPet=10/s", 2},
		{"-rate getPet=1/d", "it needs the unit s, m or h, as in getPet=1/s", 2},
		{"-rate getPet=1", "it needs the unit s, m or h, as in getPet=1/s", 2},
		{"-no-tols getPet", "there is no flag -no-tols; did you mean -no-tool?", 2},
		{"-xyzzyxyzzy", "there is no flag -xyzzyxyzzy (-h lists the flags)", 2},
		{"-max-calls -1", "number of calls", 2},
		{"-confirm sometimes", "destructive, write, all and none", 2},
		{"-confirm-key /nowhere/at/all", "no such file", 2},
	} {
		code, _, _, stderr := command(t, zoo(), nil, strings.Fields(tc.args)...)
		if code != tc.code || !strings.Contains(stderr, tc.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %q, want %d and %s", tc.args, code, stderr, tc.code, tc.want)
		}
	}
	oneGroup := sample()
	if code, _, _, stderr := command(t, oneGroup, nil, "-tag", "x"); code != 2 || !strings.Contains(stderr, "in one group") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// A tool that is left out is neither listed nor callable: to clients there is none.
func TestLeftOut(t *testing.T) {
	s := serve(t, Config{Offer: Offer{Operation: "read"}}, zoo(), 0)
	s.initialize("2025-11-25")
	list := s.ask(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	if strings.Contains(list, "deletePet") || !strings.Contains(list, "getPet") {
		t.Error(list)
	}
	left, unknown := s.ask(callLine(2, "deletePet", `{}`)), s.ask(callLine(2, "nope", `{}`))
	if strings.ReplaceAll(left, "deletePet", "nope") != unknown || !strings.Contains(unknown, "-32602") {
		t.Errorf("%s, not %s", left, unknown)
	}
	if got := s.ask(callLine(3, "getPet", `{"id":1}`)); !strings.Contains(got, `"result"`) {
		t.Error(got)
	}
}

// Without such a flag a start reads no file for it.
func TestOfferIsLazy(t *testing.T) {
	def := zoo()
	read := &countingFS{FS: def.Schemas}
	def.Schemas = read
	s := NewServer(Config{Log: quiet()}, def)
	if _, err := s.start(); err != nil || read.opened > 0 {
		t.Errorf("%v, %d files read", err, read.opened)
	}
}

// countingFS counts the files that are opened.
type countingFS struct {
	fs.FS
	opened int
}

func (c *countingFS) Open(name string) (fs.File, error) {
	if strings.HasSuffix(name, ".json") {
		c.opened++
	}
	return c.FS.Open(name)
}

// -h of a server of Go functions without variables or a version has no heading
// for what there is not.
func TestHelpHeadings(t *testing.T) {
	for _, tc := range []struct {
		name        string
		def         Definition
		first, last string
	}{
		{"Go functions", Definition{Name: "shop"}, "shop as an MCP server\n\n", ""},
		{"an API", sample(), "Sample as an MCP server, version 1.2.3\n\n", "a file that holds the value; the flags -base-url"},
	} {
		code, _, stdout, _ := command(t, tc.def, nil, "-h")
		_, variables, listed := strings.Cut(stdout, "\nEnvironment ")
		if code != 0 || !strings.HasPrefix(stdout, tc.first) || listed != (tc.last != "") || !strings.Contains(variables, tc.last) || strings.HasSuffix(stdout, "\n\n") {
			t.Errorf("%s: exit %d, %q", tc.name, code, stdout)
		}
	}
}
