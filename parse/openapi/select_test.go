package openapi

import (
	"slices"
	"strings"
	"testing"
)

// selectors reads selectors that are known to be right.
func selectors(t *testing.T, texts ...string) []Selector {
	t.Helper()
	var out []Selector
	for _, text := range texts {
		s, err := ParseSelector(text)
		if err != nil {
			t.Fatal(err)
		}
		if s.String() != text {
			t.Errorf("%q became %q", text, s)
		}
		out = append(out, s)
	}
	return out
}

const petShop = head + `
paths:
  /pets:
    get: {operationId: listPets, tags: [pets], responses: {'200': {description: ok}}}
    post: {operationId: addPet, tags: [pets, admin], responses: {'200': {description: ok}}}
  /pets/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: {operationId: getPet, tags: pets, responses: {'200': {description: ok}}}
    delete: {operationId: deletePet, tags: [pets, admin], deprecated: true, responses: {'200': {description: ok}}}
  /pets/{id}/photos/{n}:
    get: {operationId: 'photos/get', tags: [photo gallery], parameters: [{name: id, in: path, required: true, schema: {type: string}}, {name: n, in: path, required: true, schema: {type: string}}], responses: {'200': {description: ok}}}
  /petsitters:
    get: {responses: {'200': {description: ok}}}
`

func TestSelect(t *testing.T) {
	all := []string{"addPet", "deletePet", "getPet", "get_petsitters", "listPets", "photos_get"}
	for _, tt := range []struct {
		name             string
		include, exclude []string
		want             []string
	}{
		{"nothing said", nil, nil, all},
		{"a tag", []string{"tag:admin"}, nil, []string{"addPet", "deletePet"}},
		{"a tag with a space", []string{"tag:photo gallery"}, nil, []string{"photos_get"}},
		{"a tag that is no list", []string{"tag:pets"}, []string{"tag:admin"}, []string{"getPet", "listPets"}},
		{"an operationId", []string{"op:getPet"}, nil, []string{"getPet"}},
		{"an operationId that is no tool name", []string{"op:photos/get"}, nil, []string{"photos_get"}},
		{"a tool name", []string{"op:photos_get"}, nil, []string{"photos_get"}},
		{"a tool name that is made of the path", []string{"op:get_petsitters"}, nil, []string{"get_petsitters"}},
		{"names by pattern", []string{"op:*Pet"}, nil, []string{"addPet", "deletePet", "getPet"}},
		{"a path", []string{"path:/pets"}, nil, []string{"addPet", "listPets"}},
		{"a path with a variable", []string{"path:/pets/{id}"}, nil, []string{"deletePet", "getPet"}},
		{"one segment", []string{"path:/pets/*"}, nil, []string{"deletePet", "getPet"}},
		{"part of a segment", []string{"path:/pets*"}, nil, []string{"addPet", "get_petsitters", "listPets"}},
		{"everything below, and the path itself", []string{"path:/pets/**"}, nil, []string{"addPet", "deletePet", "getPet", "listPets", "photos_get"}},
		{"segments in the middle", []string{"path:/**/photos/*"}, nil, []string{"photos_get"}},
		{"from anywhere", []string{"path:**/{n}"}, nil, []string{"photos_get"}},
		{"all paths", []string{"path:/**"}, nil, all},
		{"a method in any case", []string{"method:Delete"}, nil, []string{"deletePet"}},
		{"read-only", []string{"is:read-only"}, nil, []string{"getPet", "get_petsitters", "listPets", "photos_get"}},
		{"not destructive", nil, []string{"is:destructive"}, []string{"addPet", "getPet", "get_petsitters", "listPets", "photos_get"}},
		{"not deprecated", nil, []string{"is:deprecated"}, []string{"addPet", "getPet", "get_petsitters", "listPets", "photos_get"}},
		{"any include is enough", []string{"tag:admin", "method:GET"}, nil, all},
		{"exclude beats include", []string{"op:addPet", "op:getPet"}, []string{"method:POST"}, []string{"getPet"}},
		{"signs of regular expressions are letters", []string{"path:/pet.*", "tag:pets"}, nil, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := parse(t, petShop, Options{Include: selectors(t, tt.include...), Exclude: selectors(t, tt.exclude...)})
			if tt.want == nil {
				if s != nil || !strings.Contains(codes(diags), "-include path:/pet.* matched nothing") {
					t.Errorf("got %v\n%s", s, printed(diags))
				}
				return
			}
			if s == nil {
				t.Fatal(printed(diags))
			}
			if got := toolNames(s); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if s.Excluded != len(all)-len(tt.want) || s.Found != len(tt.want) || len(s.Skips) != 0 {
				t.Errorf("excluded %d, found %d, skips %v", s.Excluded, s.Found, s.Skips)
			}
		})
	}
}

func TestNothingSelected(t *testing.T) {
	for _, tt := range []struct{ name, selector, hint string }{
		{"a letter wrong", "tag:pet", "did you mean tag:pets?"},
		{"another case", "op:getpet", "did you mean op:getPet?"},
		{"a path", "path:/pet/{id}", "did you mean path:/pets/{id}?"},
		{"letters swapped", "method:GTE", "did you mean method:GET?"},
		{"a method", "method:GETT", "did you mean method:GET?"},
		{"another kind", "tag:getPet", "did you mean op:getPet?"},
		{"another kind by pattern", "op:/pets/*", "did you mean path:/pets/*?"},
		{"nothing like it", "tag:invoices", "the tags of its operations are pets, admin, photo gallery"},
		{"a trait that none has", "is:deprecated", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			document := strings.Replace(petShop, "deprecated: true, ", "", 1)
			s, diags := parse(t, document, Options{Exclude: selectors(t, tt.selector)})
			if out := printed(diags); s != nil || !strings.Contains(out, "error: -exclude "+tt.selector+" matched nothing [nothing-selected]") || !strings.Contains(out, tt.hint) {
				t.Errorf("got %s\nwant the hint %q", out, tt.hint)
			}
		})
	}
}

