package sim

import (
	"maps"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// invariants are the registers that depend on nothing but arguments, the grid and how often a loop went round that is
// nothing but bodies: Apple's compilers compute them once, before the threads begin. stepped are instructions whose
// results differ by a constant from one body of a loop to the next in the row. fixed are registers that the source
// alone decides, and the counters of loops with a known trip count: what is computed of them does not wrap, so that
// an address takes it in, and an array is not asked for an element that nobody knows.
func invariants(k *ir.Kernel) (constant, fixed []bool, stepped map[*ir.Instr]bool) {
	all, known := counters(k)
	constant, fixed, stepped = make([]bool, len(k.Regs)), make([]bool, len(k.Regs)), map[*ir.Instr]bool{}
	step, counted := make([]bool, len(k.Regs)), counted(k)
	for r, info := range k.Regs {
		fixed[r] = info.Kind == ir.Literal || counted[ir.Reg(r)]
		constant[r] = known[ir.Reg(r)] || info.Kind == ir.Literal || info.Kind == ir.Address ||
			info.Kind == ir.Input && launchInput(info.Input)
		step[r] = all[ir.Reg(r)]
	}
	for in := range ir.Instrs(k.Body...) {
		iteration := func(r ir.Reg) bool { return fixed[r] && !constant[r] && !step[r] } // of a loop around the bodies
		within := slices.ContainsFunc(in.Args, iteration)
		if follows(k, in,
			func(r ir.Reg) (bool, bool) { return step[r], iteration(r) || constant[r] && !(within && step[r]) }) {
			step[in.Dst[0]], stepped[in] = true, true
		}
		e := in.Op.Info().Effects
		load := in.Op == ir.Load && in.Mem.Space == syntax.Constant && constant[in.Mem.Base] &&
			(in.Mem.Index == ir.None || constant[in.Mem.Index])
		if e != 0 && !load || in.Op == ir.Simd {
			continue
		}
		for _, d := range in.Dst {
			constant[d] = known[d] || k.Regs[d].Kind == ir.Temp &&
				!slices.ContainsFunc(in.Args, func(r ir.Reg) bool { return !constant[r] })
			fixed[d] = counted[d] || !load && k.Regs[d].Kind == ir.Temp &&
				!slices.ContainsFunc(in.Args, func(r ir.Reg) bool { return !fixed[r] })
		}
	}
	return constant, fixed, stepped
}

// counted are the variables that count the iterations of loops with a known trip count.
func counted(k *ir.Kernel) map[ir.Reg]bool {
	list := map[ir.Reg]bool{}
	ir.Walk(k.Body, func(n ir.Node) bool {
		if l, ok := n.(*ir.Loop); ok && analysis.TripCount(k, l) > 0 {
			for in := range ir.Instrs(l.Post...) {
				if in.Op == ir.Add && in.Args[0] == in.Dst[0] && k.Regs[in.Args[1]].Kind == ir.Literal &&
					!sets(l.Body, in.Dst[0]) {
					list[in.Dst[0]] = true
				}
			}
		}
		return true
	})
	return list
}

// computed says in how many bodies of the loop that it is in an instruction is left, where not in all.
func computed(k *ir.Kernel) map[*ir.Instr]int {
	all := map[*ir.Instr]int{}
	ir.Walk(k.Body, func(n ir.Node) bool {
		if l, ok := n.(*ir.Loop); ok {
			maps.Copy(all, analysis.RepeatedWork(k, l))
		}
		return true
	})
	return all
}

// launchInput reports whether an input is the same in all threads of a launch.
func launchInput(s ir.Source) bool {
	switch s {
	case ir.BufferPointer, ir.ThreadgroupPointer, ir.ThreadsPerGridX, ir.ThreadsPerGridY, ir.ThreadsPerGridZ,
		ir.DispatchThreadsPerThreadgroupX, ir.DispatchThreadsPerThreadgroupY, ir.DispatchThreadsPerThreadgroupZ,
		ir.ThreadgroupsPerGridX, ir.ThreadgroupsPerGridY, ir.ThreadgroupsPerGridZ, ir.ThreadsPerSimdgroup,
		ir.DispatchSimdgroupsPerThreadgroup, ir.DispatchQuadgroupsPerThreadgroup,
		ir.ThreadsPerThreadgroupX, ir.ThreadsPerThreadgroupY, ir.ThreadsPerThreadgroupZ, ir.SimdgroupsPerThreadgroup,
		ir.QuadgroupsPerThreadgroup:
		return true
	}
	return false
}
