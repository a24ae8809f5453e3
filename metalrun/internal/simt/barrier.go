package simt

import "metalconform/metalrun/internal/ir"

// barrier compiles a barrier. Threads in lock-step are always there together,
// so nothing has to wait; what remains is the rule that all live threads must
// arrive. Threads that have ended do not count, as on Apple GPUs.
func (c *compiler) barrier(in *ir.Instr) {
	c.flush(func(*deferred) bool { return true })
	if in.Fn == "simdgroup" {
		c.do(func(m *machine) { m.simdgroupBarrier(in) })
		c.watchBarrier(in)
		return
	}
	defer c.watchBarrier(in)
	c.do(func(m *machine) {
		if m.full {
			if m.wait != nil {
				m.wait(in)
			}
			return
		}
		active := 0
		for _, on := range m.mask {
			active += int(on & 1)
		}
		m.fail(in.Pos, m.firstActive(), "threadgroup_barrier reached by %d of %d live threads", active, m.live)
	})
}

// watchBarrier lets the checks see a barrier that is passed.
func (c *compiler) watchBarrier(in *ir.Instr) {
	if c.p.options.Check {
		c.do(func(m *machine) { m.watch.pass(m, in) })
	}
}

func (m *machine) simdgroupBarrier(in *ir.Instr) {
	if m.full {
		return
	}
	m.groups(Simdgroup, func(lo, hi int) {
		active, absent := 0, 0
		for l := lo; l < hi; l++ {
			switch {
			case m.mask[l] != 0:
				active++
			case m.ended[l] == 0:
				absent++
			}
		}
		if active > 0 && absent > 0 {
			m.fail(in.Pos, m.firstIn(lo, hi), "simdgroup_barrier reached by %d of %d live threads of its simdgroup", active, active+absent)
		}
	})
}
