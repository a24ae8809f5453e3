package machine

import (
	"metalconform/metalrun/internal/ir"
)

// grouped64 gives an operand that may have a value for each simdgroup.
func (c *Compiler) grouped64(r ir.Reg) operand64 {
	at := c.read(r)
	return operand64{uniform: !at.Varying, grouped: at.Grouped, at: at.Index, row: -1}
}

// adjoins reports whether an access is of words that the lanes of each simdgroup have one after the other.
func (c *Compiler) adjoins(a *MemoryAccess) bool {
	mem := a.In.Mem
	return !a.Uniform && a.Size == 4 && mem.Scale == 4 && mem.Disp%4 == 0 && a.Index64 == nil && mem.Index != ir.None && a.Scalar < 0 &&
		c.Adjoining[mem.Index] && (a.Base == nil || a.Numbers != nil && a.Numbers.Heads >= 0)
}
