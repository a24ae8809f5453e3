package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// TellsArrival finds the atomics of a kernel whose results tell the order in which threads arrive: those whose result,
// the value before, is read, and those that add floats. What plain atomic loads and stores see is ordered by barriers,
// or is a race.
func TellsArrival(k *ir.Kernel) func(*ir.Instr) bool {
	var readers []int32
	read := func(r ir.Reg) bool {
		if readers == nil {
			readers = ir.Readers(k)
		}
		return readers[r] > 0
	}
	return func(in *ir.Instr) bool {
		switch {
		case in.Op != ir.Atomic || in.Plain():
			return false
		case SumsFloats(in), in.Fn == "exchange", in.Fn == "compare_exchange":
			return true
		}
		return slices.ContainsFunc(in.Dst, read)
	}
}
