package runtime

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// maxItems is how many values of an iterator a model is given when the function
// says nothing else.
const maxItems = 1000

// progressPause is the least time between two reports of progress.
const progressPause = 500 * time.Millisecond

// Collect drains an iterator into a list under name: at most limit values (0:
// maxItems), no more bytes than the operator lets a model see, and only until the
// call ends. What is missing the model is told.
func Collect[T any](ctx context.Context, c *Call, name string, seq iter.Seq[T], limit int) (*Result, error) {
	if seq == nil {
		return Value(name, []T{})
	}
	l := newCollection(ctx, c, limit)
	for item := range seq {
		if !l.add(item) {
			break
		}
	}
	return l.result(name)
}

// CollectErr is [Collect] for an iterator that can fail: its first error is the
// result.
func CollectErr[T any](ctx context.Context, c *Call, name string, seq iter.Seq2[T, error], limit int) (*Result, error) {
	if seq == nil {
		return Value(name, []T{})
	}
	l := newCollection(ctx, c, limit)
	for item, err := range seq {
		if err != nil {
			return Failed(err)
		}
		if !l.add(item) {
			break
		}
	}
	return l.result(name)
}

// CollectPairs is [Collect] for pairs.
func CollectPairs[K, V any](ctx context.Context, c *Call, name string, seq iter.Seq2[K, V], limit int) (*Result, error) {
	type pair struct {
		Key   K `json:"key"`
		Value V `json:"value"`
	}
	if seq == nil {
		return Value(name, []pair{})
	}
	l := newCollection(ctx, c, limit)
	for key, value := range seq {
		if !l.add(pair{key, value}) {
			break
		}
	}
	return l.result(name)
}

// collection is a JSON array that grows.
type collection struct {
	ctx   context.Context
	call  *Call
	limit int
	text  []byte
	n     int
	told  time.Time // when progress was last reported
	err   error
}

func newCollection(ctx context.Context, c *Call, limit int) *collection {
	if limit == 0 {
		limit = maxItems
	}
	return &collection{ctx: ctx, call: c, limit: limit, text: []byte{'['}, told: time.Now()}
}

// add appends an item and reports whether there may be another.
func (l *collection) add(item any) bool {
	if l.err = l.ctx.Err(); l.err != nil {
		return false
	}
	if l.n == l.limit {
		l.call.note(theFirst(l.n, "item") + "; there are more.")
		return false
	}
	var text json.RawMessage
	if text, l.err = encodeJSON(item); l.err != nil {
		return false
	}
	most := l.call.server.config.MaxResponse
	if most >= 0 && l.n > 0 && len(l.text)+len(text)+len(",]") > most {
		l.call.note(theFirst(l.n, "item") + "; the rest would be too long.")
		return false
	}
	if l.n > 0 {
		l.text = append(l.text, ',')
	}
	l.text = append(l.text, text...)
	l.n++
	if now := time.Now(); now.Sub(l.told) >= progressPause {
		l.told = now
		l.call.progress(l.ctx, float64(l.n), 0, "")
	}
	return true
}

func (l *collection) result(name string) (*Result, error) {
	switch {
	case l.err != nil && l.ctx.Err() != nil:
		return Failed(l.err)
	case l.err != nil:
		return notJSON(l.err)
	}
	return Value(name, json.RawMessage(append(l.text, ']')))
}

// Progress returns a function that tells the client how far the call is.
func (c *Call) Progress(ctx context.Context) func(done, total float64, message string) {
	return func(done, total float64, message string) { c.progress(ctx, done, total, message) }
}
