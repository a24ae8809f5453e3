package analysis

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
	"metalconform/metalrun/internal/syntax"
)

// Sign and payload of a NaN that arithmetic makes differ between processors.

// ArithmeticNaNs finds the registers that may hold a NaN made by arithmetic. Private memory holds what arithmetic left.
func (u *Uniformity) ArithmeticNaNs() []bool {
	made := make([]bool, len(u.k.Regs))
	fixpoint.Iterate(func(p *fixpoint.Pass) {
		for _, d := range u.defs {
			for _, r := range d.in.Dst {
				if !made[r] && u.k.Regs[r].Type.IsFloat() && makesNaN(d.in, made) {
					p.Raise(&made[r])
				}
			}
		}
	})
	return made
}

func makesNaN(in *ir.Instr, made []bool) bool {
	switch {
	case in.Op.Info().MakesNaN:
		return true
	case in.Op == ir.Load:
		return in.Mem.Space == syntax.Thread
	case in.Op == ir.Simd && in.Simd().Freedom == ir.SumOrder:
		return true
	}
	for _, r := range in.Args {
		if r != ir.None && made[r] {
			return true
		}
	}
	return false
}

// BitsSeen finds the private objects that are loaded as something other than floats, so that the bits of a NaN that was
// stored there can be seen. Object -1 stands for accesses through computed pointers, which may reach any object.
func (u *Uniformity) BitsSeen() func(object int) bool {
	seen := map[int]bool{}
	for _, d := range u.defs {
		in := d.in
		if in.Op != ir.Load || in.Mem.Space != syntax.Thread || in.From.Type().IsFloat() {
			continue
		}
		object := -1
		if base := u.k.Regs[in.Mem.Base]; base.Kind == ir.Address {
			object = base.Index
		}
		seen[object] = true
	}
	return func(object int) bool {
		if object < 0 {
			return len(seen) > 0
		}
		return seen[object] || seen[-1]
	}
}
