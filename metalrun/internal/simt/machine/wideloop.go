package machine

import "metalconform/metalrun/internal/syntax"

// A WideLoop is a loop whose threads go over consecutive elements together, in each iteration over others:
//
//	for (i = thread; i < n; i += threads) { out[i] = f(x[i]); sum += g(x[i]); }
//
// The machine does several iterations at once in a wide machine, which has so many times the lanes. Sums are added up
// iteration by iteration. First, the ranges that the iterations access are compared: iterations are independent if none
// stores what another accesses. The loop itself does uncommon cases and all that can fault.
type WideLoop struct {
	Loop      *Loop
	Otherwise Node
	Counter   int  // slot
	Indexed   bool // only accesses read the counter, and only its first lane
	Given     []int
	Reaches   []Reach
	Steps     []WideStep
}

// WideStep is an instruction of an iteration.
type WideStep struct {
	Do   Op    // runs on the wide machine
	Fold Instr // if Do is nil: adds to lanes of the machine itself
}

// maxWide is how many lanes a wide machine has at most: rows of as many fit the first cache.
const maxWide = MaxThreads

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *WideLoop) Run(m *Machine) bool {
	l := n.Loop
	trips, last := l.sure(m)
	if trips < 2 || 2*m.N > maxWide || !n.suits(m, trips) {
		return n.Otherwise.Run(m)
	}
	n.all(m, trips)
	if last && l.Passing && m.unseen() {
		return true
	}
	counter := m.Lanes(n.Counter)
	m.P.Table.AddI.VS(counter, counter, uint32(trips*m.N))
	return l.Run(m)
}

// suits reports whether so many iterations can be done at once: all lanes take part, no iteration faults, and all are
// independent.
func (n *WideLoop) suits(m *Machine, trips int) bool {
	l := n.Loop
	if !m.inLine() || m.Uni32[l.Step] != uint32(m.N) || m.sees(Loops|Accesses) || int64(trips) > m.Steps/l.Cost {
		return false
	}
	spans := m.spans[:len(n.Reaches)]
	first := m.Lanes(n.Counter)[0]
	for i := range n.Reaches {
		var ok bool
		if spans[i], ok = n.Reaches[i].span(m, first, int64(trips*m.N)); !ok {
			return false
		}
	}
	return apart(spans)
}

// all does the iterations. The counter is not changed.
func (n *WideLoop) all(m *Machine, trips int) {
	l, w, most := n.Loop, m.widened(), min(trips, maxWide/m.N)
	first := m.Lanes(n.Counter)[0]
	w.widen(most * m.N)
	for _, s := range n.Given {
		repeatRow(w.slots[s], m.slots[s])
	}
	for done := 0; done < trips; done += most {
		if rest := trips - done; rest < most {
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
		m.spendIterations(l.Pos, l.Cost, int64(min(most, trips-done)))
	}
	m.Take(l.Counters.Head, trips)
	m.Take(l.Counters.Body, trips)
	m.Take(l.Counters.Post, trips)
}

// count sets the lanes of the counter from its first lanes. again says that it has been set before, to smaller numbers.
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

// repeatRow fills d with copies of a row.
func repeatRow(d, row []uint32) {
	for len(d) > 0 {
		d = d[copy(d, row):]
	}
}

// firstLanes are the first lanes of the simdgroups.
var firstLanes = func() (list [MaxThreads / Simdgroup]uint32) {
	for g := range list {
		list[g] = uint32(g * Simdgroup)
	}
	return list
}()

// fold adds the lanes of a wide machine to a row of m, iteration by iteration.
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

// spendIterations is spend for several iterations.
func (m *Machine) spendIterations(pos syntax.Pos, cost, trips int64) {
	m.Steps -= trips * cost
	if m.tired(trips * cost * int64(m.N)) {
		m.failLate(pos)
	}
}

// widened is the wide machine of m. It has its own rows for the slots that wide loops use.
func (m *Machine) widened() *Machine {
	if m.broad != nil {
		return m.broad
	}
	p := m.P
	w := &Machine{P: p, Launch: m.Launch}
	w.predictors = make([]stridePredictor, p.Predictors)
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

// widen sets the number of lanes of a wide machine.
func (w *Machine) widen(lanes int) {
	w.N, w.Stride, w.Live, w.Size = lanes, lanes, lanes, Size{lanes, 1, 1}
	w.Mask, w.Scratch, w.Addr = w.Mask[:lanes], w.Scratch[:lanes], w.Addr[:lanes]
	for _, s := range w.P.WideSlots {
		w.slots[s] = w.slots[s][:lanes]
	}
}
