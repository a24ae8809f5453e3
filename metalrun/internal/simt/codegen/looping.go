package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
)

func (c *Compiler) loopNode(n *ir.Loop) {
	cost := machine.IterationCost + machine.Cost(n.Head) + machine.Cost(n.Body) + machine.Cost(n.Post)
	if l := c.countedLoop(n); l != nil {
		l.Cost = cost
		if c.P.Stepwise {
			c.out = append(c.out, c.countedBy(l, n))
			return
		}
		switch rows, runs, gathered, weights := c.rowLoop(l), c.runLoop(l, n), c.gatheredLoop(l, n),
			c.weightLoop(n, l, l.Body, cost, l.Counters); {
		case rows != nil:
			c.out = append(c.out, rows)
		case runs != nil:
			c.out = append(c.out, runs)
		case gathered != nil:
			c.out = append(c.out, gathered)
		case weights != nil:
			c.out = append(c.out, weights)
		default:
			c.out = append(c.out, l)
		}
		return
	}
	trips, head, body, post := c.loopCounters(n)
	l := &machine.Loop{Id: c.construct(n, n.Pos, 2), Pos: n.Pos, Cost: cost, Step: -1, Counters: trips}
	l.Head = c.list(head)
	if n.Cond != ir.None {
		at := c.read(n.Cond)
		l.HasCond, l.Varying, l.Cond = true, at.Varying, at.Index
		if l.Doubts = c.testBy(n); l.Doubts == nil {
			c.mergeTest(l, n)
		}
	}
	taken := len(c.Taken)
	l.Body = c.list(body)
	rows := c.Taken[taken:]
	l.Post = c.list(post)
	c.stride(l, n)
	l.Leaves = c.U.SomeLeave(n)
	l.Diverges = l.Varying || l.Leaves
	if !c.P.Stepwise {
		otherwise := machine.Node(l)
		if dots := c.dotLoop(l, n); dots != nil {
			otherwise = dots
		}
		if wide := c.wideLoop(l, n, rows, otherwise); wide != nil {
			otherwise = wide
		}
		if otherwise != machine.Node(l) {
			c.out = append(c.out, otherwise)
			return
		}
		if adds := c.addLoop(l, n); adds != nil {
			c.out = append(c.out, adds)
			return
		}
		if weights := c.weightLoop(n, l, l.Body, cost, trips); weights != nil {
			c.out = append(c.out, weights)
			return
		}
	}
	c.out = append(c.out, c.leave(n, l.Id, l))
}

// mergeTest lets a comparison that only ends the loop unset the mask itself.
func (c *Compiler) mergeTest(l *machine.Loop, n *ir.Loop) {
	if !c.Does(machine.PassFusedTest) || !l.Varying || len(l.Head) == 0 || c.Left[n.Cond] != 0 {
		return
	}
	code, ok := l.Head[len(l.Head)-1].(machine.Straight)
	if !ok {
		return
	}
	in := code[len(code)-1]
	if in.Shape != machine.VectorScalar || in.Partial || in.D != (machine.Operand{At: l.Cond}) {
		return
	}
	switch in.Binary {
	case &c.t.LtU:
		l.Keep = c.t.KeepLtU
	case &c.t.LtS:
		l.Keep, l.Signed = c.t.KeepLtS, true
	default:
		return
	}
	l.Tested = in
	if test := machine.LastInstr(n.Head); test != nil && test.Dst[0] == n.Cond {
		r := test.Args[0]
		l.ConsecutiveInLine, l.ConsecutiveInEachSimdgroup = c.ConsecutiveInLine[r], c.ConsecutiveInEachSimdgroup[r]
		l.AscendingInSimdgroup = c.ConsecutiveInSimdgroup[r] || !c.Simdgroup.Varying(r)
	}
	l.Head[len(l.Head)-1] = code[:len(code)-1]
}

