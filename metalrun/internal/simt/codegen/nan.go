package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// Sign and payload of a NaN that arithmetic makes differ between processors.
// Every such NaN becomes the quiet NaN 0x7fc00000 where its bits could be seen:
// when it is stored, when its bits are taken, when its sign is asked for. A NaN
// that is only copied keeps its bits.

// quieted is an operand whose NaNs have the same bits everywhere.
func (c *Compiler) quieted(r ir.Reg) machine.Operand {
	o := c.operand(r)
	if !c.Made[r] {
		return o
	}
	return c.derived(o, c.loops(o.Uniform()).QuietNaN)
}
