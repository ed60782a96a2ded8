package runtime

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// result turns a response into what the model gets. Only a status of the 2xx
// class is a success; what the API sent decides the rest, not what the document
// promised: APIs drift, and a good answer must not become a failed call.
func (x *exchange) result(ctx context.Context, resp *http.Response) *Result {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return x.refusal(resp)
	}
	body, err := decompress(resp)
	if err != nil {
		return x.brokenAnswer(ctx, resp, err)
	}
	contentType := resp.Header.Get("Content-Type")
	if isStream(contentType) {
		return x.stream(ctx, resp, body)
	}
	data, err := x.read(resp, body)
	if err != nil {
		return x.brokenAnswer(ctx, resp, err)
	}
	x.noteHeaders(resp)
	if len(data) == 0 {
		return Text(emptyText(resp, x.method))
	}
	return x.content(resp, contentType, data)
}

// emptyText is what the model reads when there is no body.
func emptyText(resp *http.Response, method string) string {
	text := statusText(resp.StatusCode)
	if method == "HEAD" || resp.StatusCode == http.StatusNoContent || resp.StatusCode == http.StatusResetContent {
		return text
	}
	return text + " (no content)"
}

// statusText is "404 Not Found", or the bare number where it has no name.
func statusText(code int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", code, http.StatusText(code)))
}

var (
	errTooLarge = errors.New("too large")
	errEncoding = errors.New("unknown content encoding")
)

// read reads the whole body, unless it is larger than the server allows.
func (x *exchange) read(resp *http.Response, body io.Reader) ([]byte, error) {
	limit := x.call.server.config.MaxBody
	if resp.ContentLength > limit {
		return nil, errTooLarge
	}
	var buf bytes.Buffer
	buf.Grow(int(min(max(resp.ContentLength, 0), 1<<20)) + bytes.MinRead)
	n, err := buf.ReadFrom(x.within(limit+1, body))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, errTooLarge
	}
	return buf.Bytes(), nil
}

// decompress undoes gzip where the transport did not: it only does if no
// argument said what to accept. Other encodings were not asked for.
func decompress(resp *http.Response) (io.Reader, error) {
	switch encoding := strings.ToLower(resp.Header.Get("Content-Encoding")); {
	case resp.Uncompressed || encoding == "" || encoding == "identity":
		return resp.Body, nil
	case encoding != "gzip" && encoding != "x-gzip":
		return nil, errEncoding
	}
	body, err := gzip.NewReader(resp.Body)
	if errors.Is(err, io.EOF) { // an empty body is no gzip either
		return http.NoBody, nil
	}
	return body, err
}

// content maps a body by its media type.
func (x *exchange) content(resp *http.Response, contentType string, data []byte) *Result {
	switch kind := mediaKind(contentType, data); kind {
	case jsonMedia:
		data = bytes.TrimSpace(toUTF8(contentType, data))
		if json.Valid(data) {
			return x.json(data)
		}
		x.call.note(fmt.Sprintf("the answer's Content-Type is %s, but it is not valid JSON.", baseType(contentType)))
		return x.text(string(data))
	case textMedia:
		text := string(toUTF8(contentType, data))
		if isHTML(contentType, text) && !strings.Contains(x.header.Get("Accept"), "html") {
			x.call.note("the answer is a web page, which this operation does not promise: a sign-in or error page, perhaps.")
		}
		return x.text(text)
	default:
		return x.binary(resp, kind, contentType, data)
	}
}

// json is the value as text and structured content, or a shortened one as text
// only: many hosts show nothing but structured content, and that could not say
// what is missing.
func (x *exchange) json(data json.RawMessage) *Result {
	data = x.call.selected(data)
	limit := x.call.server.config.MaxResponse
	if limit < 0 || len(data) <= limit {
		result := JSON(data)
		if kindOf(data) == 'n' {
			result.Structured = nil
		}
		return result
	}
	// A secret must not escape redaction because only half of it is left.
	clean := x.call.server.redact(string(data))
	if !json.Valid([]byte(clean)) { // a secret of digits stood in a number
		return x.text(clean)
	}
	data = json.RawMessage(clean)
	short, cuts, shown := shorten(data, limit)
	if len(cuts) == 0 { // white space was all that was too much
		return JSON(short)
	}
	x.cut = true
	result := Text(string(short))
	whole := x.call.whole(result, "application/json", clean)
	x.call.note(fmt.Sprintf("the answer is %s and was shortened: %s. %s%s", byteCount(int64(len(data))), strings.Join(cuts, ", "), x.howToGoOn(data, shown), whole))
	return result
}

// howToNarrow is the advice for an answer that is too large. Which argument
// makes it smaller no document says; it can only be an optional one.
func (x *exchange) howToNarrow() string {
	names := x.call.tool.check().optional()
	if len(names) == 0 {
		return "This tool has no optional argument that could make it smaller."
	}
	text := "To see the rest, ask for less at a time, if one of the optional arguments does that: " + ellipsis(listText(names), 300) + "."
	if !isIdempotent(x.method) {
		text += " Mind that calling again may take effect again."
	}
	return text
}

// optional returns the names of the arguments beside the body that may be left
// out, sorted.
func (sc *schema) optional() []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(propertiesOf(sc.doc))) {
		if name != "body" && !sc.required(name) {
			names = append(names, name)
		}
	}
	return names
}

