package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// scalarDecision is a branch that other devices may decide otherwise. It ends at a SingleJoin.
type scalarDecision struct {
	cond       uint8
	from, join int // indices of its first instruction and of its SingleJoin
	pos        syntax.Pos
	sets       []scalarVariable
	copies     []scalarCopy // the whole branch, if it has no else and only copies; nil: it does more
}

// scalarCopy is a copy in a branch, of a register that the branch does not set.
type scalarCopy struct {
	from uint8
	ball func(m *machine.Machine) ball.Ball
}

// scalarVariable is a variable that a branch sets.
type scalarVariable struct {
	register uint8
	has      bool
	typ      ir.Type
}

// scalarTrial is room for the speculative execution of a decision.
type scalarTrial struct {
	start, end   scalarState
	other, taken journal
}

// scalarState is what the variables of a branch hold.
type scalarState struct {
	values    []uint64
	balls     []ball.Ball
	uncertain uint32
	unsure    bool
	steps     int64
}

// decision compiles what comes before a branch that other devices may decide otherwise, and gives the number of the
// decision; -1 for other branches.
func (s *scalarExactness) decision(n *ir.If) int {
	if !s.has(n.Cond) {
		return -1
	}
	if speculativeRegion(s.ScalarCompiler.Compiler, n, 0) == nil {
		s.Failed = true
		return -1
	}
	d := scalarDecision{cond: s.Register(n.Cond), pos: n.Pos}
	for in := range ir.Instrs(n) {
		for _, r := range in.Dst {
			if s.P.Kernel.Regs[r].Kind == ir.Variable {
				d.set(scalarVariable{s.Register(r), s.has(r), s.Typ(r)})
			}
		}
	}
	d.copies = s.copies(n, &d)
	number := len(s.decisions)
	s.Fork(func(m *machine.Machine) (next int) {
		d := &s.decisions[number]
		if BallsOf(m).scalars[d.cond].E == 0 {
			return -1
		}
		decide(&s.Out, m, d)
		return d.join + 1
	})
	d.from = len(s.Out.Code)
	s.decisions = append(s.decisions, d)
	return number
}

// copies are the copies of a branch without an else that only copies to different variables with balls, in the order of
// these variables; nil if the branch does more.
func (s *scalarExactness) copies(n *ir.If, d *scalarDecision) (list []scalarCopy) {
	if len(n.Else) > 0 || len(n.Then) != len(d.sets) {
		return nil
	}
	for i, node := range n.Then {
		in, ok := node.(*ir.Instr)
		if !ok || in.Op != ir.Copy || !d.sets[i].has || s.Register(in.Dst[0]) != d.sets[i].register ||
			ir.Sets(n.Then, in.Args[0]) ||
			d.sets[i].typ == ir.F32 && s.P.Options.Sample != 0 {
			return nil
		}
		list = append(list, scalarCopy{s.Register(in.Args[0]), s.known(in.Args[0])})
	}
	return list
}

// set adds a variable to those that the branch sets.
func (d *scalarDecision) set(v scalarVariable) {
	for _, other := range d.sets {
		if other.register == v.register {
			return
		}
	}
	d.sets = append(d.sets, v)
}

// Branch begins a branch.
func (s *scalarExactness) Branch(n *ir.If) { s.under[n] = s.decision(n) }

// Join ends a branch.
func (s *scalarExactness) Join(n *ir.If) {
	if number := s.under[n]; number >= 0 {
		s.decisions[number].join = len(s.Out.Code)
		s.Emit(machine.ScalarInstr{Op: machine.SingleJoin})
	}
}

// capture copies the state of a branch.
func (d *scalarDecision) capture(m *machine.Machine, state *scalarState) {
	b := BallsOf(m)
	state.uncertain, state.unsure, state.steps = b.uncertain[0], b.anyUncertain, m.Steps
	state.values, state.balls = state.values[:0], state.balls[:0]
	for _, v := range d.sets {
		state.values = append(state.values, m.Scalars[v.register])
		state.balls = append(state.balls, BallsOf(m).scalars[v.register].Ball)
	}
}

// reinstate restores the state of a branch.
func (d *scalarDecision) reinstate(m *machine.Machine, state *scalarState) {
	b := BallsOf(m)
	for i, v := range d.sets {
		m.Scalars[v.register] = state.values[i]
		BallsOf(m).scalars[v.register] = scalarBall{Ball: state.balls[i]}
	}
	b.uncertain[0], b.anyUncertain, m.Steps = state.uncertain, state.unsure, state.steps
}

