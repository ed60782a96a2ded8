package runtime

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
)

// media is what a body is to the model.
type media uint8

const (
	binaryMedia media = iota
	jsonMedia
	textMedia
	imageMedia
	audioMedia
)

// textTypes are text although their type does not begin with text/. Suffixes
// (RFC 6839) count too.
var textTypes = []string{"xml", "yaml", "x-yaml", "javascript", "ecmascript", "x-www-form-urlencoded", "graphql", "toml", "sql", "x-sh", "csv", "http"}

// mediaKind decides by the media type that the API gave, and by the bytes where
// it gave none or one that says nothing.
func mediaKind(contentType string, data []byte) media {
	t := baseType(contentType)
	top, sub, _ := strings.Cut(t, "/")
	_, suffix, _ := strings.Cut(sub, "+")
	switch {
	case isJSON(t):
		return jsonMedia
	case isLines(t), top == "text", suffix == "xml", suffix == "yaml":
		return textMedia
	case top == "image":
		return imageMedia
	case top == "audio":
		return audioMedia
	case top == "video", top == "font", t == "application/octet-stream", t == "application/pdf", t == "application/zip":
		return binaryMedia
	}
	for _, known := range textTypes {
		if top == "application" && sub == known {
			return textMedia
		}
	}
	return sniff(t, data)
}

// sniff decides by the bytes.
func sniff(t string, data []byte) media {
	if t == "" && json.Valid(data) {
		return jsonMedia
	}
	detected := http.DetectContentType(data)
	switch {
	case strings.HasPrefix(detected, "text/") && utf8.Valid(data):
		return textMedia
	case t == "" && strings.HasPrefix(detected, "image/"):
		return imageMedia
	case t == "" && strings.HasPrefix(detected, "audio/"):
		return audioMedia
	}
	return binaryMedia
}

// isLines reports whether a body is one JSON value a line.
func isLines(contentType string) bool {
	switch baseType(contentType) {
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/jsonlines", "application/json-seq":
		return true
	}
	return false
}

// toUTF8 decodes text by its charset parameter or byte order mark. What cannot
// be decoded becomes U+FFFD: MCP messages are UTF-8.
func toUTF8(contentType string, data []byte) []byte {
	charset := charsetOf(contentType)
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		charset, data = "utf-8", data[3:]
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		charset, data = "utf-16le", data[2:]
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		charset, data = "utf-16be", data[2:]
	}
	if charset != "" {
		if encoding, err := htmlindex.Get(charset); err == nil {
			if decoded, err := encoding.NewDecoder().Bytes(data); err == nil {
				data = decoded
			}
		}
	}
	return bytes.ToValidUTF8(data, []byte("\uFFFD"))
}

// charsetOf is the charset parameter in lower case, empty for UTF-8 and what is
// a part of it.
func charsetOf(contentType string) string {
	if !strings.Contains(contentType, ";") {
		return ""
	}
	_, params, _ := mime.ParseMediaType(contentType)
	switch charset := strings.ToLower(params["charset"]); charset {
	case "utf-8", "utf8", "us-ascii":
		return ""
	default:
		return charset
	}
}

// inCharset writes text in the charset of a media type. Here the names mean what
// IANA's registry says; toUTF8 reads them as browsers do, because APIs err like
// their pages.
func inCharset(contentType, text string) ([]byte, error) {
	charset := charsetOf(contentType)
	if charset == "" {
		return []byte(text), nil
	}
	encoding, err := ianaindex.MIME.Encoding(charset)
	if err != nil || encoding == nil {
		if strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("the API wants text in the charset %s, of which this server knows only ASCII", charset)
	}
	data, err := encoding.NewEncoder().Bytes([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("the API wants text in the charset %s, and some character is not in it", charset)
	}
	return data, nil
}

// cutText is the first part of text, at most limit bytes, whole runes.
func cutText(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	end := max(limit, 0)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// ellipsis is cutText with a sign that something is missing.
func ellipsis(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return cutText(text, limit) + "…"
}
