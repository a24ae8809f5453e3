package sim

import (
	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt"
	"metalconform/metalrun/internal/syntax"
)

// matrixProduct is the multiply-adds of one thread in a product of 8×8 matrices, 8³ by 32
// threads.
const matrixProduct = 8 * 8 * 8 / simt.Simdgroup

// work is what one launch did, as a compiler makes the kernel.
func (k *kernel) work(executed []simt.Executed) *metalrun.Work {
	w := &metalrun.Work{Launches: 1}
	for i := range executed {
		k.count(w, &executed[i])
	}
	return w
}

// count adds what an instruction costs whenever it is executed.
func (k *kernel) count(w *metalrun.Work, e *simt.Executed) {
	class, in := &w.Integer, e.In
	operations, instructions := e.Threads, e.Simdgroups
	switch in.Op {
	case ir.Nop, ir.Copy, ir.Poison, ir.Bitcast, ir.Pack, ir.Unpack, ir.Fence, ir.Converge, ir.Cover:
		return
	case ir.Load, ir.Store:
		class = k.memory(w, in.Mem.Space)
		operations = e.Threads * int64(e.Elements*in.From.Size())
		if e.Joined {
			instructions = 0
		}
	case ir.Atomic:
		class = &w.Atomics
		*k.memory(w, in.Mem.Space) += e.Threads * int64(in.From.Size())
	case ir.Barrier:
		class, operations = &w.Barriers, e.Simdgroups
	case ir.Div, ir.Math:
		class = &w.Functions
	case ir.MatMul:
		class, operations = &w.Products, matrixProduct*e.Threads
	case ir.Simd:
		class = &w.Simdgroup
	default:
		if k.floating(in) {
			class = &w.Floating
		}
	}
	*class += operations
	w.Instructions += instructions
}

// memory is the class of bytes in an address space.
func (k *kernel) memory(w *metalrun.Work, s syntax.Space) *int64 {
	switch s {
	case syntax.Threadgroup:
		return &w.Shared
	case syntax.Constant:
		return &w.Constant
	case syntax.Thread:
		return &w.Privates
	}
	return &w.Device
}

// floating reports whether an operation has to do with floats.
func (k *kernel) floating(in *ir.Instr) bool {
	for _, list := range [][]ir.Reg{in.Dst, in.Args} {
		for _, r := range list {
			if k.lowered.Regs[r].Type.IsFloat() {
				return true
			}
		}
	}
	return false
}
