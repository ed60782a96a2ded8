package openapi

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/seed7346ab69/toolmill/parse/diag"
	"github.com/seed7346ab69/toolmill/parse/ir"
	"github.com/seed7346ab69/toolmill/parse/prose"
)

// maxServerName keeps names short: clients add the server's name to each tool's.
const maxServerName = 32

// maxGivenName bounds a name that the user chose.
const maxGivenName = 2 * ir.MaxName

// serverName is the name that the user gave, else one made from the title or,
// without words in it, from the file's name.
func (b *builder) serverName(title string) string {
	if name := b.opts.Name; name != "" {
		if !isServerName(name) {
			b.diags.Error(diag.Pos{}, "bad-name", fmt.Sprintf("use letters, digits, - and _, at most %d", maxGivenName),
				"server name %s of %d characters is not legal", quote(prose.Cut(name, ir.MaxName)), utf8.RuneCountInString(name))
			return "api"
		}
		return name
	}
	file := strings.TrimSuffix(b.doc.Source, path.Ext(b.doc.Source))
	for _, text := range []string{title, file} {
		if words := nameWords(text); len(words) > 0 {
			return joinWords(words)
		}
	}
	return "api"
}

func isServerName(name string) bool {
	return len(name) <= maxGivenName && strings.IndexFunc(name, func(c rune) bool { return !isWordChar(c) && c != '-' && c != '_' }) < 0
}

func isWordChar(c rune) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// nameWords splits text into words in lower case, without those that every API
// title has: "Swagger Petstore - OpenAPI 3.0" is petstore.
func nameWords(text string) []string {
	words := strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(text), "'s", ""), func(c rune) bool { return !isWordChar(c) })
	common := func(w string) bool {
		switch w {
		case "api", "apis", "rest", "restful", "http", "openapi", "swagger", "spec", "specification", "the", "for", "of", "and", "preview":
			return true
		}
		return strings.Trim(strings.TrimPrefix(w, "v"), "0123456789") == ""
	}
	return slices.DeleteFunc(words, common)
}

// joinWords joins as many words as fit, by hyphens.
func joinWords(words []string) string {
	name := words[0][:min(len(words[0]), maxServerName)]
	for _, w := range words[1:] {
		if len(name)+1+len(w) > maxServerName {
			break
		}
		name += "-" + w
	}
	return name
}
