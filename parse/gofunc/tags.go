package gofunc

import (
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/diag"
)

// schemaKeys translates the keywords of a jsonschema tag, in the dialect of
// github.com/invopop/jsonschema, to keys of directives.
var schemaKeys = map[string]string{
	"description": "desc", "enum": "enum", "default": "default", "example": "example",
	"minimum": "min", "maximum": "max", "exclusiveMinimum": "exclusiveMin", "exclusiveMaximum": "exclusiveMax",
	"multipleOf": "multipleOf", "minLength": "minLength", "maxLength": "maxLength", "pattern": "pattern",
	"format": "format", "minItems": "minItems", "maxItems": "maxItems", "uniqueItems": "uniqueItems",
	"required": "required", "deprecated": "deprecated",
}

// ignoredSchemaKeys say nothing about what a model sends.
var ignoredSchemaKeys = []string{"title", "readOnly", "writeOnly", "nullable", "type", "anchor", "oneof_type",
	"oneof_required", "oneof_ref", "anyof_type", "anyof_required", "anyof_ref", "omitempty", "-"}

// schemaTag reads the tags that describe a field: jsonschema, either as plain
// text (github.com/google/jsonschema-go) or as keywords (github.com/invopop/
// jsonschema); else jsonschema_description, description or doc.
func schemaTag(tag reflect.StructTag, pos diag.Pos) []rule {
	var out []rule
	text := tag.Get("jsonschema")
	if text != "" && !beginsWithKeyword(text) {
		out = append(out, rule{"desc", text, pos})
	} else if text != "" {
		for _, part := range splitTag(text) {
			key, value, assigned := strings.Cut(part, "=")
			if !assigned {
				value = "true"
			}
			if to := schemaKeys[key]; to != "" {
				out = append(out, rule{to, value, pos})
			}
		}
	}
	for _, name := range []string{"jsonschema_description", "description", "doc"} {
		if text := tag.Get(name); text != "" {
			out = addRules(out, []rule{{"desc", text, pos}})
		}
	}
	return dropUnreadable(out)
}

// beginsWithKeyword tells the dialects apart: plain text never begins with a
// word and an equals sign.
func beginsWithKeyword(text string) bool {
	first, _, _ := strings.Cut(text, ",")
	key, _, assigned := strings.Cut(first, "=")
	_, known := schemaKeys[key]
	known = known || slices.Contains(ignoredSchemaKeys, key)
	flag := key == "required" || key == "deprecated" || key == "uniqueItems" || key == "omitempty" || key == "-"
	return known && (assigned || flag && (first == text || strings.Contains(text, "=") || isKeywords(text)))
}

// isKeywords reports whether text is made only of keywords.
func isKeywords(text string) bool {
	for part := range strings.SplitSeq(text, ",") {
		if _, known := schemaKeys[part]; !known && !slices.Contains(ignoredSchemaKeys, part) {
			return false
		}
	}
	return true
}

// splitTag cuts at commas, except those after a backslash.
func splitTag(text string) []string {
	var out []string
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ',':
			b.WriteByte(',')
			i++
		case text[i] == ',':
			out = append(out, b.String())
			b.Reset()
		default:
			b.WriteByte(text[i])
		}
	}
	return append(out, b.String())
}

// dropUnreadable leaves out rules whose values their keys refuse: a tag is
// written for another tool too, which may read it otherwise.
func dropUnreadable(rules []rule) []rule {
	field := verbNamed("field")
	return slices.DeleteFunc(rules, func(r rule) bool { return field.key(r.key).check(r.value) != "" })
}

// validateFormats are checks of github.com/go-playground/validator that are
// JSON Schema formats.
var validateFormats = map[string]string{
	"email": "email", "url": "uri", "uri": "uri", "uuid": "uuid", "uuid4": "uuid", "hostname": "hostname",
	"hostname_rfc1123": "hostname", "ipv4": "ipv4", "ipv6": "ipv6",
}

// validateTag reads the checks of a validate tag that a schema can express; the
// rest is that tool's vocabulary. What follows dive is about the items.
func validateTag(tag reflect.StructTag, t types.Type, pos diag.Pos) []rule {
	var out []rule
	kind := validateKind(t)
	for part := range strings.SplitSeq(tag.Get("validate"), ",") {
		check, value, _ := strings.Cut(part, "=")
		switch check {
		case "dive":
			return dropUnreadable(out)
		case "required":
			out = append(out, rule{"required", "true", pos})
		case "oneof":
			if kind == "number" || kind == "text" {
				for _, word := range strings.Fields(value) {
					out = append(out, rule{"enum", strings.Trim(word, "'"), pos})
				}
			}
		case "min", "gte", "max", "lte", "gt", "lt", "len":
			out = append(out, validateLimit(kind, check, value, pos)...)
		default:
			if format := validateFormats[check]; format != "" && kind == "text" {
				out = append(out, rule{"format", format, pos})
			}
		}
	}
	return dropUnreadable(out)
}

// validateKind is what limits of a validate tag count.
func validateKind(t types.Type) string {
	t, _ = unnamedElem(t)
	if own, _ := ownJSONOf(t, in, true); own != noJSON || isNamed(t, "time", "Duration") {
		return ""
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsNumeric != 0 {
			return "number"
		}
		if u.Info()&types.IsString != 0 {
			return "text"
		}
	case *types.Slice:
		if !isByte(u.Elem(), in) {
			return "list"
		}
	}
	return ""
}

func validateLimit(kind, check, value string, pos diag.Pos) []rule {
	least := map[string]string{"number": "min", "text": "minLength", "list": "minItems"}[kind]
	greatest := map[string]string{"number": "max", "text": "maxLength", "list": "maxItems"}[kind]
	switch check {
	case "min", "gte":
		return []rule{{least, value, pos}}[:min(1, len(least))]
	case "max", "lte":
		return []rule{{greatest, value, pos}}[:min(1, len(greatest))]
	case "gt":
		if kind == "number" {
			return []rule{{"exclusiveMin", value, pos}}
		}
	case "lt":
		if kind == "number" {
			return []rule{{"exclusiveMax", value, pos}}
		}
	case "len":
		if kind == "text" || kind == "list" {
			return []rule{{least, value, pos}, {greatest, value, pos}}
		}
	}
	return nil
}
