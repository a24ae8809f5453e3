package metalrun

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// NarrowFloats reports whether an entry point rounds values to half and to bfloat on the way: results of operations
// that it uses again, or keeps in memory of a thread or a threadgroup. What it only stores in buffers is a result, and
// what it only loads from them has been rounded before. An integer in such a type is a position or a count that may not
// fit, and no value that has fewer digits.
func (p *Program) NarrowFloats(name string) (half, bfloat bool, err error) {
	k, err := p.Lowered(name)
	if err != nil {
		return false, false, err
	}
	rounded := map[ir.Reg]bool{}
	for in := range ir.Instrs(k.Body...) {
		for _, d := range in.Dst {
			if t := k.Regs[d].Type; (t == ir.F16 || t == ir.BF16) && !exactly(in) {
				rounded[d] = true
			}
		}
	}
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Store && in.Mem.Space == syntax.Device {
			continue
		}
		for _, a := range in.Args {
			if rounded[a] {
				half = half || k.Regs[a].Type == ir.F16
				bfloat = bfloat || k.Regs[a].Type == ir.BF16
			}
		}
	}
	return half, bfloat, nil
}

// exactly reports whether an instruction that gives a narrow float rounds no value to it.
func exactly(in *ir.Instr) bool {
	switch in.Op {
	case ir.Load, ir.Copy, ir.Select, ir.Neg, ir.Bitcast:
		return true
	}
	return in.Op == ir.Convert && !in.From.Type().IsFloat()
}