// decide runs a branch that other devices may decide otherwise: both ways, or, if that is not possible, one way, after
// which all that it sets is unknown.
func decide(s *machine.ScalarProgram, m *machine.Machine, d *scalarDecision) {
	b := BallsOf(m)
	if d.copies != nil && !b.anyUncertain {
		d.copy(m)
		return
	}
	if speculateScalar(s, m, d, d.fork(m)) {
		return
	}
	note(m, d.pos, Unstable)
	uncertain, anyUncertain := b.uncertain[0], b.anyUncertain
	b.uncertain[0], b.anyUncertain = ^uint32(0), true
	s.Execute(m, d.from, d.join)
	for _, v := range d.sets {
		if v.has {
			BallsOf(m).scalars[v.register] = scalarBall{Ball: ball.Unknown(BallsOf(m).scalars[v.register].X)}
		}
	}
	b.uncertain[0], b.anyUncertain = uncertain, anyUncertain
}

// fork is the fork of the decision.
func (d *scalarDecision) fork(m *machine.Machine) *fork {
	f := &BallsOf(m).scalarFork
	f.lanes, f.right = one32[:], wrong[:]
	if (BallsOf(m).scalars[d.cond].X != 0) == (m.Scalars[d.cond]&1 != 0) {
		f.right = one32[:]
	}
	return f
}

// copy executes a branch that only copies both ways.
func (d *scalarDecision) copy(m *machine.Machine) {
	f, unstable := d.fork(m), false
	for i, c := range d.copies {
		v := &d.sets[i]
		now, other := BallsOf(m).scalars[v.register].Ball, c.ball(m)
		if m.Scalars[d.cond] != 0 {
			now, other = other, now
			m.Scalars[v.register] = m.Scalars[c.from]
		}
		BallsOf(m).scalars[v.register] = scalarBall{Ball: f.merged(0, now, other, v.typ)}
		unstable = unstable || now.X != other.X
	}
	if unstable {
		note(m, d.pos, Unstable)
	}
}

// speculateScalar executes a branch both ways. If it is false, that was not possible and nothing has changed.
func speculateScalar(s *machine.ScalarProgram, m *machine.Machine, d *scalarDecision, f *fork) bool {
	b := BallsOf(m)
	if b.depth == len(b.scalarTrials) {
		b.scalarTrials = append(b.scalarTrials, &scalarTrial{})
	}
	t, outer, taken := b.scalarTrials[b.depth], b.journal, *f
	b.depth++
	defer func() { b.journal, b.depth = outer, b.depth-1 }()
	d.capture(m, &t.start)
	t.other.entries, t.taken.entries = t.other.entries[:0], t.taken.entries[:0]
	b.journal = &t.other
	fits := otherwise(s, m, d) && b.uncertain[0] == t.start.uncertain
	d.capture(m, &t.end)
	t.other.settle(m)
	t.other.undo(m)
	d.reinstate(m, &t.start)
	if !fits {
		return false
	}
	b.journal = &t.taken
	s.Execute(m, d.from, d.join)
	t.taken.settle(m)
	unstable := d.merge(m, &taken, &t.end)
	unstable = mergeCells(m, &taken, &t.taken, &t.other) || unstable
	if unstable {
		note(m, d.pos, Unstable)
	}
	if outer != nil {
		outer.entries = append(append(outer.entries, t.other.entries...), t.taken.entries...)
	}
	return true
}

// otherwise executes a branch the other way, and reports whether it ends without a fault.
func otherwise(s *machine.ScalarProgram, m *machine.Machine, d *scalarDecision) bool {
	depth, given := BallsOf(m).depth, m.Scalars[d.cond]
	defer func() { m.Scalars[d.cond], BallsOf(m).depth = given, depth }()
	m.Scalars[d.cond] = uint64(^uint32(given))
	return withoutFault(m, func(m *machine.Machine) bool {
		s.Execute(m, d.from, d.join)
		return true
	})
}

// one32 and wrong are masks of one lane: that of the fork, and that of a lane that does not decide as exact arithmetic.
var one32, wrong = [1]uint32{^uint32(0)}, [1]uint32{}

// merge merges the variables of the two ways, and reports whether they differ.
func (d *scalarDecision) merge(m *machine.Machine, f *fork, other *scalarState) (unstable bool) {
	for i, v := range d.sets {
		if !v.has {
			continue
		}
		now := BallsOf(m).scalars[v.register].Ball
		BallsOf(m).scalars[v.register] = scalarBall{Ball: f.merged(0, now, other.balls[i], v.typ)}
		unstable = unstable || now.X != other.balls[i].X
	}
	return unstable
}
