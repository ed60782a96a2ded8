package profile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed7346ab69/toolmill/internal/prove"
	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/diet"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/openapi"
	"github.com/seed7346ab69/toolmill/parse/profile"
)

// rule is what a host refuses otherwise. It is written without the passes: over
// decoded JSON, schema by schema.
type rule struct {
	text, source string
	broken       func(s schemaAt) bool
}

// schemaAt is a schema of a tool, and where it stands.
type schemaAt struct {
	node map[string]any
	root bool
}

func (s schemaAt) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { _, ok := s.node[k]; return ok })
}

func (s schemaAt) is(name string) bool {
	list, _ := s.node["type"].([]any)
	return s.node["type"] == name || slices.Contains(list, any(name))
}

var (
	rootObject = rule{"the root is an object without a union", "github.com/makenotion/notion-mcp-server/issues/341",
		func(s schemaAt) bool {
			return s.root && (s.node["type"] != "object" || s.has("anyOf", "oneOf", "allOf", "not", "enum"))
		}}
	argumentNames = rule{"top-level properties match ^[a-zA-Z0-9_.-]{1,64}$", "github.com/decocms/studio/issues/6874",
		func(s schemaAt) bool {
			properties, _ := s.node["properties"].(map[string]any)
			for name := range properties {
				if s.root && !regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`).MatchString(name) {
					return true
				}
			}
			return false
		}}
	itemsEverywhere = rule{"every array has items", "github.com/openai/openai-openapi/issues/76",
		func(s schemaAt) bool { return s.is("array") && !s.has("items") }}
	itemsSayMore = rule{"items say something", "github.com/microsoft/vscode/issues/246119",
		func(s schemaAt) bool {
			items, given := s.node["items"].(map[string]any)
			return given && !slices.ContainsFunc([]string{"type", "anyOf", "oneOf", "allOf", "enum", "const", "$ref"}, func(k string) bool { return items[k] != nil })
		}}
	noReferences = rule{"no $ref and no $defs", "github.com/PrefectHQ/fastmcp/issues/2814",
		func(s schemaAt) bool { return s.has("$ref", "$defs") }}
	rootProperties = rule{"the root has properties", "github.com/getsentry/sentry-mcp/issues/106",
		func(s schemaAt) bool { return s.root && !s.has("properties") }}
	oneType = rule{"one type, no const", "github.com/danny-avila/LibreChat/issues/13850",
		func(s schemaAt) bool {
			_, one := s.node["type"].(string)
			return s.has("type") && !one || s.has("const")
		}}
	geminiWords = rule{"only members of Gemini's Schema", "ai.google.dev/api/caching#Schema",
		func(s schemaAt) bool {
			for key := range s.node {
				if !strings.Contains(" type format title description nullable enum items minItems maxItems properties required minProperties maxProperties minLength maxLength pattern minimum maximum anyOf ", " "+key+" ") {
					return true
				}
			}
			return false
		}}
	geminiTyped = rule{"every schema has a type or a choice, an enum is of texts", "ai.google.dev/api/caching#Schema",
		func(s schemaAt) bool {
			enum, _ := s.node["enum"].([]any)
			return !s.has("type", "anyOf") || slices.ContainsFunc(enum, func(v any) bool { text, ok := v.(string); return !ok || text == "" })
		}}
	geminiEnum = rule{"enum beside the type string alone", "github.com/musistudio/llms/pull/20",
		func(s schemaAt) bool { return s.has("enum") && s.node["type"] != "string" }}
	geminiObject = rule{"properties and required beside the type object alone", "github.com/anomalyco/opencode/issues/11889",
		func(s schemaAt) bool { return s.has("properties", "required") && s.node["type"] != "object" }}
	geminiArray = rule{"items beside the type array alone", "github.com/NousResearch/hermes-agent/pull/38972",
		func(s schemaAt) bool { return s.has("items", "minItems", "maxItems") && s.node["type"] != "array" }}
	geminiFormat = rule{"of the formats of strings date-time alone", "ai.google.dev/api/caching#Schema",
		func(s schemaAt) bool { return s.is("string") && s.has("format") && s.node["format"] != "date-time" }}
	geminiProperties = rule{"an object below the root has properties, and no object an empty list of them", "github.com/agno-agi/agno/issues/2112",
		func(s schemaAt) bool {
			properties, _ := s.node["properties"].(map[string]any)
			return s.node["type"] == "object" && len(properties) == 0 && (!s.root || s.has("properties"))
		}}
	geminiRequired = rule{"nothing is required that is no property", "github.com/Kilo-Org/kilocode/pull/11955",
		func(s schemaAt) bool {
			properties, _ := s.node["properties"].(map[string]any)
			required, _ := s.node["required"].([]any)
			return slices.ContainsFunc(required, func(name any) bool { return properties[name.(string)] == nil })
		}}
	allRequired = rule{"objects are closed and all their properties required", "platform.openai.com/docs/guides/structured-outputs#supported-schemas",
		func(s schemaAt) bool {
			properties, _ := s.node["properties"].(map[string]any)
			required, _ := s.node["required"].([]any)
			return s.is("object") && (len(required) != len(properties) || s.node["additionalProperties"] != false)
		}}
	strictWords = rule{"no keyword outside Structured Outputs", "platform.openai.com/docs/guides/structured-outputs#supported-schemas",
		func(s schemaAt) bool {
			return s.has("allOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas", "patternProperties", "$ref") || !s.has("type", "anyOf", "enum", "const")
		}}
	strictFormats = rule{"of formats the nine that are known", "github.com/cyanheads/git-mcp-server/issues/47",
		func(s schemaAt) bool {
			format, given := s.node["format"].(string)
			return given && !strings.Contains(" date-time time date duration email hostname ipv4 ipv6 uuid ", " "+format+" ")
		}}
	strictNull = rule{"where null is a type it is one of the values", "json-schema.org/draft/2020-12/json-schema-validation#name-enum",
		func(s schemaAt) bool {
			enum, listed := s.node["enum"].([]any)
			return s.is("null") && (s.has("const") && s.node["const"] != nil || listed && !slices.Contains(enum, nil))
		}}
)

// hosts are the rules by profile, "" the default output.
var hosts = map[string][]rule{
	"":       {rootObject, argumentNames, itemsEverywhere},
	"claude": {rootObject, argumentNames, itemsEverywhere},
	"openai": {rootObject, itemsEverywhere, itemsSayMore, rootProperties},
	"gemini": {rootObject, argumentNames, itemsEverywhere, noReferences, oneType, geminiWords, geminiTyped, geminiEnum, geminiObject, geminiArray, geminiFormat, geminiProperties, geminiRequired},
	"vscode": {rootObject, itemsEverywhere, itemsSayMore, noReferences},
	"strict": {rootObject, rootProperties, allRequired, strictWords, strictFormats, strictNull, noReferences},
}

// prefixes is what a host puts before a name; 64 characters is what APIs take.
var prefixes = map[string]string{"claude": "mcp__%s__", "gemini": "mcp_%s_", "vscode": "mcp_13characters_%.0s"}

func TestRulesHoldOverTheCorpus(t *testing.T) {
	corpus := prove.Shared(t, "corpus")
	for _, file := range documents(t, corpus) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			var diags diag.List
			s := openapi.Parse(context.Background(), file, openapi.Options{}, &diags)
			if s == nil {
				t.Skipf("no server: %v", diags.All()[0])
			}
			diet.NewPlan(diet.Safe).Apply(s, &diags)
			hold(t, "", s)
			for _, name := range profile.Names() {
				rewritten := clone(s)
				profile.Apply(name, rewritten, &diags)
				hold(t, name, rewritten)
			}
		})
	}
}

// clone copies a server as deep as a profile changes it.
func clone(s *ir.Server) *ir.Server {
	out := *s
	out.Groups = slices.Clone(s.Groups)
	for i := range out.Groups {
		tools := slices.Clone(out.Groups[i].Tools)
		for j, tool := range tools {
			copied := *tool
			tools[j] = &copied
		}
		out.Groups[i].Tools = tools
	}
	return &out
}

// documents are the roots of the corpus that are large or odd enough to matter.
func documents(t *testing.T, corpus string) []string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*/*.json", "*/*.yaml"} {
		found, err := filepath.Glob(filepath.Join(corpus, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range found {
			if data, err := os.ReadFile(file); err == nil && (bytes.Contains(data[:min(len(data), 4000)], []byte("openapi")) || bytes.Contains(data[:min(len(data), 4000)], []byte("swagger"))) {
				files = append(files, file)
			}
		}
	}
	return files
}

func hold(t *testing.T, name string, s *ir.Server) {
	t.Helper()
	for i, tool := range s.Tools() {
		if full := fmt.Sprintf(prefixOf(name), s.Name) + tool.Name; len(full) > 64 && name != "" {
			t.Errorf("%s: the name %s has %d characters", name, full, len(full))
		}
		var root map[string]any
		if err := json.Unmarshal(tool.Input, &root); err != nil {
			t.Fatalf("%s: %s: %v", name, tool.Name, err)
		}
		each(root, true, func(at schemaAt) {
			for _, r := range hosts[name] {
				if r.broken(at) {
					t.Errorf("%q: %s: %s (%s): %.200s", name, tool.Name, r.text, r.source, fmt.Sprint(at.node))
				}
			}
		})
		if t.Failed() {
			return
		}
		if i%40 == 0 {
			compile(t, tool)
		}
	}
}

func prefixOf(name string) string {
	if prefix := prefixes[name]; prefix != "" {
		return prefix
	}
	return "%.0s"
}

// each calls f for a schema and those in it.
func each(node map[string]any, root bool, f func(schemaAt)) {
	f(schemaAt{node, root})
	for key, value := range node {
		switch value := value.(type) {
		case map[string]any:
			switch key {
			case "properties", "patternProperties", "$defs", "dependentSchemas":
				for _, below := range value {
					if schema, ok := below.(map[string]any); ok {
						each(schema, false, f)
					}
				}
			case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties":
				each(value, false, f)
			}
		case []any:
			if key == "anyOf" || key == "oneOf" || key == "allOf" || key == "prefixItems" {
				for _, below := range value {
					if schema, ok := below.(map[string]any); ok {
						each(schema, false, f)
					}
				}
			}
		}
	}
}

func compile(t *testing.T, tool *ir.Tool) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.Input))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(jsonschema.SchemeURLLoader{})
	c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) { return anyPattern(s), nil })
	if err := c.AddResource("mem:input.json", doc); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Compile("mem:input.json"); err != nil {
		t.Errorf("%s: %v", tool.Name, err)
	}
}

// anyPattern accepts every pattern: OpenAPI's are ECMA-262, not Go's.
type anyPattern string

func (anyPattern) MatchString(string) bool { return true }
func (p anyPattern) String() string        { return string(p) }
