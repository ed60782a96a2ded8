package runtime

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An upstream that repeats a secret escapes what it likes, and only where it
// likes: PHP writes / as \/ in JSON, .NET writes + as \u002B, Python leaves / in a
// URL and encodes +. There is no list of such forms, so text that holds an escape
// is read as whoever decodes it would. Letters and digits are escaped by nobody;
// the longest run of them is what a search begins with, for speed.

// maxEscape bounds how often one character is escaped again: JSON in JSON in JSON
// puts seven backslashes before a quote.
const maxEscape = 7

// replaceEscaped replaces the secret wherever some of its characters are escaped.
func replaceEscaped(text, secret string) string {
	if !strings.Contains(text, longestRun(secret)) {
		return text
	}
	start := 0
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != secret[0] && (isAlphanumeric(text[i]) || isAlphanumeric(secret[0])) {
			continue
		}
		if end := matchEscaped(text, i, secret); end > 0 {
			b.WriteString(text[start:i])
			b.WriteString(Redacted)
			start, i = end, end-1
		}
	}
	if start == 0 {
		return text
	}
	b.WriteString(text[start:])
	return b.String()
}

// longestRun returns the longest part of a secret that is letters and digits.
func longestRun(secret string) string {
	longest, start := "", 0
	for i := 0; i <= len(secret); i++ {
		if i < len(secret) && isAlphanumeric(secret[i]) {
			continue
		}
		if i-start > len(longest) {
			longest = secret[start:i]
		}
		start = i + 1
	}
	return longest
}

// matchEscaped returns where the secret that begins at text[i] ends; 0 if none does.
func matchEscaped(text string, i int, secret string) int {
	for secret != "" {
		r, size := utf8.DecodeRuneInString(secret)
		end := matchRune(text, i, r, secret[:size])
		if end == 0 { // %C3%A9 is one character, byte by byte
			end, size = matchPercent(text, i, secret[0]), 1
		}
		if end == 0 {
			return 0
		}
		i, secret = end, secret[size:]
	}
	return i
}

// matchRune returns the end of the character r, escaped or not, at text[i].
func matchRune(text string, i int, r rune, plain string) int {
	if i >= len(text) {
		return 0
	}
	switch text[i] {
	case '\\':
		if end := matchBackslash(text, i, r, plain); end > 0 {
			return end
		}
	case '&':
		if end := matchEntity(text, i, plain); end > 0 {
			return end
		}
	case '%':
		if end := matchPercent(text, i, plain[0]); end > 0 && len(plain) == 1 {
			return end
		}
	case '+':
		if r == ' ' {
			return i + 1
		}
	}
	if strings.HasPrefix(text[i:], plain) {
		return i + len(plain)
	}
	return 0
}

// matchBackslash reads \/, \", \n, \u002f, \x2f and the like.
func matchBackslash(text string, i int, r rune, plain string) int {
	slashes := i
	for i < len(text) && text[i] == '\\' && i-slashes < maxEscape {
		i++
	}
	if r == '\\' {
		if i-slashes > 1 {
			return i
		}
		return 0
	}
	rest := text[i:]
	if rest == "" {
		return 0
	}
	digits := 0
	switch rest[0] {
	case 'x':
		digits = 2
	case 'u':
		digits = 4
	case 'U':
		digits = 8
	}
	if digits > 0 && len(rest) > digits {
		if n, err := strconv.ParseUint(rest[1:1+digits], 16, 32); err == nil && rune(n) == r {
			return i + 1 + digits
		}
	}
	switch {
	case r == '\n' && rest[0] == 'n', r == '\t' && rest[0] == 't', r == '\r' && rest[0] == 'r':
		return i + 1
	case strings.HasPrefix(rest, plain) && !isAlphanumeric(plain[0]):
		return i + len(plain)
	}
	return 0
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// matchPercent reads %2f, and %252f.
func matchPercent(text string, i int, want byte) int {
	if i >= len(text) || text[i] != '%' {
		return 0
	}
	for range maxEscape {
		if len(text) < i+3 {
			return 0
		}
		if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil && byte(n) == want {
			return i + 3
		}
		if text[i+1:i+3] != "25" {
			return 0
		}
		i += 2
	}
	return 0
}

// matchEntity reads &amp;, &#43; and &#x2f;.
func matchEntity(text string, i int, plain string) int {
	const longest = len("&CounterClockwiseContourIntegral;")
	end := strings.IndexByte(text[i:min(len(text), i+longest)], ';')
	if end < 0 || html.UnescapeString(text[i:i+end+1]) != plain {
		return 0
	}
	return i + end + 1
}
