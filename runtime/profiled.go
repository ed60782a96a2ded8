package runtime

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A profile lists other schemas than arguments are checked against. Two things
// that it makes of them mean more than they say, and are known by comparing both:
//
//   - a string where the whole schema asks for more, or for none: a value of no
//     fixed form, written as JSON text,
//   - a required property that the whole schema leaves optional: null says that it
//     is left out.
//
// To read these is no repair: the model wrote what it was asked for.

// profiled is a place in the listed schema where something was changed, or below
// which something was. A nil one is as the whole schema has it.
type profiled struct {
	text       kinds // what may stand in the JSON text of a string; none: a string is a string
	optional   bool  // null means left out
	items      *profiled
	properties map[string]*profiled
}

// read returns arguments as the whole schema has them.
func (p *profiled) read(value json.RawMessage) json.RawMessage {
	if p == nil {
		return value
	}
	switch kindOf(value) {
	case '"':
		inner := bytes.TrimSpace([]byte(stringOf(value)))
		if p.text != 0 && json.Valid(inner) && p.text&kindsOf(kindOf(inner)) != 0 {
			return inner
		}
	case '[':
		return p.readAll(value)
	case '{':
		return p.readMembers(value)
	}
	return value
}

// maxIndex bounds the number of an item in the path to one.
const maxIndex = 1 << 24

// at is what was changed at a place below this one.
func (p *profiled) at(path []string) *profiled {
	for _, token := range path {
		if p == nil {
			return nil
		}
		property, ok := p.properties[token]
		if !ok && indexOf(token, maxIndex) >= 0 {
			property = p.items
		}
		p = property
	}
	return p
}

func (p *profiled) readAll(array json.RawMessage) json.RawMessage {
	if p.items == nil {
		return array
	}
	out := append(make([]byte, 0, len(array)), '[')
	for item := range items(array) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(out, p.items.read(item)...)
	}
	return append(out, ']')
}

func (p *profiled) readMembers(object json.RawMessage) json.RawMessage {
	if len(p.properties) == 0 {
		return object
	}
	out := append(make([]byte, 0, len(object)), '{')
	for name, value := range members(object) {
		property := p.properties[name]
		if property != nil && property.optional && kindOf(value) == 'n' {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, quote(name)...), ':')
		out = append(out, property.read(value)...)
	}
	return append(out, '}')
}

// kinds is a set of JSON types.
type kinds uint8

const (
	stringKind kinds = 1 << iota
	numberKind
	booleanKind
	objectKind
	arrayKind
	nullKind
	anyKind = 1<<iota - 1
)

// kindsOf is the type of a value by [kindOf].
func kindsOf(kind byte) kinds {
	switch kind {
	case '"':
		return stringKind
	case '0':
		return numberKind
	case 't':
		return booleanKind
	case '{':
		return objectKind
	case '[':
		return arrayKind
	}
	return nullKind
}

var kindNames = map[string]kinds{
	"string": stringKind, "number": numberKind, "integer": numberKind, "boolean": booleanKind,
	"object": objectKind, "array": arrayKind, "null": nullKind,
}

// kinds are the types that a schema admits, by all that it says of them. known has
// those of references, each of which is followed once: from any number of places
// and in circles.
func (sc *schema) kinds(node any, known map[string]kinds) kinds {
	object, _ := node.(map[string]any)
	ref, ok := object["$ref"].(string)
	if !ok {
		return sc.ownKinds(object, known)
	}
	if _, ok := known[ref]; !ok {
		known[ref] = anyKind
		known[ref] = sc.ownKinds(sc.resolve(object), known)
	}
	return known[ref]
}

// ownKinds is kinds of a schema that is no reference.
func (sc *schema) ownKinds(object map[string]any, known map[string]kinds) kinds {
	admitted := kinds(anyKind)
	if names := typesOf(object); len(names) > 0 {
		admitted = 0
		for _, name := range names {
			admitted |= kindNames[name]
		}
	}
	if values := list(object["enum"]); values != nil {
		admitted &= kindsOfAll(values)
	}
	if only, ok := object["const"]; ok {
		admitted &= kindsOfAll([]any{only})
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if variants := list(object[keyword]); variants != nil {
			admitted &= sc.kindsOfAny(variants, known)
		}
	}
	for _, part := range list(object["allOf"]) {
		admitted &= sc.kinds(part, known)
	}
	return admitted
}

