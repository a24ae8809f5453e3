package machine

import (
	"metalconform/metalrun/internal/ir"
)

// A varying pointer is often computed once, outside the loop that reads through it. It is then converted to element
// numbers where it is computed: a slot holds the number of the element that each lane points to. Accesses through the
// pointer add 32-bit numbers.

// ElementKey identifies such a slot: a pointer, and the size of its elements.
type ElementKey struct {
	Pointer ir.Reg
	Size    int64
}

// ElementSlot is where the element numbers of a pointer are.
type ElementSlot struct {
	Slot       int
	Simdgroups int // slot with a number for each simdgroup, if the pointer is simdgroup-uniform; or -1
	Valid      int // uniform register: 0 unless all lanes point to whole elements, or onlySimdgroups
	Object     int // of the machine
}

// Abs is the size of a number.
func Abs(x int64) int64 { return max(x, -x) }
