package runtime

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/url"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Blob returns bytes as the content that their media type asks for; empty: as
// the bytes look.
func (c *Call) Blob(data []byte, mediaType string) (*Result, error) {
	kind := mediaKind(mediaType, data)
	if kind == jsonMedia || kind == textMedia {
		return Text(string(toUTF8(mediaType, data))), nil
	}
	if len(data) > maxBinary {
		return Failure("the result is %s of data. That is more than the %s which this server passes on.",
			byteCount(int64(len(data))), byteCount(maxBinary)), nil
	}
	if mediaType == "" {
		mediaType = baseType(http.DetectContentType(data))
	}
	switch kind {
	case imageMedia:
		return Contents(&mcp.ImageContent{MIMEType: mediaType, Data: data})
	case audioMedia:
		return Contents(&mcp.AudioContent{MIMEType: mediaType, Data: data})
	}
	return Contents(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
		URI: "result:///" + url.PathEscape(c.tool.Name), MIMEType: mediaType, Blob: data,
	}})
}

// Stream reads a function's reader to its end, at most limit bytes (0: what the
// operator lets a model see of text, and what the server passes on of other
// data), and closes it if it can be closed. Text beyond the limit is cut and the
// model told, other data refused.
func (c *Call) Stream(ctx context.Context, r io.Reader, mediaType string, limit int) (*Result, error) {
	if isNil(r) {
		return nothing()
	}
	closer, _ := r.(io.Closer)
	end := sync.OnceFunc(func() {
		if closer != nil {
			_ = closer.Close() // what was read is all there is
		}
	})
	defer end()
	defer context.AfterFunc(ctx, end)() // nothing else ends a Read that waits
	most := limit
	if most == 0 {
		most = maxBinary
	}
	data, err := io.ReadAll(io.LimitReader(r, int64(most)+1))
	if err != nil && ctx.Err() == nil {
		return Failed(err)
	}
	if ctx.Err() != nil {
		return Failed(ctx.Err())
	}
	head := data[:min(len(data), most)]
	if kind := mediaKind(mediaType, head); kind != jsonMedia && kind != textMedia {
		if len(data) > most {
			return Failure("the result is longer than the %s which this tool passes on.", byteCount(int64(most))), nil
		}
		return c.Blob(data, mediaType)
	}
	if limit == 0 && c.server.config.MaxResponse >= 0 {
		most = min(most, c.server.config.MaxResponse)
	}
	text := string(toUTF8(mediaType, head))
	if len(data) <= most {
		return Text(text), nil
	}
	text = cutText(c.server.redact(text), most) // before a secret is cut in half
	c.note(theFirst(len(text), "byte") + "; there is more.")
	return Text(text), nil
}

// Image returns an image as PNG.
func (c *Call) Image(img image.Image) (*Result, error) {
	if isNil(img) {
		return nothing()
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return Failed(errors.New("the image cannot be written as PNG: " + err.Error()))
	}
	return c.Blob(b.Bytes(), "image/png")
}
