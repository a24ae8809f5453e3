package simt

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// A thread that is alone mostly searches: it goes through an array of its own for the index of the
// least or greatest element, turn by turn
//
//	if (x[i] < x[best]) best = i;
//
// Such turns are done at once, as long as they are ordinary: elements exist, steps are left, and all
// devices decide alike. Whatever is not is left to the loop as it was compiled.

// soloSearch is such a loop.
type soloSearch struct {
	counter, limit, step, best uint8
	element, held              soloArray // what the counter leads to, and what the best index does
	swapped                    bool      // the element of the best index is on the left
	orEqual                    bool      // equal ones count
	exact                      bool      // the elements have balls
	known                      bool      // so has the index
	branch                     int       // of those whose outcomes are noted, or -1
	runs                       []int     // that are counted where the index is set
}

// soloArray is an array of the thread.
type soloArray struct {
	first, size int
	held        bool // it may hold balls
}

// search recognises a loop whose head, but for loads that are done before it, is given.
func (s *soloCompiler) search(n *ir.Loop, head []ir.Node) *soloSearch {
	_, body := tallies(n.Body)
	test, step, branch := onlyInstr(head), onlyInstr(n.Post), lastBranch(body)
	if !s.does(passArgmin) || test == nil || step == nil || branch == nil || len(body) != 4 || test.Op != ir.ULt || test.Dst[0] != n.Cond ||
		step.Op != ir.Add || s.typ(step.Dst[0]) != ir.I32 || step.Dst[0] != step.Args[0] || step.Dst[0] != test.Args[0] {
		return nil
	}
	set := onlyInstr(branch.Then)
	first, second, compared := instrAt(body, 0), instrAt(body, 1), instrAt(body, 2)
	if set == nil || set.Op != ir.Copy || set.Args[0] != step.Dst[0] || first == nil || second == nil || compared == nil ||
		compared.Op != ir.FLt && compared.Op != ir.FLe || compared.Dst[0] != branch.Cond || s.reads[branch.Cond] != 1 ||
		ir.Sets(body, test.Args[1]) || ir.Sets(n.Post, test.Args[1]) || ir.Sets(body, step.Args[1]) || test.Args[1] == step.Dst[0] ||
		step.Args[1] == step.Dst[0] || s.has(step.Dst[0]) || s.has(test.Args[1]) {
		return nil
	}
	q := &soloSearch{counter: s.register(step.Dst[0]), limit: s.register(test.Args[1]), step: s.register(step.Args[1]), best: s.register(set.Dst[0]),
		orEqual: compared.Op == ir.FLe, exact: s.has(branch.Cond), known: s.has(set.Dst[0]), branch: -1}
	q.runs, _ = tallies(branch.Then)
	if first.Dst[0] == compared.Args[1] {
		first, second = second, first
	}
	if q.swapped = first.Mem != nil && first.Mem.Index == set.Dst[0]; q.swapped {
		first, second = second, first
	}
	ok := s.element(&q.element, first, step.Dst[0]) && s.element(&q.held, second, set.Dst[0])
	left, right := first.Dst[0], second.Dst[0]
	if q.swapped {
		left, right = right, left
	}
	if !ok || compared.Args[0] != left || compared.Args[1] != right || s.reads[left] != 1 || s.reads[right] != 1 || left == right ||
		q.exact && !(s.has(left) && s.has(right)) {
		return nil
	}
	return q
}

// lastBranch is the branch of one arm that ends a list, or nil.
func lastBranch(nodes []ir.Node) *ir.If {
	if len(nodes) == 0 {
		return nil
	}
	n, _ := nodes[len(nodes)-1].(*ir.If)
	if n == nil || len(n.Else) > 0 {
		return nil
	}
	return n
}

func instrAt(nodes []ir.Node, i int) *ir.Instr {
	in, _ := nodes[i].(*ir.Instr)
	return in
}

