package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// grouped64 gives an operand that may have a value for each simdgroup.
func (c *Compiler) grouped64(r ir.Reg) machine.Operand64 {
	at := c.read(r)
	return machine.Operand64{Uniform: !at.Varying, Grouped: at.Grouped, At: at.Index, Row: -1}
}

// adjoins reports whether an access is of words that the lanes of each simdgroup have one after the other.
func (c *Compiler) adjoins(a *machine.MemoryAccess) bool {
	mem := a.In.Mem
	return !a.Uniform && a.Size == 4 && mem.Scale == 4 && mem.Disp%4 == 0 && a.Index64 == nil && mem.Index != ir.None &&
		a.Scalar < 0 &&
		c.Adjoining[mem.Index] && (a.Base == nil || a.Numbers != nil && a.Numbers.Heads >= 0)
}
