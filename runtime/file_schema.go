package runtime

import (
	"bytes"
	"encoding/json"
)

// The schema of an argument that is a file offers the path of one, which this
// server takes only where its operator named a folder (-files). Without one, no
// model should be told of it.

// fileForm is that schema as it is generated, without white space, up to where
// its alternatives may go on. The whole of it is compared, so that an API's own
// property called path is left alone.
type fileForm struct{ with, without []byte }

// fileForms are the forms that there are: the usual one, and those of the profiles
// that know fewer keywords (gemini, strict).
var fileForms = []fileForm{
	newFileForm(`"anyOf":[{"type":"string","contentEncoding":"base64"},{"type":"object","properties":{"data":{"type":"string","contentEncoding":"base64"},`,
		`"path":{"type":"string"},`, `"filename":{"type":"string"},"contentType":{"type":"string"}},"additionalProperties":false}`),
	newFileForm(`"anyOf":[{"type":"string"},{"type":"object","properties":{"data":{"type":"string"},`,
		`"path":{"type":"string"},`, `"filename":{"type":"string"},"contentType":{"type":"string"}}}`),
	newFileForm(`"anyOf":[{"type":"string"},{"type":"object","properties":{"data":{"type":["string","null"]},`,
		`"path":{"type":["string","null"]},`, `"filename":{"type":["string","null"]},"contentType":{"type":["string","null"]}},"additionalProperties":false,"required":["data",`,
		`"path",`, `"filename","contentType"]}`),
}

// newFileForm makes a form of its text, every second part of which is about paths.
func newFileForm(parts ...string) fileForm {
	var f fileForm
	for i, part := range parts {
		f.with = append(f.with, part...)
		if i%2 == 0 {
			f.without = append(f.without, part...)
		}
	}
	return f
}

// The end of such a schema's description, which stands before its alternatives,
// and what it is without paths.
var (
	fileNote     = []byte(`or an object with either data (base64) or path.",`)
	pathlessNote = []byte(`or an object with data (base64).",`)
)

// fileMark is in all forms, and in little else. It is short, which makes the
// search for it fast.
var fileMark = []byte(`"filename":{"type":`)

// withoutPaths returns a schema, or an object that holds some, whose files have no
// path. The text has no white space between its tokens.
func withoutPaths(text json.RawMessage) json.RawMessage {
	if !bytes.Contains(text, fileMark) {
		return text
	}
	for _, f := range fileForms {
		text = bytes.ReplaceAll(text, append(bytes.Clone(fileNote), f.with...), append(bytes.Clone(pathlessNote), f.without...))
		text = bytes.ReplaceAll(text, f.with, f.without)
	}
	return text
}
