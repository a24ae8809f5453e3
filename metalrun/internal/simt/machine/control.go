package machine

import (
	"fmt"
	"math"

	"metalconform/metalrun/internal/syntax"
)

// Node is a compiled node of control flow. Run reports whether any lane is still active after it and no jump is under
// way.
type Node interface{ Run(m *Machine) bool }

// Straight is a run of instructions without control flow between them.
type Straight []Instr

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (s Straight) Run(m *Machine) bool {
	m.Executed += int64(len(s))
	for i := range s {
		if in := &s[i]; in.Do != nil {
			in.Do(m)
		} else {
			in.Run(m)
		}
	}
	return true
}

// List is nodes in sequence. It ends early once no lane is active.
type List []Node

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (l List) Run(m *Machine) bool {
	for _, n := range l {
		if !n.Run(m) {
			return false
		}
	}
	return true
}

// length is the number of instructions of a list that is executed from one end to the other.
func (l List) length() (sum int64) {
	for _, n := range l {
		switch n := n.(type) {
		case Straight:
			sum += int64(len(n))
		case *Superinstructions:
			sum += n.executed
		case *PartlyInvariant:
			sum += n.rest.executed
		}
	}
	return sum
}

// setMask makes from &^ exited the active lanes and reports whether there are any.
func (m *Machine) setMask(from []uint32) bool {
	count := m.P.Table.AndNotMask(m.Mask, from, m.Exited)
	m.Counted(count)
	return count > 0
}

// Counted updates whole and full from the number of active lanes, after the mask has changed.
func (m *Machine) Counted(active int) {
	m.Whole, m.Full, m.Activities.N = active == m.N, active == m.Live, 0
}

// UniformIf branches on a uniform condition.
type UniformIf struct {
	Id              int
	Cond            int
	Then, Alse      List
	LaunchInvariant bool // the condition is the same throughout a launch
	number          int  // among the invariants of the program, if it is
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *UniformIf) Run(m *Machine) bool {
	if n.LaunchInvariant && m.computed != nil {
		m.computed[n.number] = true
	}
	if m.sees(Branches) {
		m.branched(n.Id, m.Uni32[n.Cond:n.Cond+1], 1)
	}
	if m.Uni32[n.Cond] != 0 {
		return n.Then.Run(m)
	}
	return n.Alse.Run(m)
}

// masking is about how many instructions take as long as the masks of a branch. A branch that divides its lanes took as
// long as 5.5 more instructions with 32 threads and 6.4 with 256: a loop of 60,000 of them against the loop without.
const masking = 8

// Branch runs both arms under masks.
type Branch struct {
	Id         int
	Cond       int
	Then, Alse List
	Exits      bool // some lanes may not reach its end
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *Branch) Run(m *Machine) bool {
	if m.N == 1 && !m.sees(Branches) && m.P.Does(PassSingleLaneBranches) {
		if m.Lanes(n.Cond)[0] != 0 {
			return n.Then.Run(m)
		}
		return n.Alse.Run(m)
	}
	m.Costly += masking
	if m.Whole && !n.Exits && m.P.Does(passWholeBranch) {
		return n.divide(m)
	}
	cond, saved := m.Lanes(n.Cond), m.saved[n.Id][:m.N]
	t, outcome := m.P.Table, m.Waiting[n.Id][:m.N]
	active := t.AndMask(saved, m.Mask, m.Mask)
	taken := t.AndMask(outcome, m.Mask, cond)
	if m.sees(Branches) {
		m.branched(n.Id, outcome, active)
	}
	switch taken {
	case active:
		return n.Then.Run(m)
	case 0:
		return n.Alse.Run(m)
	}
	// The arms may reuse the slot of the condition, so Waiting keeps the outcome.
	copy(m.Mask, outcome)
	m.Counted(taken)
	n.Then.Run(m)
	if len(n.Alse) > 0 {
		m.Counted(t.AndNotMask(m.Mask, saved, outcome))
		n.Alse.Run(m)
	}
	return m.setMask(saved)
}

// divide runs both arms of a branch that all lanes enter and leave. The masks of the arms replace the mask of all lanes
// meanwhile; the latter is not copied.
func (n *Branch) divide(m *Machine) bool {
	t, all, outcome := m.P.Table, m.Mask, m.Waiting[n.Id][:m.N]
	taken := t.AndMask(outcome, all, m.Lanes(n.Cond))
	if m.sees(Branches) {
		m.branched(n.Id, outcome, m.N)
	}
	switch taken {
	case m.N:
		return n.Then.Run(m)
	case 0:
		return n.Alse.Run(m)
	}
	m.Mask = outcome
	m.Counted(taken)
	n.Then.Run(m)
	if len(n.Alse) > 0 {
		m.Mask = m.saved[n.Id][:m.N]
		m.Counted(t.AndNotMask(m.Mask, all, outcome))
		n.Alse.Run(m)
	}
	m.Mask = all[:m.N]
	m.Counted(m.N)
	return true
}

