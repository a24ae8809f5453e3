package analysis

import "metalconform/metalrun/internal/ir"

// Most pointers and 64-bit indices are the same in all threads of a simdgroup: they follow from its number, by which
// kernels divide their work.

// SimdgroupUniform finds temporaries of 64 bits that vary in the threadgroup but not within a simdgroup, and follow by
// arithmetic from what does not vary there either. Values that threads exchange are left out. The uniformities are
// those of the threadgroup and of the simdgroup.
func SimdgroupUniform(threadgroup, simdgroup *Uniformity) []bool {
	k := threadgroup.k
	is := make([]bool, len(k.Regs))
	for _, d := range threadgroup.defs {
		if arithmetic64(k, d.in) {
			r := d.in.Dst[0]
			is[r] = k.Regs[r].Kind == ir.Temp && threadgroup.varying[r] && !simdgroup.varying[r]
		}
	}
	for _, d := range threadgroup.defs {
		if d.in.Op.Info().Effects.Has(ir.Collective) {
			for _, r := range d.in.Args {
				is[r] = false
			}
		}
	}
	return is
}

// arithmetic64 reports whether an instruction extends an integer to 64 bits or computes with such integers.
func arithmetic64(k *ir.Kernel, in *ir.Instr) bool {
	if len(in.Dst) != 1 {
		return false
	}
	if t := k.Regs[in.Dst[0]].Type; t != ir.I64 && t != ir.Ptr {
		return false
	}
	switch in.Op {
	case ir.Convert:
		return in.From.Type() == ir.I32 && in.To.Type() == ir.I64
	case ir.Add, ir.Sub, ir.Mul, ir.And, ir.Or, ir.Xor, ir.Shl, ir.LShr, ir.AShr, ir.PtrAdd:
		return true
	}
	return false
}
