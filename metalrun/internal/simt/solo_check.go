package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// With checks, the program of one thread notes which way its branches go, and what it accesses; where
// work is counted, what it executes, too. It
// is numbered before the rest of the kernel: what it calls a branch or an observer is looked up at
// the end.

// soloBranch is a branch whose outcome is noted.
type soloBranch struct {
	of *ir.If
	id int
}

// suits reports whether a machine may go on with the program.
func (s *solo) suits(m *machine) bool {
	if m.outcomes != nil && !s.notes {
		return false
	}
	b := m.balls
	return b == nil || !b.doubtful && b.journal == nil && b.pending == nil && m.tape == nil && !m.launch.Ranges
}

// specified gives up where an instruction may give a value that Metal leaves unspecified, if that is to
// be seen or replaced.
func (s *soloCompiler) specified(in *ir.Instr) {
	if o := &s.p.options; (o.Check || o.open) && unspecifiedKind(s.p.kernel, in) != "" {
		s.failed = true
	}
}

// note notes which way a branch goes.
func (s *soloCompiler) note(n *ir.If) {
	if o := &s.p.options; o.Check || o.open {
		s.out.branches = append(s.out.branches, soloBranch{of: n})
		s.emit(soloInstr{op: soloNote, a: s.register(n.Cond), at: int32(len(s.out.branches) - 1)})
	}
}

// noteAlone notes the outcome of a branch for one lane.
func (m *machine) noteAlone(id int, taken uint64) {
	if m.outcomes != nil {
		m.outcomes[id].one(taken != 0)
	}
}

// observe compiles an observeOp.
func (s *soloCompiler) observe(in *ir.Instr) {
	if in.Mem.Space == syntax.Thread {
		s.failed = true
		return
	}
	if at, index, ok := s.place(in, in.Fn != "load"); ok {
		op := soloObserve
		if s.p.options.watched {
			at.access.uniform = s.uniform(in.Mem.Base) && (in.Mem.Index == ir.None || s.uniform(in.Mem.Index))
			op, at.view = soloSee, s.view(at.access)
		}
		s.out.memory = append(s.out.memory, at)
		s.emit(soloInstr{op: op, a: s.register(in.Mem.Base), b: index, at: int32(len(s.out.memory) - 1)})
	}
}

// observe records an access. One out of range is left to the access itself.
func (x *soloMemory) observe(m *machine, pointer, index uint64) {
	o := x.observer
	if mem := o.whole(m); mem != nil && o.known(m, mem.shadow) {
		return
	}
	if mem, off, ok := x.within(m, pointer, index); ok {
		o.lane(m, mem, off, 0)
	}
}

// one is the activity of a thread that is left.
var one = [1]int{1}

// tallyAlone counts a run of instructions so many times.
func (m *machine) tallyAlone(run int, times int64) {
	if m.watch.looking() {
		m.watch.issue(run, one[:], times)
	}
	if m.tally != nil {
		m.tally.threads[run] += times
		m.tally.simdgroups[run] += times
	}
}

// tallyTurns does so with the runs of so many turns of a loop.
func (m *machine) tallyTurns(runs []int, times int64) {
	for _, run := range runs {
		m.tallyAlone(run, times)
	}
}

// tallied takes the runs out of the parts of a loop whose turns then count them: those of a turn, from its body to the
// head of the next, and those of the first head. Where accesses are looked at, they stay if something sees their order.
func (s *soloCompiler) tallied(n *ir.Loop, head []ir.Node) (turn, first []int, rest [3][]ir.Node) {
	rest = [3][]ir.Node{head, n.Body, n.Post}
	if !analysis.Straight(head) || !analysis.Straight(n.Post) || analysis.HasExit(n.Body) || s.p.options.watched && s.ordered(n) {
		return nil, nil, rest
	}
	var body, post []int
	first, rest[0] = tallies(head)
	body, rest[1] = tallies(n.Body)
	post, rest[2] = tallies(n.Post)
	return slices.Concat(body, post, first), first, rest
}

// ordered reports whether something sees the order of a loop's runs: an access, or one that shares a stretch with
// others.
func (s *soloCompiler) ordered(n *ir.Loop) bool {
	return ir.Contains([]ir.Node{n}, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		return ok && (in.Op == observeOp || in.Op == samplingOp || in.Op == counterOp && s.p.waits[numberOf(in)].bodies != 1)
	})
}

// see looks at an access that is watched. One out of range is left to the access itself.
func (x *soloMemory) see(m *machine, pointer, index uint64) {
	if !m.watch.looking() {
		return
	}
	if mem, off, ok := x.within(m, pointer, index); ok {
		x.view.one(m, mem, off)
	}
}

// look compiles a samplingOp.
func (s *soloCompiler) look(in *ir.Instr) {
	at := soloInstr{op: soloLook, at: int32(len(s.out.looks))}
	if len(in.Dst) > 0 {
		at.d = s.register(in.Dst[0])
	}
	s.out.looks = append(s.out.looks, in)
	s.emit(at)
}

// finishSolos gives programs for one thread the numbers of their branches, and their observers.
func (c *compiler) finishSolos() {
	for _, s := range c.solos {
		for i := range s.branches {
			s.branches[i].id = c.constructIDs[s.branches[i].of]
		}
		for i := range s.memory {
			s.memory[i].observer = c.observers[s.memory[i].access.in]
		}
	}
}
