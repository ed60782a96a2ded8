package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// progress is one line on a terminal that says what is going on, for work that
// takes more than a second. It is erased at the end; elsewhere than on a
// terminal it prints nothing.
type progress struct {
	w    io.Writer
	mu   sync.Mutex
	what string
	done chan struct{}
	wait sync.WaitGroup
}

// eraseLine returns to the first column and clears to the end of the line
// (ECMA-48, EL).
const eraseLine = "\r\x1b[K"

func startProgress(w io.Writer) *progress {
	p := &progress{w: w, done: make(chan struct{})}
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		p.wait.Go(p.show)
	}
	return p
}

// step names the phase that begins.
func (p *progress) step(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = fmt.Sprintf(format, args...)
}

// stop erases the line. Call it before anything else is printed.
func (p *progress) stop() {
	close(p.done)
	p.wait.Wait()
}

func (p *progress) show() {
	start := time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	shown := false
	for {
		select {
		case <-p.done:
			if shown {
				fmt.Fprint(p.w, eraseLine)
			}
			return
		case now := <-tick.C:
			p.mu.Lock()
			what := p.what
			p.mu.Unlock()
			fmt.Fprintf(p.w, "%s%s … %d s", eraseLine, what, int(now.Sub(start).Seconds()))
			shown = true
		}
	}
}
