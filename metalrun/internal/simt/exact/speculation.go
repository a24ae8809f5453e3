package exact

import (
	"slices"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
)

// Speculative evaluation of both arms: a branch that another device may decide otherwise is executed both ways, if that
// needs only the uncertain lanes. First these lanes execute it the other way; all that they set is recorded and undone.
// Then all lanes execute it as the f32 values decide. The exact value is that of the decision of exact arithmetic, and
// its bound includes the distance to the other.

// region is a construct that can be executed both ways of one decision: an If that no exit leaves, or a function that a
// decision in it leaves early.
type region struct {
	sets        []variable
	first, last int // numbers of the constructs in it: [first, last)
}

// variable is a variable that a construct sets. has says that it has balls.
type variable struct {
	at  machine.Slot
	typ ir.Type
	has bool
}

// speculativeRegion is the region of a node. It is nil if the node cannot be executed both ways: threads act together
// in it, or an exit leaves it.
func speculativeRegion(c *codegen.Compiler, n ir.Node, first int) *region {
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
	t := &region{sets: sets(c, n), first: first, last: c.P.Constructs}
	if slices.ContainsFunc(t.sets, func(v variable) bool { return v.typ == ir.Ptr }) {
		return nil
	}
	return t
}

// state is the state of a region: what its variables hold, and which lanes are active.
type state struct {
	narrow    [][]uint32
	wide      [][]uint64
	balls     [][]ball.Ball
	mask      []uint32
	exited    []uint32
	uncertain []uint32
	whole     bool
	full      bool
	unsure    bool
	steps     int64
}

// registers are the 32-bit values of a slot.
func registers(m *machine.Machine, at machine.Slot) []uint32 {
	if at.Varying {
		return m.Lanes(at.Index)
	}
	return m.Uni32[at.Index : at.Index+1]
}

func registers64(m *machine.Machine, at machine.Slot) []uint64 {
	if at.Varying {
		return m.Wide(at.Index)
	}
	return m.Uni64[at.Index : at.Index+1]
}

// capture copies the state of a region.
func capture(m *machine.Machine, t *region) *state {
	b := BallsOf(m)
	s := &state{mask: slices.Clone(m.Mask), exited: slices.Clone(m.Exited), uncertain: slices.Clone(b.uncertain[:m.N]),
		whole: m.Whole, full: m.Full, unsure: b.anyUncertain, steps: m.Steps}
	s.narrow, s.wide, s.balls = make([][]uint32, len(t.sets)), make([][]uint64, len(t.sets)),
		make([][]ball.Ball, len(t.sets))
	for i, v := range t.sets {
		s.balls[i] = slices.Clone(ReadRow(m, v.at))
		if v.at.Wide {
			s.wide[i] = slices.Clone(registers64(m, v.at))
		} else {
			s.narrow[i] = slices.Clone(registers(m, v.at))
		}
	}
	return s
}

// reinstate restores the state of a region.
func reinstate(m *machine.Machine, t *region, s *state) {
	b := BallsOf(m)
	for i, v := range t.sets {
		copy(writableRow(m, v.at), s.balls[i])
		if v.at.Wide {
			copy(registers64(m, v.at), s.wide[i])
		} else {
			copy(registers(m, v.at), s.narrow[i])
		}
	}
	copy(m.Mask, s.mask)
	copy(m.Exited, s.exited)
	copy(b.uncertain, s.uncertain)
	m.Whole, m.Full, b.anyUncertain, m.Steps, m.Jump = s.whole, s.full, s.unsure, s.steps, 0
	m.Activities.N = 0
	for id := t.first; id < t.last; id++ {
		if m.AnyWaiting[id] {
			clear(m.Waiting[id])
			m.AnyWaiting[id] = false
		}
	}
}

// fork is a decision that is executed both ways.
type fork struct {
	at    *decided
	lanes []uint32 // lanes that may go the other way
	right []uint32 // lanes that decide as exact arithmetic does
}

// forkAt is the fork of a decision for the active lanes.
func forkAt(m *machine.Machine, n *decided, row []ball.Ball) *fork {
	f := &fork{n, make([]uint32, m.N), make([]uint32, m.N)}
	for l, on := range m.Mask {
		which := row[min(l, len(row)-1)]
		if on != 0 && which.E != 0 {
			f.lanes[l] = on
			f.right[l] = machine.Lane((which.X != 0) == (Number(m, n.cond, ir.Bool, l) != 0))
		}
	}
	return f
}

