package syntax

import "fmt"

// DefaultBudget is the steps that a compilation may take if its host says nothing: twice what 3,000 instances of a
// large kernel take. MLX's files of 2,000 kernels take a quarter.
const DefaultBudget = 64 << 20

// Budget is the work of one compilation: tokens that are read, copied or made,
// expressions and types that are checked, instances of templates, steps of constant
// evaluation, and what functions become where they are called. The zero Budget allows
// [DefaultBudget].
type Budget struct {
	All    int // in steps, each about a microsecond and a hundred bytes
	Limits Limits
	// Include refuses bytes that are included, for whoever counts those of several compilations. nil is never asked.
	Include  func(bytes int) error
	spent    int
	included int // bytes
}

// Limit is the steps that the whole compilation may take.
func (b *Budget) Limit() int {
	if b.All <= 0 {
		return DefaultBudget
	}
	return b.All
}

// Left is what may still be spent.
func (b *Budget) Left() int { return b.Limit() - b.spent }

// Exhausted reports whether nothing is left.
func (b *Budget) Exhausted() bool { return b.spent >= b.Limit() }

// Spend counts n steps of work for what stands at pos. The error says that they are
// too many.
func (b *Budget) Spend(pos Pos, n int) *Error {
	all := b.Limit()
	if n > all-b.spent {
		b.spent = all
		return &Error{Pos: pos, Code: codeLimit,
			Msg: fmt.Sprintf("compiling this takes more than %d steps, which -compile-budget can raise", all)}
	}
	b.spent += n
	return nil
}
