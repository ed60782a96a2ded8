package prove

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// What hosts take: a name or a schema beyond it makes some of them refuse one
// tool, and others the whole list.
var (
	toolName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	argName  = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)
	rootOnly = []string{"oneOf", "anyOf", "allOf", "not", "enum", "$ref", "if"}
)

// CheckTool returns what any host would object to in a tool. It knows nothing of
// the document.
func CheckTool(tool Tool) []error {
	var errs []error
	fail := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("tool %s: %s", tool.Name, fmt.Sprintf(format, args...)))
	}
	if !toolName.MatchString(tool.Name) {
		fail("the name is not legal")
	}
	if n := len([]rune(tool.Description)); n == 0 {
		fail("no description")
	}
	for _, s := range []struct {
		what   string
		schema json.RawMessage
	}{{"inputSchema", tool.InputSchema}, {"outputSchema", tool.OutputSchema}} {
		if s.schema == nil {
			if s.what == "inputSchema" {
				fail("no inputSchema")
			}
			continue
		}
		if _, err := CompileSchema(s.schema); err != nil {
			fail("%s does not compile: %v", s.what, err)
			continue
		}
		var root map[string]any
		if err := json.Unmarshal(s.schema, &root); err != nil {
			fail("%s: %v", s.what, err)
			continue
		}
		if root["type"] != "object" {
			fail("%s: the root has type %v", s.what, root["type"])
		}
		for _, key := range rootOnly {
			if _, ok := root[key]; ok {
				fail("%s: the root has %s", s.what, key)
			}
		}
		if s.what == "inputSchema" {
			props, _ := root["properties"].(map[string]any)
			for _, name := range slices.Sorted(maps.Keys(props)) {
				if !argName.MatchString(name) {
					fail("argument %q: the name is not legal", name)
				}
			}
		}
		checkSchema(root, "#", fail)
	}
	return errs
}

// schemaMembers are the keywords whose value is a schema, a list of schemas, or
// schemas by name.
var (
	holdsSchema  = []string{"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "unevaluatedProperties", "unevaluatedItems"}
	holdsList    = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	holdsSchemas = []string{"properties", "patternProperties", "$defs", "dependentSchemas"}
)

// checkSchema walks a schema. additionalProperties: false is the one boolean
// that every host knows.
func checkSchema(schema any, at string, fail func(string, ...any)) {
	s, ok := schema.(map[string]any)
	if !ok {
		fail("%s is a boolean schema", at)
		return
	}
	for _, key := range []string{"nullable", "discriminator", "example", "xml", "definitions"} {
		if _, ok := s[key]; ok {
			fail("%s has %s, which is not JSON Schema", at, key)
		}
	}
	if hasType(s, "array") && s["items"] == nil {
		fail("%s is an array without items", at)
	}
	for _, key := range holdsSchema {
		if sub, ok := s[key]; ok && !(key == "additionalProperties" && sub == false) {
			checkSchema(sub, at+"/"+key, fail)
		}
	}
	for _, key := range holdsList {
		for i, sub := range list(s[key]) {
			checkSchema(sub, fmt.Sprintf("%s/%s/%d", at, key, i), fail)
		}
	}
	for _, key := range holdsSchemas {
		subs, _ := s[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(subs)) {
			checkSchema(subs[name], at+"/"+key+"/"+name, fail)
		}
	}
}

func hasType(s map[string]any, want string) bool {
	if types, ok := s["type"].([]any); ok {
		return slices.Contains(types, any(want))
	}
	return s["type"] == want
}
