package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// accept decodes, repairs and checks the arguments. It returns nil, or the
// result that refuses the call.
func (c *Call) accept(arguments json.RawMessage) *Result {
	raw := bytes.TrimSpace(arguments)
	if len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	value, err := decode(raw)
	if text, ok := value.(string); ok && !c.server.config.StrictArguments {
		inner := bytes.TrimSpace([]byte(text))
		if object, innerErr := decode(inner); kindOf(inner) == '{' && innerErr == nil {
			c.note("The arguments were a JSON string and were read as the object in it.")
			raw, value = inner, object
		}
	}
	switch {
	case errors.Is(err, errNumber):
		return c.refuse(err.Error())
	case err != nil:
		return c.refuse("the arguments are not valid JSON")
	case kindOf(raw) != '{':
		return c.refuse("the arguments must be one JSON object that holds each argument by its name, got " + describe(value))
	}
	sc := c.tool.check()
	if sc.profiled != nil {
		raw = sc.profiled.read(raw)
		if value, err = decode(raw); err != nil {
			return c.refuse(err.Error())
		}
	}
	c.args = map[string]json.RawMessage{}
	for name, arg := range members(raw) {
		c.args[name] = arg
	}
	violations := sc.validate(value)
	for round := 0; round < maxRepairs && len(violations) > 0 && c.repair(sc, value, violations); round++ {
		violations = sc.validate(value)
	}
	if len(violations) > 0 {
		return c.refuse(explain(sc, value, violations)...)
	}
	return nil
}

// refuse returns the result for arguments that do not fit, one problem a line.
func (c *Call) refuse(problems ...string) *Result {
	r := Failure("%s was not called, because its arguments do not fit:\n- %s",
		c.tool.Name, strings.Join(problems, "\n- "))
	r.refused = true
	return r
}

// decode reads JSON with exact numbers.
func decode(raw json.RawMessage) (any, error) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return value, checkNumbers(value)
}

// maxDigits bounds numbers. Comparing them exactly takes as many digits as the
// exponent says, so that 1e999999 would cost more than it can be worth.
const maxDigits = 5000

// errNumber is one text for all, since objects are walked in no fixed order.
var errNumber = errors.New("a number in the arguments is out of range (more than three digits in its exponent, or thousands of digits)")

// checkNumbers refuses numbers that are out of every API's range.
func checkNumbers(value any) error {
	switch value := value.(type) {
	case json.Number:
		mantissa, exponent, _ := strings.Cut(strings.ToLower(value.String()), "e")
		if len(strings.TrimLeft(exponent, "+-0")) > 3 || len(mantissa) > maxDigits {
			return errNumber
		}
	case []any:
		for _, item := range value {
			if err := checkNumbers(item); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, member := range value {
			if err := checkNumbers(member); err != nil {
				return err
			}
		}
	}
	return nil
}

// schema is a tool's inputSchema: compiled to check arguments, and as JSON to
// explain with.
type schema struct {
	compiled *jsonschema.Schema // nil: arguments are not checked
	doc      any
	promise  *schema // the outputSchema; nil: none is promised
	full     bool    // the list shows another schema than this one
	profiled *profiled
	added    []string // arguments that are not the API's
}

// loadSchema reads and compiles the inputSchema of a tool's file, or the whole one
// where the list shows less, with what extend adds to it. A schema that the
// validator cannot use must not make the tool unusable: arguments then go
// unchecked, and the error is for the log.
func loadSchema(files fs.FS, file string, extend func(json.RawMessage) (json.RawMessage, []string)) (*schema, error) {
	data, err := fs.ReadFile(files, file)
	if err != nil {
		return &schema{}, err
	}
	var object struct {
		Input  json.RawMessage `json:"inputSchema"`
		Output json.RawMessage `json:"outputSchema"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return &schema{}, err
	}
	input, absent := fullSchema(files, file)
	if absent != nil {
		input = object.Input
	}
	input, added := extend(compact(input))
	doc, err := decode(input)
	if err != nil {
		return &schema{promise: promised(object.Output)}, err
	}
	sc, err := newSchema(doc)
	sc.promise, sc.full, sc.added = promised(object.Output), absent == nil, added
	if listed, listErr := decode(object.Input); sc.full && listErr == nil {
		sc.profiled = sc.compare([]any{listed}, []any{doc})
	}
	return sc, err
}

// promised is the schema of a tool's results, nil for none. One that cannot be
// used is a promise that is not checked.
func promised(output json.RawMessage) *schema {
	if output == nil {
		return nil
	}
	doc, err := decode(output)
	if err != nil {
		return &schema{}
	}
	sc, _ := newSchema(doc)
	return sc
}

// schemaURL names the schema in the validator. It is never fetched.
const schemaURL = "tool:///arguments"

// newSchema compiles a schema. Its error is as loadSchema's.
func newSchema(doc any) (*schema, error) {
	sc := &schema{doc: doc}
	relax(doc)
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseLoader(noLoader{})
	compiler.UseRegexpEngine(lenientRegexp)
	if err := compiler.AddResource(schemaURL, doc); err != nil {
		return sc, err
	}
	var err error
	sc.compiled, err = compiler.Compile(schemaURL)
	return sc, err
}

// validate returns what is wrong with the arguments, in a fixed order.
func (sc *schema) validate(arguments any) []violation {
	if sc.compiled == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(sc.compiled.Validate(arguments), &invalid) {
		return nil
	}
	return sc.violations(invalid, arguments)
}

// noLoader refuses to fetch schemas: everything a tool needs is in its file.
type noLoader struct{}

// Load implements [jsonschema.URLLoader].
func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is outside the schema", url)
}

// lenientRegexp accepts every string where Go cannot compile the pattern:
// patterns are ECMA-262, which has look-around and counts beyond 1,000.
func lenientRegexp(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return anyString(pattern), nil
	}
	return re, nil
}

// anyString is a pattern that matches everything.
type anyString string

func (anyString) MatchString(string) bool { return true }
func (p anyString) String() string        { return string(p) }

// relax asks nothing of the properties whose names a pattern would choose that
// Go cannot compile: with lenientRegexp it chooses all.
func relax(node any) {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			relax(item)
		}
	case map[string]any:
		patterns, _ := node["patternProperties"].(map[string]any)
		for pattern := range patterns {
			if _, err := regexp.Compile(pattern); err != nil {
				patterns[pattern] = map[string]any{}
			}
		}
		for _, member := range node {
			relax(member)
		}
	}
}