// Loop repeats until no lane is left in it.
type Loop struct {
	Id                         int
	Pos                        syntax.Pos
	Head, Body, Post           List
	Keep                       func(mask, a []uint32, s uint32) int // compares Tested.A and Tested.B; nil: Cond is read
	Tested                     Instr
	Signed                     bool // the comparison
	ConsecutiveInLine          bool // Tested.A is lane-consecutive
	AscendingInSimdgroup       bool // Tested.A is lane-consecutive in each simdgroup, or the same in all lanes of each
	ConsecutiveInEachSimdgroup bool // Tested.A is lane-consecutive in each simdgroup, and the same in all simdgroups
	Step                       int  // uniform register that each iteration adds to Tested.A; -1: others may set it, too
	Cond                       int  // slot or uniform register
	HasCond, Varying           bool
	Prepares                   bool // the head has launch-invariant instructions before the test
	Doubts                     Op   // finds lanes that another device may send elsewhere; nil: there are none
	Passing                    bool // only the loop reads Tested.A, and lanes leave only by the test
	Leaves                     bool // some lanes may leave the loop by an exit
	Diverges                   bool // lanes may leave the loop by an exit or in different iterations
	Cost                       int64
	Counters                   LoopCounters
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *Loop) Run(m *Machine) bool {
	var saved []uint32
	all := m.Whole && !n.Leaves // then all lanes are active again after the loop
	if n.Diverges && !all {
		saved = m.saved[n.Id][:m.N]
		copy(saved, m.Mask)
	}
	m.loopBegins(n.Pos)
	if sure, last := n.sure(m); last && n.Passing && m.unseen() {
		n.pass(m, sure)
	} else {
		for ; n.iteration(m, sure > 0); sure-- {
			m.iterates()
			m.spend(n.Pos, n.Cost)
		}
	}
	m.loopEnds()
	switch {
	case m.jumped(n.Id + 1):
	case m.Jump != 0:
		return false
	}
	if !n.Diverges {
		return true
	}
	if all {
		if !m.Whole {
			m.P.Table.Fill(m.Mask, ^uint32(0))
			m.Counted(m.N)
		}
		return true
	}
	m.release(n.Id + 1)
	return m.setMask(saved)
}

// pass runs the last iterations of a loop, whose number is known. Nothing reads the counter after the loop, so the last
// iteration neither steps nor tests it.
func (n *Loop) pass(m *Machine, trips int) {
	for ; ; trips-- {
		n.Body.Run(m)
		if trips == 1 {
			break
		}
		n.Post.Run(m)
		m.spend(n.Pos, n.Cost)
	}
	m.Executed += n.Post.length()
	m.spend(n.Pos, n.Cost)
}

// unseen reports whether no observer sees the control flow of threads.
func (m *Machine) unseen() bool { return !m.sees(Loops | Blocks | Accesses) }

// lines gives the lanes of the tested register that decide for all lanes. line is the length of the runs of lanes with
// consecutive numbers or the same number: that of the threadgroup or that of a simdgroup. If line is not 0, all lanes
// are active; it is 0 if nothing is known.
func (n *Loop) lines(m *Machine) (lanes []uint32, line int) {
	lanes = m.Operand(&n.Tested.A)
	switch {
	case n.ConsecutiveInLine && m.inLine():
		return lanes, m.N
	case n.ConsecutiveInEachSimdgroup && m.Whole:
		return lanes[:min(m.N, Simdgroup)], Simdgroup
	case n.AscendingInSimdgroup && m.Whole:
		return lanes, Simdgroup
	}
	return lanes, 0
}

// sure gives a number of iterations at whose beginning the test holds for all active lanes: most loops that stride over
// elements end for all lanes at about the same time. last says that the test holds for no lane after them.
func (n *Loop) sure(m *Machine) (trips int, last bool) {
	if n.Step < 0 {
		return 0, false
	}
	if n.Prepares {
		n.Head.Run(m)
	}
	limit, step, greatest := m.Uni32[n.Tested.B.At], m.Uni32[n.Step], uint32(math.MaxUint32)
	if n.Signed {
		greatest = math.MaxInt32
	}
	if step == 0 || limit > greatest {
		return 0, false
	}
	lanes, line := n.lines(m)
	if line > 0 {
		return sureIterations(lanes, line, limit, step, greatest)
	}
	first := lanes[max(m.FirstActive(), 0)]
	if first >= limit {
		return 0, false
	}
	most := (limit-1-first)/step + 1
	for k := most; k+1 >= most && k > 0; k-- {
		copy(m.Scratch, m.Mask)
		if active := m.P.Table.AndMask(m.Scratch, m.Mask, m.Mask); n.Keep(m.Scratch, lanes, limit-(k-1)*step) ==
			active {
			return int(k), false
		}
	}
	return 0, false
}

