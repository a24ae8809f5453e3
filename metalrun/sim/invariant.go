package sim

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// invariants are the registers that depend on nothing but arguments, the grid and how often a
// loop went round that is nothing but bodies: Apple's compilers compute them once, before the
// threads begin. stepped are instructions whose results differ by a constant from one body of
// a loop to the next in the row.
func invariants(k *ir.Kernel) (constant []bool, stepped map[*ir.Instr]bool) {
	all, known := counters(k)
	constant, stepped = make([]bool, len(k.Regs)), map[*ir.Instr]bool{}
	step := make([]bool, len(k.Regs))
	for r, info := range k.Regs {
		constant[r] = known[ir.Reg(r)] || info.Kind == ir.Literal || info.Kind == ir.Address || info.Kind == ir.Input && launchInput(info.Input)
		step[r] = all[ir.Reg(r)]
	}
	for in := range ir.Instrs(k.Body...) {
		if follows(k, in, func(r ir.Reg) (bool, bool) { return step[r], constant[r] }) {
			step[in.Dst[0]], stepped[in] = true, true
		}
		e := in.Op.Info().Effects
		load := in.Op == ir.Load && in.Mem.Space == syntax.Constant && constant[in.Mem.Base] && (in.Mem.Index == ir.None || constant[in.Mem.Index])
		if e != 0 && !load || in.Op == ir.Simd {
			continue
		}
		for _, d := range in.Dst {
			constant[d] = known[d] || k.Regs[d].Kind == ir.Temp && !slices.ContainsFunc(in.Args, func(r ir.Reg) bool { return !constant[r] })
		}
	}
	return constant, stepped
}

// launchInput reports whether an input is the same in all threads of a launch.
func launchInput(s ir.Source) bool {
	switch s {
	case ir.BufferPointer, ir.ThreadgroupPointer, ir.ThreadsPerGridX, ir.ThreadsPerGridY, ir.ThreadsPerGridZ,
		ir.DispatchThreadsPerThreadgroupX, ir.DispatchThreadsPerThreadgroupY, ir.DispatchThreadsPerThreadgroupZ,
		ir.ThreadgroupsPerGridX, ir.ThreadgroupsPerGridY, ir.ThreadgroupsPerGridZ, ir.ThreadsPerSimdgroup,
		ir.DispatchSimdgroupsPerThreadgroup, ir.DispatchQuadgroupsPerThreadgroup,
		ir.ThreadsPerThreadgroupX, ir.ThreadsPerThreadgroupY, ir.ThreadsPerThreadgroupZ, ir.SimdgroupsPerThreadgroup, ir.QuadgroupsPerThreadgroup:
		return true
	}
	return false
}
