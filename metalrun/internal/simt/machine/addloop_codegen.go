package machine

import (
	"metalconform/metalrun/internal/ir"
)

// addLoop recognises such a loop, n, whose parts are compiled, or gives nil.
func (c *Compiler) addLoop(l *Loop, n *ir.Loop) *AddLoop {
	a := &AddLoop{Loop: l}
	if !c.Does(passAddLoop) || l.keep == nil || l.signed || !a.moves(c, n) || len(l.Body) != 1 {
		return nil
	}
	body, _ := l.Body[0].(Straight)
	from := a.adds(n)
	if len(body) != 2 || from == nil || from.Mem.Index != lastInstr(n.Head).Args[0] || c.outlives(n) {
		return nil
	}
	last, run := &body[1], Operand{At: c.P.Slots[from.Dst[0]].Index}
	if last.Shape != vectorVectorVector || last.triple != &c.t.MulAdd || last.d.kind != inRow || last.e.kind != inRow || !last.d.Row.same(last.e.Row) {
		return nil
	}
	weight := last.a
	if weight == run {
		weight = last.b
	} else if last.b != run {
		return nil
	}
	a.rows, a.weight = last.d.Row, weight.At
	if weight.kind != inSlot || weight == run || a.rows.scalar != a.counter {
		return nil
	}
	if a.from = c.accessAgain(from); !c.adjoins(a.from) {
		return nil
	}
	return a
}

// moves recognises the test and the step of the loop.
func (a *AddLoop) moves(c *Compiler, n *ir.Loop) bool {
	_, head := tallies(n.Head)
	step := OnlyInstr(n.Post)
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
	one := c.P.Kernel.Regs[step.Args[1]]
	if by == ir.None || lane == ir.None || test.Args[0] != add.Dst[0] || one.Kind != ir.Literal || one.Bits != 1 {
		return false
	}
	if !c.Uniform(counter) || !c.Uniform(by) || !c.Uniform(test.Args[1]) || c.Changeable(by) || c.Changeable(test.Args[1]) || c.Changeable(lane) ||
		!c.repeating[lane] || c.Typ(lane) != ir.I32 {
		return false
	}
	at := func(r ir.Reg) int { return c.P.Slots[r].Index }
	a.counter, a.step, a.limit, a.lane = at(counter), at(by), at(test.Args[1]), at(lane)
	return true
}

// outlives reports whether something that instructions of a loop set, except the counter, is read behind it.
func (c *Compiler) outlives(n *ir.Loop) bool {
	return ir.Contains([]ir.Node{n}, func(node ir.Node) bool {
		in, ok := node.(*ir.Instr)
		if !ok || in == OnlyInstr(n.Post) {
			return false
		}
		for _, r := range in.Dst {
			if c.U.ReadOutside(r, n) {
				return true
			}
		}
		return false
	})
}
