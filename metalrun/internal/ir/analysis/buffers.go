package analysis

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
	"metalconform/metalrun/internal/syntax"
)

// Leads are, for each register, the buffers that a pointer in it may lead to, a bit for each index. A pointer that
// comes from memory may lead to every buffer whose pointer is kept there.
func Leads(k *ir.Kernel) (leads []uint64) {
	leads = make([]uint64, len(k.Regs))
	for r, info := range k.Regs {
		if info.Kind == ir.Input && info.Input == ir.BufferPointer {
			leads[r] = 1 << info.Index
		}
	}
	var kept uint64
	fixpoint.Iterate(func(p *fixpoint.Pass) {
		for in := range ir.Instrs(k.Body...) {
			var to uint64
			switch in.Op {
			case ir.PtrAdd, ir.Copy:
				to = leads[in.Args[0]]
			case ir.Select:
				to = leads[in.Args[1]] | leads[in.Args[2]]
			case ir.Load:
				to = kept
			case ir.Store:
				for _, r := range in.Args {
					fixpoint.Move(p, &kept, kept|leads[r])
				}
			}
			for _, r := range in.Dst {
				if k.Regs[r].Type == ir.Ptr {
					fixpoint.Move(p, &leads[r], leads[r]|to)
				}
			}
		}
	})
	return leads
}

// Accessed are the buffers that instructions with an effect may lead to, a bit for each index.
func Accessed(k *ir.Kernel, e ir.Effects) (accessed uint64) {
	leads := Leads(k)
	for in := range ir.Instrs(k.Body...) {
		if in.Op.Info().Effects.Has(e) && in.Mem != nil && in.Mem.Space == syntax.Device {
			accessed |= leads[in.Mem.Base]
		}
	}
	return accessed
}

// Writable is the buffers that a kernel can write, by their index. A buffer that is declared const is among them if
// something is stored by way of a pointer that was computed from it: a cast takes const away.
func Writable(k *ir.Kernel) map[int]bool {
	can, cast := map[int]bool{}, false
	for _, a := range k.Args {
		if !a.Threadgroup && !a.Const {
			can[a.Index] = true
		}
		cast = cast || a.Const && a.Space == syntax.Device
	}
	if cast {
		stored := Accessed(k, ir.Writes)
		for _, a := range k.Args {
			if !a.Threadgroup && a.Space == syntax.Device && stored&(1<<a.Index) != 0 {
				can[a.Index] = true
			}
		}
	}
	return can
}
