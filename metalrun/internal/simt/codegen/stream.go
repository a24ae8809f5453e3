package codegen

import (
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
)

// unread reports whether a store leads to a buffer from which the kernel loads nothing.
func (c *Compiler) unread(a *machine.MemoryAccess) bool {
	return c.Does(machine.PassStream) && a.Write && a.Object >= 0 && a.Object < analysis.FirstThreadgroup &&
		c.Readable()&(1<<a.Object) == 0
}
