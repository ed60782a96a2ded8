package runtime

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"slices"
	"strings"
)

// schema is a tool's inputSchema, to check arguments and to explain with.
type schema struct {
	doc    any
	output bool // the tool promises an outputSchema
}

// loadSchema reads the inputSchema of a tool's file. References that lead
// nowhere must not make the tool unusable: what they would check goes
// unchecked, and the error is for the log.
func loadSchema(files fs.FS, file string) (*schema, error) {
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
	sc := &schema{output: object.Output != nil}
	doc, err := decode(object.Input)
	if err != nil {
		return sc, err
	}
	sc.doc = doc
	if dangling := sc.dangling(doc, nil); len(dangling) > 0 {
		return sc, fmt.Errorf("the schema has references that lead nowhere: %s", listText(dangling))
	}
	return sc, nil
}

// dangling collects the references that have no target.
func (sc *schema) dangling(node any, found []string) []string {
	switch node := node.(type) {
	case []any:
		for _, item := range node {
			found = sc.dangling(item, found)
		}
	case map[string]any:
		if ref, ok := node["$ref"].(string); ok && !slices.Contains(found, ref) {
			if _, ok := sc.target(ref); !ok {
				found = append(found, ref)
			}
		}
		for _, name := range sortedKeys(node) {
			found = sc.dangling(node[name], found)
		}
	}
	return found
}

// target returns what a reference inside the schema ("#/$defs/Pet") leads to.
func (sc *schema) target(ref string) (any, bool) {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil, false
	}
	if plain, err := url.PathUnescape(pointer); err == nil {
		pointer = plain
	}
	if pointer == "" {
		return sc.doc, true
	}
	tokens := strings.Split(pointer, "/")
	for i, token := range tokens {
		tokens[i] = unescapePointer.Replace(token)
	}
	target := lookup(sc.doc, tokens[1:])
	return target, tokens[0] == "" && target != nil
}

// unescapePointer undoes the escapes of RFC 6901.
var unescapePointer = strings.NewReplacer("~1", "/", "~0", "~")

// resolve follows references inside the schema, not in circles.
func (sc *schema) resolve(node any) map[string]any {
	for range 8 {
		object, _ := node.(map[string]any)
		ref, ok := object["$ref"].(string)
		if !ok {
			break
		}
		node, _ = sc.target(ref)
	}
	object, _ := node.(map[string]any)
	return object
}

// decode reads JSON with exact numbers.
func decode(raw json.RawMessage) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
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
