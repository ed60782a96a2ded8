package runtime

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
)

// maxLine bounds one message, in bytes: file arguments are base64 in it, so that
// a file can have 24 MB. What is longer is skipped without being held.
const maxLine = 32 << 20

// line is what the scanner hands over: a line, or why there is none.
type line struct {
	data []byte // with errTooLong: an object with the line's id, nil if it is not known
	err  error
}

var errTooLong = errors.New("the line is too long")

// readLine returns the next line, also the last one if no newline ends it.
func readLine(in *bufio.Reader, limit int) line {
	var data []byte
	var skipped *lineEnds
	for {
		chunk, err := in.ReadSlice('\n')
		switch {
		case skipped != nil:
			skipped.add(chunk)
		case len(data)+len(chunk) > limit:
			skipped = &lineEnds{head: slices.Clone(data[:min(len(data), endBytes)])}
			skipped.add(data)
			skipped.add(chunk)
			data = nil
		case cap(data)-len(data) < len(chunk):
			data = append(slices.Grow(data, len(data)+len(chunk)), chunk...) // twice as much, where append would copy more often
		default:
			data = append(data, chunk...)
		}
		switch {
		case err == bufio.ErrBufferFull:
		case skipped != nil && (err == nil || err == io.EOF):
			return line{skipped.id(), errTooLong}
		case err != nil && (len(data) == 0 || err != io.EOF):
			return line{nil, err}
		default:
			return line{data, nil}
		}
	}
}

// endBytes is how much is kept of either end of a line that is skipped.
const endBytes = 4 << 10

// lineEnds is what is left of a line that is too long. Clients write the id first
// or last, so that its call can be answered all the same.
type lineEnds struct{ head, tail []byte }

func (e *lineEnds) add(chunk []byte) {
	if len(chunk) >= endBytes {
		e.tail = append(e.tail[:0], chunk[len(chunk)-endBytes:]...)
		return
	}
	e.tail = append(e.tail, chunk...)
	e.tail = slices.Delete(e.tail, 0, max(0, len(e.tail)-endBytes))
}

// id returns an object that has the line's id alone, nil if there is none in sight.
func (e *lineEnds) id() []byte {
	// The last bracket is that of the message, so what stands before it is a member.
	last := regexp.MustCompile(`,\s*"id"\s*:\s*(-?[0-9]+|"[^"\\]*")\s*\}\s*$`)
	if found := last.FindSubmatch(e.tail); found != nil {
		return fmt.Appendf(nil, `{"id":%s}`, found[1])
	}
	d := json.NewDecoder(bytes.NewReader(e.head))
	if open, _ := d.Token(); open != json.Delim('{') {
		return nil
	}
	for {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		if name == "id" {
			return fmt.Appendf(nil, `{"id":%s}`, value)
		}
	}
}
