package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// grouped64 gives an operand that may be simdgroup-uniform.
func (c *Compiler) grouped64(r ir.Reg) machine.Operand64 {
	at := c.read(r)
	return machine.Operand64{Uniform: !at.Varying, Grouped: at.Grouped, At: at.Index, Row: -1}
}

// simdgroupRuns reports whether the lanes of each simdgroup access consecutive words.
func (c *Compiler) simdgroupRuns(a *machine.MemoryAccess) bool {
	mem := a.In.Mem
	return !a.Uniform && a.Size == 4 && mem.Scale == 4 && mem.Disp%4 == 0 && a.Index64 == nil && mem.Index != ir.None &&
		a.Scalar < 0 &&
		c.ConsecutiveInSimdgroup[mem.Index] && (a.Base == nil || a.Numbers != nil && a.Numbers.Simdgroups >= 0)
}
