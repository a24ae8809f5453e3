package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// addLoop recognises such a loop, n, whose parts are compiled, or gives nil.
func (c *Compiler) addLoop(l *machine.Loop, n *ir.Loop) *machine.AddLoop {
	a := &machine.AddLoop{Loop: l}
	if !c.Does(machine.PassAddLoop) || l.Keep == nil || l.Signed || !moves(a, c, n) || len(l.Body) != 1 {
		return nil
	}
	body, _ := l.Body[0].(machine.Straight)
	from := a.Adds(n)
	if len(body) != 2 || from == nil || from.Mem.Index != machine.LastInstr(n.Head).Args[0] || c.outlives(n) {
		return nil
	}
	last, run := &body[1], machine.Operand{At: c.P.Slots[from.Dst[0]].Index}
	if last.Shape != machine.VectorVectorVector || last.Triple != &c.t.MulAdd || last.D.Kind != machine.InRow ||
		last.E.Kind != machine.InRow || !last.D.Row.Same(last.E.Row) {
		return nil
	}
	weight := last.A
	if weight == run {
		weight = last.B
	} else if last.B != run {
		return nil
	}
	a.Rows, a.Weight = last.D.Row, weight.At
	if weight.Kind != machine.InSlot || weight == run || a.Rows.Scalar != a.Counter {
		return nil
	}
	if a.From = c.accessAgain(from); !c.simdgroupRuns(a.From) {
		return nil
	}
	return a
}

// moves recognises the test and the step of the loop.
func moves(a *machine.AddLoop, c *Compiler, n *ir.Loop) bool {
	_, head := machine.SplitCounters(n.Head)
	step := machine.OnlyInstr(n.Post)
	if len(head) != 3 || step == nil || step.Op != ir.Add || step.Dst[0] != step.Args[0] {
		return false
	}
	var in [3]*ir.Instr
	for i, node := range head {
		in[i], _ = node.(*ir.Instr)
	}
	mul, add, test := in[0], in[1], in[2]
	if mul == nil || add == nil || test == nil || mul.Op != ir.Mul || add.Op != ir.Add || test.Op != ir.ULt ||
		test.Dst[0] != n.Cond {
		return false
	}
	counter, lane := step.Dst[0], machine.Other(add, mul.Dst[0])
	by := machine.Other(mul, counter)
	one := c.P.Kernel.Regs[step.Args[1]]
	if by == ir.None || lane == ir.None || test.Args[0] != add.Dst[0] || one.Kind != ir.Literal || one.Bits != 1 {
		return false
	}
	if !c.Uniform(counter) || !c.Uniform(by) || !c.Uniform(test.Args[1]) || c.Changeable(by) ||
		c.Changeable(test.Args[1]) || c.Changeable(lane) ||
		!c.ConsecutiveInEachSimdgroup[lane] || c.Typ(lane) != ir.I32 {
		return false
	}
	at := func(r ir.Reg) int { return c.P.Slots[r].Index }
	a.Counter, a.Step, a.Limit, a.Lane = at(counter), at(by), at(test.Args[1]), at(lane)
	return true
}

// outlives reports whether something that instructions of a loop set, except the counter, is read after it.
func (c *Compiler) outlives(n *ir.Loop) bool {
	return ir.Contains([]ir.Node{n}, func(node ir.Node) bool {
		in, ok := node.(*ir.Instr)
		if !ok || in == machine.OnlyInstr(n.Post) {
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
