package runtime

import (
	"context"
	"io"
	"time"
)

// serveLines serves the client on standard input and output until it closes its
// end. When ctx ends no more is read: calls in flight have grace to finish and are
// cancelled then.
func (s *Server) serveLines(ctx context.Context, in io.Reader, out io.Writer, grace time.Duration) error {
	t := &lineTransport{in: in, out: out, log: s.log, stop: ctx.Done(), grace: grace, over: make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(context.WithoutCancel(ctx), t) }()
	select {
	case err := <-ended:
		return err
	case <-t.over:
	}
	timer := time.NewTimer(closeTime)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
		s.log.Warn("ending although a call heeds no cancellation")
		return nil
	}
}