// element reports whether a load is one of a float of an array of the thread, by an index alone, and which array that is.
func (s *soloCompiler) element(at *soloArray, in *ir.Instr, index ir.Reg) bool {
	if in.Op != ir.Load || in.From.Type() != ir.F32 || len(in.Dst) != 1 || in.Mem.Space != syntax.Thread || in.Mem.Volatile || in.Mem.Disp != 0 ||
		in.Mem.Scale != 4 || in.Mem.IndexSigned || in.Mem.Index != index || s.wide(index) {
		return false
	}
	base := s.p.kernel.Regs[in.Mem.Base]
	if base.Kind != ir.Address {
		return false
	}
	at.first, at.size = s.p.privateBase[base.Index], s.p.kernel.Objects[base.Index].Size/4
	at.held = s.p.exact != nil && s.p.exact.Of(in.Mem).Depends
	return true
}

// run does ordinary turns.
func (q *soloSearch) run(m *machine, s *solo, turn *soloTurn) {
	r := m.alone
	from, best := int(uint32(r[q.counter])), int(uint32(r[q.best]))
	end := min(int(uint32(r[q.limit])), q.element.size, q.held.size)
	all := int64(end-from) * turn.cost
	if end <= from || best >= q.held.size || r[q.step] != 1 || m.steps < all || m.patience < all ||
		m.watch.looking() && turn.runs == nil {
		return
	}
	at, found, changes := from, best, 0
	switch {
	case q.exact:
		if m.balls.doubtful || q.known && m.aloneBalls[q.best].E != 0 {
			return
		}
		at, found, changes = q.exactly(m, from, end, best)
	case m.outcomes != nil:
		at, found, changes = q.noting(m, s.branches[q.branch].id, from, end, best)
	default:
		at, found, changes = q.plain(m, from, end, best)
	}
	turns := int64(at - from)
	m.steps -= turns * turn.cost
	m.patience -= turns * turn.cost
	m.executed += turns
	m.tallyTurns(q.runs, int64(changes))
	m.tallyTurns(turn.runs, turns)
	r[q.counter] = uint64(at)
	if changes > 0 {
		r[q.best] = uint64(found)
		if q.known {
			m.aloneBalls[q.best] = soloExact{ball.Ball{X: float64(int32(found))}, true}
		}
	}
}

// holds is the comparison.
func (q *soloSearch) holds(element, held float32) bool {
	if q.swapped {
		element, held = held, element
	}
	return element < held || q.orEqual && element == held
}

// plain does turns up to the one before end, and gives where it has come to, the index that it has found and how
// often it has set it.
func (q *soloSearch) plain(m *machine, from, end, best int) (at, found, changes int) {
	words, stride := m.private, m.stride
	held := f32frombits(words[(q.held.first+best)*stride])
	for i := from; i < end; i++ {
		if q.holds(f32frombits(words[(q.element.first+i)*stride]), held) {
			best, changes = i, changes+1
			held = f32frombits(words[(q.held.first+best)*stride])
		}
	}
	return end, best, changes
}

// noting does so and notes the outcomes of the branch.
func (q *soloSearch) noting(m *machine, branch, from, end, best int) (at, found, changes int) {
	words, stride := m.private, m.stride
	ways := m.outcomes[branch]
	held := f32frombits(words[(q.held.first+best)*stride])
	for i := from; i < end; i++ {
		holds := q.holds(f32frombits(words[(q.element.first+i)*stride]), held)
		if ways.one(holds); holds {
			best, changes = i, changes+1
			held = f32frombits(words[(q.held.first+best)*stride])
		}
	}
	m.outcomes[branch] = ways
	return end, best, changes
}

// exactly does so up to the first turn in which devices may decide otherwise.
func (q *soloSearch) exactly(m *machine, from, end, best int) (at, found, changes int) {
	held, heldBall := q.held.exact(m, best)
	for i := from; i < end; i++ {
		element, b := q.element.exact(m, i)
		if !ball.Apart(b, heldBall) {
			return i, best, changes
		}
		if q.holds(element, held) {
			best, changes = i, changes+1
			held, heldBall = q.held.exact(m, best)
		}
	}
	return end, best, changes
}

// exact is an element and its ball.
func (a soloArray) exact(m *machine, i int) (x float32, b ball.Ball) {
	k := (a.first + i) * m.stride
	if x = f32frombits(m.private[k]); a.held {
		b = m.balls.private[k]
	}
	if b.None() {
		b = ball.Of(float64(x))
	}
	return x, b
}
