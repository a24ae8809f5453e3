package sim

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/llvm"
)

// built is a kernel as an Apple compiler is likely to build it, which is what a device executes and what
// is counted of it: common computations and loads are made once, wherever statements spread them, and
// products go into sums as far as the source's math allows.
func built(k *ir.Kernel) *ir.Kernel {
	return ir.Contract(llvm.Optimise(k), nil)
}

// readers are how many instructions and conditions read each register.
func readers(k *ir.Kernel) []int {
	n := make([]int, len(k.Regs))
	count := func(list ...ir.Reg) {
		for _, r := range list {
			if r != ir.None {
				n[r]++
			}
		}
	}
	ir.Walk(k.Body, func(node ir.Node) bool {
		switch node := node.(type) {
		case *ir.Instr:
			count(node.Args...)
			if node.Mem != nil {
				count(node.Mem.Base, node.Mem.Index)
			}
		case *ir.If:
			count(node.Cond)
		case *ir.Loop:
			count(node.Cond)
		}
		return true
	})
	return n
}
