package simt

import (
	"slices"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
)

// A decision that another device may take otherwise is tried both ways where that can be done
// without the rest of the threadgroup: first the other way by the lanes in question, and all
// that they have set is noted and taken back; then the way that the f32 values take. What exact
// arithmetic takes is the exact value, and the distance to the other is part of the error.

// tried is a construct of which one decision can be tried both ways: an If that nothing leaves, or
// a function that a decision in it leaves early.
type tried struct {
	sets        []variable
	first, last int // constructs in it
}

// variable is one that a construct sets. It has balls where a decision leads to it that other
// devices may take otherwise.
type variable struct {
	at  slot
	typ ir.Type
	has bool
}

// triable is what it takes to try nodes both ways; nil if it cannot be done: threads act
// together there, or lanes leave from there.
func (c *compiler) triable(n ir.Node, first int) *tried {
	if ir.Contains([]ir.Node{n}, func(x ir.Node) bool {
		switch x := x.(type) {
		case *ir.Instr:
			return x.Op == ir.Atomic || x.Op == ir.Barrier || x.Op.Info().Effects.Has(ir.Collective|ir.Orders)
		case *ir.Exit:
			return !leads(n, x)
		}
		return false
	}) {
		return nil
	}
	t := &tried{sets: c.sets(n), first: first, last: c.p.constructs}
	if slices.ContainsFunc(t.sets, func(v variable) bool { return v.typ == ir.Ptr }) {
		return nil
	}
	return t
}

// state is what the registers of a construct hold, and which lanes are active.
type state struct {
	narrow [][]uint32
	wide   [][]uint64
	balls  [][]ball.Ball
	mask   []uint32
	exited []uint32
	doubt  []uint32
	whole  bool
	full   bool
	unsure bool
	steps  int64
}

// registers are the values of a slot of 32 bits.
func (m *machine) registers(at slot) []uint32 {
	if at.varying {
		return m.lanes(at.index)
	}
	return m.uni32[at.index : at.index+1]
}

func (m *machine) registers64(at slot) []uint64 {
	if at.varying {
		return m.wide(at.index)
	}
	return m.uni64[at.index : at.index+1]
}

// capture takes the state of a construct.
func (m *machine) capture(t *tried) *state {
	b := m.balls
	s := &state{mask: slices.Clone(m.mask), exited: slices.Clone(m.exited), doubt: slices.Clone(b.doubt[:m.n]),
		whole: m.whole, full: m.full, unsure: b.doubtful, steps: m.steps}
	s.narrow, s.wide, s.balls = make([][]uint32, len(t.sets)), make([][]uint64, len(t.sets)), make([][]ball.Ball, len(t.sets))
	for i, v := range t.sets {
		s.balls[i] = slices.Clone(m.look(v.at))
		if v.at.wide {
			s.wide[i] = slices.Clone(m.registers64(v.at))
		} else {
			s.narrow[i] = slices.Clone(m.registers(v.at))
		}
	}
	return s
}

// reinstate gives it back.
func (m *machine) reinstate(t *tried, s *state) {
	b := m.balls
	for i, v := range t.sets {
		copy(m.row(v.at), s.balls[i])
		if v.at.wide {
			copy(m.registers64(v.at), s.wide[i])
		} else {
			copy(m.registers(v.at), s.narrow[i])
		}
	}
	copy(m.mask, s.mask)
	copy(m.exited, s.exited)
	copy(b.doubt, s.doubt)
	m.whole, m.full, b.doubtful, m.steps, m.jump = s.whole, s.full, s.unsure, s.steps, 0
	m.activities.n = 0
	for id := t.first; id < t.last; id++ {
		if m.anyWaiting[id] {
			clear(m.waiting[id])
			m.anyWaiting[id] = false
		}
	}
}

// fork is a decision to be tried both ways.
type fork struct {
	at    *decided
	lanes []uint32 // that may go the other way
	right []uint32 // that go the way of exact arithmetic
}

// forkAt is the fork of a decision where it stands.
func (m *machine) forkAt(n *decided, row []ball.Ball) *fork {
	f := &fork{n, make([]uint32, m.n), make([]uint32, m.n)}
	for l, on := range m.mask {
		which := row[min(l, len(row)-1)]
		if on != 0 && which.E != 0 {
			f.lanes[l] = on
			f.right[l] = lane((which.X != 0) == (m.number(n.cond, ir.Bool, l) != 0))
		}
	}
	return f
}

// tryBoth runs a construct both ways of a fork in it, false if that could not be done: then
// everything is as it was.
func (m *machine) tryBoth(t *tried, f *fork, run func(m *machine) bool) (alive, ok bool) {
	b := m.balls
	m.recallAll()
	start := m.capture(t)
	outer, pending, tape := b.journal, b.pending, m.tape
	defer func() { b.journal, b.pending, m.tape = outer, pending, tape }()

	m.tape = nil
	other := &journal{}
	b.journal, b.pending, b.flip = other, nil, f.at
	copy(m.mask, f.lanes)
	m.recount()
	fits := m.withoutFault(run) && slices.Equal(b.doubt[:m.n], start.doubt)
	b.flip = nil
	end := m.capture(t)
	other.settle(m)
	other.undo(m)
	m.reinstate(t, start)
	if !fits {
		return false, false
	}

	taken := &journal{}
	b.journal, b.pending, m.tape = taken, &pendingFork{known: f.at}, tape
	alive = run(m)
	taken.settle(m)
	unstable := m.mergeRegisters(t, f, end)
	unstable = m.mergeCells(f, taken, other) || unstable
	if unstable {
		m.note(f.at.pos, Unstable)
	}
	if outer != nil {
		outer.entries = append(append(outer.entries, other.entries...), taken.entries...)
	}
	return alive, true
}

