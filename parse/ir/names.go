package ir

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxName is the longest tool or argument name in bytes. MCP 2025-11-25 allows
// 128 for tools; the APIs behind the clients stop at 64.
const MaxName = 64

// NameStyle is how tool names are made.
type NameStyle string

const (
	// AsWritten keeps the names of the input wherever they are legal.
	AsWritten NameStyle = "id"
	// Snake writes every tool name in snake_case.
	Snake NameStyle = "snake"
)

// ToolName makes a legal tool name from source, an operationId or the like: in
// the given style, runs of illegal characters folded to one underscore, too
// long names cut by [Shorten]. It returns "" when nothing legal is left.
func ToolName(source string, style NameStyle) string {
	name := fold(source, isToolChar)
	if style == Snake {
		name = strings.ReplaceAll(snake(name), "-", "_")
	}
	return Shorten(name, source)
}

// ArgName makes a legal argument name (^[A-Za-z0-9_.-]{1,64}$) from a wire name
// such as "filter[name]".
func ArgName(wire string) string {
	name := fold(wire, func(c rune) bool { return isToolChar(c) || c == '.' })
	if name == "" {
		name = "arg"
	}
	return Shorten(name, wire)
}

// IsToolName reports whether name matches ^[A-Za-z0-9_-]{1,64}$.
func IsToolName(name string) bool {
	return name != "" && len(name) <= MaxName && strings.IndexFunc(name, notToolChar) < 0
}

// IsArgName reports whether name matches ^[A-Za-z0-9_.-]{1,64}$.
func IsArgName(name string) bool {
	return name != "" && len(name) <= MaxName &&
		strings.IndexFunc(name, func(c rune) bool { return c != '.' && notToolChar(c) }) < 0
}

// Shorten returns name if it has at most [MaxName] bytes, else its first 55, an
// underscore and 8 hex digits of the SHA-256 of source, the text that name was
// made from. The result depends on no other name.
func Shorten(name, source string) string { return ShortenTo(MaxName, name, source) }

// ShortenTo is [Shorten] for another limit, which is at least 10.
func ShortenTo(limit int, name, source string) string {
	if len(name) <= limit {
		return name
	}
	sum := sha256.Sum256([]byte(source))
	return name[:limit-9] + "_" + hex.EncodeToString(sum[:4])
}

// EnvName is what the environment variables of a security scheme end in: its
// name in capitals, with an underscore for all that is no ASCII letter or digit.
// The runtime makes it in the same way.
func EnvName(scheme string) string {
	return strings.Map(func(c rune) rune {
		if c >= utf8.RuneSelf || !isAlnum(byte(c)) {
			return '_'
		}
		return unicode.ToUpper(c)
	}, scheme)
}

// Claim is a name that wants to be the only one.
type Claim struct {
	Name string
	// Fixed marks a name that stands in the input as it is. Only an equal
	// fixed name before it displaces it; all others give way.
	Fixed bool
}

// Distinct returns a different name for each claim, in their order. A claim
// that finds its name taken gets _2, _3… within [MaxName] bytes. Names are the
// same when key gives the same for both; fixed ones when they are equal.
func Distinct(claims []Claim, key func(string) string) []string {
	out := make([]string, len(claims))
	taken := make(map[string]bool, len(claims))
	fixed := make(map[string]bool, len(claims))
	for i, c := range claims {
		if c.Fixed && !fixed[c.Name] {
			out[i], fixed[c.Name], taken[key(c.Name)] = c.Name, true, true
		}
	}
	last := make(map[string]int)
	for i, c := range claims {
		if out[i] != "" {
			continue
		}
		name, n := c.Name, max(last[key(c.Name)], 1)
		for taken[key(name)] {
			n++
			suffix := "_" + strconv.Itoa(n)
			name = c.Name[:min(len(c.Name), MaxName-len(suffix))] + suffix
		}
		out[i], taken[key(name)], last[key(c.Name)] = name, true, n
	}
	return out
}

// fold replaces each run of characters that keep refuses by one underscore and
// trims underscores from the ends; a name without such characters stays as it is.
func fold(s string, keep func(rune) bool) string {
	if strings.IndexFunc(s, func(c rune) bool { return !keep(c) }) < 0 {
		return s
	}
	var b strings.Builder
	gap := false
	for _, c := range s {
		if !keep(c) {
			gap = true
			continue
		}
		if gap {
			b.WriteByte('_')
			gap = false
		}
		b.WriteRune(c)
	}
	return strings.Trim(b.String(), "_")
}

// snake puts an underscore between the words of a camelCase name of ASCII
// characters and writes it in lower case: "getHTTPStatus" is get_http_status.
func snake(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if isUpper(c) && i > 0 {
			afterWord := !isUpper(s[i-1]) && isAlnum(s[i-1])
			beforeWord := isUpper(s[i-1]) && i+1 < len(s) && isLower(s[i+1])
			if afterWord || beforeWord {
				b.WriteByte('_')
			}
		}
		b.WriteByte(c)
	}
	return strings.ToLower(b.String())
}

func isToolChar(c rune) bool {
	return c < utf8.RuneSelf && (isAlnum(byte(c)) || c == '_' || c == '-')
}

func notToolChar(c rune) bool { return !isToolChar(c) }

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isAlnum(c byte) bool { return isUpper(c) || isLower(c) || '0' <= c && c <= '9' }
