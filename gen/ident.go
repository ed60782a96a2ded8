package gen

import (
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// taken are the names that mean something else in the generated package: its
// own declarations, its imports, and the variables that a handler's name could
// hide or be hidden by.
var taken = []string{
	"main", "init", "tools", "mock", "otel",
	"context", "embed", "runtime",
	"ctx", "call", "req", "config", "s",
}

// isTaken reports whether a handler must not be called ident.
func isTaken(ident string) bool {
	return token.IsKeyword(ident) || types.Universe.Lookup(ident) != nil || slices.Contains(taken, ident)
}

// handlerNames gives each tool the name of its handler. A tool whose name
// already is a good identifier keeps it; the others follow in their order,
// with a number where the name is gone.
func handlerNames(tools []*ir.Tool) map[*ir.Tool]string {
	idents := make(map[*ir.Tool]string, len(tools))
	used := make(map[string]bool, len(tools))
	var rest []*ir.Tool
	for _, t := range tools {
		if ident := identifier(t.Name); ident == t.Name && !used[ident] {
			idents[t], used[ident] = ident, true
		} else {
			rest = append(rest, t)
		}
	}
	for _, t := range rest {
		base := identifier(t.Name)
		ident := base
		for n := 2; used[ident]; n++ {
			ident = numbered(base, n)
		}
		idents[t], used[ident] = ident, true
	}
	return idents
}

// identifier makes a lowerCamel Go identifier: "list-pets" is listPets, "type"
// is typeTool, "2fa" is tool2fa.
func identifier(name string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !isAlnum(r) }) {
		if b.Len() == 0 {
			b.WriteString(lowerFirst(word))
		} else {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	ident := b.String()
	if ident == "" || '0' <= ident[0] && ident[0] <= '9' {
		ident = "tool" + ident
	}
	if isTaken(ident) {
		ident += "Tool"
	}
	return ident
}

// lowerFirst puts the first word of an identifier in lower case: "GetPet" is
// getPet, "URLOf" is urlOf, "ID" is id.
func lowerFirst(word string) string {
	n := 0
	for n < len(word) && 'A' <= word[n] && word[n] <= 'Z' {
		n++
	}
	if n > 1 && n < len(word) && 'a' <= word[n] && word[n] <= 'z' {
		n-- // the last capital opens the next word
	}
	return strings.ToLower(word[:n]) + word[n:]
}

// numbered appends n so that it does not run into a digit.
func numbered(ident string, n int) string {
	if c := ident[len(ident)-1]; '0' <= c && c <= '9' {
		ident += "_"
	}
	return ident + strconv.Itoa(n)
}

func isAlnum(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}
