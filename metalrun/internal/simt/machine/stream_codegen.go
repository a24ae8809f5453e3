package machine

import (
	"metalconform/metalrun/internal/ir/analysis"
)

// unread reports whether a store leads to a buffer from which the kernel loads nothing.
func (c *Compiler) unread(a *MemoryAccess) bool {
	return c.Does(passStream) && a.Write && a.Object >= 0 && a.Object < analysis.FirstThreadgroup && c.readable()&(1<<a.Object) == 0
}
