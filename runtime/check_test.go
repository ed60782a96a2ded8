package runtime

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// unsupported says which files of the official suite are about what the
// generator never writes.
var unsupported = map[string]string{
	"anchor.json":     "references are pointers",
	"dynamicRef.json": "references are pointers",
	"refRemote.json":  "nothing is fetched",
	"vocabulary.json": "there are no metaschemas at run time",
	"defs.json":       "there are no metaschemas at run time",
	"format.json":     "formats are not asserted",
	"content.json":    "contents are not asserted",
}

// foreign finds the keywords by which a schema leaves what check supports: names
// of its own, other dialects, references that are no pointer inside it.
var foreign = regexp.MustCompile(`"\$(id|anchor|dynamicRef|dynamicAnchor|recursiveRef|recursiveAnchor|vocabulary|schema)"|"\$ref": *"[^#"]`)

// The official test suite, as far as it is about what the generator writes. The
// suite comes with the SDK's own schema library.
func TestSuite(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	folder := filepath.Join(strings.TrimSpace(string(out)), "jsonschema", "testdata", "draft2020-12")
	files, _ := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(files) == 0 {
		t.Skipf("no test suite in the module cache: %v", err)
	}
	ran := 0
	for _, file := range files {
		if unsupported[filepath.Base(file)] != "" {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var groups []struct {
			Description string
			Schema      json.RawMessage
			Tests       []struct {
				Description string
				Data        json.RawMessage
				Valid       bool
			}
		}
		if err := json.Unmarshal(data, &groups); err != nil {
			t.Fatal(err)
		}
		for _, group := range groups {
			text := strings.ReplaceAll(string(group.Schema), `"$schema": "https://json-schema.org/draft/2020-12/schema",`, "")
			if foreign.MatchString(text) {
				continue
			}
			doc, err := decode(json.RawMessage(text))
			if err != nil {
				t.Fatalf("%s: %v", group.Description, err)
			}
			for _, test := range group.Tests {
				value, err := decode(test.Data)
				if err != nil {
					t.Fatalf("%s: %v", test.Description, err)
				}
				found := (&schema{doc: doc}).validate(value)
				if (len(found) == 0) != test.Valid {
					t.Errorf("%s: %s: %s: valid is %t, found %+v", filepath.Base(file), group.Description, test.Description, test.Valid, found)
				}
				ran++
			}
		}
	}
	if ran < 900 {
		t.Errorf("only %d tests ran", ran)
	}
}

// independent returns another validator's verdict, and whether it has one.
func independent(doc, value any) (valid, ok bool) {
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	if err := compiler.AddResource("x:///schema", doc); err != nil {
		return false, false
	}
	compiled, err := compiler.Compile("x:///schema")
	if err != nil {
		return false, false
	}
	return compiled.Validate(value) == nil, true
}

// Schemas and values grown from a few bytes: two validators must agree.
func FuzzAgree(f *testing.F) {
	for i := range 64 {
		f.Add([]byte(strings.Repeat(fmt.Sprintf("%c%c%c", i*7, i*13, i*29), 12)))
	}
	f.Fuzz(func(t *testing.T, seed []byte) {
		g := &grower{seed: seed}
		a, b := g.schema(2), g.schema(1)
		g.refs = true
		document := fmt.Sprintf(`{"$defs":{"A":%s,"B":%s},"allOf":[%s]}`, a, b, g.schema(4))
		doc, err := decode(json.RawMessage(document))
		if err != nil {
			t.Fatalf("%v in %s", err, document)
		}
		for range 4 {
			text := g.value(3)
			value, err := decode(json.RawMessage(text))
			if err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			found := (&schema{doc: doc}).validate(value)
			valid, ok := independent(doc, value)
			if ok && valid != (len(found) == 0) {
				t.Fatalf("%s\nby %s\nis valid: %t, found %+v", text, document, valid, found)
			}
			if len(found) > 0 && slices.Contains(explain(&schema{doc: doc}, value, found), "") {
				t.Fatalf("%s by %s: a violation without words", text, document)
			}
		}
	})
}

// grower makes JSON of few names and values, so that they meet.
type grower struct {
	seed []byte
	refs bool // a reference here makes no schema part of itself, which is undefined
}

func (g *grower) pick(n int) int {
	if len(g.seed) == 0 {
		return 0
	}
	b := g.seed[0]
	g.seed = g.seed[1:]
	return int(b) % n
}

func (g *grower) scalar() string {
	return []string{`null`, `true`, `0`, `1`, `1.0`, `1.5`, `"a"`, `"ab"`, `9007199254740993`, `-2e1`}[g.pick(10)]
}

func (g *grower) value(depth int) string {
	switch kind := g.pick(3); {
	case depth == 0 || kind == 0:
		return g.scalar()
	case kind == 1:
		var items []string
		for range g.pick(4) {
			items = append(items, g.value(depth-1))
		}
		return "[" + strings.Join(items, ",") + "]"
	}
	return g.object(func() string { return g.value(depth - 1) })
}

func (g *grower) object(member func() string) string {
	var members []string
	for _, name := range []string{"a", "b", "ab"} {
		if g.pick(2) == 1 {
			members = append(members, fmt.Sprintf("%q:%s", name, member()))
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

func (g *grower) list(member func() string) string {
	members := []string{member()}
	for range g.pick(3) {
		members = append(members, member())
	}
	return "[" + strings.Join(members, ",") + "]"
}

func (g *grower) name() string { return []string{`"a"`, `"b"`, `"ab"`}[g.pick(3)] }

func (g *grower) schema(depth int) string {
	if depth == 0 {
		return []string{"true", "false", `{"type":"string"}`, `{"type":"integer"}`, `{"const":1}`}[g.pick(5)]
	}
	inner := func() string { return g.schema(depth - 1) }
	child := func() string {
		before := g.refs
		g.refs = true
		defer func() { g.refs = before }()
		return inner()
	}
	keywords := []func() string{
		func() string {
			return `"type":` + []string{`"object"`, `"array"`, `"integer"`, `["string","null"]`}[g.pick(4)]
		},
		func() string { return `"enum":` + g.list(func() string { return g.value(1) }) },
		func() string { return `"const":` + g.value(1) },
		func() string { return `"minimum":1` },
		func() string { return `"exclusiveMaximum":1.5` },
		func() string { return `"multipleOf":0.5` },
		func() string { return `"maxLength":1` },
		func() string { return `"pattern":"^a"` },
		func() string { return `"minItems":2` },
		func() string { return `"uniqueItems":true` },
		func() string { return `"items":` + child() },
		func() string { return `"prefixItems":` + g.list(child) },
		func() string { return `"contains":` + child() + `,"maxContains":1` },
		func() string { return `"contains":` + child() + `,"minContains":0` },
		func() string { return `"properties":` + g.object(child) },
		func() string { return `"patternProperties":{"b$":` + child() + `}` },
		func() string { return `"additionalProperties":` + child() },
		func() string { return `"propertyNames":{"maxLength":1}` },
		func() string { return `"required":[` + g.name() + `]` },
		func() string { return `"minProperties":1` },
		func() string { return `"dependentRequired":{"a":[` + g.name() + `]}` },
		func() string { return `"dependentSchemas":{"a":` + inner() + `}` },
		func() string {
			if !g.refs {
				return `"type":"object"`
			}
			return `"$ref":"#/$defs/` + []string{"A", "B"}[g.pick(2)] + `"`
		},
		func() string { return `"allOf":` + g.list(inner) },
		func() string { return `"anyOf":` + g.list(inner) },
		func() string { return `"oneOf":` + g.list(inner) },
		func() string { return `"not":` + inner() },
		func() string { return `"if":` + inner() + `,"then":` + inner() + `,"else":` + inner() },
		func() string { return `"unevaluatedProperties":` + child() },
		func() string { return `"unevaluatedItems":` + child() },
	}
	var members []string
	used := map[int]bool{}
	for range 1 + g.pick(4) {
		i := g.pick(len(keywords))
		if text := keywords[i](); !used[i] && !strings.Contains(strings.Join(members, ","), text[:strings.Index(text, ":")]) {
			used[i] = true
			members = append(members, text)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}
