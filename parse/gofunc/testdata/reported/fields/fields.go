// Package fields has struct fields without JSON.
package fields

import "sync"

type wild struct{ v any } // want warning "type fields.wild has JSON of its own and no schema"

func (w *wild) UnmarshalJSON([]byte) error { return nil }

type input struct {
	Fn     func()         `json:"fn,omitempty"`  // want warning "field fn is left out: func() has no JSON form"
	Err    error          `json:"err,omitempty"` // want warning "field err is left out: error is an interface"
	Ch     *chan int      `json:"ch"`            // want warning "field ch is left out: chan int"
	Wild   wild           `json:"wild"`
	Name   string         `json:"a b"`   // want warning "some clients refuse a tool with a property named \"a b\""
	Mutex  *sync.Mutex    `json:"mutex"` // want warning "sync.Mutex has no exported fields"
	Hidden map[string]any `json:"-"`
	*far                  // fields behind a pointer that JSON cannot set
}

type far struct {
	Distance int `json:"distance"` // want warning "field distance is left out: it lies in an embedded pointer to an unexported struct"
}

// Read reads.
//
//mcp:tool
func Read(in input) {}

type format struct {
	At string `json:"at,format:date"`
}

//mcp:tool
func Format(in format) {} // want error "at: string cannot be converted: from Go 1.27 on"

type embed struct {
	In struct{ X int } `json:",embed"`
}

//mcp:tool
func Embed(in embed) {} // want error "cannot be converted: the json option embed"
