// Package rows has one tool for each kind of Go type, and for each what
// encoding/json reads and writes.
package rows

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Echo returns what it gets.
func Echo[T any](in T) T { return in }

// Box holds a value.
type Box[T any] struct {
	V T `json:"v"`
}

// Bytes has the kind []byte.
type Bytes []byte

// Octet has the kind byte.
type Octet byte

// Color has constants.
type Color string

// Colors.
const (
	Red   Color = "red"
	Green Color = "green"
)

// Size is counted by iota.
type Size int

// Sizes.
const (
	Small Size = iota
	Large
)

// String is for people: JSON has the number.
func (s Size) String() string { return [...]string{"small", "large"}[s] }

// Perm is a set of bits.
type Perm uint

// Permissions.
const (
	Read Perm = 1 << iota
	Write
	Exec
)

// Code has known values among many.
type Code int

// Codes.
const (
	OK       Code = 200
	NotFound Code = 404
)

// Word is a number with a textual form.
//
//mcp:enum low high
type Word int

// MarshalText returns the word.
func (w Word) MarshalText() ([]byte, error) { return []byte([...]string{"low", "high"}[w]), nil }

// UnmarshalText reads the word.
func (w *Word) UnmarshalText(text []byte) error {
	switch string(text) {
	case "low":
		*w = 0
	case "high":
		*w = 1
	default:
		return errors.New("no word")
	}
	return nil
}

// Shy encodes itself only behind a pointer.
type Shy struct{ N int }

// MarshalText returns the number in words.
func (s *Shy) MarshalText() ([]byte, error) { return fmt.Append(nil, "n", s.N), nil }

// Loud encodes itself as text and is decoded by its fields.
type Loud struct{ N int }

// MarshalText returns the number in words.
func (l Loud) MarshalText() ([]byte, error) { return fmt.Append(nil, "n", l.N), nil }

// Opener decodes itself and is encoded by its fields.
type Opener struct{ N int }

// UnmarshalText reads the number.
func (o *Opener) UnmarshalText(text []byte) error {
	_, err := fmt.Sscan(string(text), &o.N)
	return err
}

// Money is text with JSON of its own.
//
//mcp:schema {"type":"string","pattern":"^([0-9]+ [A-Z]{3})?$"}
type Money struct{ text string }

// MarshalJSON writes the text.
func (m Money) MarshalJSON() ([]byte, error) { return json.Marshal(m.text) }

// UnmarshalJSON reads the text.
func (m *Money) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &m.text) }

// NewMoney makes an amount.
func NewMoney(text string) Money { return Money{text} }

// Wild has JSON of its own and does not say which.
type Wild struct{ v any }

// MarshalJSON writes any value.
func (w Wild) MarshalJSON() ([]byte, error) { return json.Marshal(w.v) }

// UnmarshalJSON reads any value.
func (w *Wild) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &w.v) }

// NewWild makes a value.
func NewWild(v any) Wild { return Wild{v} }

// Forced writes itself and is read by its fields.
type Forced struct {
	Name string `json:"name"`
}

// MarshalJSON writes the name in capitals.
func (f Forced) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]string{"name": strings.ToUpper(f.Name)})
}

// Tags has all that a tag says.
type Tags struct {
	Required string   `json:"required"`
	Empty    string   `json:"empty,omitempty"`
	Zero     Box[int] `json:"zero,omitzero"`
	Still    Box[int] `json:"still,omitempty"` // a struct is never empty
	Pointer  *int     `json:"pointer"`
	Absent   *int     `json:"absent,omitempty"`
	List     []int    `json:"list,omitempty"`
	Hidden   string   `json:"-"`
	Dash     string   `json:"-,"`
	NoTag    bool
	BadName  int `json:"a\"b"`
	private  int
}

// Quoted has values inside strings.
type Quoted struct {
	Int     int     `json:"int,string"`
	Uint    uint8   `json:"uint,string"`
	Bool    bool    `json:"bool,string"`
	Float   float64 `json:"float,string"`
	String  string  `json:"string,string"`
	Pointer *int    `json:"pointer,string"`
	List    []int   `json:"list,string"` // the option does not count
}

// Base is embedded.
type Base struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

type hiddenBase struct {
	Shown int `json:"shown"`
}

// Text is embedded and no struct.
type Text string

// Labels is embedded and no struct.
type Labels map[string]string

// Embedding embeds in every way.
type Embedding struct {
	Base
	hiddenBase
	Text
	Labels
	Named Base `json:"named"`
	Inner `json:"inner"`
	*Far
}

// Inner is embedded under a name.
type Inner struct {
	X int `json:"x"`
}

// Far is embedded by pointer.
type Far struct {
	Distance int `json:"distance"`
}

// Shadow hides a name of what it embeds.
type Shadow struct {
	Base
	Name int `json:"name"`
}

// Twice embeds two structs with one name, which hide each other.
type Twice struct {
	A
	B
	Own int `json:"own"`
}

// A has a name that B has.
type A struct {
	Same  int `json:"same"`
	OnlyA int
}

// B has a name that A has.
type B struct {
	Same  int `json:"same"`
	OnlyB int
}

// TaggedWins has a tagged and an untagged field of one name.
type TaggedWins struct {
	C
	D
}

// C has a name without a tag.
type C struct{ Value int }

// D has it by a tag.
type D struct {
	V string `json:"Value"`
}

// Stamp becomes one string, because it embeds time.Time.
type Stamp struct {
	time.Time
	Note string
}

// Loose holds whatever.
type Loose struct {
	Any   any    `json:"any"`
	Error error  `json:"error,omitempty"`
	Func  func() `json:"-"`
}

// Tree contains itself.
type Tree struct {
	Label string           `json:"label"`
	Kids  []*Tree          `json:"kids,omitempty"`
	Named map[string]*Tree `json:"named,omitempty"`
	Next  *List[Tree]      `json:"next,omitempty"`
}

// List contains itself and is generic.
type List[T any] struct {
	Head T        `json:"head"`
	Tail *List[T] `json:"tail,omitempty"`
}

// Names is a generic alias.
type Names[T any] = []Box[T]

// Nothing has no fields.
type Nothing struct{}
