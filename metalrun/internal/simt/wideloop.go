package simt

import "metalconform/metalrun/internal/syntax"

// A wideLoop is a loop whose threads go over consecutive elements together, each turn over others:
//
//	for (i = thread; i < n; i += threads) { out[i] = f(x[i]); sum += g(x[i]); }
//
// The machine does several turns at once, as a wide one of so many more lanes. Sums and the like are taken turn by
// turn. Beforehand all that the turns access is compared: they do not depend on each other if nothing that one stores
// is what another accesses. The loop itself does what is uncommon or can fault.
type wideLoop struct {
	loop      *loop
	otherwise node
	counter   int  // slot
	indexed   bool // nothing reads the counter but accesses, which look at its first lane alone
	given     []int
	reaches   []reach
	steps     []wideStep
}

// wideStep is an instruction of a turn.
type wideStep struct {
	do   op    // by the wide machine
	fold instr // if do is nil: adds to lanes of the machine
}

// maxWide is how many lanes a wide machine has at most: rows of as many fit the first cache.
const maxWide = MaxThreads

func (n *wideLoop) run(m *machine) bool {
	l := n.loop
	turns, last := l.sure(m)
	if turns < 2 || 2*m.n > maxWide || !n.suits(m, turns) {
		return n.otherwise.run(m)
	}
	n.all(m, turns)
	if last && l.passing && m.unseen() {
		return true
	}
	counter := m.lanes(n.counter)
	m.p.table.AddI.VS(counter, counter, uint32(turns*m.n))
	return l.run(m)
}

// suits reports whether so many turns can be done at once: all lanes take them, and they neither fault nor depend on
// each other.
func (n *wideLoop) suits(m *machine, turns int) bool {
	l := n.loop
	if !m.inLine() || m.uni32[l.step] != uint32(m.n) || m.sanitizer != nil || m.watch != nil || int64(turns) > m.steps/l.cost {
		return false
	}
	spans := m.spans[:len(n.reaches)]
	first := m.lanes(n.counter)[0]
	for i := range n.reaches {
		var ok bool
		if spans[i], ok = n.reaches[i].span(m, first, int64(turns*m.n)); !ok {
			return false
		}
	}
	return apart(spans)
}

// all does the turns. The counter stays as it is.
func (n *wideLoop) all(m *machine, turns int) {
	l, w, most := n.loop, m.widened(), min(turns, maxWide/m.n)
	first := m.lanes(n.counter)[0]
	w.widen(most * m.n)
	for _, s := range n.given {
		repeatRow(w.slots[s], m.slots[s])
	}
	for done := 0; done < turns; done += most {
		if rest := turns - done; rest < most {
			w.widen(rest * m.n)
		}
		n.count(w, first+uint32(done*m.n), done > 0)
		for i := range n.steps {
			if s := &n.steps[i]; s.do != nil {
				s.do(w)
			} else {
				s.fold.fold(m, w)
			}
		}
		m.executed += int64(len(n.steps)) + 1
		m.spendTurns(l.pos, l.cost, int64(min(most, turns-done)))
	}
	m.take(l.turns.head, turns)
	m.take(l.turns.body, turns)
	m.take(l.turns.post, turns)
}

// count sets the lanes of the counter, the first of which is known. It has been set before if again says so, to fewer.
func (n *wideLoop) count(w *machine, first uint32, again bool) {
	d := w.slots[n.counter]
	switch {
	case n.indexed:
		d[0] = first
	case again:
		w.p.table.AddI.VS(d, d, first-d[0])
	default:
		w.p.table.AddI.VS(d, w.iota[:w.n], first)
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
func (in *instr) fold(m, w *machine) {
	d := m.slots[in.d.at]
	part := func(o *operand) func(first int) []uint32 {
		if *o == in.d {
			return func(int) []uint32 { return d }
		}
		row := w.operand(o)
		return func(first int) []uint32 { return row[first : first+m.n] }
	}
	switch in.shape {
	case vectorVector:
		a, b := part(&in.a), part(&in.b)
		for first := 0; first < w.n; first += m.n {
			in.binary.VV(d, a(first), b(first))
		}
	case vectorVectorVector:
		if table := m.p.table; in.triple == &table.MulAdd {
			table.DotRuns(d, w.operand(&in.a), w.operand(&in.b), firstLanes[:], firstLanes[:], m.n, w.n/m.n)
			return
		}
		a, b := part(&in.a), part(&in.b)
		for first := 0; first < w.n; first += m.n {
			in.triple.VVV(d, a(first), b(first), d)
		}
	case vectorScalarVector:
		a, s := part(&in.a), m.uni32[in.b.at]
		for first := 0; first < w.n; first += m.n {
			in.triple.VSV(d, a(first), s, d)
		}
	}
}

// spendTurns is spend for several turns.
func (m *machine) spendTurns(pos syntax.Pos, cost, turns int64) {
	m.steps -= turns * cost
	if m.tired(turns * cost * int64(m.n)) {
		m.fail(OutOfTime, pos, m.firstActive(), "still in this loop after %v, which -timeout can raise", m.p.options.Timeout)
	}
}

// widened is the machine's wide one, which has rows of its own for what wide loops use.
func (m *machine) widened() *machine {
	if m.broad != nil {
		return m.broad
	}
	p := m.p
	w := &machine{p: p, paces: make([]pace, p.paces), launch: m.launch, objects: m.objects, uni32: m.uni32, uni64: m.uni64, whole: true, full: true}
	w.store = newStore((len(p.wideSlots)+3)*maxWide, 0, maxWide)
	words := w.store.words
	w.addr = w.store.spans
	w.mask, w.scratch, w.iota = cut(&words, maxWide), cut(&words, maxWide), cut(&words, maxWide)
	w.slots = make([][]uint32, p.slots32)
	for _, s := range p.wideSlots {
		w.slots[s] = cut(&words, maxWide)
	}
	p.table.Fill(w.mask, ^uint32(0))
	for l := range w.iota {
		w.iota[l] = uint32(l)
	}
	m.broad = w
	return w
}

// widen gives a wide machine so many lanes.
func (w *machine) widen(lanes int) {
	w.n, w.stride, w.live, w.size = lanes, lanes, lanes, Size{lanes, 1, 1}
	w.mask, w.scratch, w.addr = w.mask[:lanes], w.scratch[:lanes], w.addr[:lanes]
	for _, s := range w.p.wideSlots {
		w.slots[s] = w.slots[s][:lanes]
	}
}
