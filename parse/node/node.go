package node

import (
	"github.com/seed7346ab69/toolmill/parse/diag"
)

// Kind is what a node holds.
type Kind uint8

const (
	// Null is YAML's and JSON's null.
	Null Kind = iota
	// Bool is true or false; Value holds the word in lower case.
	Bool
	// Number is a number; Value holds the text as written in the document.
	Number
	// String is text; Value holds it decoded.
	String
	// Sequence is a list; Items holds its members.
	Sequence
	// Mapping is an ordered set of pairs; Items holds key, value, key, value…
	// Keys are always String nodes and differ from each other.
	Mapping
)

// String names the kind as messages do.
func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "list", "mapping"}[k]
}

// File is one file that was read.
type File struct {
	// Name is what diagnostics print: relative to the working directory where
	// the source was given relative, else as given.
	Name string
	// Location identifies the file: an absolute path or a URL.
	Location string
	// Root is the top of the tree.
	Root *Node
	// Warnings are what [Parse] had to change or leave out.
	Warnings []diag.Diagnostic
}

// Node is one value. The zero Node is null without a position.
type Node struct {
	Kind  Kind
	Value string
	Items []*Node
	File  *File
	Line  int32
	Col   int32
}

// Pos returns the position for a diagnostic. A nil node has none.
func (n *Node) Pos() diag.Pos {
	if n == nil || n.File == nil {
		return diag.Pos{}
	}
	return diag.Pos{File: n.File.Name, Line: int(n.Line), Col: int(n.Col)}
}

// Get returns the value under key, or nil when n is no mapping or lacks the key.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	for i := 0; i < len(n.Items); i += 2 {
		if n.Items[i].Value == key {
			return n.Items[i+1]
		}
	}
	return nil
}

// Key returns the key node itself, for its position, or nil.
func (n *Node) Key(key string) *Node {
	if n == nil || n.Kind != Mapping {
		return nil
	}
	for i := 0; i < len(n.Items); i += 2 {
		if n.Items[i].Value == key {
			return n.Items[i]
		}
	}
	return nil
}

// Has reports whether the mapping holds key, whatever its value.
func (n *Node) Has(key string) bool { return n.Key(key) != nil }

// Pairs yields key and value of a mapping in document order; nothing for other
// kinds and nil.
func (n *Node) Pairs() func(yield func(key, value *Node) bool) {
	return func(yield func(key, value *Node) bool) {
		if n == nil || n.Kind != Mapping {
			return
		}
		for i := 0; i < len(n.Items); i += 2 {
			if !yield(n.Items[i], n.Items[i+1]) {
				return
			}
		}
	}
}

// List returns the members of a sequence; nil for other kinds and nil.
func (n *Node) List() []*Node {
	if n == nil || n.Kind != Sequence {
		return nil
	}
	return n.Items
}

// Text returns the text of a scalar as written ("1.0" for an unquoted 1.0), or
// "" for null, lists, mappings and nil.
func (n *Node) Text() string {
	if n == nil || n.Kind == Null {
		return ""
	}
	return n.Value
}

// Is reports whether n is a scalar boolean of that value.
func (n *Node) Is(b bool) bool {
	return n != nil && n.Kind == Bool && (n.Value == "true") == b
}

// IsMap reports whether n is a mapping.
func (n *Node) IsMap() bool { return n != nil && n.Kind == Mapping }

// Str makes a string node at the position of at, which may be nil.
func Str(at *Node, s string) *Node { return scalar(at, String, s) }

// Boolean makes a boolean node at the position of at.
func Boolean(at *Node, b bool) *Node {
	if b {
		return scalar(at, Bool, "true")
	}
	return scalar(at, Bool, "false")
}

// Num makes a number node from a JSON literal.
func Num(at *Node, literal string) *Node { return scalar(at, Number, literal) }

// NewNull makes a null node at the position of at.
func NewNull(at *Node) *Node { return scalar(at, Null, "") }

// Map makes a mapping at the position of at from key, value, key, value…
func Map(at *Node, items ...*Node) *Node {
	n := scalar(at, Mapping, "")
	n.Items = items
	return n
}

// Seq makes a sequence at the position of at.
func Seq(at *Node, items ...*Node) *Node {
	n := scalar(at, Sequence, "")
	n.Items = items
	return n
}

func scalar(at *Node, kind Kind, value string) *Node {
	n := &Node{Kind: kind, Value: value}
	if at != nil {
		n.File, n.Line, n.Col = at.File, at.Line, at.Col
	}
	return n
}

// With returns a copy of the mapping n with key set to value: in place when the
// key exists, else at the end. A nil value leaves n as it is.
func (n *Node) With(key string, value *Node) *Node {
	if value == nil {
		return n
	}
	c := *n
	c.Items = make([]*Node, len(n.Items), len(n.Items)+2)
	copy(c.Items, n.Items)
	for i := 0; i < len(c.Items); i += 2 {
		if c.Items[i].Value == key {
			c.Items[i+1] = value
			return &c
		}
	}
	c.Items = append(c.Items, Str(value, key), value)
	return &c
}

// Without returns a copy of the mapping n without the keys; n itself when it
// holds none of them.
func (n *Node) Without(keys ...string) *Node {
	drop := func(k string) bool {
		for _, key := range keys {
			if k == key {
				return true
			}
		}
		return false
	}
	var items []*Node
	for k, v := range n.Pairs() {
		if !drop(k.Value) {
			items = append(items, k, v)
		}
	}
	if len(items) == len(n.Items) {
		return n
	}
	c := *n
	c.Items = items
	return &c
}
