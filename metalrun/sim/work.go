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

// work is what one launch did.
func (k *kernel) work(counts []simt.Counted) *metalrun.Work {
	w := &metalrun.Work{Launches: 1}
	for _, c := range counts {
		for _, in := range c.Run {
			k.count(w, in, c)
		}
	}
	return w
}

// count adds what an instruction costs whenever it is taken.
func (k *kernel) count(w *metalrun.Work, in *ir.Instr, c simt.Counted) {
	class := &w.Integer
	operations := c.Threads
	switch in.Op {
	case ir.Nop, ir.Copy, ir.Poison, ir.Bitcast, ir.Pack, ir.Unpack, ir.Fence, ir.Converge, ir.Cover:
		return
	case ir.Load, ir.Store:
		class = k.memory(w, in.Mem.Space)
		operations = c.Threads * int64((len(in.Dst)+len(in.Args))*in.From.Size())
	case ir.Atomic:
		class = &w.Atomics
		*k.memory(w, in.Mem.Space) += c.Threads * int64(in.From.Size())
	case ir.Barrier:
		class, operations = &w.Barriers, c.Simdgroups
	case ir.Div, ir.Math:
		class = &w.Functions
	case ir.MatMul:
		class, operations = &w.Products, matrixProduct*c.Threads
	case ir.Simd:
		class = &w.Simdgroup
	default:
		if k.floating(in) {
			class = &w.Floating
		}
	}
	*class += operations
	w.Instructions += c.Simdgroups
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
