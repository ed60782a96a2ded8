package schema

import (
	"mime"
	"regexp"
	"slices"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/node"
)

// conversion is the part of a Converter that depends on the direction.
type conversion struct {
	*Converter
	dir      Direction
	views    map[*node.Node]*node.Node // by schema of the document
	defs     map[*node.Node]*def       // by target of a reference
	stripped map[stripKey]*node.Node
	origins  map[*node.Node]*node.Node // of what is stripped
	order    int                       // of the next def in the walk for cycles
	open     []*def                    // stack of that walk
}

// finish returns the flat schema of n as it is written: a link, or a level whose
// schemas below are still the document's.
func (v *conversion) finish(n *node.Node) (*node.Node, error) {
	level, err := v.flatten(n)
	switch {
	case err != nil || isLink(level):
		return level, err
	case v.dir == Output:
		level = v.dropHidden(level.Without("discriminator"))
		return relax(v.settleUnions(n, level)), nil
	}
	level = v.enumerate(v.settle(n, level))
	return closeLevel(encodeBytes(v.settleUnions(n, level))), nil
}

// settle decides what a discriminator and the direction mean for the flat
// schema level of n.
func (v *conversion) settle(n, level *node.Node) *node.Node {
	return v.dropHidden(v.withVariants(n, v.ownTags(n, level)))
}

// closeLevel: without compositions beside them, unevaluatedProperties and
// unevaluatedItems mean what every client knows as additionalProperties and
// items.
func closeLevel(level *node.Node) *node.Node {
	for _, pair := range [][2]string{{"unevaluatedProperties", "additionalProperties"}, {"unevaluatedItems", "items"}} {
		unevaluated := level.Get(pair[0])
		if unevaluated == nil || has(level, composition...) || level.Has("contains") {
			continue
		}
		if level = level.Without(pair[0]); !level.Has(pair[1]) {
			level = level.With(pair[1], unevaluated)
		}
	}
	return level
}

// encodeBytes: bytes cannot be written in JSON, the model sends them in base64.
// OpenAPI 3.1 moved format byte and binary to the content keywords (section
// 4.7.14.2, Considerations for File Uploads).
func encodeBytes(level *node.Node) *node.Node {
	format := level.Get("format").Text()
	file := hasType(level.Get("type"), "file")
	if file {
		level = level.With("type", renamed(level.Get("type"), "file", "string"))
	}
	if format != "byte" && !file && !isBinary(level) {
		return level
	}
	if format == "byte" || format == "binary" {
		level = level.Without("format")
	}
	if IsEncoded(level) {
		return level
	}
	return level.With("contentEncoding", node.Str(level, "base64"))
}

// renamed returns a type keyword with one name for another.
func renamed(t *node.Node, old, name string) *node.Node {
	list := typeList(t)
	for i := range list {
		if list[i].Value == old {
			list[i] = node.Str(list[i], name)
		}
	}
	if t.Kind == node.String {
		return list[0]
	}
	return node.Seq(t, distinct(list)...)
}

// isBinary reports whether a flat schema describes bytes as they are.
func isBinary(level *node.Node) bool {
	if t := level.Get("type"); t != nil && !hasType(t, "string") && !hasType(t, "file") {
		return false
	}
	if level.Get("format").Text() == "binary" || hasType(level.Get("type"), "file") {
		return true
	}
	if strings.EqualFold(level.Get("contentEncoding").Text(), "binary") {
		return true
	}
	media := level.Get("contentMediaType").Text()
	return media != "" && !IsEncoded(level) && !isTextMedia(media)
}

// IsEncoded reports whether a schema wants its bytes as text in some encoding. The
// encodings 7bit, 8bit and binary are none (RFC 2045, 6.2).
func IsEncoded(n *node.Node) bool {
	encoding := strings.ToLower(n.Get("contentEncoding").Text())
	return encoding != "" && !slices.Contains([]string{"7bit", "8bit", "binary"}, encoding)
}

// isTextMedia reports whether a value of that media type is text as it stands.
func isTextMedia(media string) bool {
	if base, _, err := mime.ParseMediaType(media); err == nil {
		media = base
	}
	kind, sub, _ := strings.Cut(strings.ToLower(media), "/")
	for _, word := range []string{"json", "xml", "yaml", "javascript", "x-www-form-urlencoded", "graphql", "sql"} {
		if kind == "application" && strings.HasSuffix(sub, word) {
			return true
		}
	}
	return kind == "text" || sub == "svg+xml"
}

// checkPattern warns of patterns that the generated server cannot check.
// OpenAPI's are ECMA-262, Go's regexp knows less.
func (v *conversion) checkPattern(pattern *node.Node) {
	if v.dir != Input || v.patterns[pattern.Value] {
		return
	}
	v.patterns[pattern.Value] = true
	if _, err := regexp.Compile(pattern.Value); err != nil {
		v.warn(pattern, "ecma-pattern", "pattern %q is passed on, but the server cannot check it: %s",
			pattern.Value, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
}
