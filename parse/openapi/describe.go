package openapi

import (
	"strings"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/node"
	"github.com/seed7346ab69/toolmill/parse/prose"
	"github.com/seed7346ab69/toolmill/parse/schema"
)

// Lengths in runes. Clients cut longer tool descriptions (1,024) and
// instructions (2 KB) themselves, at worst in the middle of a key fact.
const (
	maxTitle        = 120
	maxDescription  = 1024
	maxInstructions = 2000
	maxReturns      = 240
	maxProperties   = 8 // named in a result
)

// title is the operation's summary on one line.
func title(op *Operation) string {
	return prose.Cut(prose.OneLine(prose.Plain(op.Node.Get("summary").Text())), maxTitle)
}

// describe says what the tool does, then what it returns. Where that is too
// long, the end of the operation's own text gives way.
func (b *builder) describe(op *Operation, tool *ir.Tool) string {
	clean := prose.Plain
	if b.opts.FullDescriptions || b.opts.Markup {
		clean = func(text string) string { return strings.TrimSpace(prose.Visible(text)) }
	}
	text := lead(clean(op.Node.Get("summary").Text()), clean(op.Node.Get("description").Text()))
	if text == "" {
		text = lead(clean(op.PathItem.Get("summary").Text()), clean(op.PathItem.Get("description").Text()))
	}
	if text == "" {
		text = ir.Sends(op.Method, prose.Cut(oneName(op.Path), maxDescription/2))
	}
	var tail []string
	if returns := b.returns(op); returns != "" {
		tail = append(tail, returns)
	}
	if tool.Deprecated {
		tail = append(tail, "Deprecated.")
	}
	if id := tool.OperationID; len(id) > ir.MaxName {
		tail = append(tail, "Operation "+prose.Cut(oneName(id), maxDescription/2)+".")
	}
	end := strings.Join(tail, "\n")
	if end != "" {
		end = "\n\n" + end
	}
	if b.opts.FullDescriptions {
		return text + end
	}
	return prose.Cut(text, maxDescription-utf8.RuneCountInString(end)) + end
}

// oneName is a name of the document within a sentence of ours: on one line, with
// nothing that is not seen.
func oneName(name string) string { return prose.OneLine(prose.Visible(name)) }

// lead joins summary and description, the summary only if the description does
// not repeat it.
func lead(summary, description string) string {
	summary = prose.OneLine(summary)
	switch {
	case summary == "":
		return description
	case description == "":
		return summary
	}
	if repeats(description, strings.TrimRight(summary, ".")) {
		return description
	}
	return summary + "\n\n" + description
}

// repeats reports whether text begins with the summary: "Gets a pet by its id."
// with "Get a pet".
func repeats(text, summary string) bool {
	verb, rest, _ := strings.Cut(summary, " ")
	first, more, _ := strings.Cut(text, " ")
	return strings.EqualFold(strings.TrimRight(verb, "s"), strings.TrimRight(first, "s")) &&
		len(more) >= len(rest) && strings.EqualFold(more[:len(rest)], rest)
}

// returns is one line about the result: "Returns: The pet (object: id, name)."
func (b *builder) returns(op *Operation) string {
	r := success(op)
	if r == nil {
		return ""
	}
	text := strings.TrimRight(prose.FirstParagraph(prose.Plain(r.Node.Get("description").Text())), ".")
	if id := op.ID(); isEmptyPhrase(text) || id != "" && isEmptyPhrase(strings.ReplaceAll(text, id, " ")) {
		text = ""
	}
	shape := ""
	if len(r.Media) > 0 {
		shape = oneName(b.result(r.Media))
	} else if text == "" && (r.Status == "204" || r.Status == "205") {
		shape = "nothing"
	}
	text, shape = prose.Cut(text, maxReturns), prose.Cut(shape, maxReturns)
	switch {
	case text == "" && shape == "":
		return ""
	case text == "":
		return sentence("Returns " + shape)
	case shape == "":
		return sentence("Returns: " + text)
	}
	return sentence("Returns: " + text + " (" + shape + ")")
}

// sentence ends s with a full stop if it has no end yet.
func sentence(s string) string {
	if strings.HasSuffix(s, "…") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}

// success is the response that a good call gives: the first 2xx, else default.
func success(op *Operation) *Response {
	var fallback *Response
	for i := range op.Responses {
		r := &op.Responses[i]
		if strings.HasPrefix(r.Status, "2") {
			return r
		}
		if strings.EqualFold(r.Status, "default") {
			fallback = r
		}
	}
	for i := range op.Responses {
		// A default beside 3xx answers alone describes the error.
		if strings.HasPrefix(op.Responses[i].Status, "3") {
			return nil
		}
	}
	return fallback
}

// isEmptyPhrase reports whether a response description says only that the call
// succeeded.
func isEmptyPhrase(s string) bool {
	words := strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !('a' <= c && c <= 'z') && c < utf8.RuneSelf })
	for _, w := range words {
		switch w {
		case "a", "an", "the", "ok", "success", "successful", "successfully", "operation", "response", "request",
			"no", "content", "created", "accepted", "default", "status", "code", "http", "done", "was", "is",
			"returned", "completed", "result", "results", "returns", "return", "for", "to", "error", "errors":
		default:
			return false
		}
	}
	return true
}

// result says in a few words what a response holds.
func (b *builder) result(media []Media) string {
	for i := range media {
		if m := &media[i]; m.Schema != nil && encodingOf(m.Type).kind == ir.JSONBody {
			return b.shapeText(m.Schema)
		}
	}
	switch first := &media[0]; {
	case first.ItemSchema != nil:
		return b.listText(baseType(first.Type)+" sequence", b.schemas.Shape(first.ItemSchema))
	case encodingOf(first.Type).kind == ir.JSONBody || !validMediaType(first.Type):
		return ""
	default:
		return baseType(first.Type)
	}
}

// shapeText names the type of a result and its first properties; nothing for an
// object of which no property is known.
func (b *builder) shapeText(n *node.Node) string {
	switch s := b.schemas.Shape(n); {
	case s.Type == "array" && s.Items != nil && (len(s.Items.Properties) > 0 || s.Items.Type != ""):
		return b.listText("array", *s.Items)
	case len(s.Properties) > 0:
		return "object: " + b.propertyList(s)
	case s.Type == "object":
		return ""
	default:
		return s.Type
	}
}

// listText says what the items of a list are.
func (b *builder) listText(list string, items schema.Shape) string {
	switch {
	case len(items.Properties) > 0:
		return list + " of objects: " + b.propertyList(items)
	case items.Type != "":
		return list + " of " + items.Type + "s"
	}
	return list + " of items"
}

// propertyList names the first properties of an object that is received.
func (b *builder) propertyList(s schema.Shape) string {
	var names []string
	for _, p := range s.Properties {
		if target, err := b.schemas.Target(p.Schema); err == nil && target.Get("writeOnly").Is(true) {
			continue
		}
		if len(names) == maxProperties {
			names = append(names, "…")
			break
		}
		names = append(names, p.Name)
	}
	return strings.Join(names, ", ")
}
