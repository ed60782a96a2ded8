package runtime

import (
	"html"
	"strings"
)

// isHTML reports whether text is a page for people, whatever its type says.
func isHTML(contentType, text string) bool {
	if strings.Contains(baseType(contentType), "html") {
		return true
	}
	head := strings.ToLower(text[:min(len(text), 100)])
	return strings.HasPrefix(head, "<!doctype html") || strings.HasPrefix(head, "<html")
}

// htmlText is what a person reads on a page: no tags, scripts or styles, white
// space folded. It is for error pages, not for documents.
func htmlText(page string) string {
	page = cutText(page, 32<<10)
	var b strings.Builder
	for page != "" {
		text, rest, found := strings.Cut(page, "<")
		b.WriteString(text)
		if !found {
			break
		}
		b.WriteByte(' ')
		page = skipTag(rest)
	}
	return strings.Join(strings.Fields(html.UnescapeString(b.String())), " ")
}

// skipTag returns what follows the tag that rest begins in, or the whole element
// if its content is not text.
func skipTag(rest string) string {
	for _, element := range [][2]string{{"script", "</script"}, {"style", "</style"}, {"!--", "--"}} {
		name, end := element[0], element[1]
		if len(rest) < len(name) || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		rest = rest[len(name):]
		i := strings.Index(strings.ToLower(rest), end)
		if i < 0 {
			return ""
		}
		rest = rest[i+len(end):]
		break
	}
	_, after, _ := strings.Cut(rest, ">")
	return after
}