// recount counts the active lanes.
func (m *machine) recount() {
	active := 0
	for _, on := range m.mask {
		active += int(on & 1)
	}
	m.counted(active)
}

// withoutFault runs what another device might, and reports whether it ends well.
func (m *machine) withoutFault(run func(m *machine) bool) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, fault := r.(*Fault); !fault {
				panic(r)
			}
		}
	}()
	run(m)
	return true
}

// merged is what is known of a value that one of two ways gives.
func (f *fork) merged(l int, taken, other ball.Ball, t ir.Type) ball.Ball {
	switch {
	case taken == other, taken.X != taken.X && other.X != other.X && taken.E == 0 && other.E == 0:
		return taken
	case t == ir.I64 || t == ir.Ptr:
		return ball.Unknown(taken.X)
	case f.right[l] != 0:
		return ball.Either(taken, other)
	}
	return ball.Either(other, taken)
}

// mergeRegisters makes what lanes in question have set what either way gives, and reports whether
// that makes a difference.
func (m *machine) mergeRegisters(t *tried, f *fork, other *state) (unstable bool) {
	for i, v := range t.sets {
		if !v.has {
			continue
		}
		row := m.row(v.at)
		for l, on := range f.lanes {
			if k := min(l, len(row)-1); on != 0 && (k == l || l == m.firstActive()) {
				now := row[k]
				row[k] = f.merged(l, now, other.balls[i][k], v.typ)
				unstable = unstable || now.X != other.balls[i][k].X
			}
		}
	}
	return unstable
}

// journal has the stores of lanes that try a decision.
type journal struct{ entries []entry }

// entry is one store of a lane.
type entry struct {
	lane     int
	mem      *memory // nil: the lane's own
	off      int64
	from     ir.Scalar
	mixed    bool
	old, now uint64
	was, is  ball.Ball
	parts    []ball.Ball // what was in all cells of mixed memory
}

// untyped reports whether the place is in memory of several types that does not know which one it holds.
func (e *entry) untyped() bool { return e.mixed && (e.mem == nil || e.mem.kinds == nil) }

// note keeps what a place holds before a store.
func (j *journal) note(m *machine, a *ballAccess, extra int64) {
	a.where(m, extra, false, func(l int, mem *memory, off int64) {
		e := entry{lane: l, mem: mem, off: off, from: a.in.From, mixed: a.mixed}
		e.old, e.was = e.look(m)
		if e.untyped() {
			m.cellsOf(mem, off, e.from.Size(), l, func(cell *ball.Ball, _ int64) { e.parts = append(e.parts, *cell) })
		}
		j.entries = append(j.entries, e)
	})
}

// enter keeps what a place of memory with one type holds before a store.
func (j *journal) enter(m *machine, l int, mem *memory, off int64, from ir.Scalar) {
	e := entry{lane: l, mem: mem, off: off, from: from}
	e.old, e.was = e.look(m)
	j.entries = append(j.entries, e)
}

// look is what the place holds.
func (e *entry) look(m *machine) (uint64, ball.Ball) {
	raw := uint64(0)
	if e.mem == nil {
		raw = m.rawPrivate(e.off, e.from.Size(), e.lane)
	} else {
		raw = e.mem.raw(e.off, e.from.Size())
	}
	b := m.held(e.mem, e.off, e.lane, e.from)
	if b.None() {
		return raw, valueBall(raw, e.from)
	}
	return raw, b
}

// valueBall is a value in memory that every device has.
func valueBall(raw uint64, s ir.Scalar) ball.Ball {
	of, integer := intOf(s)
	switch {
	case s == ir.R32:
		return ball.Of(float64(f32frombits(uint32(raw))))
	case s.Type().IsFloat():
		return ball.Ball{X: float64(f32frombits(decode32(s)(uint32(raw))))}
	case integer && of.Bits == 32: // with a sign, as registers are carried
		return ball.Ball{X: float64(int32(raw))}
	case integer:
		return ball.Ball{X: float64(int64(of.Canonical(raw)))}
	}
	return ball.Ball{X: float64(raw & 1)}
}

// settle notes what the places hold at the end.
func (j *journal) settle(m *machine) {
	for i := range j.entries {
		e := &j.entries[i]
		e.now, e.is = e.look(m)
	}
}