func TestNothingSelectedListsAFew(t *testing.T) {
	_, diags := parse(t, operations("a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9", "j10"), Options{Include: selectors(t, "op:nothing")})
	if want := "the names of its operations are a1, b2, c3, d4, e5, f6, g7, h8 and 2 more"; !strings.Contains(printed(diags), want) {
		t.Errorf("got %s\nwant %s", printed(diags), want)
	}
	_, diags = parse(t, operations("a1"), Options{Include: selectors(t, "tag:a")})
	if want := "no operation has a tag"; !strings.Contains(printed(diags), want) {
		t.Errorf("got %s\nwant %s", printed(diags), want)
	}
}

// What is left out is not read: its mistakes are none of the user's business.
func TestExcludedIsNotSkipped(t *testing.T) {
	s, diags := mustParse(t, head+`
paths:
  /ok: {get: {operationId: fine, responses: {'200': {description: ok}}}}
  /bad: {get: {operationId: bad, colour: red, parameters: [{$ref: '#/components/parameters/Missing'}], responses: {'200': {description: ok}}}}
  /worse: {get: 3}
  /dangling: {get: {$ref: '#/components/nothing'}}
  /gone: {$ref: '#/components/pathItems/Missing'}
  /head: {head: {operationId: head, responses: {'200': {description: ok}}}}
`, Options{Include: selectors(t, "op:fine")})
	if s.Excluded != 5 || s.Found != 1 || len(s.Skips) != 0 || printed(diags) != "" {
		t.Errorf("excluded %d, found %d, skips %v\n%s", s.Excluded, s.Found, s.Skips, printed(diags))
	}
}

// A path that cannot be read has no operations to choose by, but its path.
func TestExcludeBrokenPath(t *testing.T) {
	document := operations("a") + "  /gone: {$ref: '#/components/pathItems/Missing'}\n"
	if s, _ := mustParse(t, document, Options{}); len(s.Skips) != 1 || s.Excluded != 0 {
		t.Errorf("skips %v, excluded %d", s.Skips, s.Excluded)
	}
	s, diags := mustParse(t, document, Options{Exclude: selectors(t, "path:/gone")})
	if len(s.Skips) != 0 || s.Excluded != 1 || printed(diags) != "" {
		t.Errorf("skips %v, excluded %d\n%s", s.Skips, s.Excluded, printed(diags))
	}
	_, diags = parse(t, document, Options{Exclude: selectors(t, "method:PUT")})
	if want := "the methods of its operations are GET\n"; !strings.Contains(printed(diags), want) {
		t.Errorf("got %s\nwant %s", printed(diags), want)
	}
}

func TestNothingLeft(t *testing.T) {
	for _, tt := range []struct {
		name             string
		document         string
		include, exclude []string
		want             []string
	}{
		{
			"all of one kind", operations("a", "b"), nil, []string{"method:GET"},
			[]string{"2 operations found (2 excluded by -exclude method:GET)", "leave out -exclude method:GET"},
		},
		{
			"by several rules", petShop, []string{"op:addPet", "op:getPet"}, []string{"tag:admin", "op:getPet"},
			[]string{"6 operations found (3 excluded by -include, 2 excluded by -exclude tag:admin, 1 excluded by -exclude op:getPet)"},
		},
		{
			"by the document", head + "x-mcp: false\npaths: {/a: {get: {operationId: a, responses: {'200': {description: ok}}}}}\n", nil, nil,
			[]string{"1 operation found (1 excluded by x-mcp)", "-include op:NAME"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, diags := parse(t, tt.document, Options{Include: selectors(t, tt.include...), Exclude: selectors(t, tt.exclude...)})
			for _, want := range append(tt.want, "[no-tools]") {
				if out := printed(diags); s != nil || !strings.Contains(out, want) {
					t.Errorf("got %s\nwant %q", out, want)
				}
			}
		})
	}
}

// A name is made before clashes are settled, so it does not depend on what else
// is selected.
func TestSelectByNameBeforeClashes(t *testing.T) {
	s, _ := mustParse(t, operations("a/b", "A.b", "other"), Options{Include: selectors(t, "op:A_b")})
	if got := toolNames(s); !slices.Equal(got, []string{"A_b"}) {
		t.Errorf("got %q", got)
	}
}

func TestSelectorSyntax(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"getPet", `"getPet" has no kind; write one of tag:, op:, path:, method:, is: before it, for example op:getPet`},
		{"", "has no kind"},
		{"tags:pets", "did you mean tag:pets?"},
		{"colour:red", "the kinds are tag:, op:, path:, method:, is:"},
		{"tag:", "names nothing"},
		{"path:pets", "write path:/pets"},
		{"is:readonly", "did you mean is:read-only?"},
		{"is:raed-only", "did you mean is:read-only?"},
		{"is:safe", "the words after is: are read-only, destructive, idempotent, deprecated"},
	} {
		if _, err := ParseSelector(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: got %v, want %q", tt.text, err, tt.want)
		}
	}
}
