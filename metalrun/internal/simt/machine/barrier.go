package machine

import (
	"metalconform/metalrun/internal/ir"
)

// SimdgroupBarrier faults unless all live threads of a simdgroup are at the barrier.
func (m *Machine) SimdgroupBarrier(in *ir.Instr) {
	if m.Full {
		return
	}
	m.Groups(Simdgroup, func(lo, hi int) {
		if m.activeIn(lo, hi) > 0 {
			m.Divergent(in, "simdgroup_barrier", " of its simdgroup", lo, hi)
		}
	})
}

// Divergent faults unless all live lanes of a span are at the barrier.
func (m *Machine) Divergent(in *ir.Instr, barrier, of string, lo, hi int) {
	absent := -1
	live := 0
	for l := lo; l < hi; l++ {
		if m.Ended[l] == 0 {
			live++
		}
		if m.Mask[l] == 0 && m.Ended[l] == 0 && absent < 0 {
			absent = l
		}
	}
	if absent < 0 {
		return
	}
	t := m.Thread(absent)
	m.fail(Divergent, in.Pos, m.FirstIn(lo, hi), "%s reached by %d of %d live threads%s%s: thread (%d,%d,%d) %s",
		barrier, m.activeIn(lo, hi), live, of, m.where(), t[0], t[1], t[2], m.whereabouts(absent))
}

// whereabouts says where an inactive lane waits that has not ended.
func (m *Machine) whereabouts(lane int) string {
	for id, waiting := range m.Waiting {
		if m.AnyWaiting[id] && waiting[lane] != 0 {
			return m.P.Sources[id].left()
		}
	}
	return "is elsewhere in a branch or a loop around it"
}
