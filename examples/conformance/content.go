package conformance

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// SimpleText returns a text.
//
//mcp:tool readonly openworld=false
func SimpleText() string { return "This is a simple text response for testing." }

// ImageContent returns an image.
//
//mcp:tool readonly openworld=false
func ImageContent() image.Image { return dot() }

// AudioContent returns a sound.
//
//mcp:tool readonly openworld=false mime=audio/wav
func AudioContent() []byte { return silence() }

// EmbeddedResource returns a resource as part of its result.
//
//mcp:tool readonly openworld=false
func EmbeddedResource() mcp.Content {
	return embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
}

// MultipleContentTypes returns a text, an image and a resource.
//
//mcp:tool readonly openworld=false
func MultipleContentTypes() ([]mcp.Content, error) {
	picture, err := dotPNG()
	if err != nil {
		return nil, err
	}
	return []mcp.Content{
		&mcp.TextContent{Text: "Multiple content types test:"},
		&mcp.ImageContent{MIMEType: "image/png", Data: picture},
		embedded("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`),
	}, nil
}

// ErrorHandling always fails.
//
//mcp:tool readonly openworld=false
func ErrorHandling() error {
	return errors.New("this tool intentionally returns an error for testing")
}

// ToolWithProgress tells the client three times how far it is.
//
//mcp:tool readonly openworld=false
//mcp:param report progress
func ToolWithProgress(report func(done, total float64, message string)) string {
	for _, done := range []float64{0, 50, 100} {
		report(done, 100, "")
	}
	return "Tool with progress executed successfully"
}

// StreamingElicitation tells the client of its progress, so that its answer is a
// stream of messages.
//
//mcp:tool readonly openworld=false
//mcp:param report progress
func StreamingElicitation(report func(done, total float64, message string)) string {
	report(1, 1, "")
	return "The stream carries notifications and a result, and no request."
}

// XMcpHeader has an argument that clients repeat in a header.
//
//   - region: where to look
//   - level: how far to look
//
//mcp:tool readonly openworld=false
//mcp:param region header=Region optional
//mcp:param level optional
func XMcpHeader(region string, level int) string { return "region: " + region }

func embedded(uri, mediaType, text string) mcp.Content {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: mediaType, Text: text}}
}

// dot is the smallest red image.
func dot() image.Image {
	img := image.NewRGBA(image.Rect(0, 0, 1, 1))
	img.Set(0, 0, color.RGBA{R: 255, A: 255})
	return img
}

func dotPNG() ([]byte, error) {
	var b bytes.Buffer
	err := png.Encode(&b, dot())
	return b.Bytes(), err
}

// silence is a WAVE file of one sample: 8 kHz, 16 bits, mono.
func silence() []byte {
	b := append([]byte("RIFF"), 38, 0, 0, 0)
	b = append(b, "WAVEfmt "...)
	for _, field := range []uint32{16, 1 | 1<<16, 8000, 16000, 2 | 16<<16} {
		b = binary.LittleEndian.AppendUint32(b, field)
	}
	b = append(b, "data"...)
	return append(b, 2, 0, 0, 0, 0, 0)
}
