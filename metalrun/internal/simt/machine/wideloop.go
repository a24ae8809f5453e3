package machine

import "metalconform/metalrun/internal/syntax"

// A wideLoop is a loop whose threads go over consecutive elements together, each turn over others:
//
//	for (i = thread; i < n; i += threads) { out[i] = f(x[i]); sum += g(x[i]); }
//
// The machine does several turns at once, as a wide one of so many more lanes. Sums and the like are taken turn by
// turn. Beforehand all that the turns access is compared: they do not depend on each other if nothing that one stores
// is what another accesses. The loop itself does what is uncommon or can fault.
type WideLoop struct {
	Loop      *Loop
	Otherwise Node
	Counter   int  // slot
	Indexed   bool // nothing reads the counter but accesses, which look at its first lane alone
	Given     []int
	Reaches   []Reach
	Steps     []WideStep
}

// WideStep is an instruction of a turn.
type WideStep struct {
	Do   Op    // by the wide machine
	Fold Instr // if do is nil: adds to lanes of the machine
}

// maxWide is how many lanes a wide machine has at most: rows of as many fit the first cache.
const maxWide = MaxThreads

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *WideLoop) Run(m *Machine) bool {
	l := n.Loop
	turns, last := l.sure(m)
	if turns < 2 || 2*m.N > maxWide || !n.suits(m, turns) {
		return n.Otherwise.Run(m)
	}
	n.all(m, turns)
	if last && l.Passing && m.unseen() {
		return true
	}
	counter := m.Lanes(n.Counter)
	m.P.Table.AddI.VS(counter, counter, uint32(turns*m.N))
	return l.Run(m)
}

// suits reports whether so many turns can be done at once: all lanes take them, and they neither fault nor depend on
// each other.
func (n *WideLoop) suits(m *Machine, turns int) bool {
	l := n.Loop
	if !m.inLine() || m.Uni32[l.Step] != uint32(m.N) || m.sees(Loops|Accesses) || int64(turns) > m.Steps/l.Cost {
		return false
	}
	spans := m.spans[:len(n.Reaches)]
	first := m.Lanes(n.Counter)[0]
	for i := range n.Reaches {
		var ok bool
		if spans[i], ok = n.Reaches[i].span(m, first, int64(turns*m.N)); !ok {
			return false
		}
	}
	return apart(spans)
}

// all does the turns. The counter stays as it is.
func (n *WideLoop) all(m *Machine, turns int) {
	l, w, most := n.Loop, m.widened(), min(turns, maxWide/m.N)
	first := m.Lanes(n.Counter)[0]
	w.widen(most * m.N)
	for _, s := range n.Given {
		repeatRow(w.slots[s], m.slots[s])
	}
	for done := 0; done < turns; done += most {
		if rest := turns - done; rest < most {
			w.widen(rest * m.N)
		}
		n.count(w, first+uint32(done*m.N), done > 0)
		for i := range n.Steps {
			if s := &n.Steps[i]; s.Do != nil {
				s.Do(w)
			} else {
				s.Fold.fold(m, w)
			}
		}
		m.Executed += int64(len(n.Steps)) + 1
		m.spendTurns(l.Pos, l.Cost, int64(min(most, turns-done)))
	}
	m.Take(l.Turns.Head, turns)
	m.Take(l.Turns.Body, turns)
	m.Take(l.Turns.Post, turns)
}

// count sets the lanes of the counter, the first of which is known. It has been set before if again says so, to fewer.
func (n *WideLoop) count(w *Machine, first uint32, again bool) {
	d := w.slots[n.Counter]
	switch {
	case n.Indexed:
		d[0] = first
	case again:
		w.P.Table.AddI.VS(d, d, first-d[0])
	default:
		w.P.Table.AddI.VS(d, w.iota[:w.N], first)
	}
}

// repeatRow fills d with a row, again and again.
func repeatRow(d, row []uint32) {
	for len(d) > 0 {
		d = d[copy(d, row):]
	}
}

// firstLanes are those of the simdgroups.
var firstLanes = func() (list [MaxThreads / Simdgroup]uint32) {
	for g := range list {
		list[g] = uint32(g * Simdgroup)
	}
	return list
}()

// fold does an instruction that adds to a row of m what a wide machine has: turn by turn.
func (in *Instr) fold(m, w *Machine) {
	d := m.slots[in.D.At]
	part := func(o *Operand) func(first int) []uint32 {
		if *o == in.D {
			return func(int) []uint32 { return d }
		}
		row := w.Operand(o)
		return func(first int) []uint32 { return row[first : first+m.N] }
	}
	switch in.Shape {
	case VectorVector:
		a, b := part(&in.A), part(&in.B)
		for first := 0; first < w.N; first += m.N {
			in.Binary.VV(d, a(first), b(first))
		}
	case VectorVectorVector:
		if table := m.P.Table; in.Triple == &table.MulAdd {
			table.DotRuns(d, w.Operand(&in.A), w.Operand(&in.B), firstLanes[:], firstLanes[:], m.N, w.N/m.N)
			return
		}
		a, b := part(&in.A), part(&in.B)
		for first := 0; first < w.N; first += m.N {
			in.Triple.VVV(d, a(first), b(first), d)
		}
	case VectorScalarVector:
		a, s := part(&in.A), m.Uni32[in.B.At]
		for first := 0; first < w.N; first += m.N {
			in.Triple.VSV(d, a(first), s, d)
		}
	}
}

// spendTurns is spend for several turns.
func (m *Machine) spendTurns(pos syntax.Pos, cost, turns int64) {
	m.Steps -= turns * cost
	if m.tired(turns * cost * int64(m.N)) {
		m.failLate(pos)
	}
}

// widened is the machine's wide one, which has rows of its own for what wide loops use.
func (m *Machine) widened() *Machine {
	if m.broad != nil {
		return m.broad
	}
	p := m.P
	w := &Machine{P: p, Launch: m.Launch}
	w.paces = make([]pace, p.Paces)
	w.Objects, w.Uni32, w.Uni64, w.Whole, w.Full = m.Objects, m.Uni32, m.Uni64, true, true
	w.store = newStore((len(p.WideSlots)+3)*maxWide, 0, maxWide)
	words := w.store.words
	w.Addr = w.store.spans
	w.Mask, w.Scratch, w.iota = cut(&words, maxWide), cut(&words, maxWide), cut(&words, maxWide)
	w.slots = make([][]uint32, p.Slots32)
	for _, s := range p.WideSlots {
		w.slots[s] = cut(&words, maxWide)
	}
	p.Table.Fill(w.Mask, ^uint32(0))
	for l := range w.iota {
		w.iota[l] = uint32(l)
	}
	m.broad = w
	return w
}

// widen gives a wide machine so many lanes.
func (w *Machine) widen(lanes int) {
	w.N, w.Stride, w.Live, w.Size = lanes, lanes, lanes, Size{lanes, 1, 1}
	w.Mask, w.Scratch, w.Addr = w.Mask[:lanes], w.Scratch[:lanes], w.Addr[:lanes]
	for _, s := range w.P.WideSlots {
		w.slots[s] = w.slots[s][:lanes]
	}
}