// stride finds the step that each iteration adds to the variable that a merged test compares with a limit, if nothing
// else changes the variable or the step.
func (c *Compiler) stride(l *machine.Loop, n *ir.Loop) {
	test, step := c.testOf(n), machine.OnlyInstr(n.Post)
	if !c.Does(machine.PassTripCount) || l.Keep == nil || test == nil || test.Op != ir.ULt && test.Op != ir.SLt ||
		step == nil || step.Op != ir.Add || step.Dst[0] != test.Args[0] || step.Args[0] != test.Args[0] ||
		!c.Uniform(step.Args[1]) || ir.Sets(n.Body, step.Args[1]) || ir.Sets(n.Body, test.Args[1]) ||
		ir.Sets(n.Body, test.Args[0]) {
		return
	}
	l.Step, l.Prepares = c.P.Slots[step.Args[1]].Index, machine.OnlyInstr(n.Head) == nil
	l.Passing = c.Does(machine.PassDeadCounter) && !c.P.Stepwise && !analysis.LeavesEarly(n) &&
		c.U.EndsIn(test.Args[0], n)
}

// testOf is the test that ends the head of a loop, nil if there is more in it than that and what a launch settles.
func (c *Compiler) testOf(n *ir.Loop) *ir.Instr {
	_, nodes := machine.SplitCounters(n.Head)
	test := machine.LastInstr(nodes)
	if test == nil {
		return nil
	}
	for _, node := range nodes[:len(nodes)-1] {
		in, ok := node.(*ir.Instr)
		if !ok || c.LaunchInvariant == nil || len(in.Dst) == 0 || !c.LaunchInvariant[in.Dst[0]] {
			return nil
		}
	}
	return test
}

// Changeable reports whether a register is a variable.
func (c *Compiler) Changeable(r ir.Reg) bool { return c.P.Kernel.Regs[r].Kind == ir.Variable }

// countedLoop compiles "while counter < limit" with "counter += step" after the
// body, all uniform, without exits; it gives nil if n is something else.
func (c *Compiler) countedLoop(n *ir.Loop) *machine.Counted {
	test, step := machine.OnlyInstr(n.Head), machine.OnlyInstr(n.Post)
	if !c.Does(machine.PassCountedLoop) || test == nil || step == nil || n.Cond == ir.None || len(test.Dst) != 1 ||
		test.Dst[0] != n.Cond || c.U.Reads(n.Cond) != 1 ||
		step.Op != ir.Add || c.Typ(step.Dst[0]) != ir.I32 || step.Args[0] != step.Dst[0] ||
		test.Args[0] != step.Dst[0] ||
		!c.Uniform(test.Args[0]) || !c.Uniform(test.Args[1]) || !c.Uniform(step.Args[1]) || !c.Uniform(n.Cond) ||
		analysis.HasExit(n.Body) {
		return nil
	}
	l := &machine.Counted{Pos: n.Pos, Counter: c.P.Slots[step.Dst[0]].Index, Limit: c.P.Slots[test.Args[1]].Index,
		Step: c.P.Slots[step.Args[1]].Index}
	switch test.Op {
	case ir.ULt:
		l.Less = func(a, b uint32) bool { return a < b }
	case ir.SLt:
		l.Less = func(a, b uint32) bool { return int32(a) < int32(b) }
	default:
		return nil
	}
	trips, _, body, _ := c.loopCounters(n)
	l.Counters, l.Body = trips, c.list(body)
	return l
}

// affine reports whether all that the body of a counted loop sets, except what it
// loads or computes for each thread, has the form a + iteration·b, modulo 2^32 or 2^64
// by its width, and how many instructions do that. The counter has to count in
// steps of one.
func (c *Compiler) affine(n *ir.Loop) (instrs int, ok bool) {
	counter, signed := machine.OnlyInstr(n.Post).Dst[0], machine.OnlyInstr(n.Head).Op == ir.SLt
	moves := map[ir.Reg]bool{counter: true}
	for _, node := range n.Body {
		in, ok := node.(*ir.Instr)
		if ok && in.Op == machine.CounterOp {
			continue
		}
		if !ok || len(in.Dst) != 1 {
			return 0, false
		}
		d := in.Dst[0]
		if in.Op == ir.Load || !c.Uniform(d) {
			continue
		}
		moving := 0
		for _, r := range in.Args {
			switch {
			case moves[r]:
				moving++
			case ir.Sets(n.Body, r):
				return 0, false
			}
		}
		// The counter does not wrap, other 32-bit values may: of these the extension
		// is not affine.
		extends := in.Op == ir.Convert && in.Args[0] == counter && machine.Extension(in, signed)
		if !extends && (c.Typ(d).IsFloat() || !machine.Linear(in.Op, moving)) || c.Changeable(d) {
			return 0, false
		}
		moves[d] = true
		instrs++
	}
	return instrs, true
}
