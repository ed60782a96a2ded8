package runtime

import (
	"encoding/json"
	"fmt"
	"mime"
	"strings"
)

// payload is an encoded body. A nil data is no body at all.
type payload struct {
	contentType string
	data        []byte
}

// encode writes the body in its media type. files opens what an argument names
// by path.
func (r *Request) encode(files fileRoot) (payload, error) {
	b := r.body
	if b == nil {
		return payload{}, nil
	}
	out := payload{contentType: string(b.mediaType)}
	if b.kind == jsonBody {
		out.data = b.arg.Value
		return out, nil
	}
	if !b.arg.Given() {
		return payload{}, nil
	}
	headers, err := r.partHeaders()
	if err != nil {
		return payload{}, err
	}
	switch b.kind {
	case formBody:
		out.data, err = b.form()
	case multipartBody:
		out, err = b.multipart(files, headers)
	case textBody:
		out.data, err = inCharset(out.contentType, textOf(b.arg.Value))
	case bytesBody:
		var f file
		if f, err = files.decode(b.arg.Value); err == nil {
			out.data = f.data
			out.contentType = pickType(out.contentType, f)
		}
	case xmlBody:
		text := textOf(b.arg.Value)
		if b.element != nil {
			text, err = b.element.document(b.arg.Value, charsetOf(out.contentType))
		}
		if err == nil {
			out.data, err = inCharset(out.contentType, text)
		}
	}
	if err != nil {
		return payload{}, fmt.Errorf("argument %q: %w", b.arg.Name, err)
	}
	if out.data == nil {
		out.data = []byte{}
	}
	return out, nil
}

// field returns what the document says about a property.
func field(fields []Field, name string) Field {
	for _, f := range fields {
		if f.Name == name {
			return f
		}
	}
	return Field{Name: name}
}

// object refuses a value that is not one.
func object(value json.RawMessage, mediaType MediaType) error {
	if isObject(value) {
		return nil
	}
	return fmt.Errorf("a body of type %s is an object, its properties are the fields", baseType(string(mediaType)))
}

// baseType is a media type without parameters, in lower case. What is not quite
// a media type ("application/json, charset=utf-8") is cut where it goes wrong.
func baseType(contentType string) string {
	if strings.ContainsAny(contentType, ";, ") {
		if t, _, err := mime.ParseMediaType(contentType); err == nil {
			return t
		}
	}
	if i := strings.IndexAny(contentType, ";, "); i >= 0 {
		contentType = contentType[:i]
	}
	return strings.ToLower(contentType)
}

func isForm(contentType string) bool {
	return baseType(contentType) == "application/x-www-form-urlencoded"
}

// isJSON reports whether a media type is JSON or has the suffix +json (RFC 6839).
func isJSON(contentType string) bool {
	t := baseType(contentType)
	return t == "application/json" || t == "text/json" || t == "application/x-json" || strings.HasSuffix(t, "+json")
}