func (sc *schema) kindsOfAny(nodes []any, known map[string]kinds) kinds {
	var all kinds
	for _, node := range nodes {
		all |= sc.kinds(node, known)
	}
	return all
}

func kindsOfAll(values []any) kinds {
	var all kinds
	for _, value := range values {
		text, err := json.Marshal(value)
		if err == nil {
			all |= kindsOf(kindOf(text))
		}
	}
	return all
}

// compare returns what a profile changed at a place: in one of the listed schemas
// there, against what the whole schema says of the same value.
func (sc *schema) compare(listed, whole []any) *profiled {
	p := &profiled{text: sc.jsonText(listed, whole)}
	at, against := sc.alternatives(listed, false), sc.alternatives(whole, true)
	for _, object := range at {
		for _, name := range sortedKeys(propertiesOf(object)) {
			if p.properties[name] != nil {
				continue
			}
			property := sc.compare(valuesOf(at, name), valuesOf(against, name))
			if isRequired(at, name) && !isRequired(against, name) {
				if property == nil {
					property = &profiled{}
				}
				property.optional = true
			}
			if property != nil {
				if p.properties == nil {
					p.properties = map[string]*profiled{}
				}
				p.properties[name] = property
			}
		}
	}
	if items := itemsOf(at); len(items) > 0 {
		p.items = sc.compare(items, itemsOf(against))
	}
	if p.text == 0 && p.items == nil && p.properties == nil {
		return nil
	}
	return p
}

// jsonText is what may stand in the JSON text of a string; none where a string is
// a string.
func (sc *schema) jsonText(listed, whole []any) kinds {
	known := map[string]kinds{}
	told := sc.kindsOfAny(listed, known)
	if told&stringKind == 0 || told == anyKind {
		return 0
	}
	onlyStrings := told&^nullKind == stringKind
	var admitted kinds
	for _, node := range whole {
		kinds := sc.kinds(node, known)
		if isString := kinds&stringKind != 0; isString && (!onlyStrings || kinds&^nullKind == stringKind) {
			return 0
		}
		admitted |= kinds
	}
	return admitted
}

// alternatives are the schemas that speak of the same value: these, and what they
// choose from or are made of. References are followed in the whole schema only,
// where the listed one sets an end, and each of them once.
func (sc *schema) alternatives(nodes []any, follow bool) []map[string]any {
	var out []map[string]any
	followed := map[string]bool{}
	var add func(node any)
	add = func(node any) {
		object, _ := node.(map[string]any)
		if ref, ok := object["$ref"].(string); ok && follow {
			if followed[ref] {
				return
			}
			followed[ref] = true
			object = sc.resolve(object)
		}
		if object == nil {
			return
		}
		out = append(out, object)
		for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
			for _, part := range list(object[keyword]) {
				add(part)
			}
		}
	}
	for _, node := range nodes {
		add(node)
	}
	return out
}

// valuesOf are the schemas of a property.
func valuesOf(objects []map[string]any, name string) []any {
	var out []any
	for _, object := range objects {
		if property, ok := propertiesOf(object)[name]; ok {
			out = append(out, property)
		}
	}
	return out
}

// itemsOf are the schemas of the items of an array.
func itemsOf(arrays []map[string]any) []any {
	var out []any
	for _, array := range arrays {
		out = append(out, list(array["prefixItems"])...)
		if items, ok := array["items"].(map[string]any); ok {
			out = append(out, items)
		}
	}
	return out
}

func isRequired(objects []map[string]any, name string) bool {
	return slices.ContainsFunc(objects, func(object map[string]any) bool {
		return slices.Contains(texts(object["required"]), name)
	})
}
