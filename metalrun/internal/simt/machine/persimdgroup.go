package machine

import (
	"math"
)

// Most pointers and 64-bit indices are the same in all threads of a simdgroup: they follow from its number,
// by which kernels divide their work. Such a register holds a value for each simdgroup and not
// for each lane, in the first places of its slot.

// heads is how many simdgroups the machine's lanes are of.
func (m *Machine) heads() int { return (m.N + Simdgroup - 1) / Simdgroup }

// Grouped is slot s of a 64-bit value for each simdgroup.
func (m *Machine) Grouped(s int) []uint64 { return m.Wide(s)[:m.heads()] }

// Head is the first active lane of a simdgroup, or its first lane if none is active.
func (m *Machine) Head(group int) int {
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

// spread gives all lanes the value of their simdgroup.
func (m *Machine) spread(d, heads []uint32) {
	whole := len(d) / Simdgroup
	m.P.Table.Spread(d[:whole*Simdgroup], heads)
	if whole < len(heads) {
		m.P.Table.Fill(d[whole*Simdgroup:], heads[whole])
	}
}

// spread64 is spread for 64-bit lanes.
func (m *Machine) spread64(d, heads []uint64) {
	for g, v := range heads {
		m.P.Table.FillQ(d[g*Simdgroup:min((g+1)*Simdgroup, len(d))], v)
	}
}

// runs gives the word that each simdgroup begins at. ok is false unless all lanes are active and all words exist that
// they access, from there to so many further on.
func (a *MemoryAccess) runs(m *Machine, first []uint32, reach int64) (mem *Memory, ok bool) {
	plus := uint32(0)
	if a.Plus >= 0 {
		plus = m.Uni32[a.Plus]
	}
	return a.runsOf(m, first, reach, m.Operand(&a.Index), plus)
}

// runsOf is runs for other lanes of the index, and what is to be added to them.
func (a *MemoryAccess) runsOf(m *Machine, first []uint32, reach int64, index []uint32, plus uint32) (mem *Memory,
	ok bool) {
	var at int64
	var heads []uint32
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
		mem, heads = &m.Objects[a.Object], m.Lanes(a.Numbers.Heads)
	}
	at = (at + a.Disp) >> 2
	if len(mem.Words) > MostElements {
		return nil, false
	}
	for g := range first {
		word := at + WordIndex(index[g*Simdgroup]+plus, a.Sign)
		if heads != nil {
			word += int64(heads[g])
		}
		last := int64(min(Simdgroup, m.N-g*Simdgroup) - 1)
		if word < 0 || word+last+reach >= int64(len(mem.Words)) || index[g*Simdgroup]+plus > math.MaxUint32-Simdgroup {
			return nil, false
		}
		first[g] = uint32(word)
	}
	return mem, true
}
