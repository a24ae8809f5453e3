package machine

import (
	"math"
)

// Most pointers and 64-bit indices are simdgroup-uniform: they follow from the number of the simdgroup, by which
// kernels divide their work. Such a register holds one value for each simdgroup, in the first places of its slot.

// simdgroups is the number of simdgroups of the machine.
func (m *Machine) simdgroups() int { return (m.N + Simdgroup - 1) / Simdgroup }

// Grouped is slot s of a 64-bit value for each simdgroup.
func (m *Machine) Grouped(s int) []uint64 { return m.Wide(s)[:m.simdgroups()] }

// Leader is the first active lane of a simdgroup, or its first lane if none is active.
func (m *Machine) Leader(group int) int {
	first := group * Simdgroup
	if m.Whole || m.Mask[first] != 0 {
		return first
	}
	for l := first + 1; l < min(first+Simdgroup, m.N); l++ {
		if m.Mask[l] != 0 {
			return l
		}
	}
	return first
}

// spread gives each lane the value of its simdgroup.
func (m *Machine) spread(d, groups []uint32) {
	whole := len(d) / Simdgroup
	m.P.Table.Spread(d[:whole*Simdgroup], groups)
	if whole < len(groups) {
		m.P.Table.Fill(d[whole*Simdgroup:], groups[whole])
	}
}

// spread64 is spread for 64-bit lanes.
func (m *Machine) spread64(d, groups []uint64) {
	for g, v := range groups {
		m.P.Table.FillQ(d[g*Simdgroup:min((g+1)*Simdgroup, len(d))], v)
	}
}

// runs gives the word where the run of each simdgroup begins. ok is false unless all lanes are active and all words
// exist that they access, and those up to reach further on.
func (a *MemoryAccess) runs(m *Machine, first []uint32, reach int64) (mem *Memory, ok bool) {
	plus := uint32(0)
	if a.Plus >= 0 {
		plus = m.Uni32[a.Plus]
	}
	return a.runsOf(m, first, reach, m.Operand(&a.Index), plus)
}

// runsOf is runs with the lanes of the index and what is added to them as arguments.
func (a *MemoryAccess) runsOf(m *Machine, first []uint32, reach int64, index []uint32, plus uint32) (mem *Memory,
	ok bool) {
	var at int64
	var groups []uint32
	switch {
	case !m.Whole:
		return nil, false
	case a.Base == nil:
		if mem, at, ok = a.Whence(m); !ok || at&3 != 0 {
			return nil, false
		}
	case m.Uni32[a.Numbers.Valid] == 0:
		return nil, false
	default:
		mem, groups = &m.Objects[a.Object], m.Lanes(a.Numbers.Simdgroups)
	}
	at = (at + a.Disp) >> 2
	if len(mem.Words) > MostElements {
		return nil, false
	}
	for g := range first {
		word := at + WordIndex(index[g*Simdgroup]+plus, a.Sign)
		if groups != nil {
			word += int64(groups[g])
		}
		last := int64(min(Simdgroup, m.N-g*Simdgroup) - 1)
		if word < 0 || word+last+reach >= int64(len(mem.Words)) || index[g*Simdgroup]+plus > math.MaxUint32-Simdgroup {
			return nil, false
		}
		first[g] = uint32(word)
	}
	return mem, true
}