// undo takes the stores back.
func (j *journal) undo(m *machine) {
	for i := len(j.entries) - 1; i >= 0; i-- {
		e := &j.entries[i]
		if e.mem == nil {
			m.setRawPrivate(e.off, e.from.Size(), e.lane, e.old)
		} else {
			e.mem.setRaw(e.off, e.from.Size(), e.old)
		}
		if e.untyped() {
			parts := e.parts
			m.cellsOf(e.mem, e.off, e.from.Size(), e.lane, func(cell *ball.Ball, at int64) {
				m.setCell(e.mem, at, cell, parts[0])
				parts = parts[1:]
			})
		} else {
			m.hold(e.mem, e.off, e.lane, e.from, e.was)
		}
	}
}

// eitherCell is what a cell holds after each way.
type eitherCell struct {
	entry
	other ball.Ball
}

// mergeCells makes what lanes in question have stored what either way leaves, and reports whether
// that makes a difference.
func (m *machine) mergeCells(f *fork, taken, other *journal) (unstable bool) {
	if len(taken.entries)+len(other.entries) == 0 {
		return false
	}
	cells := map[*ball.Ball]*eitherCell{}
	for _, e := range other.entries {
		if cell := m.cellAt(e.mem, e.off, e.lane); cell != nil && f.lanes[e.lane] != 0 {
			o := &eitherCell{entry: e, other: e.is}
			o.is, o.now = e.was, e.old
			if before := cells[cell]; before != nil { // stored twice: the first entry has what was there
				o.is, o.now = before.is, before.now
			}
			cells[cell] = o
		}
	}
	for _, e := range taken.entries {
		cell := m.cellAt(e.mem, e.off, e.lane)
		if cell == nil || f.lanes[e.lane] == 0 {
			continue
		}
		if o := cells[cell]; o != nil {
			o.is, o.now = e.is, e.now
		} else {
			cells[cell] = &eitherCell{entry: e, other: e.was}
		}
	}
	for _, o := range cells {
		if o.is == o.other && !o.untyped() {
			continue
		}
		unstable = unstable || o.is.X != o.other.X
		merged := ball.Unknown(o.is.X)
		if !o.untyped() {
			merged = f.merged(o.lane, o.is, o.other, o.from.Type())
		}
		m.hold(o.mem, o.off, o.lane, o.from, merged)
	}
	return unstable
}

// pendingFork is what a function that may be left early waits for while it runs: the decision
// that may leave it on another device.
type pendingFork struct {
	block *ir.Block
	known *decided // has been tried: it needs no doubt
	fork  *fork
	more  bool // there is another such decision
}

// early is a function that a decision in it may leave early.
type early struct {
	inside node
	block  *ir.Block
	sets   []variable
	tried  *tried // nil: cannot be tried both ways
	closed bool   // nothing in it stores, or leaves for elsewhere: doubt ends with it
}

func (n *early) run(m *machine) bool {
	if n.tried == nil {
		return n.confine(m)
	}
	b := m.balls
	outer, pending := b.journal, b.pending
	m.recallAll()
	start := m.capture(n.tried)
	p, j, recorded := &pendingFork{block: n.block}, &journal{}, m.tape.mark()
	if pending != nil {
		p.known = pending.known
	}
	b.journal, b.pending = j, p
	alive := n.inside.run(m)
	b.journal, b.pending = outer, pending
	if p.fork == nil {
		if outer != nil {
			outer.entries = append(outer.entries, j.entries...)
		}
		return alive
	}
	j.undo(m)
	m.tape.rewind(recorded)
	m.reinstate(n.tried, start)
	if !p.more {
		if alive, ok := m.tryBoth(n.tried, p.fork, n.inside.run); ok {
			return alive
		}
	}
	b.pending = nil
	defer func() { b.pending = pending }()
	return n.confine(m)
}

// confine runs it, and makes what it sets unknown where there was doubt.
func (n *early) confine(m *machine) bool {
	b := m.balls
	if !n.closed {
		return n.inside.run(m)
	}
	mask, before, doubtful := slices.Clone(m.mask), slices.Clone(b.doubt[:m.n]), b.doubtful
	alive := n.inside.run(m)
	if b.doubtful && !slices.Equal(before, b.doubt[:m.n]) {
		m.forgetAll(n.sets, mask)
	}
	copy(b.doubt, before)
	b.doubtful = doubtful
	return alive
}

// leftEarly wraps a function or a loop that a decision which other devices may take otherwise
// leaves.
func (c *compiler) leftEarly(n ir.Node, first int, inside node) node {
	x := c.p.exact
	loop, isLoop := n.(*ir.Loop)
	if x == nil || n == c.p.kernel.Body[0] || !x.LeftInDoubt(n) && !(isLoop && loop.Cond != ir.None && x.Depends(loop.Cond)) {
		return inside
	}
	e := &early{inside: inside, sets: c.sets(n)}
	e.closed = !ir.Contains([]ir.Node{n}, func(x ir.Node) bool {
		switch x := x.(type) {
		case *ir.Instr:
			return x.Op.Info().Effects&^ir.Reads&^ir.Faults != 0
		case *ir.Exit:
			return !leads(n, x)
		}
		return false
	})
	if block, ok := n.(*ir.Block); ok {
		e.block, e.tried = block, c.triable(n, first)
	}
	return e
}
