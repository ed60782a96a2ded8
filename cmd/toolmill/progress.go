package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// progress is one line on a terminal that says what is going on, for work that
// takes more than a second. It is erased at the end; elsewhere than on a
// terminal it prints nothing.
type progress struct {
	w    io.Writer
	size func() (width, height int, err error) // of the terminal
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
		p.size = func() (int, int, error) { return term.GetSize(int(f.Fd())) }
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
			width, _, err := p.size()
			if err != nil {
				width = 0
			}
			fmt.Fprint(p.w, eraseLine+progressLine(what, now.Sub(start), width))
			shown = true
		}
	}
}

// progressLine says what goes on for how long in less than width columns, where
// that is known: erasing would leave all but the last line of a longer one.
func progressLine(what string, since time.Duration, width int) string {
	time := fmt.Sprintf(" … %d s", int(since.Seconds()))
	if room := width - 1 - utf8.RuneCountInString(time); width > 0 && utf8.RuneCountInString(what) > room {
		what = string([]rune(what)[:max(room, 0)])
	}
	if line := []rune(what + time); width > 0 && len(line) >= width {
		return string(line[:width-1])
	}
	return what + time
}
