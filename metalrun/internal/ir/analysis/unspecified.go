package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// ComputesFloats reports whether a kernel has arithmetic on floats, of which subnormals may count as zero: copies and
// conversions leave subnormals as they are.
func ComputesFloats(k *ir.Kernel) bool {
	float := func(r ir.Reg) bool { return r != ir.None && k.Regs[r].Type.IsFloat() }
	for in := range ir.Instrs(k.Body...) {
		switch in.Op {
		case ir.Copy, ir.Poison, ir.Select, ir.Convert, ir.Bitcast, ir.Load, ir.Store:
			continue
		}
		if slices.ContainsFunc(in.Dst, float) || slices.ContainsFunc(in.Args, float) {
			return true
		}
	}
	return false
}

// HoldsUnwritten reports whether a kernel has memory or variables of which a thread may see what nobody has written.
func HoldsUnwritten(k *ir.Kernel) bool {
	if slices.ContainsFunc(k.Args, func(a ir.Arg) bool { return a.Threadgroup }) ||
		slices.ContainsFunc(k.Objects, func(o ir.Object) bool { return o.Space != syntax.Constant }) {
		return true
	}
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Poison {
			return true
		}
	}
	return false
}
