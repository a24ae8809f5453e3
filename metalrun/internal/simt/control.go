package simt

import (
	"fmt"
	"math"
	"time"

	"metalconform/metalrun/internal/syntax"
)

// node is a compiled piece of control flow. run reports whether any lane is still
// active after it and no jump is under way.
type node interface{ run(m *machine) bool }

// straight is a run of instructions without control flow between them.
type straight []instr

func (s straight) run(m *machine) bool {
	m.executed += int64(len(s))
	for i := range s {
		if in := &s[i]; in.do != nil {
			in.do(m)
		} else {
			in.run(m)
		}
	}
	return true
}

// list is nodes in sequence. It ends early when no lane is active any more.
type list []node

func (l list) run(m *machine) bool {
	for _, n := range l {
		if !n.run(m) {
			return false
		}
	}
	return true
}

// length is the number of instructions of a list that is executed from one end to the other.
func (l list) length() (sum int64) {
	for _, n := range l {
		switch n := n.(type) {
		case straight:
			sum += int64(len(n))
		case *dense:
			sum += n.executed
		case *partly:
			sum += n.rest.executed
		}
	}
	return sum
}

// setMask makes from &^ exited the active lanes and reports whether there are any.
func (m *machine) setMask(from []uint32) bool {
	count := m.p.table.AndNotMask(m.mask, from, m.exited)
	m.counted(count)
	return count > 0
}

// counted updates whole and full from the number of active lanes, after the mask has changed.
func (m *machine) counted(active int) {
	m.whole, m.full, m.activities.n = active == m.n, active == m.live, 0
}

// uniformIf branches on a uniform condition.
type uniformIf struct {
	id         int
	cond       int
	then, alse list
	settled    bool // the condition, all through a launch
	number     int  // then
}

func (n *uniformIf) run(m *machine) bool {
	if n.settled && m.settled != nil {
		m.settled[n.number] = true
	}
	if m.outcomes != nil {
		m.outcomes.note(n.id, m.uni32[n.cond:n.cond+1], 1)
	}
	if m.uni32[n.cond] != 0 {
		return n.then.run(m)
	}
	return n.alse.run(m)
}

// masking is how many instructions take as long as what a branch does with masks.
const masking = 8

// branch runs both arms under masks.
type branch struct {
	id         int
	cond       int
	then, alse list
	exits      bool // some lanes may not reach its end
}

func (n *branch) run(m *machine) bool {
	if m.n == 1 && m.outcomes == nil && m.p.does(passSingleLaneBranches) {
		if m.lanes(n.cond)[0] != 0 {
			return n.then.run(m)
		}
		return n.alse.run(m)
	}
	m.costly += masking
	if m.whole && !n.exits && m.p.does(passWholeBranch) {
		return n.divide(m)
	}
	cond, saved := m.lanes(n.cond), m.saved[n.id][:m.n]
	t, outcome := m.p.table, m.waiting[n.id][:m.n]
	active := t.AndMask(saved, m.mask, m.mask)
	taken := t.AndMask(outcome, m.mask, cond)
	if m.outcomes != nil {
		m.outcomes.note(n.id, outcome, active)
	}
	switch taken {
	case active:
		return n.then.run(m)
	case 0:
		return n.alse.run(m)
	}
	// The condition's slot may be reused by the arms: its outcome is kept in waiting.
	copy(m.mask, outcome)
	m.counted(taken)
	n.then.run(m)
	if len(n.alse) > 0 {
		m.counted(t.AndNotMask(m.mask, saved, outcome))
		n.alse.run(m)
	}
	return m.setMask(saved)
}

