package exact

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// soloDecision is a branch that other devices may take otherwise; it ends at a soloJoin.
type soloDecision struct {
	cond       uint8
	from, join int // its first instruction, and its end
	pos        syntax.Pos
	sets       []soloSet
	copies     []soloCopied // all that it does, of one arm; nil: it is not that simple
}

// soloCopied is a copy in a branch, of a register that the branch does not set.
type soloCopied struct {
	from uint8
	ball func(m *machine.Machine) ball.Ball
}

// soloSet is a variable that a branch sets.
type soloSet struct {
	register uint8
	has      bool
	typ      ir.Type
}

// soloTrial is where a machine keeps what it needs to try a decision, by how many are being tried.
type soloTrial struct {
	start, end   soloState
	other, taken journal
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
func (s *exactSolo) decision(n *ir.If) int {
	if !s.has(n.Cond) {
		return -1
	}
	if triable(s.SoloCompiler.Compiler, n, 0) == nil {
		s.Failed = true
		return -1
	}
	d := soloDecision{cond: s.Register(n.Cond), pos: n.Pos}
	for in := range ir.Instrs(n) {
		for _, r := range in.Dst {
			if s.P.Kernel.Regs[r].Kind == ir.Variable {
				d.set(soloSet{s.Register(r), s.has(r), s.Typ(r)})
			}
		}
	}
	d.copies = s.copies(n, &d)
	number := len(s.decisions)
	s.Fork(func(m *machine.Machine) (next int) {
		d := &s.decisions[number]
		if BallsOf(m).aloneBalls[d.cond].E == 0 {
			return -1
		}
		decide(&s.Out, m, d)
		return d.join + 1
	})
	d.from = len(s.Out.Code)
	s.decisions = append(s.decisions, d)
	return number
}

// copies are what a branch does that has one arm, of copies to different variables with balls, in the order of
// what it sets; nil if it does more.
func (s *exactSolo) copies(n *ir.If, d *soloDecision) (list []soloCopied) {
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
		list = append(list, soloCopied{s.Register(in.Args[0]), s.known(in.Args[0])})
	}
	return list
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

// Branch begins a branch.
func (s *exactSolo) Branch(n *ir.If) { s.under[n] = s.decision(n) }

// Join ends a branch that Branch has begun.
func (s *exactSolo) Join(n *ir.If) {
	if number := s.under[n]; number >= 0 {
		s.decisions[number].join = len(s.Out.Code)
		s.Emit(machine.SoloInstr{Op: machine.SoloJoin})
	}
}

// capture takes the state of a branch.
func (d *soloDecision) capture(m *machine.Machine, state *soloState) {
	b := BallsOf(m)
	state.doubt, state.unsure, state.steps = b.doubt[0], b.doubtful, m.Steps
	state.values, state.balls = state.values[:0], state.balls[:0]
	for _, v := range d.sets {
		state.values = append(state.values, m.Alone[v.register])
		state.balls = append(state.balls, BallsOf(m).aloneBalls[v.register].Ball)
	}
}

// reinstate gives it back.
func (d *soloDecision) reinstate(m *machine.Machine, state *soloState) {
	b := BallsOf(m)
	for i, v := range d.sets {
		m.Alone[v.register] = state.values[i]
		BallsOf(m).aloneBalls[v.register] = soloExact{Ball: state.balls[i]}
	}
	b.doubt[0], b.doubtful, m.Steps = state.doubt, state.unsure, state.steps
}

// decide runs a branch that other devices may take otherwise: both ways, or, where that cannot be
// done, with all that it sets unknown.
func decide(s *machine.Solo, m *machine.Machine, d *soloDecision) {
	b := BallsOf(m)
	if d.copies != nil && !b.doubtful {
		d.copy(m)
		return
	}
	if bothWays(s, m, d, d.fork(m)) {
		return
	}
	note(m, d.pos, Unstable)
	doubt, doubtful := b.doubt[0], b.doubtful
	b.doubt[0], b.doubtful = ^uint32(0), true
	s.Execute(m, d.from, d.join)
	for _, v := range d.sets {
		if v.has {
			BallsOf(m).aloneBalls[v.register] = soloExact{Ball: ball.Unknown(BallsOf(m).aloneBalls[v.register].X)}
		}
	}
	b.doubt[0], b.doubtful = doubt, doubtful
}

// fork is the decision as it stands.
func (d *soloDecision) fork(m *machine.Machine) *fork {
	f := &BallsOf(m).alone
	f.lanes, f.right = one32[:], wrong[:]
	if (BallsOf(m).aloneBalls[d.cond].X != 0) == (m.Alone[d.cond]&1 != 0) {
		f.right = one32[:]
	}
	return f
}

// copy does what the branch does both ways, if it copies.
func (d *soloDecision) copy(m *machine.Machine) {
	f, unstable := d.fork(m), false
	for i, c := range d.copies {
		v := &d.sets[i]
		now, other := BallsOf(m).aloneBalls[v.register].Ball, c.ball(m)
		if m.Alone[d.cond] != 0 {
			now, other = other, now
			m.Alone[v.register] = m.Alone[c.from]
		}
		BallsOf(m).aloneBalls[v.register] = soloExact{Ball: f.merged(0, now, other, v.typ)}
		unstable = unstable || now.X != other.X
	}
	if unstable {
		note(m, d.pos, Unstable)
	}
}

// bothWays runs it both ways, false if that could not be done: then everything is as it was.
func bothWays(s *machine.Solo, m *machine.Machine, d *soloDecision, f *fork) bool {
	b := BallsOf(m)
	if b.tried == len(b.trials) {
		b.trials = append(b.trials, &soloTrial{})
	}
	t, outer, taken := b.trials[b.tried], b.journal, *f
	b.tried++
	defer func() { b.journal, b.tried = outer, b.tried-1 }()
	d.capture(m, &t.start)
	t.other.entries, t.taken.entries = t.other.entries[:0], t.taken.entries[:0]
	b.journal = &t.other
	fits := otherwise(s, m, d) && b.doubt[0] == t.start.doubt
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

// otherwise runs it the other way, and reports whether that ends well.
func otherwise(s *machine.Solo, m *machine.Machine, d *soloDecision) bool {
	tried, given := BallsOf(m).tried, m.Alone[d.cond]
	defer func() { m.Alone[d.cond], BallsOf(m).tried = given, tried }()
	m.Alone[d.cond] = uint64(^uint32(given))
	return withoutFault(m, func(m *machine.Machine) bool {
		s.Execute(m, d.from, d.join)
		return true
	})
}

// one32 and wrong say that the one thread there is decides otherwise, and whether it goes the way of exact arithmetic.
var one32, wrong = [1]uint32{^uint32(0)}, [1]uint32{}

// merge makes what variables hold what either way gives, and reports whether that makes a difference.
func (d *soloDecision) merge(m *machine.Machine, f *fork, other *soloState) (unstable bool) {
	for i, v := range d.sets {
		if !v.has {
			continue
		}
		now := BallsOf(m).aloneBalls[v.register].Ball
		BallsOf(m).aloneBalls[v.register] = soloExact{Ball: f.merged(0, now, other.balls[i], v.typ)}
		unstable = unstable || now.X != other.balls[i].X
	}
	return unstable
}
