package simt

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
)

func (c *compiler) loopNode(n *ir.Loop) {
	cost := turnCost + cost(n.Head) + cost(n.Body) + cost(n.Post)
	if l := c.countedLoop(n); l != nil {
		l.cost = cost
		if c.p.exact != nil {
			if turns := c.ballTurns(l, n); turns != nil {
				c.out = append(c.out, turns)
				return
			}
			c.out = append(c.out, l)
			return
		}
		switch rows, runs, gathered, weights := c.rowLoop(l), c.runLoop(l, n), c.gatheredLoop(l, n), c.weightLoop(n, l, l.body, cost, l.turns); {
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
	l := &loop{id: c.construct(n, n.Pos, 2), pos: n.Pos, cost: cost, step: -1, turns: turns}
	l.head = c.list(head)
	if n.Cond != ir.None {
		at := c.read(n.Cond)
		l.hasCond, l.varying, l.cond = true, at.varying, at.index
		if l.doubts = c.doubts(n); l.doubts == nil {
			c.mergeTest(l, n)
		}
	}
	taken := len(c.taken)
	l.body = c.list(body)
	rows := c.taken[taken:]
	l.post = c.list(post)
	c.stride(l, n)
	l.leaves = c.u.SomeLeave(n)
	l.diverges = l.varying || l.leaves
	if c.p.exact == nil {
		otherwise := node(l)
		if dots := c.dotLoop(l, n); dots != nil {
			otherwise = dots
		}
		if wide := c.wideLoop(l, n, rows, otherwise); wide != nil {
			otherwise = wide
		}
		if otherwise != node(l) {
			c.out = append(c.out, otherwise)
			return
		}
		if adds := c.addLoop(l, n); adds != nil {
			c.out = append(c.out, adds)
			return
		}
		if weights := c.weightLoop(n, l, l.body, cost, turns); weights != nil {
			c.out = append(c.out, weights)
			return
		}
	}
	c.out = append(c.out, c.leftEarly(n, l.id, l))
}

// mergeTest lets a comparison that only ends the loop unset the mask itself.
func (c *compiler) mergeTest(l *loop, n *ir.Loop) {
	if !c.does(passFusedTest) || !l.varying || len(l.head) == 0 || c.left[n.Cond] != 0 {
		return
	}
	code, ok := l.head[len(l.head)-1].(straight)
	if !ok {
		return
	}
	in := code[len(code)-1]
	if in.shape != vectorScalar || in.partial || in.d != (operand{at: l.cond}) {
		return
	}
	switch in.binary {
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
		l.following, l.ascending, l.repeating = c.following[r], c.adjoining[r] || !c.simdgroup.Varying(r), c.repeating[r]
	}
	l.head[len(l.head)-1] = code[:len(code)-1]
}

// stride finds what each turn adds to the variable that a merged test compares
// with a limit, if nothing else changes either.
func (c *compiler) stride(l *loop, n *ir.Loop) {
	test, step := c.testOf(n), onlyInstr(n.Post)
	if !c.does(passTripCount) || l.keep == nil || test == nil || test.Op != ir.ULt && test.Op != ir.SLt || step == nil || step.Op != ir.Add || step.Dst[0] != test.Args[0] || step.Args[0] != test.Args[0] ||
		!c.uniform(step.Args[1]) || ir.Sets(n.Body, step.Args[1]) || ir.Sets(n.Body, test.Args[1]) || ir.Sets(n.Body, test.Args[0]) {
		return
	}
	l.step, l.prepares = c.p.slots[step.Args[1]].index, onlyInstr(n.Head) == nil
	l.passing = c.does(passDeadCounter) && c.p.exact == nil && !analysis.LeavesEarly(n) && c.u.EndsIn(test.Args[0], n)
}

// testOf is the test that ends the head of a loop, nil if there is more in it than that and what a launch settles.
func (c *compiler) testOf(n *ir.Loop) *ir.Instr {
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
func (c *compiler) changeable(r ir.Reg) bool { return c.p.kernel.Regs[r].Kind == ir.Variable }

// countedLoop compiles "while counter < limit" with "counter += step" after the
// body, all uniform, without exits; it gives nil if n is something else.
func (c *compiler) countedLoop(n *ir.Loop) *counted {
	test, step := onlyInstr(n.Head), onlyInstr(n.Post)
	if !c.does(passCountedLoop) || test == nil || step == nil || n.Cond == ir.None || len(test.Dst) != 1 || test.Dst[0] != n.Cond || c.u.Reads(n.Cond) != 1 ||
		step.Op != ir.Add || c.typ(step.Dst[0]) != ir.I32 || step.Args[0] != step.Dst[0] || test.Args[0] != step.Dst[0] ||
		!c.uniform(test.Args[0]) || !c.uniform(test.Args[1]) || !c.uniform(step.Args[1]) || !c.uniform(n.Cond) || analysis.HasExit(n.Body) {
		return nil
	}
	l := &counted{pos: n.Pos, counter: c.p.slots[step.Dst[0]].index, limit: c.p.slots[test.Args[1]].index, step: c.p.slots[step.Args[1]].index}
	switch test.Op {
	case ir.ULt:
		l.less = func(a, b uint32) bool { return a < b }
	case ir.SLt:
		l.less = func(a, b uint32) bool { return int32(a) < int32(b) }
	default:
		return nil
	}
	turns, _, body, _ := c.turns(n)
	l.turns, l.body = turns, c.list(body)
	return l
}

// all is how many turns are to come, one by one and within the step budget. ok
// is false if there is none or they are not of that kind.
func (n *counted) all(m *machine) (turns int, ok bool) {
	first, limit := m.uni32[n.counter], m.uni32[n.limit]
	turns = int(limit - first)
	return turns, m.uni32[n.step] == 1 && n.less(first, limit) && int64(turns) <= m.steps/n.cost
}

// finish leaves counter and step budget as that many turns do.
func (n *counted) finish(m *machine, turns int) {
	m.uni32[n.counter] = m.uni32[n.limit]
	m.take(n.turns.head, turns+1)
	m.take(n.turns.body, turns)
	m.take(n.turns.post, turns)
	m.steps -= int64(turns) * n.cost
	m.executed++
}

// affine reports whether all that the body of a counted loop sets, except what it
// loads or computes for each thread, has the form a + turn·b, modulo 2^32 or 2^64
// by its width, and how many instructions do that. The counter has to count in
// steps of one.
func (c *compiler) affine(n *ir.Loop) (instrs int, ok bool) {
	counter, signed := onlyInstr(n.Post).Dst[0], onlyInstr(n.Head).Op == ir.SLt
	moves := map[ir.Reg]bool{counter: true}
	for _, node := range n.Body {
		in, ok := node.(*ir.Instr)
		if ok && in.Op == counterOp {
			continue
		}
		if !ok || len(in.Dst) != 1 {
			return 0, false
		}
		d := in.Dst[0]
		if in.Op == ir.Load || !c.uniform(d) {
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
		if !extends && (c.typ(d).IsFloat() || !linear(in.Op, moving)) || c.changeable(d) {
			return 0, false
		}
		moves[d] = true
		instrs++
	}
	return instrs, true
}

// linear reports whether an operation on affine integers is affine if that many
// of them change from turn to turn.
func linear(op ir.Op, moving int) bool {
	switch op {
	case ir.Add, ir.Sub, ir.PtrAdd:
		return true
	case ir.Mul:
		return moving < 2
	}
	return false
}

// extension reports whether a conversion makes 32-bit integers, with or without
// sign, 64 bits wide.
func extension(in *ir.Instr, signed bool) bool {
	from := ir.U32
	if signed {
		from = ir.S32
	}
	return in.From == from && in.To.Type() == ir.I64
}

// onlyInstr is the one instruction that a list consists of beside tallies, or nil.
func onlyInstr(nodes []ir.Node) *ir.Instr {
	_, nodes = tallies(nodes)
	if len(nodes) != 1 {
		return nil
	}
	in, _ := nodes[0].(*ir.Instr)
	return in
}

// lastInstr is the last node of a list if that is an instruction, or nil.
func lastInstr(nodes []ir.Node) *ir.Instr {
	if len(nodes) == 0 {
		return nil
	}
	in, _ := nodes[len(nodes)-1].(*ir.Instr)
	return in
}