// howToGoOn is the advice for a list whose first items are shown, where the tool's
// arguments choose a page.
func (x *exchange) howToGoOn(data json.RawMessage, shown int) string {
	c := x.call
	p := c.paging()
	first := c.firstPage(p, data)
	switch {
	case shown == 0 || !isIdempotent(x.method):
	case c.maxItems() > shown:
		return fmt.Sprintf("To see all, call again with %s=%d, and go on from there.", maxItemsArgument, shown)
	case c.maxItems() > 0:
	case p.offset != "":
		return fmt.Sprintf("To see what follows, call again with %s=%d.", p.offset, c.Arg(p.offset).number(c.standard(p.offset, 0))+shown)
	case p.page != "" && p.size != "" && first >= 0 && c.Arg(p.page).number(first) == first:
		return fmt.Sprintf("To see what follows, call again with %s=%d and %s=%d.", p.size, shown, p.page, first+1)
	case p.size != "" && (p.cursor != "" || p.page != ""):
		return fmt.Sprintf("To see all, ask for %s at a time, %s=%d, and go on with %s.", counted(shown, "item"), p.size, shown, cmp.Or(p.cursor, p.page))
	}
	return x.howToNarrow()
}

func (x *exchange) text(text string) *Result {
	limit := x.call.server.config.MaxResponse
	if limit < 0 || len(text) <= limit {
		return Text(text)
	}
	text = x.call.server.redact(text) // before a secret is cut in half
	short := cutText(text, limit)
	result := Text(short)
	whole := x.call.whole(result, "text/plain", text)
	x.call.note(fmt.Sprintf("these are the first %d of %s. %s%s", len(short), counted(len(text), "byte"), x.howToNarrow(), whole))
	return result
}

// maxBinary bounds what is passed on as a whole because it cannot be cut. In
// base64 it is a third more, and clients bound a message, often at 16 MiB.
const maxBinary = 8 << 20

// binary is an image, a sound or a file.
func (x *exchange) binary(resp *http.Response, kind media, contentType string, data []byte) *Result {
	mediaType := baseType(contentType)
	if mediaType == "" {
		mediaType = baseType(http.DetectContentType(data))
	}
	if len(data) > maxBinary {
		return Failure("%s answered %s with %s of %s. That is more than the %s which this server passes on, and a file cannot be shortened.",
			x.where(), statusText(resp.StatusCode), byteCount(int64(len(data))), mediaType, byteCount(maxBinary))
	}
	switch kind {
	case imageMedia:
		return &Result{Content: []mcp.Content{&mcp.ImageContent{MIMEType: mediaType, Data: data}}}
	case audioMedia:
		return &Result{Content: []mcp.Content{&mcp.AudioContent{MIMEType: mediaType, Data: data}}}
	}
	// The path says what the file is. The host and the query are for nobody to
	// read: an internal address, maybe a key.
	return &Result{Content: []mcp.Content{&mcp.EmbeddedResource{
		Resource: &mcp.ResourceContents{URI: "result://" + x.url.EscapedPath(), MIMEType: mediaType, Blob: data},
	}}}
}

// told are headers that tell a model something, in the order they are told. A
// trailing * stands for any rest.
var told = []string{
	"Location", "Content-Location", "Link", "Retry-After", "Etag", "Last-Modified", "Content-Range", "Content-Disposition",
	"Deprecation", "Sunset", "Warning", "X-Total*", "X-Next*", "X-Page*", "X-Has-More", "Ratelimit*", "X-Ratelimit*", "X-Rate-Limit*",
}

// noteHeaders tells the model what the headers say, and a status that is not
// simply "done".
func (x *exchange) noteHeaders(resp *http.Response) {
	lines := x.headerLines(resp.Header)
	switch resp.StatusCode {
	case 200, 201, 204, 205:
	default:
		lines = slices.Insert(lines, 0, "status "+statusText(resp.StatusCode))
	}
	if x.method == "HEAD" {
		for _, name := range []string{"Content-Type", "Content-Length"} {
			if value := resp.Header.Get(name); value != "" {
				lines = append(lines, name+": "+value)
			}
		}
	}
	if len(lines) > 0 {
		x.call.note("the answer came with " + strings.Join(lines, "; ") + ".")
	}
}

// maxTold bounds how many headers of one pattern are told.
const maxTold = 10

// headerLines returns the headers that are told, "Name: value".
func (x *exchange) headerLines(h http.Header) []string {
	var lines []string
	for _, pattern := range told {
		names := matching(h, pattern)
		for _, name := range names[:min(len(names), maxTold)] {
			value := x.call.server.redact(strings.ToValidUTF8(strings.Join(h[name], ", "), "\uFFFD"))
			lines = append(lines, name+": "+ellipsis(value, 1000))
		}
	}
	return lines
}

// matching returns the names in h that a pattern stands for, sorted.
func matching(h http.Header, pattern string) []string {
	prefix, open := strings.CutSuffix(pattern, "*")
	if !open {
		if _, ok := h[pattern]; ok {
			return []string{pattern}
		}
		return nil
	}
	var names []string
	for name := range h {
		if strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
