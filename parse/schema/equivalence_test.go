package schema

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// FuzzEquivalence makes a document of OpenAPI 3.1 schemas, which are JSON
// Schema 2020-12 already, and values. A validator must say the same about each
// value by the document as it stands and by what the converter makes of it.
// Left out is what the converter changes on purpose: oneOf, readOnly,
// discriminators, objects without a type, additionalProperties false, and
// unevaluatedItems beside a composition, as every array gets items.
func FuzzEquivalence(f *testing.F) {
	for i := range 40 {
		f.Add(bytes.Repeat([]byte{byte(i * 7), byte(i), byte(255 - i), byte(i * 31)}, 40))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 400 {
			t.Skip()
		}
		checkEquivalence(t, data)
	})
}

// TestEquivalence is FuzzEquivalence for many documents that are the same every
// time.
func TestEquivalence(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		data := make([]byte, 400)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		checkEquivalence(t, data)
		if t.Failed() {
			return
		}
	}
}

// rounds is how many documents the tests make.
const rounds = 300

func checkEquivalence(t *testing.T, data []byte) {
	m := maker{data: data}
	text := m.document()
	d := parse(t, "fuzz.json", text)
	converted, err := New(d, &diag.List{}).Object([]Property{{Name: "x", Schema: d.root().Get("x")}})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	ours := mustHold(t, text, converted)
	theirs := original(t, text)
	for range 30 {
		value := m.value(3)
		want := validates(theirs, value)
		got := validates(ours, `{"x":`+value+`}`)
		if got != want {
			t.Errorf("%s: the document says %v, its conversion %v\n%s\n%s", value, want, got, text, converted)
			return
		}
	}
}

func original(t *testing.T, text string) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("doc.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("doc.json#/x")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func validates(s *jsonschema.Schema, value string) bool {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(value))
	return err == nil && s.Validate(v) == nil
}