// speculate executes a region both ways of a fork in it. If ok is false, that was not possible and nothing has changed.
func speculate(m *machine.Machine, t *region, f *fork, run func(m *machine.Machine) bool) (alive, ok bool) {
	b := BallsOf(m)
	detachAll(m)
	start := capture(m, t)
	outer, pending, trace := b.journal, b.pending, b.Recorder
	defer func() { b.journal, b.pending, b.Recorder = outer, pending, trace }()

	b.Recorder = nil
	other := &journal{}
	b.journal, b.pending, b.flip = other, nil, f.at
	copy(m.Mask, f.lanes)
	recount(m)
	fits := withoutFault(m, run) && slices.Equal(b.uncertain[:m.N], start.uncertain)
	b.flip = nil
	end := capture(m, t)
	other.settle(m)
	other.undo(m)
	reinstate(m, t, start)
	if !fits {
		return false, false
	}

	taken := &journal{}
	b.journal, b.pending, b.Recorder = taken, &pendingFork{known: f.at}, trace
	alive = run(m)
	taken.settle(m)
	unstable := mergeRegisters(m, t, f, end)
	unstable = mergeCells(m, f, taken, other) || unstable
	if unstable {
		note(m, f.at.pos, Unstable)
	}
	if outer != nil {
		outer.entries = append(append(outer.entries, other.entries...), taken.entries...)
	}
	return alive, true
}

// recount counts the active lanes.
func recount(m *machine.Machine) {
	active := 0
	for _, on := range m.Mask {
		active += int(on & 1)
	}
	m.Counted(active)
}

// withoutFault runs what another device may run, and reports whether it ends without a fault.
func withoutFault(m *machine.Machine, run func(m *machine.Machine) bool) (ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, fault := r.(*machine.Fault); !fault {
				panic(r)
			}
		}
	}()
	run(m)
	return true
}

// merged is the ball of a value that is one of two: the one of the taken way, or the one of the other way.
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

// mergeRegisters merges the variables of the two ways in the lanes of the fork, and reports whether they differ.
func mergeRegisters(m *machine.Machine, t *region, f *fork, other *state) (unstable bool) {
	for i, v := range t.sets {
		if !v.has {
			continue
		}
		row := writableRow(m, v.at)
		for l, on := range f.lanes {
			if k := min(l, len(row)-1); on != 0 && (k == l || l == m.FirstActive()) {
				now := row[k]
				row[k] = f.merged(l, now, other.balls[i][k], v.typ)
				unstable = unstable || now.X != other.balls[i][k].X
			}
		}
	}
	return unstable
}

// journal records the stores of a speculative execution.
type journal struct{ entries []entry }

// entry is one store of a lane.
type entry struct {
	lane     int
	mem      *machine.Memory // nil: the lane's own
	off      int64
	from     ir.Scalar
	mixed    bool
	old, now uint64
	was, is  ball.Ball
	parts    []ball.Ball // the former balls of all cells, in mixed memory
}

// untyped reports whether the entry is in mixed memory without a record of types.
func (e *entry) untyped() bool { return e.mixed && (e.mem == nil || e.mem.Representations == nil) }

// note records what memory holds before a store.
func (j *journal) note(m *machine.Machine, a *BallAccess, extra int64) {
	a.Where(m, extra, false, func(l int, mem *machine.Memory, off int64) {
		e := entry{lane: l, mem: mem, off: off, from: a.in.From, mixed: a.mixed}
		e.old, e.was = e.contents(m)
		if e.untyped() {
			cellsOf(m, mem, off, e.from.Size(), l, func(cell *ball.Ball, _ int64) { e.parts = append(e.parts, *cell) })
		}
		j.entries = append(j.entries, e)
	})
}

// enter records what an element of memory with one type holds before a store.
func (j *journal) enter(m *machine.Machine, l int, mem *machine.Memory, off int64, from ir.Scalar) {
	e := entry{lane: l, mem: mem, off: off, from: from}
	e.old, e.was = e.contents(m)
	j.entries = append(j.entries, e)
}

// contents is what the memory of the entry holds now.
func (e *entry) contents(m *machine.Machine) (uint64, ball.Ball) {
	raw := uint64(0)
	if e.mem == nil {
		raw = m.RawPrivate(e.off, e.from.Size(), e.lane)
	} else {
		raw = e.mem.Raw(e.off, e.from.Size())
	}
	b := heldBall(m, e.mem, e.off, e.lane, e.from)
	if b.None() {
		return raw, ValueBall(raw, e.from)
	}
	return raw, b
}

// ValueBall is the ball of a value in memory that is the same on every device.
func ValueBall(raw uint64, s ir.Scalar) ball.Ball {
	of, integer := machine.IntOf(s)
	switch {
	case s == ir.R32:
		return ball.Of(float64(machine.F32frombits(uint32(raw))))
	case s.Type().IsFloat():
		return ball.Ball{X: float64(machine.F32frombits(machine.Decode32(s)(uint32(raw))))}
	case integer && of.Bits == 32: // with a sign, as registers are carried
		return ball.Ball{X: float64(int32(raw))}
	case integer:
		return ball.Ball{X: float64(int64(of.Canonical(raw)))}
	}
	return ball.Ball{X: float64(raw & 1)}
}