// sureIterations is sure for lanes whose numbers are consecutive or the same within each line. No number exceeds
// greatest.
func sureIterations(lanes []uint32, line int, limit, step, greatest uint32) (trips int, last bool) {
	least, first, end := uint32(math.MaxInt32), uint32(math.MaxUint32), uint32(0)
	for at := 0; at < len(lanes); at += line {
		lowest, highest := lanes[at], lanes[min(at+line, len(lanes))-1]
		if highest < lowest || highest >= limit {
			return 0, false
		}
		least = min(least, (limit-1-highest)/step+1)
		first, end = min(first, lowest), max(end, highest)
	}
	moved := uint64(least) * uint64(step)
	return int(least), uint64(first)+moved >= uint64(limit) && uint64(end)+moved <= uint64(greatest)
}

// iteration runs one iteration and reports whether another follows. sure says that the test holds.
func (n *Loop) iteration(m *Machine, sure bool) bool {
	m.Take(n.Counters.Head, 1)
	if !n.Head.Run(m) {
		return false
	}
	if n.HasCond && !sure && !n.test(m) {
		return false
	}
	m.Take(n.Counters.Body, 1)
	alive := n.Body.Run(m) || m.jumped(n.Id)
	if m.AnyWaiting[n.Id] {
		if m.jumped(n.Id + 1) { // the others go on
			Exit{n.Id + 1}.Run(m)
		}
		alive = n.rejoin(m)
	}
	if !alive {
		return false
	}
	m.Take(n.Counters.Post, 1)
	return n.Post.Run(m)
}

func (n *Loop) test(m *Machine) bool {
	if n.Doubts != nil {
		n.Doubts(m)
	}
	if !n.Varying {
		return m.Uni32[n.Cond] != 0
	}
	if m.N == 1 && n.Keep == nil && m.P.Does(PassSingleLaneBranches) {
		m.Mask[0] &= m.Lanes(n.Cond)[0]
		m.Counted(int(m.Mask[0] & 1))
		return m.Mask[0] != 0
	}
	if n.Keep != nil {
		count := n.Keep(m.Mask, m.Operand(&n.Tested.A), m.Uni32[n.Tested.B.At])
		m.Counted(count)
		return count > 0
	}
	count := m.P.Table.AndMask(m.Mask, m.Mask, m.Lanes(n.Cond))
	m.Counted(count)
	return count > 0
}

// rejoin makes the lanes active again that have executed a continue.
func (n *Loop) rejoin(m *Machine) bool {
	count := 0
	waiting := m.Waiting[n.Id][:m.N]
	for l, on := range waiting {
		m.Exited[l] &^= on
		m.Mask[l] |= on
		count += int(m.Mask[l] & 1)
	}
	clear(waiting)
	m.AnyWaiting[n.Id] = false
	m.Counted(count)
	return count > 0
}

// release ends the wait of the lanes at a target: they no longer count as exited.
func (m *Machine) release(target int) {
	if !m.AnyWaiting[target] {
		return
	}
	waiting := m.Waiting[target][:m.N]
	for l, on := range waiting {
		m.Exited[l] &^= on
	}
	clear(waiting)
	m.AnyWaiting[target] = false
}

// Block is an inlined function: lanes that leave it wait at its end.
type Block struct {
	Id    int
	Exits bool
	Body  List
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *Block) Run(m *Machine) bool {
	if !n.Exits {
		return n.Body.Run(m) || m.jumped(n.Id)
	}
	saved := m.saved[n.Id][:m.N]
	copy(saved, m.Mask)
	n.Body.Run(m)
	if !m.jumped(n.Id) && m.Jump != 0 {
		return false
	}
	m.release(n.Id)
	return m.setMask(saved)
}

// Counted is a loop that only the test of a uniform counter ends.
type Counted struct {
	Pos                  syntax.Pos
	Counter, Limit, Step int // uniform registers
	Less                 func(a, b uint32) bool
	Body                 List
	Cost                 int64
	Counters             LoopCounters
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *Counted) Run(m *Machine) bool {
	m.loopBegins(n.Pos)
	m.Take(n.Counters.Head, 1)
	code, straight := n.Body.single()
	for n.Less(m.Uni32[n.Counter], m.Uni32[n.Limit]) {
		m.Take(n.Counters.Body, 1)
		if straight && code != nil {
			code.Run(m)
		} else {
			n.Body.Run(m)
		}
		m.Uni32[n.Counter] += m.Uni32[n.Step]
		m.Take(n.Counters.Post, 1)
		m.Take(n.Counters.Head, 1)
		m.iterates()
		m.spend(n.Pos, n.Cost)
	}
	m.loopEnds()
	return true
}