// divide runs both arms of a branch that all lanes take and leave. The masks of the arms take the place of
// that of all lanes, which stays as it is.
func (n *branch) divide(m *machine) bool {
	t, all, outcome := m.p.table, m.mask, m.waiting[n.id][:m.n]
	taken := t.AndMask(outcome, all, m.lanes(n.cond))
	if m.outcomes != nil {
		m.outcomes.note(n.id, outcome, m.n)
	}
	switch taken {
	case m.n:
		return n.then.run(m)
	case 0:
		return n.alse.run(m)
	}
	m.mask = outcome
	m.counted(taken)
	n.then.run(m)
	if len(n.alse) > 0 {
		m.mask = m.saved[n.id][:m.n]
		m.counted(t.AndNotMask(m.mask, all, outcome))
		n.alse.run(m)
	}
	m.mask = all[:m.n]
	m.counted(m.n)
	return true
}

// loop repeats until no lane is left in it.
type loop struct {
	id               int
	pos              syntax.Pos
	head, body, post list
	keep             func(mask, a []uint32, s uint32) int // compares tested.a and tested.b instead of reading cond
	tested           instr
	signed           bool // the comparison
	following        bool // tested.a is consecutive
	ascending        bool // tested.a is consecutive in each simdgroup, or the same in all lanes of each
	repeating        bool // tested.a is consecutive in each simdgroup, and the same in all of them
	step             int  // uniform register that each turn adds to tested.a, and nothing else changes it; or -1
	cond             int  // slot or uniform register
	hasCond, varying bool
	prepares         bool // the head has what a launch settles in front of the test
	doubts           op   // sees where another device may go on otherwise; nil: nowhere
	passing          bool // nothing but the loop sees tested.a, and lanes leave by the test alone
	leaves           bool // some lanes may leave it by an exit
	diverges         bool // or at different turns
	cost             int64
	turns            turns
}

func (n *loop) run(m *machine) bool {
	var saved []uint32
	all := m.whole && !n.leaves // and so they are all back after it
	if n.diverges && !all {
		saved = m.saved[n.id][:m.n]
		copy(saved, m.mask)
	}
	m.sanitizer.enter(n.pos)
	if sure, last := n.sure(m); last && n.passing && m.unseen() {
		n.pass(m, sure)
	} else {
		for ; n.turn(m, sure > 0); sure-- {
			m.sanitizer.turn()
			m.spend(n.pos, n.cost)
		}
	}
	m.sanitizer.leave()
	switch {
	case m.jumped(n.id + 1):
	case m.jump != 0:
		return false
	}
	if !n.diverges {
		return true
	}
	if all {
		if !m.whole {
			m.p.table.Fill(m.mask, ^uint32(0))
			m.counted(m.n)
		}
		return true
	}
	m.release(n.id + 1)
	return m.setMask(saved)
}

// pass runs so many turns, behind which no lane is left. That is known beforehand, and nobody reads the counter any more: the
// last turn neither moves nor tests it.
func (n *loop) pass(m *machine, turns int) {
	for ; ; turns-- {
		n.body.run(m)
		if turns == 1 {
			break
		}
		n.post.run(m)
		m.spend(n.pos, n.cost)
	}
	m.executed += n.post.length()
	m.spend(n.pos, n.cost)
}

// unseen reports whether nobody looks at the way that threads take.
func (m *machine) unseen() bool { return m.sanitizer == nil && m.tally == nil && m.watch == nil }

// lines are lanes of the register that is tested which decide for all, and how many of them have consecutive
// numbers or the same one: all, or those of each simdgroup. It is 0 if that is not known. All lanes are active then.
func (n *loop) lines(m *machine) (lanes []uint32, line int) {
	lanes = m.operand(&n.tested.a)
	switch {
	case n.following && m.inLine():
		return lanes, m.n
	case n.repeating && m.whole:
		return lanes[:min(m.n, Simdgroup)], Simdgroup
	case n.ascending && m.whole:
		return lanes, Simdgroup
	}
	return lanes, 0
}

