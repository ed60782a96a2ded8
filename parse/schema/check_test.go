package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// compile compiles a schema as JSON Schema 2020-12 with nothing to load.
func compile(schema []byte) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(jsonschema.SchemeURLLoader{})
	c.UseRegexpEngine(func(p string) (jsonschema.Regexp, error) {
		if re, err := regexp.Compile(p); err == nil {
			return re, nil
		}
		return ecma(p), nil
	})
	if err := c.AddResource("tool.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("tool.json")
}

// ecma is a pattern that Go cannot check.
type ecma string

func (ecma) MatchString(string) bool { return true }
func (e ecma) String() string        { return string(e) }

// portable says what in a schema breaks the profile that all clients accept,
// without using a line of the code under test.
func portable(schema []byte) error {
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		return err
	}
	if root["type"] != "object" {
		return fmt.Errorf("the root's type is %v", root["type"])
	}
	for _, key := range []string{"$ref", "allOf", "anyOf", "oneOf", "not", "if", "enum", "const"} {
		if _, ok := root[key]; ok {
			return fmt.Errorf("%s at the root", key)
		}
	}
	p := profile{root: root, used: map[string]bool{}}
	p.schema("", root)
	defs, _ := root["$defs"].(map[string]any)
	for name := range defs {
		if !p.used[name] {
			p.fail("/$defs/"+name, "is not used")
		}
	}
	slices.Sort(p.faults)
	if len(p.faults) > 0 {
		return fmt.Errorf("%s", strings.Join(p.faults[:min(5, len(p.faults))], "; "))
	}
	return nil
}

type profile struct {
	root   map[string]any
	used   map[string]bool
	faults []string
}

func (p *profile) fail(at, what string) { p.faults = append(p.faults, at+" "+what) }

var (
	inOne  = []string{"items", "contains", "propertyNames", "not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties", "contentSchema", "additionalProperties"}
	inList = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	inMap  = []string{"properties", "patternProperties", "dependentSchemas", "$defs"}
	plainK = []string{"type", "enum", "const", "title", "description", "default", "examples", "deprecated", "format", "contentEncoding", "contentMediaType", "pattern",
		"minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems",
		"required", "minProperties", "maxProperties", "dependentRequired", "$ref"}
)

func (p *profile) schema(at string, v any) {
	s, ok := v.(map[string]any)
	if !ok {
		p.fail(at, fmt.Sprintf("is %T, no object", v))
		return
	}
	types, _ := s["type"].([]any)
	if s["type"] == "array" || slices.Contains(types, any("array")) {
		if s["items"] == nil {
			p.fail(at, "is an array without items")
		}
	}
	if required, ok := s["required"].([]any); ok && len(required) == 0 {
		p.fail(at, "has an empty required")
	}
	if ref, ok := s["$ref"].(string); ok {
		name, local := strings.CutPrefix(ref, "#/$defs/")
		defs, _ := p.root["$defs"].(map[string]any)
		if _, found := defs[name]; !local || !found {
			p.fail(at, "refers to "+ref)
		}
		p.used[name] = true
	}
	for key, v := range s {
		here := at + "/" + key
		switch {
		case slices.Contains(inOne, key):
			if key != "additionalProperties" || v != false {
				p.schema(here, v)
			}
		case slices.Contains(inList, key):
			list, _ := v.([]any)
			if len(list) == 0 {
				p.fail(here, "is empty")
			}
			for i, m := range list {
				p.schema(fmt.Sprint(here, "/", i), m)
			}
		case slices.Contains(inMap, key):
			m, _ := v.(map[string]any)
			if len(m) == 0 {
				p.fail(here, "is empty")
			}
			for name, m := range m {
				p.schema(here+"/"+name, m)
			}
		case !slices.Contains(plainK, key):
			p.fail(here, "is no keyword of the profile")
		}
	}
}

// mustHold fails the test unless the schema is portable and compiles.
func mustHold(t testing.TB, name string, schema []byte) *jsonschema.Schema {
	t.Helper()
	if err := portable(schema); err != nil {
		t.Errorf("%s: not portable: %v\n%.2000s", name, err, schema)
	}
	s, err := compile(schema)
	if err != nil {
		t.Fatalf("%s: does not compile: %v\n%.2000s", name, err, schema)
	}
	return s
}
