package runtime

import (
	"errors"
	"io"
)

// One answer may be large, but many at once must not take a host's memory. So
// bytes of answers are counted while they are read, all calls together, and an
// answer for which there is no room ends its call: one that waited would wait
// for others that wait.

// freeBytes is what each call may hold of answers uncounted, so that ordinary ones
// are read whatever the others do. The number of calls bounds them.
const freeBytes = 256 << 10

var errNoRoom = errors.New("no room")

// hold counts n more bytes of the call's answers until [Call.release].
func (c *Call) hold(n int) error {
	c.read += int64(n)
	more := c.read - freeBytes - c.held
	if more <= 0 {
		return nil
	}
	if c.server.held.Add(more) > c.server.config.MaxBodyTotal {
		c.server.held.Add(-more)
		return errNoRoom
	}
	c.held += more
	return nil
}

// release ends what hold began.
func (c *Call) release() {
	if c.held > 0 {
		c.server.held.Add(-c.held)
		c.held = 0
	}
}

// answerReader reads an answer up to a limit and has its bytes held.
type answerReader struct {
	from io.Reader
	left int64
	call *Call
}

// within reads at most limit bytes of an answer.
func (x *exchange) within(limit int64, answer io.Reader) *answerReader {
	return &answerReader{from: answer, left: limit, call: x.call}
}

// Read implements [io.Reader].
func (r *answerReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, io.EOF
	}
	n, err := r.from.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if full := r.call.hold(n); full != nil {
		return n, full
	}
	return n, err
}
