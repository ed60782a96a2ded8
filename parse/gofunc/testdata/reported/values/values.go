// Package values has values that nothing, or too much, supplies.
package values

import "errors"

type store struct{ n int }

//mcp:provider
func NewStore() *store { return &store{} }

//mcp:provider
func OtherStore() *store { return &store{} } // want error "makes a *values.store, as NewStore"

// base is embedded twice.
type base struct{ n int }

// Count returns a number.
//
//mcp:tool
func (b *base) Count() int { return b.n } // want error "needs a *values.base, which NewLeft and NewRight make"

// Left embeds base.
type Left struct{ base }

// Right embeds base.
type Right struct{ base }

//mcp:provider
func NewLeft() *Left { return &Left{} }

//mcp:provider
func NewRight() Right { return Right{} }

// Loop needs what is made from it.
type Loop struct{ n int }

//mcp:provider
func NewLoop(*Back) *Loop { return nil } // want error "needs a value that is made from its own"

// Back is made from a Loop.
type Back struct{ n int }

//mcp:provider
func NewBack(*Loop) *Back { return nil }

//mcp:tool
func (*Loop) Turn() {}

//mcp:provider
func Nothing() error { return errors.New("") } // want error "is no provider"

//mcp:provider
func Many() (int, string) { return 0, "" } // want error "is no provider"

//mcp:provider
func (s *store) Method() Left { return Left{} } // want error "is no provider"

// Named is made from text.
type Named struct{ n int }

//mcp:provider
func NewNamed(path string) *Named { return nil } // want error "nothing supplies a string"

//mcp:tool
func (*Named) Name() {}

// hidden has no provider, and no other package can make one.
type hidden struct{ n int }

//mcp:tool
func (hidden) Hide() {} // want error "nothing supplies a values.hidden"

// Port is an interface that two providers implement.
type Port interface{ Turn() }

//mcp:tool
func Through(p Port) {} // want error "needs a values.Port, which NewLoop and NewTurner make"

// Turner turns.
type Turner struct{ n int }

// Turn turns.
func (Turner) Turn() {}

//mcp:provider
func NewTurner() Turner { return Turner{} }

// RegisterMCP is what our file declares.
func RegisterMCP() {} // want error "RegisterMCP is declared by mcp_gen.go"
