package machine

import (
	"metalconform/metalrun/internal/ir"
)

// barrier compiles a barrier. Threads in lock-step are always there together,
// so nothing has to wait; what remains is the rule that all live threads must
// arrive. Threads that have ended do not count, as on Apple GPUs.
func (c *Compiler) barrier(in *ir.Instr) {
	c.flush(func(*deferred) bool { return true })
	if in.Fn == "simdgroup" {
		c.together(in, func(in *ir.Instr) { c.Do(func(m *Machine) { m.simdgroupBarrier(in) }) })
		return
	}
	c.Do(func(m *Machine) {
		if m.Full {
			if m.wait != nil {
				m.wait(in)
			}
			return
		}
		m.divergent(in, "threadgroup_barrier", "", 0, m.N)
	})
}
