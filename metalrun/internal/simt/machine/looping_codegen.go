package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
)

func (c *Compiler) loopNode(n *ir.Loop) {
	cost := turnCost + cost(n.Head) + cost(n.Body) + cost(n.Post)
	if l := c.countedLoop(n); l != nil {
		l.cost = cost
		if c.P.stepwise {
			c.out = append(c.out, c.countedBy(l, n))
			return
		}
		switch rows, runs, gathered, weights := c.rowLoop(l), c.runLoop(l, n), c.gatheredLoop(l, n), c.weightLoop(n, l, l.Body, cost, l.turns); {
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
	turns, head, body, post := c.turns(n)
	l := &Loop{id: c.construct(n, n.Pos, 2), pos: n.Pos, cost: cost, step: -1, turns: turns}
	l.head = c.list(head)
	if n.Cond != ir.None {
		at := c.read(n.Cond)
		l.hasCond, l.varying, l.cond = true, at.Varying, at.Index
		if l.doubts = c.testBy(n); l.doubts == nil {
			c.mergeTest(l, n)
		}
	}
	taken := len(c.taken)
	l.Body = c.list(body)
	rows := c.taken[taken:]
	l.post = c.list(post)
	c.stride(l, n)
	l.leaves = c.U.SomeLeave(n)
	l.diverges = l.varying || l.leaves
	if !c.P.stepwise {
		otherwise := Node(l)
		if dots := c.dotLoop(l, n); dots != nil {
			otherwise = dots
		}
		if wide := c.wideLoop(l, n, rows, otherwise); wide != nil {
			otherwise = wide
		}
		if otherwise != Node(l) {
			c.out = append(c.out, otherwise)
			return
		}
		if adds := c.addLoop(l, n); adds != nil {
			c.out = append(c.out, adds)
			return
		}
		if weights := c.weightLoop(n, l, l.Body, cost, turns); weights != nil {
			c.out = append(c.out, weights)
			return
		}
	}
	c.out = append(c.out, c.leave(n, l.id, l))
}

// mergeTest lets a comparison that only ends the loop unset the mask itself.
func (c *Compiler) mergeTest(l *Loop, n *ir.Loop) {
	if !c.Does(passFusedTest) || !l.varying || len(l.head) == 0 || c.Left[n.Cond] != 0 {
		return
	}
	code, ok := l.head[len(l.head)-1].(Straight)
	if !ok {
		return
	}
	in := code[len(code)-1]
	if in.Shape != vectorScalar || in.partial || in.d != (Operand{At: l.cond}) {
		return
	}
	switch in.Binary {
	case &c.t.LtU:
		l.keep = c.t.KeepLtU
	case &c.t.LtS:
		l.keep, l.signed = c.t.KeepLtS, true
	default:
		return
	}
	l.tested = in
	if test := lastInstr(n.Head); test != nil && test.Dst[0] == n.Cond {
		r := test.Args[0]
		l.following, l.ascending, l.repeating = c.Following[r], c.Adjoining[r] || !c.simdgroup.Varying(r), c.repeating[r]
	}
	l.head[len(l.head)-1] = code[:len(code)-1]
}

// stride finds what each turn adds to the variable that a merged test compares
// with a limit, if nothing else changes either.
func (c *Compiler) stride(l *Loop, n *ir.Loop) {
	test, step := c.testOf(n), OnlyInstr(n.Post)
	if !c.Does(passTripCount) || l.keep == nil || test == nil || test.Op != ir.ULt && test.Op != ir.SLt || step == nil || step.Op != ir.Add || step.Dst[0] != test.Args[0] || step.Args[0] != test.Args[0] ||
		!c.Uniform(step.Args[1]) || ir.Sets(n.Body, step.Args[1]) || ir.Sets(n.Body, test.Args[1]) || ir.Sets(n.Body, test.Args[0]) {
		return
	}
	l.step, l.prepares = c.P.Slots[step.Args[1]].Index, OnlyInstr(n.Head) == nil
	l.passing = c.Does(passDeadCounter) && !c.P.stepwise && !analysis.LeavesEarly(n) && c.U.EndsIn(test.Args[0], n)
}

// testOf is the test that ends the head of a loop, nil if there is more in it than that and what a launch settles.
func (c *Compiler) testOf(n *ir.Loop) *ir.Instr {
	_, nodes := tallies(n.Head)
	test := lastInstr(nodes)
	if test == nil {
		return nil
	}
	for _, node := range nodes[:len(nodes)-1] {
		in, ok := node.(*ir.Instr)
		if !ok || c.settled == nil || len(in.Dst) == 0 || !c.settled[in.Dst[0]] {
			return nil
		}
	}
	return test
}

// changeable reports whether a register is a variable.
func (c *Compiler) Changeable(r ir.Reg) bool { return c.P.Kernel.Regs[r].Kind == ir.Variable }

// countedLoop compiles "while counter < limit" with "counter += step" after the
// body, all uniform, without exits; it gives nil if n is something else.
func (c *Compiler) countedLoop(n *ir.Loop) *Counted {
	test, step := OnlyInstr(n.Head), OnlyInstr(n.Post)
	if !c.Does(passCountedLoop) || test == nil || step == nil || n.Cond == ir.None || len(test.Dst) != 1 || test.Dst[0] != n.Cond || c.U.Reads(n.Cond) != 1 ||
		step.Op != ir.Add || c.Typ(step.Dst[0]) != ir.I32 || step.Args[0] != step.Dst[0] || test.Args[0] != step.Dst[0] ||
		!c.Uniform(test.Args[0]) || !c.Uniform(test.Args[1]) || !c.Uniform(step.Args[1]) || !c.Uniform(n.Cond) || analysis.HasExit(n.Body) {
		return nil
	}
	l := &Counted{pos: n.Pos, counter: c.P.Slots[step.Dst[0]].Index, limit: c.P.Slots[test.Args[1]].Index, step: c.P.Slots[step.Args[1]].Index}
	switch test.Op {
	case ir.ULt:
		l.less = func(a, b uint32) bool { return a < b }
	case ir.SLt:
		l.less = func(a, b uint32) bool { return int32(a) < int32(b) }
	default:
		return nil
	}
	turns, _, body, _ := c.turns(n)
	l.turns, l.Body = turns, c.list(body)
	return l
}

// affine reports whether all that the body of a counted loop sets, except what it
// loads or computes for each thread, has the form a + turn·b, modulo 2^32 or 2^64
// by its width, and how many instructions do that. The counter has to count in
// steps of one.
func (c *Compiler) affine(n *ir.Loop) (instrs int, ok bool) {
	counter, signed := OnlyInstr(n.Post).Dst[0], OnlyInstr(n.Head).Op == ir.SLt
	moves := map[ir.Reg]bool{counter: true}
	for _, node := range n.Body {
		in, ok := node.(*ir.Instr)
		if ok && in.Op == CounterOp {
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
		extends := in.Op == ir.Convert && in.Args[0] == counter && extension(in, signed)
		if !extends && (c.Typ(d).IsFloat() || !linear(in.Op, moving)) || c.Changeable(d) {
			return 0, false
		}
		moves[d] = true
		instrs++
	}
	return instrs, true
}
