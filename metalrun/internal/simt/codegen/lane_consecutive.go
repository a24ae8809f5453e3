package codegen

import (
	"metalconform/metalrun/internal/simt/machine"
)

// Consecutive reports whether an access is of elements of up to 4 bytes at lane-consecutive indices from a uniform
// base.
func (c *Compiler) Consecutive(a *machine.MemoryAccess) bool {
	mem := a.In.Mem
	return !a.Uniform && a.Base == nil && a.Size <= 4 && mem.Scale == a.Size && a.Index64 == nil &&
		c.ConsecutiveInLine[mem.Index]
}