// sure is a number of turns at whose beginning the test holds for all active
// lanes: most loops that stride over elements end for all lanes at about
// the same time. last says that it holds for none behind them.
func (n *loop) sure(m *machine) (turns int, last bool) {
	if n.step < 0 {
		return 0, false
	}
	if n.prepares {
		n.head.run(m)
	}
	limit, step, greatest := m.uni32[n.tested.b.at], m.uni32[n.step], uint32(math.MaxUint32)
	if n.signed {
		greatest = math.MaxInt32
	}
	if step == 0 || limit > greatest {
		return 0, false
	}
	lanes, line := n.lines(m)
	if line > 0 {
		return sureTurns(lanes, line, limit, step, greatest)
	}
	first := lanes[max(m.firstActive(), 0)]
	if first >= limit {
		return 0, false
	}
	const few = 6 // turns that are not worth the trouble
	most := (limit-1-first)/step + 1
	for k := most; k+1 >= most && k > few; k-- {
		copy(m.scratch, m.mask)
		if active := m.p.table.AndMask(m.scratch, m.mask, m.mask); n.keep(m.scratch, lanes, limit-(k-1)*step) == active {
			return int(k), false
		}
	}
	return 0, false
}

// sureTurns is sure for lanes whose numbers are consecutive or the same in lines of so many. No number is beyond the
// greatest.
func sureTurns(lanes []uint32, line int, limit, step, greatest uint32) (turns int, last bool) {
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

// turn runs one turn and reports whether another follows. sure says that the
// test holds.
func (n *loop) turn(m *machine, sure bool) bool {
	m.take(n.turns.head, 1)
	if !n.head.run(m) {
		return false
	}
	if n.hasCond && !sure && !n.test(m) {
		return false
	}
	m.take(n.turns.body, 1)
	alive := n.body.run(m) || m.jumped(n.id)
	if m.anyWaiting[n.id] {
		if m.jumped(n.id + 1) { // the others go on
			exit{n.id + 1}.run(m)
		}
		alive = n.rejoin(m)
	}
	if !alive {
		return false
	}
	m.take(n.turns.post, 1)
	return n.post.run(m)
}

func (n *loop) test(m *machine) bool {
	if n.doubts != nil {
		n.doubts(m)
	}
	if !n.varying {
		return m.uni32[n.cond] != 0
	}
	if m.n == 1 && n.keep == nil && m.p.does(passSingleLaneBranches) {
		m.mask[0] &= m.lanes(n.cond)[0]
		m.counted(int(m.mask[0] & 1))
		return m.mask[0] != 0
	}
	if n.keep != nil {
		count := n.keep(m.mask, m.operand(&n.tested.a), m.uni32[n.tested.b.at])
		m.counted(count)
		return count > 0
	}
	count := m.p.table.AndMask(m.mask, m.mask, m.lanes(n.cond))
	m.counted(count)
	return count > 0
}

// rejoin brings the lanes back that continued.
func (n *loop) rejoin(m *machine) bool {
	count := 0
	waiting := m.waiting[n.id][:m.n]
	for l, on := range waiting {
		m.exited[l] &^= on
		m.mask[l] |= on
		count += int(m.mask[l] & 1)
	}
	clear(waiting)
	m.anyWaiting[n.id] = false
	m.counted(count)
	return count > 0
}

// release ends the wait of the lanes at target: they are no longer exited.
func (m *machine) release(target int) {
	if !m.anyWaiting[target] {
		return
	}
	waiting := m.waiting[target][:m.n]
	for l, on := range waiting {
		m.exited[l] &^= on
	}
	clear(waiting)
	m.anyWaiting[target] = false
}

// block is an inlined function: lanes that leave it wait at its end.
type block struct {
	id    int
	exits bool
	body  list
}

func (n *block) run(m *machine) bool {
	if !n.exits {
		return n.body.run(m) || m.jumped(n.id)
	}
	saved := m.saved[n.id][:m.n]
	copy(saved, m.mask)
	n.body.run(m)
	if !m.jumped(n.id) && m.jump != 0 {
		return false
	}
	m.release(n.id)
	return m.setMask(saved)
}

// counted is a loop that a uniform counter ends and nothing else.
type counted struct {
	pos                  syntax.Pos
	counter, limit, step int // uniform registers
	less                 func(a, b uint32) bool
	body                 list
	cost                 int64
	turns                turns
}

func (n *counted) run(m *machine) bool {
	m.sanitizer.enter(n.pos)
	m.take(n.turns.head, 1)
	code, straight := n.body.single()
	for n.less(m.uni32[n.counter], m.uni32[n.limit]) {
		m.take(n.turns.body, 1)
		if straight && code != nil {
			code.run(m)
		} else {
			n.body.run(m)
		}
		m.uni32[n.counter] += m.uni32[n.step]
		m.take(n.turns.post, 1)
		m.take(n.turns.head, 1)
		m.sanitizer.turn()
		m.spend(n.pos, n.cost)
	}
	m.sanitizer.leave()
	return true
}

// spend takes a turn of a loop from the step budget.
func (m *machine) spend(pos syntax.Pos, cost int64) {
	m.executed++
	if m.steps -= cost; m.steps < 0 {
		m.fail(OutOfSteps, pos, m.firstActive(), "step budget of %d instructions exhausted in this loop, which -launch-steps can raise", m.budget())
	}
	if m.tired(cost * int64(m.n)) {
		m.fail(OutOfTime, pos, m.firstActive(), "still in this loop after %v, which -timeout can raise", m.p.options.Timeout)
	}
}

// tired takes so many instructions of single threads from the machine's patience, and reports whether the launch has
// had its time.
func (m *machine) tired(instructions int64) bool {
	if m.patience -= instructions; m.patience >= 0 {
		return false
	}
	m.patience = patience
	until := m.launch.until
	return !until.IsZero() && time.Now().After(until)
}

// arrive is the error of a threadgroup for which there is no time: a grid may have billions that are short.
func (m *machine) arrive(group, size Size) error {
	if !m.tired(m.p.arrival(size)) {
		return nil
	}
	return m.late(group)
}

// arrival is what a threadgroup takes at least, as instructions of a thread.
func (p *Program) arrival(size Size) int64 { return groupCost + p.length*int64(size.count()) }

// late is the fault of a threadgroup for which there is no time.
func (m *machine) late(group Size) error {
	l := m.launch
	return &Fault{Kind: OutOfTime, Pos: m.p.kernel.Pos, Group: group, Msg: fmt.Sprintf(
		"still at threadgroup %d of %d after %v, which -timeout can raise", l.number(group)+1, l.Groups.count(), m.p.options.Timeout)}
}

// groupCost is what a threadgroup takes that does nothing, as instructions of a thread.
const groupCost = 1 << 8

// patience is how many instructions of single threads pass from one look at the clock to
// the next: some milliseconds.
const patience = 1 << 20

// jump sends all active lanes to a construct's end, or to a loop's next turn, at
// once: no mask changes on the way.
type jump struct{ target int }

func (n jump) run(m *machine) bool {
	m.jump = n.target + 1
	return false
}

// jumped reports whether a jump has arrived at target, and ends it.
func (m *machine) jumped(target int) bool {
	if m.jump != target+1 {
		return false
	}
	m.jump = 0
	return true
}

// exit sends the active lanes to wait at a construct.
type exit struct{ target int }

func (n exit) run(m *machine) bool {
	waiting := m.waiting[n.target][:m.n]
	for l, on := range m.mask {
		waiting[l] |= on
		m.exited[l] |= on
		m.mask[l] = 0
	}
	m.anyWaiting[n.target] = true
	m.counted(0)
	return false
}

// finish ends the active lanes' threads.
type finish struct{}

func (finish) run(m *machine) bool {
	for l, on := range m.mask {
		m.live -= int(on & 1)
		m.exited[l] |= on
		m.ended[l] |= on
		m.mask[l] = 0
	}
	m.counted(0)
	return false
}
