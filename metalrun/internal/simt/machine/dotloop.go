package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// DotLoop is a loop that adds up products of elements of memory, with a uniform stride:
//
//	for (c = first; c < limit; c += step) sum += a[c] * b[c];
//
// One call does the iterations that every lane takes, for simdgroups whose lanes access consecutive elements. The loop
// itself does the others, uncommon cases, and all that can fault.
type DotLoop struct {
	Loop               *Loop
	A, B               *MemoryAccess
	AdjoinsA, AdjoinsB bool // each simdgroup reads consecutive words
	Sum                int  // slot
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *DotLoop) Run(m *Machine) bool { return n.all(m) || n.Loop.Run(m) }

// all does the iterations that every lane takes, and reports whether none is left.
func (n *DotLoop) all(m *Machine) (done bool) {
	l := n.Loop
	trips, last := l.sure(m)
	if trips == 0 || !m.Whole || int64(trips) > m.Steps/l.Cost {
		return false
	}
	step := m.Uni32[l.Step]
	a, b := &m.strides[0], &m.strides[1]
	if !a.locate(n.A, n.AdjoinsA, m, trips, step) || !b.locate(n.B, n.AdjoinsB, m, trips, step) {
		return false
	}
	m.P.Table.DotRuns(m.Lanes(n.Sum), a.words, b.words, a.first[:], b.first[:], int(step), trips)
	m.Steps -= int64(trips) * l.Cost
	m.Take(l.Counters.Head, trips)
	m.Take(l.Counters.Body, trips)
	m.Take(l.Counters.Post, trips)
	if !last || !l.Passing { // something may read the counter
		counter := m.Operand(&l.Tested.A)
		m.P.Table.AddI.VS(counter, counter, uint32(trips)*step)
	}
	if last {
		m.Take(l.Counters.Head, 1)
	}
	return last
}

// strides is where each simdgroup begins to read. Its lanes read consecutive words. The words of consecutive iterations
// are equidistant.
type strides struct {
	words []uint32
	first [MaxThreads / Simdgroup]uint32
}

// locate reports whether an access has this form for so many iterations and stays within its object.
func (s *strides) locate(a *MemoryAccess, adjoins bool, m *Machine, trips int, step uint32) bool {
	reach := uint64(trips-1) * uint64(step)
	if adjoins && reach < MostElements {
		mem, ok := a.runs(m, s.first[:m.simdgroups()], int64(reach))
		if ok {
			s.words = mem.Words
		}
		return ok
	}
	mem, idx, at, ok := a.Locate(m, 1)
	if !ok {
		return false
	}
	s.words = mem.Words
	whole := m.N &^ (Simdgroup - 1)
	if !m.P.Table.Ascend(idx[:whole]) || !ascend(idx[whole:m.N]) {
		return false
	}
	for group := range (m.N + Simdgroup - 1) / Simdgroup {
		lanes := idx[group*Simdgroup : min((group+1)*Simdgroup, m.N)]
		first := lanes[0] - at.Lo
		if uint64(first)+reach+uint64(len(lanes)) > uint64(at.Count) {
			return false
		}
		s.first[group] = first + at.First
	}
	return true
}

// ascend reports whether each number is its predecessor plus 1, modulo 2^32.
func ascend(x []uint32) bool {
	differ := uint32(0)
	for l, i := range x {
		differ |= i - x[0] - uint32(l)
	}
	return differ == 0
}

// Factor is a load of one float with a register as its index, or nil.
func Factor(n ir.Node, index ir.Reg) *ir.Instr {
	in, ok := n.(*ir.Instr)
	if !ok || in.Op != ir.Load || len(in.Dst) != 1 || in.From != ir.R32 || in.Mem.Space == syntax.Thread ||
		in.Mem.Index != index || in.Mem.Scale != 4 {
		return nil
	}
	return in
}

// AddsProduct reports whether two instructions add the product of a and b to something.
func AddsProduct(mul, add ir.Node, a, b ir.Reg) bool {
	x, first := mul.(*ir.Instr)
	y, second := add.(*ir.Instr)
	return first && second && x.Op == ir.Mul && slices.Contains(x.Args, a) && slices.Contains(x.Args, b) && a != b &&
		y.Op == ir.Add && slices.Contains(y.Args, x.Dst[0])
}
