package machine

import (
	"metalconform/metalrun/internal/ir"
)

// A pointer that differs from thread to thread and is computed once, outside
// the loop that reads through it, is numbered where it is computed: a slot tells
// which element of its object each lane points to. Accesses through it then
// add 32-bit numbers.

// ElementKey names such a slot: a pointer, and the size of its elements.
type ElementKey struct {
	Pointer ir.Reg
	Size    int64
}

// ElementSlot is where the numbers of the elements are that a pointer points to.
type ElementSlot struct {
	Slot   int
	Heads  int // slot with a number for each simdgroup, if the pointer has a value for each; or -1
	Valid  int // uniform register: 0 unless all lanes point to whole elements; headsAlone while slot lacks the numbers
	Object int // of the machine
}

// Abs is the size of a number.
func Abs(x int64) int64 { return max(x, -x) }
