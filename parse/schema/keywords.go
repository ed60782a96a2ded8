package schema

import (
	"slices"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// form is what kind of value a keyword takes; it decides how the value is
// repaired, converted and written.
type form uint8

const (
	foreign     form = iota // no keyword of ours: left out
	oneSchema               // a schema
	schemaList              // a list of schemas
	schemaMap               // schemas by name
	text                    // a string
	number                  // a number
	bound                   // a number, or OpenAPI 3.0's boolean
	count                   // an integer that is not negative
	flag                    // a boolean
	value                   // any JSON value
	valueList               // a list of JSON values
	nameList                // a list of strings
	nameLists               // lists of strings by name
	types                   // a type name or a list of them
	reference               // the string of $ref
	itemSchemas             // a schema, or a list of them in older dialects
	dependency              // lists of strings or schemas by name
	selector                // a Discriminator Object
	meanings                // texts about the values of an enum: a list, or a mapping by value
)

// keywords are all that is read. What JSON Schema 2020-12 does not know (the
// last group) is gone before anything is written.
var keywords = map[string]form{
	"$ref": reference,
	"type": types, "enum": valueList, "const": value,

	"title": text, "description": text, "default": value, "examples": valueList, "deprecated": flag,

	"format": text, "contentEncoding": text, "contentMediaType": text, "contentSchema": oneSchema,
	"pattern": text, "minLength": count, "maxLength": count,

	"minimum": number, "maximum": number, "exclusiveMinimum": bound, "exclusiveMaximum": bound, "multipleOf": number,

	"items": itemSchemas, "prefixItems": schemaList, "unevaluatedItems": oneSchema,
	"contains": oneSchema, "minContains": count, "maxContains": count,
	"minItems": count, "maxItems": count, "uniqueItems": flag,

	"properties": schemaMap, "patternProperties": schemaMap, "propertyNames": oneSchema, "required": nameList,
	"additionalProperties": oneSchema, "unevaluatedProperties": oneSchema,
	"minProperties": count, "maxProperties": count,
	"dependentRequired": nameLists, "dependentSchemas": schemaMap,

	"allOf": schemaList, "anyOf": schemaList, "oneOf": schemaList, "not": oneSchema,
	"if": oneSchema, "then": oneSchema, "else": oneSchema,

	"$dynamicRef": reference, "$recursiveRef": reference,
	"nullable": flag, "x-nullable": flag, "discriminator": selector,
	patternText:       text,
	"x-enum-varnames": meanings, "x-enumNames": meanings, "x-enum-descriptions": meanings,
	"example": value, "additionalItems": oneSchema, "dependencies": dependency,
}

// notes are the keywords that say something about a value without excluding
// any, in the order they are written. They may stand beside a $ref.
var notes = [...]string{"title", "description", "deprecated", "default", "examples"}

func isNote(key string) bool {
	switch key {
	case "title", "description", "deprecated", "default", "examples":
		return true
	}
	return false
}

// onlyNotes reports whether nothing but notes stands in the mapping n, not
// counting the keys in except.
func onlyNotes(n *node.Node, except ...string) bool {
	for key := range n.Pairs() {
		if !isNote(key.Value) && !slices.Contains(except, key.Value) {
			return false
		}
	}
	return true
}

// withNotes returns n with the notes of over: they win over its own.
func withNotes(n, over *node.Node) *node.Node {
	for key, v := range over.Pairs() {
		if isNote(key.Value) {
			n = n.With(key.Value, v)
		}
	}
	return n
}

// withoutNotes returns n less its notes.
func withoutNotes(n *node.Node) *node.Node { return n.Without(notes[:]...) }

// isLink reports whether a flat schema is a reference, with at most notes and
// nullable beside it.
func isLink(n *node.Node) bool { return n.Has("$ref") }

// has reports whether n has one of the keys.
func has(n *node.Node, keys ...string) bool {
	for key := range n.Pairs() {
		if slices.Contains(keys, key.Value) {
			return true
		}
	}
	return false
}

// composition are the keywords that apply other schemas to the same value.
var composition = []string{"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"}
