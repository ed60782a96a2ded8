package ir

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// AppendJSON appends the object that tools/list returns for the tool (MCP
// 2025-11-25, Tool), compact and without a final newline.
func (t *Tool) AppendJSON(dst []byte) []byte {
	dst = appendText(append(dst, `{"name":`...), t.Name)
	if t.Title != "" {
		dst = appendText(append(dst, `,"title":`...), t.Title)
	}
	dst = appendText(append(dst, `,"description":`...), t.Description)
	dst = append(append(dst, `,"inputSchema":`...), t.Input...)
	if t.Output != nil {
		dst = append(append(dst, `,"outputSchema":`...), t.Output...)
	}
	// All four are always written: two of them are true when absent.
	dst = strconv.AppendBool(append(dst, `,"annotations":{"readOnlyHint":`...), t.Hints.ReadOnly)
	dst = strconv.AppendBool(append(dst, `,"destructiveHint":`...), t.Hints.Destructive)
	dst = strconv.AppendBool(append(dst, `,"idempotentHint":`...), t.Hints.Idempotent)
	dst = strconv.AppendBool(append(dst, `,"openWorldHint":`...), t.Hints.OpenWorld)
	dst = append(dst, '}')
	for i, src := range t.Icons {
		next := `},{"src":`
		if i == 0 {
			next = `,"icons":[{"src":`
		}
		dst = appendText(append(dst, next...), src)
	}
	if len(t.Icons) > 0 {
		dst = append(dst, "}]"...)
	}
	if t.Meta != nil {
		dst = append(append(dst, `,"_meta":`...), t.Meta...)
	}
	return append(dst, '}')
}

// appendText appends s as a JSON string. Angle brackets stay readable.
func appendText(dst []byte, s string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A string always encodes; invalid UTF-8 becomes U+FFFD.
	_ = enc.Encode(s)
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
