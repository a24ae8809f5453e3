package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
)

// A register is lane-consecutive if its value is the index of the thread plus something that is the same for all
// threads that can read it. Accesses at such an index are runs of memory.

// ConsecutiveInLine finds the registers that follow the index of the thread in the threadgroup, if all threads of the
// threadgroup are in one line along x: positions along x count as that index. u is the uniformity in a threadgroup.
func (u *Uniformity) ConsecutiveInLine() []bool {
	return u.consecutive(ir.ThreadIndexInThreadgroup, ir.ThreadPositionInThreadgroupX, ir.ThreadPositionInGridX)
}

// ConsecutiveInSimdgroup finds the registers that follow the index of the thread within each simdgroup, in any launch.
// u is the uniformity in a simdgroup.
func (u *Uniformity) ConsecutiveInSimdgroup() []bool {
	return u.consecutive(ir.ThreadIndexInThreadgroup, ir.ThreadIndexInSimdgroup)
}

// ConsecutiveInEachSimdgroup finds the registers that follow the index of the thread in its simdgroup and are the same
// in every simdgroup. u is the uniformity in a threadgroup.
func (u *Uniformity) ConsecutiveInEachSimdgroup() []bool {
	return u.consecutive(ir.ThreadIndexInSimdgroup)
}

// consecutive finds these registers, given the inputs that are consecutive. It starts from the assumption that all
// varying integers are and takes it back until nothing contradicts it.
func (u *Uniformity) consecutive(inputs ...ir.Source) []bool {
	is := make([]bool, len(u.k.Regs))
	for r, info := range u.k.Regs {
		switch info.Kind {
		case ir.Input:
			is[r] = slices.Contains(inputs, info.Input)
		case ir.Temp, ir.Variable:
			is[r] = info.Type == ir.I32 && u.varying[r]
		}
	}
	fixpoint.Iterate(func(p *fixpoint.Pass) {
		for _, d := range u.defs {
			for _, r := range d.in.Dst {
				if is[r] && (!u.staysConsecutive(d.in, is) || u.variesByRegion(r, d.at)) {
					p.Lower(&is[r])
				}
			}
		}
	})
	return is
}

// staysConsecutive reports whether the result of an instruction is consecutive.
func (u *Uniformity) staysConsecutive(in *ir.Instr, is []bool) bool {
	switch in.Op {
	case ir.Copy:
		return is[in.Args[0]]
	case ir.Add:
		a, b := in.Args[0], in.Args[1]
		return is[a] && !u.varying[b] || is[b] && !u.varying[a]
	case ir.Sub:
		return is[in.Args[0]] && !u.varying[in.Args[1]]
	}
	return false
}
