package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// dotLoop is a loop that adds up products of elements of memory, with a stride
// that all lanes share:
//
//	for (c = first; c < limit; c += step) sum += a[c] * b[c];
//
// One call does all turns that every lane takes, for a simdgroup whose lanes are at
// consecutive elements. The loop itself does the others, and what is uncommon or
// can fault.
type dotLoop struct {
	loop               *loop
	a, b               *access
	adjoinsA, adjoinsB bool // each simdgroup reads consecutive words
	sum                int  // slot
}

func (n *dotLoop) run(m *machine) bool { return n.all(m) || n.loop.run(m) }

// all does the turns that every lane takes, and reports whether none is left.
func (n *dotLoop) all(m *machine) (done bool) {
	l := n.loop
	turns, last := l.sure(m)
	if turns == 0 || !m.whole || int64(turns) > m.steps/l.cost {
		return false
	}
	step := m.uni32[l.step]
	a, b := &m.strides[0], &m.strides[1]
	if !a.locate(n.a, n.adjoinsA, m, turns, step) || !b.locate(n.b, n.adjoinsB, m, turns, step) {
		return false
	}
	m.p.table.DotRuns(m.lanes(n.sum), a.words, b.words, a.first[:], b.first[:], int(step), turns)
	m.steps -= int64(turns) * l.cost
	m.take(l.turns.head, turns)
	m.take(l.turns.body, turns)
	m.take(l.turns.post, turns)
	if !last || !l.passing { // somebody sees the counter
		counter := m.operand(&l.tested.a)
		m.p.table.AddI.VS(counter, counter, uint32(turns)*step)
	}
	if last {
		m.take(l.turns.head, 1)
	}
	return last
}

// strides is where each simdgroup begins to read. Its lanes read consecutive
// words, and from turn to turn words that lie the same distance further on.
type strides struct {
	words []uint32
	first [MaxThreads / Simdgroup]uint32
}

// locate reports whether an access has that form for that many turns and stays
// within its object.
func (s *strides) locate(a *access, adjoins bool, m *machine, turns int, step uint32) bool {
	reach := uint64(turns-1) * uint64(step)
	if adjoins && reach < mostElements {
		mem, ok := a.runs(m, s.first[:m.heads()], int64(reach))
		if ok {
			s.words = mem.words
		}
		return ok
	}
	mem, idx, at, ok := a.locate(m, 1)
	if !ok {
		return false
	}
	s.words = mem.words
	whole := m.n &^ (Simdgroup - 1)
	if !m.p.table.Ascend(idx[:whole]) || !ascend(idx[whole:m.n]) {
		return false
	}
	for group := range (m.n + Simdgroup - 1) / Simdgroup {
		lanes := idx[group*Simdgroup : min((group+1)*Simdgroup, m.n)]
		first := lanes[0] - at.Lo
		if uint64(first)+reach+uint64(len(lanes)) > uint64(at.Count) {
			return false
		}
		s.first[group] = first + at.First
	}
	return true
}

// ascend reports whether each number is its predecessor plus 1, modulo 2^32.
func ascend(x []uint32) bool {
	differ := uint32(0)
	for l, i := range x {
		differ |= i - x[0] - uint32(l)
	}
	return differ == 0
}

// dotLoop recognises such a loop, n, whose parts are compiled, or gives nil.
func (c *compiler) dotLoop(l *loop, n *ir.Loop) *dotLoop {
	_, nodes := tallies(n.Body)
	if !c.does(passDotLoop) || l.step < 0 || len(l.body) != 1 || len(nodes) != 4 {
		return nil
	}
	body, _ := l.body[0].(straight)
	if len(body) == 0 {
		return nil
	}
	last := &body[len(body)-1]
	if last.shape != vectorVectorVector || last.triple != &c.t.MulAdd || last.d.kind != inSlot || last.e != last.d {
		return nil
	}
	gathered := 0 // operands that instructions of their own load
	for _, o := range []operand{last.a, last.b} {
		if o.kind == inSlot {
			gathered++
		}
	}
	if len(body) != gathered+1 {
		return nil
	}
	counter := c.testOf(n).Args[0]
	a, b := factor(nodes[0], counter), factor(nodes[1], counter)
	if a == nil || b == nil || a.Mem.IndexSigned || b.Mem.IndexSigned || !addsProduct(nodes[2], nodes[3], a.Dst[0], b.Dst[0]) {
		return nil
	}
	d := &dotLoop{loop: l, a: c.accessAgain(a), b: c.accessAgain(b), sum: last.d.at}
	d.adjoinsA, d.adjoinsB = c.adjoins(d.a), c.adjoins(d.b)
	return d
}

// factor is a load of one float with a register as its index, or nil.
func factor(n ir.Node, index ir.Reg) *ir.Instr {
	in, ok := n.(*ir.Instr)
	if !ok || in.Op != ir.Load || len(in.Dst) != 1 || in.From != ir.R32 || in.Mem.Space == syntax.Thread ||
		in.Mem.Index != index || in.Mem.Scale != 4 {
		return nil
	}
	return in
}

// addsProduct reports whether two instructions add the product of a and b to
// something.
func addsProduct(mul, add ir.Node, a, b ir.Reg) bool {
	x, first := mul.(*ir.Instr)
	y, second := add.(*ir.Instr)
	return first && second && x.Op == ir.Mul && slices.Contains(x.Args, a) && slices.Contains(x.Args, b) && a != b &&
		y.Op == ir.Add && slices.Contains(y.Args, x.Dst[0])
}

// accessAgain is the operand of an access that is compiled already.
func (c *compiler) accessAgain(in *ir.Instr) *access {
	for _, r := range in.Reads() {
		c.left[r]++
	}
	return c.access(in)
}
