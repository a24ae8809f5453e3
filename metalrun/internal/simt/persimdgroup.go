package simt

import (
	"math"

	"metalconform/metalrun/internal/ir"
)

// Most pointers and 64-bit indices are the same in all threads of a simdgroup: they follow from its number,
// by which kernels divide their work. Such a register holds a value for each simdgroup and not
// for each lane, in the first places of its slot.

// heads is how many simdgroups the machine's lanes are of.
func (m *machine) heads() int { return (m.n + Simdgroup - 1) / Simdgroup }

// grouped is slot s of a 64-bit value for each simdgroup.
func (m *machine) grouped(s int) []uint64 { return m.wide(s)[:m.heads()] }

// head is the first active lane of a simdgroup, or its first lane if none is active.
func (m *machine) head(group int) int {
	first := group * Simdgroup
	if m.whole || m.mask[first] != 0 {
		return first
	}
	for l := first + 1; l < min(first+Simdgroup, m.n); l++ {
		if m.mask[l] != 0 {
			return l
		}
	}
	return first
}

// spread gives all lanes the value of their simdgroup.
func (m *machine) spread(d, heads []uint32) {
	whole := len(d) / Simdgroup
	m.p.table.Spread(d[:whole*Simdgroup], heads)
	if whole < len(heads) {
		m.p.table.Fill(d[whole*Simdgroup:], heads[whole])
	}
}

// spread64 is spread for 64-bit lanes.
func (m *machine) spread64(d, heads []uint64) {
	for g, v := range heads {
		m.p.table.FillQ(d[g*Simdgroup:min((g+1)*Simdgroup, len(d))], v)
	}
}

// grouped64 gives an operand that may have a value for each simdgroup.
func (c *compiler) grouped64(r ir.Reg) operand64 {
	at := c.read(r)
	return operand64{uniform: !at.varying, grouped: at.grouped, at: at.index, row: -1}
}

// adjoins reports whether an access is of words that the lanes of each simdgroup have one after the other.
func (c *compiler) adjoins(a *access) bool {
	mem := a.in.Mem
	return !a.uniform && a.size == 4 && mem.Scale == 4 && mem.Disp%4 == 0 && a.index64 == nil && mem.Index != ir.None && a.scalar < 0 &&
		c.adjoining[mem.Index] && (a.base == nil || a.numbers != nil && a.numbers.heads >= 0)
}

// runs gives the word that each simdgroup begins at. ok is false unless all lanes are active and all words exist that
// they access, from there to so many further on.
func (a *access) runs(m *machine, first []uint32, reach int64) (mem *memory, ok bool) {
	plus := uint32(0)
	if a.plus >= 0 {
		plus = m.uni32[a.plus]
	}
	return a.runsOf(m, first, reach, m.operand(&a.index), plus)
}

// runsOf is runs for other lanes of the index, and what is to be added to them.
func (a *access) runsOf(m *machine, first []uint32, reach int64, index []uint32, plus uint32) (mem *memory, ok bool) {
	var at int64
	var heads []uint32
	switch {
	case !m.whole:
		return nil, false
	case a.base == nil:
		if mem, at, ok = a.whence(m); !ok || at&3 != 0 {
			return nil, false
		}
	case m.uni32[a.numbers.valid] == 0:
		return nil, false
	default:
		mem, heads = &m.objects[a.object], m.lanes(a.numbers.heads)
	}
	at = (at + a.disp) >> 2
	if len(mem.words) > mostElements {
		return nil, false
	}
	for g := range first {
		word := at + wordIndex(index[g*Simdgroup]+plus, a.sign)
		if heads != nil {
			word += int64(heads[g])
		}
		last := int64(min(Simdgroup, m.n-g*Simdgroup) - 1)
		if word < 0 || word+last+reach >= int64(len(mem.words)) || index[g*Simdgroup]+plus > math.MaxUint32-Simdgroup {
			return nil, false
		}
		first[g] = uint32(word)
	}
	return mem, true
}
