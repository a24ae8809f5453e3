package machine

import (
	"metalconform/metalrun/internal/ir"
)

// WeightLoop is a loop around a loop that adds weighted runs to the rows of a private array. The weight of iteration j
// is that of lane j, and the runs of consecutive iterations are equidistant:
//
//	for (j = first; j < limit; j++) {
//	    float w = simd_broadcast(weights, j);
//	    for (c = 0; c * step + lane < end; c++) rows[c] += w * (base + j * stride)[c * step + lane];
//	}
//
// The iterations that every lane takes are one sum of weighted rows for each row of the array. The loop itself does the
// others, uncommon cases, and all that can fault.
type WeightLoop struct {
	Loop    Node
	Body    List // the body of the loop: it locates the runs and adds them
	Adds    *AddLoop
	Counter int     // uniform register
	Limit   Operand // a simdgroup-uniform slot, or a uniform register
	Signed  bool    // the comparison
	Weights int     // slot
	Cost    int64
	Count   LoopCounters
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *WeightLoop) Run(m *Machine) bool {
	return n.all(m) || n.Loop.Run(m)
}

// all does the iterations that every lane takes, and reports whether none is left.
func (n *WeightLoop) all(m *Machine) (done bool) {
	first := m.Uni32[n.Counter]
	trips, last := n.trips(m, first)
	if trips == 0 || !m.Whole || m.N < m.Stride || m.N%Simdgroup != 0 {
		return false
	}
	var s sums
	ok := n.find(m, &s, trips)
	m.Uni32[n.Counter] = first
	cost := int64(trips) * (n.Cost + int64(s.rows)*n.Adds.Loop.Cost)
	if !ok || cost > m.Steps {
		return false
	}
	s.add(m, m.slots[n.Weights][first:], trips)
	m.Uni32[n.Counter] = first + uint32(trips)
	n.take(m, trips, s.rows)
	m.Steps -= cost
	m.Executed++
	if last {
		m.Take(n.Count.Head, 1)
	}
	return last
}

// trips is the number of iterations with the number of a lane that every lane takes. last says that no lane takes more.
func (n *WeightLoop) trips(m *Machine, first uint32) (trips int, last bool) {
	limits := m.Operand(&n.Limit)
	least, most := uint32(Simdgroup), uint32(0)
	for l := 0; l < len(limits); l += Simdgroup {
		limit := limits[l]
		if n.Signed && int32(limit) < 0 {
			limit = 0
		}
		least, most = min(least, limit), max(most, limit)
	}
	if first >= least {
		return 0, false
	}
	return int(least - first), most == least
}

// take counts iterations, each with so many iterations of the inner loop.
func (n *WeightLoop) take(m *Machine, trips, rows int) {
	inner := &n.Adds.Loop.Counters
	m.Take(n.Count.Head, trips)
	m.Take(n.Count.Body, trips)
	m.Take(n.Count.Post, trips)
	m.Take(inner.Head, trips*(rows+1))
	m.Take(inner.Body, trips*rows)
	m.Take(inner.Post, trips*rows)
}

// sums are what is added to some rows of an array.
type sums struct {
	words       []uint32
	first       [MaxThreads / Simdgroup]uint32 // by simdgroup: where its run for the first row and iteration begins
	array       []uint32                       // from the first row on
	rows        int
	step, apart int // distance of the runs of consecutive rows, and of consecutive iterations
}

// find locates the runs of so many iterations. It changes the counter. ok is false unless every lane adds to all rows
// and all runs exist.
func (n *WeightLoop) find(m *Machine, s *sums, trips int) (ok bool) {
	a, last := n.Adds, false
	n.Body[0].Run(m)
	if s.rows, last = a.trips(m); !last {
		return false
	}
	at := WordIndex(m.Uni32[a.Counter], a.Rows.Signed) + a.Rows.Shift
	if at < 0 || at > int64(a.Rows.Size-s.rows) {
		return false
	}
	s.array, s.step = m.Private[(a.Rows.First+int(at))*m.Stride:], int(m.Uni32[a.Step])
	groups := m.simdgroups()
	reach := int64(s.rows-1) * int64(s.step)
	mem, ok := n.locate(m, s.first[:groups], reach)
	if !ok {
		return false
	}
	if s.words = mem.Words; trips == 1 {
		return true
	}
	m.Uni32[n.Counter]++
	n.Body[0].Run(m)
	next := m.runsFrom[:groups]
	if _, ok = n.locate(m, next, reach); !ok {
		return false
	}
	s.apart = int(next[0]) - int(s.first[0])
	room := int64(len(mem.Words)-Simdgroup) - int64(trips-1)*int64(s.apart) - reach
	for g, from := range s.first[:groups] {
		if int(next[g])-int(from) != s.apart || int64(from) > room {
			return false
		}
	}
	return s.apart >= 0
}

// locate finds where the runs of an iteration begin, each of so many words.
func (n *WeightLoop) locate(m *Machine, first []uint32, reach int64) (*Memory, bool) {
	a := n.Adds
	return a.From.runsOf(m, first, reach, m.slots[a.Lane], m.Uni32[a.Counter]*m.Uni32[a.Step])
}

// add does so many iterations. The weights of consecutive simdgroups are Simdgroup words apart.
func (s *sums) add(m *Machine, weights []uint32, trips int) {
	for g, from := range s.first[:m.simdgroups()] {
		t := weights[g*Simdgroup:][:trips]
		for k := range s.rows {
			row := s.array[k*m.Stride+g*Simdgroup:][:Simdgroup]
			m.P.Table.DotRows(row, s.words[int(from)+k*s.step:], s.apart, t)
		}
	}
}

// MoveOrSum reports whether an instruction copies, extends, adds or multiplies, none of which can fail.
func MoveOrSum(in *ir.Instr) bool {
	switch in.Op {
	case ir.Copy, ir.Add, ir.Sub, ir.Mul, ir.PtrAdd:
		return true
	case ir.Convert:
		_, from := IntOf(in.From)
		_, to := IntOf(in.To)
		return from && to
	}
	return false
}
