package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// barrier compiles a barrier. Threads in lock-step are always there together,
// so nothing has to wait; what remains is the rule that all live threads must
// arrive. Threads that have ended do not count, as on Apple GPUs.
func (c *Compiler) barrier(in *ir.Instr) {
	c.flush(func(*machine.Pending) bool { return true })
	if in.Fn == "simdgroup" {
		c.together(in, func(in *ir.Instr) { c.Do(func(m *machine.Machine) { m.SimdgroupBarrier(in) }) })
		return
	}
	c.Do(func(m *machine.Machine) {
		if m.Full {
			if m.Wait != nil {
				m.Wait(in)
			}
			return
		}
		m.Divergent(in, "threadgroup_barrier", "", 0, m.N)
	})
}