// settle records what the memory of all entries holds at the end.
func (j *journal) settle(m *machine.Machine) {
	for i := range j.entries {
		e := &j.entries[i]
		e.now, e.is = e.contents(m)
	}
}

// undo undoes the stores.
func (j *journal) undo(m *machine.Machine) {
	for i := len(j.entries) - 1; i >= 0; i-- {
		e := &j.entries[i]
		if e.mem == nil {
			m.SetRawPrivate(e.off, e.from.Size(), e.lane, e.old)
		} else {
			e.mem.SetRaw(e.off, e.from.Size(), e.old)
		}
		if e.untyped() {
			parts := e.parts
			cellsOf(m, e.mem, e.off, e.from.Size(), e.lane, func(cell *ball.Ball, at int64) {
				setCell(m, e.mem, at, cell, parts[0])
				parts = parts[1:]
			})
		} else {
			holdAt(m, e.mem, e.off, e.lane, e.from, e.was)
		}
	}
}

// eitherCell is a cell after each of the two ways.
type eitherCell struct {
	entry
	other ball.Ball
}

// mergeCells merges the stores of the two ways in the lanes of the fork, and reports whether they differ.
func mergeCells(m *machine.Machine, f *fork, taken, other *journal) (unstable bool) {
	if len(taken.entries)+len(other.entries) == 0 {
		return false
	}
	cells := map[*ball.Ball]*eitherCell{}
	for _, e := range other.entries {
		if cell := cellAt(m, e.mem, e.off, e.lane); cell != nil && f.lanes[e.lane] != 0 {
			o := &eitherCell{entry: e, other: e.is}
			o.is, o.now = e.was, e.old
			if before := cells[cell]; before != nil { // stored twice: the first entry has what was there
				o.is, o.now = before.is, before.now
			}
			cells[cell] = o
		}
	}
	for _, e := range taken.entries {
		cell := cellAt(m, e.mem, e.off, e.lane)
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
		holdAt(m, o.mem, o.off, o.lane, o.from, merged)
	}
	return unstable
}

// pendingFork is the decision that may leave a function early on another device. The function is executed once to find
// it, and then both ways.
type pendingFork struct {
	block *ir.Block
	known *decided // is executed both ways already, so its lanes are certain
	fork  *fork
	more  bool // there are several such decisions
}

// early is a function that a decision in it may leave early.
type early struct {
	inside machine.Node
	block  *ir.Block
	sets   []variable
	region *region // nil: cannot be executed both ways
	closed bool    // nothing in it stores or leaves an outer construct: doubt ends at its end
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *early) Run(m *machine.Machine) bool {
	if n.region == nil {
		return n.confine(m)
	}
	b := BallsOf(m)
	outer, pending := b.journal, b.pending
	detachAll(m)
	start := capture(m, n.region)
	p, j, recorded := &pendingFork{block: n.block}, &journal{}, marked(m)
	if pending != nil {
		p.known = pending.known
	}
	b.journal, b.pending = j, p
	alive := n.inside.Run(m)
	b.journal, b.pending = outer, pending
	if p.fork == nil {
		if outer != nil {
			outer.entries = append(outer.entries, j.entries...)
		}
		return alive
	}
	j.undo(m)
	if r := b.Recorder; r != nil {
		r.Rewind(recorded)
	}
	reinstate(m, n.region, start)
	if !p.more {
		if alive, ok := speculate(m, n.region, p.fork, n.inside.Run); ok {
			return alive
		}
	}
	b.pending = nil
	defer func() { b.pending = pending }()
	return n.confine(m)
}

// confine runs the function, and makes what it sets unknown in lanes that became uncertain.
func (n *early) confine(m *machine.Machine) bool {
	b := BallsOf(m)
	if !n.closed {
		return n.inside.Run(m)
	}
	mask, before, anyUncertain := slices.Clone(m.Mask), slices.Clone(b.uncertain[:m.N]), b.anyUncertain
	alive := n.inside.Run(m)
	if b.anyUncertain && !slices.Equal(before, b.uncertain[:m.N]) {
		forgetAll(m, n.sets, mask)
	}
	copy(b.uncertain, before)
	b.anyUncertain = anyUncertain
	return alive
}

// leftEarly wraps a function or a loop that an uncertain decision leaves.
func leftEarly(c *codegen.Compiler, n ir.Node, first int, inside machine.Node) machine.Node {
	x := ExactOf(c.P)
	loop, isLoop := n.(*ir.Loop)
	if x == nil || n == c.P.Kernel.Body[0] ||
		!x.LeftInDoubt(n) && !(isLoop && loop.Cond != ir.None && x.Depends(loop.Cond)) {
		return inside
	}
	e := &early{inside: inside, sets: sets(c, n)}
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
		e.block, e.region = block, speculativeRegion(c, n, first)
	}
	return e
}
