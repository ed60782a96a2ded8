package node

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendJSON appends n as compact JSON: keys in the order of the document,
// numbers exactly as they are, text by [AppendString].
// A nil node is null.
func AppendJSON(dst []byte, n *Node) []byte {
	if n == nil {
		return append(dst, "null"...)
	}
	switch n.Kind {
	case Bool:
		return append(dst, n.Value...)
	case Number:
		return append(dst, n.Literal()...)
	case String:
		return AppendString(dst, n.Value)
	case Sequence:
		dst = append(dst, '[')
		for i, item := range n.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = AppendJSON(dst, item)
		}
		return append(dst, ']')
	case Mapping:
		dst = append(dst, '{')
		for i := 0; i < len(n.Items); i += 2 {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(AppendString(dst, n.Items[i].Value), ':')
			dst = AppendJSON(dst, n.Items[i+1])
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// U+FFFD. Control and format characters and line separators are escaped, so that
// who reads the JSON sees them.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, s[from:i]...), "\uFFFD"...)
				from = i + 1
			} else if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
				dst = appendEscape(append(dst, s[from:i]...), r)
				from = i + size
			}
			i += size
			continue
		case c >= ' ' && c != '"' && c != '\\' && c != 0x7f:
			i++
			continue
		}
		dst = append(dst, s[from:i]...)
		if j := strings.IndexByte("\"\\\b\f\n\r\t", c); j >= 0 {
			dst = append(dst, '\\', `"\bfnrt`[j])
		} else {
			dst = appendEscape(dst, rune(c))
		}
		i++
		from = i
	}
	return append(append(dst, s[from:]...), '"')
}

func appendEscape(dst []byte, r rune) []byte {
	if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// Literal returns a Number as a JSON literal of the same value: the text of the
// document where that is JSON, else what YAML means by it (+1, .5, 1_000, 0x1F,
// 0o17, and 0777 which is octal as in YAML 1.1). Other kinds have none.
func (n *Node) Literal() string {
	if n == nil || n.Kind != Number {
		return ""
	}
	text := n.Value
	if json.Valid([]byte(text)) {
		return text
	}
	text = strings.TrimPrefix(strings.ReplaceAll(text, "_", ""), "+")
	if yamlBased.MatchString(text) {
		if i, ok := new(big.Int).SetString(text, 0); ok {
			return i.String()
		}
	}
	sign := ""
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	exponent := ""
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		text, exponent = text[:i], text[i:]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	if fraction != "" {
		fraction = "." + fraction
	}
	return sign + whole + fraction + exponent
}
