package sim

import (
	"maps"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/ir/llvm"
	"metalconform/metalrun/internal/simt"
)

// built is a kernel as an Apple compiler is likely to build it, which is what a device executes and what
// is counted of it: common computations and loads are made once, wherever statements spread them, and
// products go into sums as far as the source's math allows.
func built(k *ir.Kernel) *ir.Kernel {
	return ir.Contract(llvm.Optimise(k), nil)
}

// repeats says of each load of a run which earlier one has loaded the same, or -1: from the same address, with
// nothing written between, by threads that the earlier one was made by, too. A compiler keeps the first. Components of
// a vector are loaded with it.
func repeats(k *ir.Kernel, run simt.Run, guards []ir.Reg) []int {
	type address struct {
		mem         ir.Mem
		base, index int // where the registers were set
		count       int
		from        ir.Scalar
	}
	setter, known, first := map[ir.Reg]int{}, map[address]int{}, make([]int, len(run))
	set := func(r ir.Reg) int {
		if i, ok := setter[r]; ok {
			return i
		}
		return -1
	}
	for i, in := range run {
		first[i] = -1
		switch e := in.Op.Info().Effects; {
		case in.Op == ir.Load && !in.Mem.Volatile:
			at := address{*in.Mem, set(in.Mem.Base), set(in.Mem.Index), len(in.Dst), in.From}
			at.mem.Align = 0
			if vector := int64(at.mem.VectorBytes); vector > 0 {
				at.mem.Disp &^= vector - 1
			}
			if j, ok := known[at]; ok && (guards[j] == ir.None || guards[j] == guards[i]) {
				first[i] = j
			} else {
				known[at] = i
			}
		case e.Has(ir.Orders):
			clear(known)
		case e.Has(ir.Writes):
			maps.DeleteFunc(known, func(at address, _ int) bool { return !analysis.Apart(k, &at.mem, in.Mem) })
		}
		for _, r := range in.Dst {
			setter[r] = i
		}
	}
	return first
}
