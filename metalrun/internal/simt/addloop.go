package simt

import (
	"math"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// addLoop is a loop that adds weighted runs of memory to the rows of a private array:
//
//	for (c = first; c * step + lane < limit; c++) rows[c] += w * run[c * step + lane];
//
// One call does all turns that every lane takes. The loop itself does the others, and what is uncommon or can
// fault.
type addLoop struct {
	loop                 *loop
	counter, step, limit int // uniform registers
	lane                 int // slot: consecutive in each simdgroup, and the same in all of them
	from                 *access
	weight               int // slot
	rows                 *row
}

func (n *addLoop) run(m *machine) bool {
	return n.all(m) || n.loop.run(m)
}

// all does the turns that every lane takes, and reports whether none is left.
func (n *addLoop) all(m *machine) (done bool) {
	l, lanes, first := n.loop, m.slots[n.lane], m.runsFrom[:m.heads()]
	turns, last := n.turns(m)
	if turns == 0 || m.n < m.stride || m.n%Simdgroup != 0 || int64(turns) > m.steps/l.cost {
		return false
	}
	counter, step := m.uni32[n.counter], m.uni32[n.step]
	at := wordIndex(counter, n.rows.signed) + n.rows.shift
	if at < 0 || at > int64(n.rows.size-turns) {
		return false
	}
	mem, ok := n.from.runsOf(m, first, int64(turns-1)*int64(step), lanes, counter*step)
	if !ok {
		return false
	}
	rows := m.private[(n.rows.first+int(at))*m.stride:]
	m.p.table.AddRuns(rows[:turns*m.n], m.slots[n.weight], mem.words, first, int(step), turns)
	m.uni32[n.counter] = counter + uint32(turns)
	m.take(l.turns.head, turns)
	m.take(l.turns.body, turns)
	m.take(l.turns.post, turns)
	m.steps -= int64(turns) * l.cost
	m.executed++
	if last {
		m.take(l.turns.head, 1)
	}
	return last
}

// turns is how many every lane takes, and whether none takes another one.
func (n *addLoop) turns(m *machine) (turns int, last bool) {
	lanes := m.slots[n.lane]
	lanes = lanes[:min(len(lanes), Simdgroup)]
	step, limit := uint64(m.uni32[n.step]), uint64(m.uni32[n.limit])
	moved := uint64(m.uni32[n.counter]) * step
	lowest, highest := uint64(lanes[0])+moved, uint64(lanes[len(lanes)-1])+moved
	if highest < lowest || highest >= limit || step == 0 {
		return 0, false
	}
	most := (limit-1-highest)/step + 1
	if highest+most*step > math.MaxUint32 {
		return 0, false
	}
	return int(most), lowest+most*step >= limit
}

// addLoop recognises such a loop, n, whose parts are compiled, or gives nil.
func (c *compiler) addLoop(l *loop, n *ir.Loop) *addLoop {
	a := &addLoop{loop: l}
	if !c.does(passAddLoop) || l.keep == nil || l.signed || !a.moves(c, n) || len(l.body) != 1 {
		return nil
	}
	body, _ := l.body[0].(straight)
	from := a.adds(n)
	if len(body) != 2 || from == nil || from.Mem.Index != lastInstr(n.Head).Args[0] || c.outlives(n) {
		return nil
	}
	last, run := &body[1], operand{at: c.p.slots[from.Dst[0]].index}
	if last.shape != vectorVectorVector || last.triple != &c.t.MulAdd || last.d.kind != inRow || last.e.kind != inRow || !last.d.row.same(last.e.row) {
		return nil
	}
	weight := last.a
	if weight == run {
		weight = last.b
	} else if last.b != run {
		return nil
	}
	a.rows, a.weight = last.d.row, weight.at
	if weight.kind != inSlot || weight == run || a.rows.scalar != a.counter {
		return nil
	}
	if a.from = c.accessAgain(from); !c.adjoins(a.from) {
		return nil
	}
	return a
}

// moves recognises the test and the step of the loop.
func (a *addLoop) moves(c *compiler, n *ir.Loop) bool {
	_, head := tallies(n.Head)
	step := onlyInstr(n.Post)
	if len(head) != 3 || step == nil || step.Op != ir.Add || step.Dst[0] != step.Args[0] {
		return false
	}
	var in [3]*ir.Instr
	for i, node := range head {
		in[i], _ = node.(*ir.Instr)
	}
	mul, add, test := in[0], in[1], in[2]
	if mul == nil || add == nil || test == nil || mul.Op != ir.Mul || add.Op != ir.Add || test.Op != ir.ULt || test.Dst[0] != n.Cond {
		return false
	}
	counter, lane := step.Dst[0], other(add, mul.Dst[0])
	by := other(mul, counter)
	one := c.p.kernel.Regs[step.Args[1]]
	if by == ir.None || lane == ir.None || test.Args[0] != add.Dst[0] || one.Kind != ir.Literal || one.Bits != 1 {
		return false
	}
	if !c.uniform(counter) || !c.uniform(by) || !c.uniform(test.Args[1]) || c.changeable(by) || c.changeable(test.Args[1]) || c.changeable(lane) ||
		!c.repeating[lane] || c.typ(lane) != ir.I32 {
		return false
	}
	at := func(r ir.Reg) int { return c.p.slots[r].index }
	a.counter, a.step, a.limit, a.lane = at(counter), at(by), at(test.Args[1]), at(lane)
	return true
}

// other is the operand of an instruction of two beside r, or None.
func other(in *ir.Instr, r ir.Reg) ir.Reg {
	switch x, y := in.Args[0], in.Args[1]; {
	case x == r && y != r:
		return y
	case y == r && x != r:
		return x
	}
	return ir.None
}

// adds gives the load of the run, if the body does nothing but add its product to an element of an array, or nil.
func (a *addLoop) adds(n *ir.Loop) *ir.Instr {
	_, body := tallies(n.Body)
	var run, own *ir.Instr
	rest := []ir.Op{ir.Mul, ir.Add, ir.Store}
	for _, node := range body {
		in, ok := node.(*ir.Instr)
		switch {
		case !ok:
			return nil
		case in.Op == ir.Load && in.Mem.Space == syntax.Thread && own == nil:
			own = in
		case in.Op == ir.Load && in.Mem.Space != syntax.Thread && run == nil && len(in.Dst) == 1 && in.From == ir.R32:
			run = in
		case len(rest) > 0 && in.Op == rest[0]:
			rest = rest[1:]
		default:
			return nil
		}
	}
	if own == nil || len(rest) > 0 {
		return nil
	}
	return run
}

// outlives reports whether something that instructions of a loop set, except the counter, is read behind it.
func (c *compiler) outlives(n *ir.Loop) bool {
	return ir.Contains([]ir.Node{n}, func(node ir.Node) bool {
		in, ok := node.(*ir.Instr)
		if !ok || in == onlyInstr(n.Post) {
			return false
		}
		for _, r := range in.Dst {
			if c.u.ReadOutside(r, n) {
				return true
			}
		}
		return false
	})
}
