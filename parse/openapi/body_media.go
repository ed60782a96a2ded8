package openapi

import (
	"cmp"
	"strings"

	"github.com/seed7346ab69/toolmill/parse/ir"
)

// encoding is how a body of some media type is made.
type encoding struct {
	kind ir.BodyKind
	rank int    // lower is preferred
	send string // the Content-Type: as declared, unless that is a range
}

// The order in which media types are preferred: what a model writes most
// surely, first. A JSON patch (RFC 6902) is JSON, but a model has to know the
// paths of the resource that it changes.
const (
	rankJSON = iota
	rankJSONLike
	rankJSONPatch
	rankAny
	rankForm
	rankMultipart
	rankText
	rankXML
	rankBytes
	rankOtherParts // multipart/mixed and the like, whose parts need no names
)

// encodingOf classifies a media type.
func encodingOf(mediaType string) encoding {
	base := baseType(mediaType)
	main, sub, _ := strings.Cut(base, "/")
	e := encoding{send: strings.TrimSpace(mediaType)}
	switch {
	case base == "application/json":
		e.kind, e.rank = ir.JSONBody, rankJSON
	case base == "application/json-patch+json":
		e.kind, e.rank = ir.JSONBody, rankJSONPatch
	case strings.HasSuffix(base, "+json") || base == "text/json":
		e.kind, e.rank = ir.JSONBody, rankJSONLike
	case base == "*/*" || base == "application/*":
		e.kind, e.rank = ir.JSONBody, rankAny
	case base == "application/x-www-form-urlencoded":
		e.kind, e.rank = ir.FormBody, rankForm
	case base == "multipart/form-data" || base == "multipart/*":
		e.kind, e.rank = ir.MultipartBody, rankMultipart
	case main == "multipart":
		e.kind, e.rank = ir.MultipartBody, rankOtherParts
	case sub == "xml" || strings.HasSuffix(sub, "+xml"):
		e.kind, e.rank = ir.XMLBody, rankXML
	case main == "text" || isTextual(sub):
		e.kind, e.rank = ir.TextBody, rankText
	case !strings.Contains(base, "/") && strings.Contains(base, "json"):
		// "applicationjson" and "json" are typing errors.
		e.kind, e.rank, e.send = ir.JSONBody, rankAny, "application/json"
	default:
		e.kind, e.rank = ir.BytesBody, rankBytes
	}
	if strings.Contains(base, "*") {
		e.send = map[ir.BodyKind]string{
			ir.JSONBody:      "application/json",
			ir.MultipartBody: "multipart/form-data",
			ir.TextBody:      "text/plain",
			ir.BytesBody:     "application/octet-stream",
		}[e.kind]
	}
	return e
}

// isTextual reports whether the application/ subtype is text that a model can
// write.
func isTextual(sub string) bool {
	switch sub {
	case "x-ndjson", "ndjson", "jsonl", "jsonlines", "x-jsonlines", "json-seq", "yaml", "x-yaml", "toml",
		"javascript", "graphql", "sql", "csv", "x-sh", "jwt":
		return true
	}
	return strings.HasSuffix(sub, "+yaml")
}

// baseType is a media type without its parameters, in lower case.
func baseType(mediaType string) string {
	base, _, _ := strings.Cut(mediaType, ";")
	base, _, _ = strings.Cut(base, ",")
	return strings.ToLower(strings.TrimSpace(base))
}

// validMediaType reports whether mediaType can stand in an Accept header.
func validMediaType(mediaType string) bool {
	return strings.Contains(baseType(mediaType), "/") &&
		strings.IndexFunc(mediaType, func(c rune) bool { return c < ' ' || c > '~' }) < 0
}

// chooseMedia picks the media type to send: the user's preference, then rank,
// then document order. A range takes its kind from the schema.
func (b *builder) chooseMedia(media []Media) (*Media, encoding) {
	var best *Media
	var chosen encoding
	for i := range media {
		m := &media[i]
		e := encodingOf(m.Type)
		if e.rank == rankAny && strings.Contains(baseType(m.Type), "*") {
			switch shape := b.schemas.Shape(m.Schema); {
			case shape.Binary:
				e.kind, e.send = ir.BytesBody, "application/octet-stream"
			case shape.Type == "string":
				e.kind, e.send = ir.TextBody, "text/plain"
			}
		}
		for j, wanted := range b.opts.MediaTypes {
			if strings.EqualFold(wanted, m.Type) || baseType(wanted) == baseType(m.Type) {
				e.rank = j - len(b.opts.MediaTypes)
				break
			}
		}
		if best == nil || cmp.Less(e.rank, chosen.rank) {
			best, chosen = m, e
		}
	}
	return best, chosen
}
