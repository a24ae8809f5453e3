package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// A register is launch-invariant if it follows from arguments in constant memory and from the extent of the grid: it
// holds the same value in every threadgroup of a launch and in every iteration of a loop.

// LaunchInvariant finds the launch-invariant registers. The order of the source is enough, without iteration:
// temporaries are set before they are read, and no variable counts.
func (u *Uniformity) LaunchInvariant() []bool {
	is := make([]bool, len(u.k.Regs))
	for r, info := range u.k.Regs {
		switch info.Kind {
		case ir.Input:
			is[r] = InvariantInput(info.Input)
		case ir.Literal, ir.Address:
			is[r] = true
		}
	}
	for _, d := range u.defs {
		if u.staysInvariant(d.in, is) {
			for _, r := range d.in.Dst {
				is[r] = true
			}
		}
	}
	return is
}

// staysInvariant reports whether an instruction does nothing except set temporaries to launch-invariant values.
func (u *Uniformity) staysInvariant(in *ir.Instr, is []bool) bool {
	info := in.Op.Info()
	switch {
	case len(in.Dst) == 0 || in.Op == ir.Poison || in.Op >= ir.Extended || info.Varies:
		return false
	case in.Op == ir.Load:
		if in.Mem.Space != syntax.Constant || in.Mem.Volatile {
			return false
		}
	case info.Effects != 0:
		return false
	}
	temporary := func(r ir.Reg) bool { return u.k.Regs[r].Kind == ir.Temp && !u.varying[r] }
	known := func(r ir.Reg) bool { return r == ir.None || is[r] }
	return !slices.ContainsFunc(in.Dst, func(r ir.Reg) bool { return !temporary(r) }) &&
		!slices.ContainsFunc(in.Reads(), func(r ir.Reg) bool { return !known(r) })
}

// InvariantInput reports whether an input is the same in every threadgroup, even in those at the edge of the grid.
func InvariantInput(s ir.Source) bool {
	switch s {
	case ir.BufferPointer, ir.ThreadgroupPointer, ir.ThreadsPerSimdgroup,
		ir.DispatchSimdgroupsPerThreadgroup, ir.DispatchQuadgroupsPerThreadgroup:
		return true
	}
	return s >= ir.ThreadsPerGridX && s <= ir.ThreadsPerGridZ ||
		s >= ir.DispatchThreadsPerThreadgroupX && s <= ir.ThreadgroupsPerGridZ
}