// spend takes an iteration of a loop from the step budget.
func (m *Machine) spend(pos syntax.Pos, cost int64) {
	m.Executed++
	if m.Steps -= cost; m.Steps < 0 {
		m.fail(OutOfSteps, pos, m.FirstActive(),
			"step budget of %d instructions exhausted in this loop, which -launch-steps can raise", m.Budget())
	}
	if m.tired(cost * int64(m.N)) {
		m.failLate(pos)
	}
}

// failLate ends a launch in a loop, whose threads have taken the steps that they may take together. It is a runaway if
// this threadgroup has taken a good part of them, and otherwise one of many threadgroups, of which nothing is wrong.
func (m *Machine) failLate(pos syntax.Pos) {
	kind, most := Unfinished, m.P.Options.TotalSteps
	if own := (m.Budget() - m.Steps) * int64(m.N); own >= most/runawayPart {
		kind = OutOfTime
	}
	m.fail(kind, pos, m.FirstActive(),
		"still in this loop after %d steps of all threads, which -timeout can raise", most)
}

// runawayPart is more than the threadgroups that are under way at once, all of which may be in the same endless loop.
const runawayPart = 1 << 10

// tired counts steps of single threads, and reports whether the launch has had those that it may take.
func (m *Machine) tired(steps int64) bool {
	if m.uncharged += steps; m.uncharged < chargedAtOnce {
		return false
	}
	return m.charge()
}

// charge takes the steps since the last time from those that the launch may take, and reports whether none are left.
func (m *Machine) charge() bool {
	steps := m.uncharged
	m.uncharged = 0
	left := m.Launch.Left
	return left != nil && left.Add(-steps) < 0
}

// arrive is the error of a threadgroup for which there are no steps: a grid may have billions that are short.
func (m *Machine) arrive(group, size Size) error {
	if !m.tired(m.P.arrival(size)) {
		return nil
	}
	return m.P.Late(m.Launch, group)
}

// arrival is what a threadgroup takes at least, in steps of single threads.
func (p *Program) arrival(size Size) int64 { return groupCost + p.Length*int64(size.Count()) }

// Late is the fault of a threadgroup for which there are no steps.
func (p *Program) Late(l *Dispatch, group Size) *Fault {
	return &Fault{Kind: Unfinished, Pos: p.Kernel.Pos, Group: group, Msg: fmt.Sprintf(
		"still at threadgroup %d of %d after %d steps of all threads, which -timeout can raise", l.Number(group)+1,
		l.Groups.Count(), p.Options.TotalSteps)}
}

// groupCost is what a threadgroup takes that does nothing, in steps of a thread. An empty one takes 31 ns. A step of a
// loop of arithmetic takes 0.4 ns in groups of 32 threads and 0.07 ns in groups of 256, which makes 77 and 440 steps.
const groupCost = 1 << 8

// chargedAtOnce is how many steps of single threads a machine takes before it charges the launch, which other
// machines charge too. That is 0.07 to 0.4 ms (groupCost), in which the atomic addition costs nothing. A launch ends
// that much late.
const chargedAtOnce = 1 << 20

// Jump sends all active lanes to the end of a construct, or to the next iteration of a loop, at once: no mask changes
// on the way.
type Jump struct{ Target int }

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n Jump) Run(m *Machine) bool {
	m.Jump = n.Target + 1
	return false
}

// jumped reports whether a jump has arrived at target, and ends it.
func (m *Machine) jumped(target int) bool {
	if m.Jump != target+1 {
		return false
	}
	m.Jump = 0
	return true
}

// Exit sends the active lanes to wait at a construct.
type Exit struct{ Target int }

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n Exit) Run(m *Machine) bool {
	waiting := m.Waiting[n.Target][:m.N]
	for l, on := range m.Mask {
		waiting[l] |= on
		m.Exited[l] |= on
		m.Mask[l] = 0
	}
	m.AnyWaiting[n.Target] = true
	m.Counted(0)
	return false
}

// Finish ends the active lanes' threads.
type Finish struct{}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (Finish) Run(m *Machine) bool {
	for l, on := range m.Mask {
		m.Live -= int(on & 1)
		m.Exited[l] |= on
		m.Ended[l] |= on
		m.Mask[l] = 0
	}
	m.Counted(0)
	return false
}
