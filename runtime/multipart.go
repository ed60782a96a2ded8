package runtime

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"path"
	"slices"
	"strings"
)

// part is one part of a multipart body.
type part struct {
	name        string
	filename    string // empty: not a file
	contentType string // empty: none said, which is text/plain (RFC 7578, 4.4)
	data        []byte
}

// partHeaders are the headers of the body's parts, by property.
func (r *Request) partHeaders() (map[string]http.Header, error) {
	var out map[string]http.Header
	for i := range r.params {
		p := &r.params[i]
		if p.in != inPart {
			continue
		}
		if out == nil {
			out = map[string]http.Header{}
		}
		if out[p.part] == nil {
			out[p.part] = http.Header{}
		}
		if err := p.setHeader(out[p.part]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// multipart writes the body's properties as parts, in the order of the call.
func (b *body) multipart(files fileRoot, headers map[string]http.Header) (payload, error) {
	if err := object(b.arg.Value, b.mediaType); err != nil {
		return payload{}, err
	}
	var parts []part
	for name, value := range members(b.arg.Value) {
		f := field(b.fields, name)
		var err error
		if parts, err = appendParts(parts, f, value, files); err != nil {
			return payload{}, fmt.Errorf("property %q: %w", name, err)
		}
	}
	return writeParts(string(b.mediaType), parts, headers)
}

// appendParts writes one property: an array is a part an item, under one name,
// unless a style makes one text of it.
func appendParts(parts []part, f Field, value json.RawMessage, files fileRoot) ([]part, error) {
	switch kindOf(value) {
	case 'n':
		return parts, nil
	case '[':
		if f.Style != "" && !f.Explode && !f.File {
			if len(flatten(value)) == 0 {
				return parts, nil
			}
			return append(parts, part{name: f.Name, data: []byte(delimited(value, f.Style, escapeNothing))}), nil
		}
		var err error
		for v := range items(value) {
			if kindOf(v) == '[' { // an array in an array is one JSON part
				parts, err = appendValue(parts, f, v)
			} else {
				parts, err = appendParts(parts, f, v, files)
			}
			if err != nil {
				return nil, err
			}
		}
		return parts, nil
	}
	if !f.File {
		return appendValue(parts, f, value)
	}
	decoded, err := files.decode(value)
	if err != nil {
		return nil, err
	}
	if decoded.name == "" {
		decoded.name = f.Name
	}
	return append(parts, part{
		name: f.Name, filename: decoded.name, data: decoded.data,
		contentType: pickType(f.ContentType, decoded),
	}), nil
}

// appendValue writes a value that is not a file: JSON for objects and where the
// document says so, else its text.
func appendValue(parts []part, f Field, value json.RawMessage) (_ []part, err error) {
	p := part{name: f.Name, contentType: concreteType(f.ContentType)}
	if p.contentType == "" && (kindOf(value) == '{' || kindOf(value) == '[') {
		p.contentType = "application/json"
	}
	if isJSON(p.contentType) {
		p.data = []byte(jsonText(value))
	} else {
		p.data, err = inCharset(p.contentType, textOf(value))
	}
	return append(parts, p), err
}

// pickType chooses the media type of a file among those that the document allows:
// what the model said, else what the bytes look like, else what the name ends in,
// else the first. Bytes that look like nothing in particular say less than the name.
func pickType(declared string, f file) string {
	var allowed []string
	for t := range strings.SplitSeq(declared, ",") {
		if t = strings.TrimSpace(t); t != "" {
			allowed = append(allowed, t)
		}
	}
	if f.contentType != "" && (len(allowed) == 0 || allowedAs(allowed, f.contentType) != "") {
		return f.contentType
	}
	sniffed := baseType(http.DetectContentType(f.data))
	byName := baseType(mime.TypeByExtension(path.Ext(f.name)))
	if slices.Contains(vagueTypes, sniffed) {
		sniffed, byName = byName, sniffed
	}
	first := ""
	if i := slices.IndexFunc(allowed, func(t string) bool { return concreteType(t) != "" }); i >= 0 {
		first = allowed[i]
	}
	return cmp.Or(allowedAs(allowed, sniffed), allowedAs(allowed, byName), first, "application/octet-stream")
}

// vagueTypes are what bytes look like that may well be something else: CSV is text,
// a spreadsheet is a ZIP file.
var vagueTypes = []string{"application/octet-stream", "application/zip", "text/plain", "text/xml"}

// allowedAs returns the media type in the words of the list that allows it, with
// their parameters, or as it is where a range such as image/* does; empty: none does.
func allowedAs(allowed []string, mediaType string) string {
	base := baseType(mediaType)
	for _, t := range allowed {
		switch kind, isRange := strings.CutSuffix(baseType(t), "/*"); {
		case base == "":
		case !isRange && kind == base:
			return t
		case isRange && (kind == "*" || strings.HasPrefix(base, kind+"/")):
			return mediaType
		}
	}
	return ""
}

// concreteType is the first media type of a list, unless it is a range.
func concreteType(declared string) string {
	first, _, _ := strings.Cut(declared, ",")
	if strings.Contains(first, "*") {
		return ""
	}
	return strings.TrimSpace(first)
}

// writeParts puts the parts together. The boundary is made from the parts, so
// that the same call is the same request and no part can hold it.
func writeParts(mediaType string, parts []part, headers map[string]http.Header) (payload, error) {
	sum := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(sum, "%q %q %q %d\n", p.name, p.filename, p.contentType, len(p.data))
		sum.Write(p.data)
	}
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	if err := w.SetBoundary(hex.EncodeToString(sum.Sum(nil)[:20])); err != nil {
		return payload{}, err
	}
	for _, p := range parts {
		if hasControl(p.name) || hasControl(p.filename) || hasControl(p.contentType) {
			return payload{}, fmt.Errorf("property %q: names of parts and files must not hold line breaks or control characters", p.name)
		}
		h := textproto.MIMEHeader{}
		maps.Copy(h, headers[p.name])
		h.Set("Content-Disposition", p.disposition())
		if p.contentType != "" {
			h.Set("Content-Type", p.contentType)
		}
		body, err := w.CreatePart(h)
		if err != nil {
			return payload{}, err
		}
		data := p.data
		if p.filename != "" && strings.EqualFold(h.Get("Content-Transfer-Encoding"), "base64") {
			data = base64.StdEncoding.AppendEncode(nil, data)
		}
		body.Write(data) // a bytes.Buffer takes everything
	}
	if err := w.Close(); err != nil {
		return payload{}, err
	}
	return payload{contentType: withBoundary(mediaType, w.Boundary()), data: buf.Bytes()}, nil
}

// disposition names the part, and the file if it is one. Quotes in names are
// escaped.
func (p *part) disposition() string {
	d := multipart.FileContentDisposition(p.name, p.filename)
	if p.filename == "" {
		d = strings.TrimSuffix(d, `; filename=""`)
	}
	return d
}

func withBoundary(mediaType, boundary string) string {
	t, params, err := mime.ParseMediaType(mediaType)
	if err != nil {
		t, params = baseType(mediaType), map[string]string{}
	}
	params["boundary"] = boundary
	return mime.FormatMediaType(t, params)
}
