package simt

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// soloDecision is a branch that other devices may take otherwise; it ends at a soloJoin.
type soloDecision struct {
	cond       uint8
	from, join int // its first instruction, and its end
	pos        syntax.Pos
	sets       []soloSet
}

// soloSet is a variable that a branch sets.
type soloSet struct {
	register uint8
	has      bool
	typ      ir.Type
}

// soloState is what the variables of a branch hold.
type soloState struct {
	values []uint64
	balls  []ball.Ball
	doubt  uint32
	unsure bool
	steps  int64
}

// decision compiles what is in front of a branch that other devices may take otherwise, and gives the
// branch's number, or -1 for any other.
func (s *soloCompiler) decision(n *ir.If) int {
	if !s.has(n.Cond) {
		return -1
	}
	if s.triable(n, 0) == nil {
		s.failed = true
		return -1
	}
	d := soloDecision{cond: s.register(n.Cond), pos: n.Pos}
	for in := range ir.Instrs(n) {
		for _, r := range in.Dst {
			if s.p.kernel.Regs[r].Kind == ir.Variable {
				d.set(soloSet{s.register(r), s.has(r), s.typ(r)})
			}
		}
	}
	number := len(s.out.decisions)
	s.emit(soloInstr{op: soloDecide, at: int32(number)})
	d.from = len(s.out.code)
	s.out.decisions = append(s.out.decisions, d)
	return number
}

// set notes a variable, once.
func (d *soloDecision) set(v soloSet) {
	for _, other := range d.sets {
		if other.register == v.register {
			return
		}
	}
	d.sets = append(d.sets, v)
}

// join ends a branch that decision has begun.
func (s *soloCompiler) join(number int) {
	if number >= 0 {
		s.out.decisions[number].join = len(s.out.code)
		s.emit(soloInstr{op: soloJoin})
	}
}

// capture takes the state of a branch.
func (d *soloDecision) capture(m *machine) soloState {
	b := m.balls
	state := soloState{doubt: b.doubt[0], unsure: b.doubtful, steps: m.steps}
	for _, v := range d.sets {
		state.values = append(state.values, m.alone[v.register])
		state.balls = append(state.balls, m.aloneBalls[v.register].Ball)
	}
	return state
}

// reinstate gives it back.
func (d *soloDecision) reinstate(m *machine, state *soloState) {
	b := m.balls
	for i, v := range d.sets {
		m.alone[v.register] = state.values[i]
		m.aloneBalls[v.register] = soloExact{Ball: state.balls[i]}
	}
	b.doubt[0], b.doubtful, m.steps = state.doubt, state.unsure, state.steps
}

// decide runs a branch that other devices may take otherwise: both ways, or, where that cannot be
// done, with all that it sets unknown.
func (s *solo) decide(m *machine, d *soloDecision) {
	b := m.balls
	cond := m.aloneBalls[d.cond].Ball
	f := &fork{nil, []uint32{^uint32(0)}, []uint32{lane((cond.X != 0) == (m.alone[d.cond]&1 != 0))}}
	if s.both(m, d, f) {
		return
	}
	m.note(d.pos, Unstable)
	doubt, doubtful := b.doubt[0], b.doubtful
	b.doubt[0], b.doubtful = ^uint32(0), true
	s.execute(m, d.from, d.join)
	for _, v := range d.sets {
		if v.has {
			m.aloneBalls[v.register] = soloExact{Ball: ball.Unknown(m.aloneBalls[v.register].X)}
		}
	}
	b.doubt[0], b.doubtful = doubt, doubtful
}

// both runs it both ways, false if that could not be done: then everything is as it was.
func (s *solo) both(m *machine, d *soloDecision, f *fork) bool {
	b := m.balls
	start, outer := d.capture(m), b.journal
	other := &journal{}
	b.journal = other
	defer func() { b.journal = outer }()
	fits := m.withoutFault(func(m *machine) bool {
		given := m.alone[d.cond]
		defer func() { m.alone[d.cond] = given }()
		m.alone[d.cond] = uint64(^uint32(given))
		s.execute(m, d.from, d.join)
		return true
	}) && b.doubt[0] == start.doubt
	end := d.capture(m)
	other.settle(m)
	other.undo(m)
	d.reinstate(m, &start)
	if !fits {
		return false
	}
	taken := &journal{}
	b.journal = taken
	s.execute(m, d.from, d.join)
	taken.settle(m)
	unstable := d.merge(m, f, &end)
	unstable = m.mergeCells(f, taken, other) || unstable
	if unstable {
		m.note(d.pos, Unstable)
	}
	if outer != nil {
		outer.entries = append(append(outer.entries, other.entries...), taken.entries...)
	}
	return true
}

// merge makes what variables hold what either way gives, and reports whether that makes a difference.
func (d *soloDecision) merge(m *machine, f *fork, other *soloState) (unstable bool) {
	for i, v := range d.sets {
		if !v.has {
			continue
		}
		now := m.aloneBalls[v.register].Ball
		m.aloneBalls[v.register] = soloExact{Ball: f.merged(0, now, other.balls[i], v.typ)}
		unstable = unstable || now.X != other.balls[i].X
	}
	return unstable
}
