package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Sign and payload of a NaN that arithmetic makes differ between processors.
// Every such NaN becomes the quiet NaN 0x7fc00000 where its bits could be seen:
// when it is stored, when its bits are taken, when its sign is asked for. A NaN
// that is only copied keeps its bits.

// arithmeticNaNs finds the registers that may hold a NaN made by arithmetic.
func arithmeticNaNs(k *ir.Kernel, instrs []definition) []bool {
	made := make([]bool, len(k.Regs))
	for changed := true; changed; {
		changed = false
		for _, d := range instrs {
			for _, r := range d.in.Dst {
				if !made[r] && k.Regs[r].Type.IsFloat() && makesNaN(d.in, made) {
					made[r], changed = true, true
				}
			}
		}
	}
	return made
}

func makesNaN(in *ir.Instr, made []bool) bool {
	switch {
	case in.Op.Info().MakesNaN:
		return true
	case in.Op == ir.Load: // private memory holds what arithmetic left
		return in.Mem.Space == syntax.Thread
	case in.Op == ir.Simd && in.Simd().Freedom == ir.SumOrder:
		return true
	}
	return anyMade(in, made)
}

func anyMade(in *ir.Instr, made []bool) bool {
	for _, r := range in.Args {
		if r != ir.None && made[r] {
			return true
		}
	}
	return false
}

// quieted is an operand whose NaNs have the same bits everywhere.
func (c *compiler) quieted(r ir.Reg) operand {
	o := c.operand(r)
	if !c.made[r] {
		return o
	}
	return c.derived(o, c.loops(o.uniform()).QuietNaN)
}

// punned finds the private objects that are loaded as something else than
// floats, so that bits of a NaN that was stored there can be seen. Object -1 stands for
// accesses through computed pointers, which may reach any.
func punned(k *ir.Kernel, instrs []definition) func(object int) bool {
	others := map[int]bool{}
	for _, d := range instrs {
		in := d.in
		if in.Mem == nil || in.Mem.Space != syntax.Thread {
			continue
		}
		object := -1
		if base := k.Regs[in.Mem.Base]; base.Kind == ir.Address {
			object = base.Index
		}
		if in.Op == ir.Load && !in.From.Type().IsFloat() {
			others[object] = true
		}
	}
	return func(object int) bool {
		if object < 0 {
			return len(others) > 0
		}
		return others[object] || others[-1]
	}
}
