package runtime

import (
	"log/slog"
	"os"
	"sync"
	"time"
)

// watched is what some files hold, read again when one of them changes: keys and
// certificates are replaced while a server runs.
type watched[T any] struct {
	paths []string
	load  func() (T, error)
	log   *slog.Logger

	mu    sync.Mutex
	times []time.Time
	value T
}

// watch reads the files for the first time.
func watch[T any](log *slog.Logger, load func() (T, error), paths ...string) (*watched[T], error) {
	w := &watched[T]{paths: paths, load: load, log: log, times: make([]time.Time, len(paths))}
	w.changed()
	var err error
	w.value, err = load()
	return w, err
}

// get returns what the files hold now, or did when they could last be read.
func (w *watched[T]) get() T {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed() {
		if value, err := w.load(); err != nil {
			w.log.Error("a changed file cannot be used; what it held before still counts", "error", err)
		} else {
			w.value = value
		}
	}
	return w.value
}

// changed reports whether a file has another time than before.
func (w *watched[T]) changed() bool {
	changed := false
	for i, path := range w.paths {
		info, err := os.Stat(path)
		if err == nil && !info.ModTime().Equal(w.times[i]) {
			w.times[i], changed = info.ModTime(), true
		}
	}
	return changed
}
