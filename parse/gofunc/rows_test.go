package gofunc_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/gofunc"
	"github.com/seed7346ab69/toolmill/parse/gofunc/testdata/rows"
	"github.com/seed7346ab69/toolmill/parse/ir"
)

// TestRows holds the schema of every kind of type against what encoding/json
// does with values of that type, by the judgement of another validator.
func TestRows(t *testing.T) {
	var diags diag.List
	server := gofunc.Parse(t.Context(), []string{"./testdata/rows"}, gofunc.Options{}, &diags)
	if server == nil {
		t.Fatalf("no server: %v", diags.All())
	}
	tools := map[string]*ir.Tool{}
	for _, tool := range server.Tools() {
		tools[tool.Name] = tool
	}
	for _, row := range rows.Rows {
		tool := tools[row.Tool]
		if tool == nil {
			t.Fatalf("no tool %s", row.Tool)
		}
		delete(tools, row.Tool)
		t.Run(row.Tool, func(t *testing.T) { checkRow(t, row, tool) })
	}
	if len(tools) > 0 {
		t.Errorf("%d tools have no row", len(tools))
	}
}

func checkRow(t *testing.T, row rows.Row, tool *ir.Tool) {
	input, output := compile(t, tool.Input), compile(t, tool.Output)
	for _, text := range row.Accepted {
		if err := input.Validate(decoded(t, text)); err != nil {
			t.Errorf("the input schema refuses %s: %v\n%s", text, err, tool.Input)
		}
		if err := json.Unmarshal([]byte(text), row.New()); err != nil {
			t.Errorf("encoding/json refuses %s, which the input schema allows: %v", text, err)
		}
	}
	for _, text := range row.Refused {
		if input.Validate(decoded(t, text)) == nil {
			t.Errorf("the input schema allows %s\n%s", text, tool.Input)
		}
	}
	for _, value := range row.Values {
		text, err := json.Marshal(value)
		if err != nil {
			t.Errorf("%#v: %v", value, err)
			continue
		}
		if err := output.Validate(decoded(t, string(text))); err != nil {
			t.Errorf("the output schema refuses %s: %v\n%s", text, err, tool.Output)
		}
	}
	// What is read can be written, whether or not it can be read again.
	for _, text := range row.Accepted {
		v := row.New()
		if json.Unmarshal([]byte(text), v) != nil {
			continue
		}
		again, err := json.Marshal(reflect.ValueOf(v).Elem().Interface())
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if err := output.Validate(decoded(t, string(again))); err != nil {
			t.Errorf("the output schema refuses %s: %v\n%s", again, err, tool.Output)
		}
	}
}

func compile(t *testing.T, schema json.RawMessage) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	if err := c.AddResource("mem:///schema.json", decoded(t, string(schema))); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	compiled, err := c.Compile("mem:///schema.json")
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return compiled
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}
