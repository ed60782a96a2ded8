package prove

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestArguments(t *testing.T) {
	for _, test := range []struct{ name, schema string }{
		{"nothing", `{"type":"object","properties":{},"additionalProperties":false}`},
		{"scalars", `{"type":"object","required":["a","b","c","d"],"properties":{"a":{"type":"string","minLength":20,"maxLength":21},"b":{"type":"integer","minimum":9223372036854775806,"maximum":9223372036854775807},"c":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1,"multipleOf":0.01},"d":{"type":["null","boolean"]}}}`},
		{"patterns", `{"type":"object","required":["a","b"],"properties":{"a":{"type":"string","pattern":"^[a-f0-9]{8}(-[a-f0-9]{4})+$"},"b":{"pattern":"^(foo|ba[rz])?\\d{2,}$","type":"string"}}}`},
		{"unions", `{"type":"object","required":["body"],"properties":{"body":{"oneOf":[{"type":"object","required":["x"],"properties":{"x":{"const":1}},"additionalProperties":false},{"type":"object","required":["y"],"properties":{"y":{"enum":["p","q"]}},"additionalProperties":false}]}}}`},
		{"allOf", `{"type":"object","required":["body"],"properties":{"body":{"allOf":[{"$ref":"#/$defs/A"},{"required":["b"],"properties":{"b":{"type":"integer"}}}]}},"$defs":{"A":{"type":"object","required":["a"],"properties":{"a":{"type":"string","format":"uuid"}}}}}`},
		{"recursion", `{"type":"object","required":["tree"],"properties":{"tree":{"$ref":"#/$defs/Tree"}},"$defs":{"Tree":{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/Tree"}}}}}}`},
		{"arrays", `{"type":"object","required":["a","b"],"properties":{"a":{"type":"array","minItems":3,"uniqueItems":true,"items":{"enum":["a","b","c"]}},"b":{"type":"array","prefixItems":[{"type":"integer"},{"type":"boolean"}],"minItems":2,"items":{}}}}`},
		{"maps", `{"type":"object","required":["m"],"properties":{"m":{"type":"object","minProperties":2,"additionalProperties":{"type":"integer"}}}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			m, err := NewMaker(json.RawMessage(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			distinct := map[string]bool{}
			for seed := range uint64(50) {
				got, err := m.Arguments(seed)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				again, err := m.Arguments(seed)
				if err != nil || again != got {
					t.Fatalf("seed %d: first %s, then %s (%v)", seed, got, again, err)
				}
				distinct[got] = true
			}
			if len(distinct) == 1 && test.name != "nothing" {
				t.Errorf("50 seeds gave only %v", distinct)
			}
		})
	}
}

func TestArgumentsFull(t *testing.T) {
	m, err := NewMaker(json.RawMessage(`{"type":"object","required":["a","o","m"],"properties":{"a":{"type":"array","items":{"type":"array","items":{"type":"integer"}}},"o":{"type":"object","properties":{"x":{"type":"boolean"}}},"m":{"type":"object","additionalProperties":{"type":"integer"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	m.Full = true
	for seed := range uint64(50) {
		got, err := m.Arguments(seed)
		if err != nil || strings.Contains(got, "[]") || strings.Contains(got, "{}") {
			t.Errorf("seed %d: %s, %v", seed, got, err)
		}
	}
}

func TestArgumentsImpossible(t *testing.T) {
	m, err := NewMaker(json.RawMessage(`{"type":"object","required":["a"],"properties":{"a":{"type":"string","minLength":5,"maxLength":2}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := m.Arguments(1); err == nil {
		t.Errorf("got %s for a schema that nothing satisfies", got)
	}
}

func TestCompileSchemaRefusesOutside(t *testing.T) {
	for _, schema := range []string{`{"$ref":"other.json"}`, `{"$ref":"#/$defs/Nope"}`, `{"type":"nope"}`} {
		if _, err := CompileSchema(json.RawMessage(schema)); err == nil || strings.Contains(err.Error(), "panic") {
			t.Errorf("%s compiled: %v", schema, err)
		}
	}
}
