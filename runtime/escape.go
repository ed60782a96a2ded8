package runtime

import "strings"

// escaper writes text into a URL, or another place with an alphabet of its own.
type escaper func(string) string

const (
	// unreserved needs no encoding anywhere (RFC 3986, 2.3).
	unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	// reservedInQuery may stand in a query value (RFC 3986, 3.4), except for &,
	// which ends it.
	reservedInQuery = ":/?@!$'()*+,;="
	// reservedInPath may stand in a path segment (RFC 3986, 3.3).
	reservedInPath = ":@!$&'()*+,;="
	upperHex       = "0123456789ABCDEF"
)

var (
	plain      = alphabet(unreserved)
	inQuerySet = alphabet(unreserved + reservedInQuery)
	inPathSet  = alphabet(unreserved + reservedInPath)
	inPathsSet = alphabet(unreserved + reservedInPath + "/")
	literalSet = alphabet(unreserved + reservedInPath + "/?")
)

type byteSet [256]bool

func alphabet(chars string) *byteSet {
	var set byteSet
	for i := range len(chars) {
		set[chars[i]] = true
	}
	return &set
}

// escapeAll percent-encodes everything that is not unreserved.
func escapeAll(s string) string { return percent(s, plain, false) }

// escapeQueryReserved and escapePathReserved are RFC 6570's reserved expansion,
// without the characters that would end the value.
func escapeQueryReserved(s string) string { return percent(s, inQuerySet, true) }
func escapePathReserved(s string) string  { return percent(s, inPathSet, true) }

// escapeSegments is escapePathReserved for a value of several segments.
func escapeSegments(s string) string { return percent(s, inPathsSet, true) }

// escapeLiteral encodes what stands between the variables of a template.
func escapeLiteral(s string) string { return percent(s, literalSet, true) }

func escapeNothing(s string) string { return s }

// percent encodes every byte outside keep; triples says that "%41" stays.
func percent(s string, keep *byteSet, triples bool) string {
	clean := 0
	for clean < len(s) && keep[s[clean]] {
		clean++
	}
	if clean == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 8)
	b.WriteString(s[:clean])
	for i := clean; i < len(s); i++ {
		c := s[i]
		if keep[c] || triples && c == '%' && isTriple(s[i:]) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&15])
	}
	return b.String()
}

func isTriple(s string) bool { return len(s) >= 3 && isHex(s[1]) && isHex(s[2]) }

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
