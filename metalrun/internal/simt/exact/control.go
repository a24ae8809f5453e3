package exact

import (
	"slices"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// decided is a branch that other devices may decide otherwise.
type decided struct {
	inside machine.Node
	cond   machine.Slot
	pos    syntax.Pos
	sets   []variable
	leaves bool      // an exit in it leaves an outer construct: the doubt stays …
	block  *ir.Block // … until the end of this function, if all such exits lead there
	region *region   // nil: the branch alone cannot be executed both ways
}

// Run executes the node, and reports whether any lane is still active and no jump is under way.
func (n *decided) Run(m *machine.Machine) bool {
	row, b := ReadRow(m, n.cond), BallsOf(m)
	if !unsure(m, row) {
		return n.inside.Run(m)
	}
	switch p := b.pending; {
	case b.flip == n:
		b.flip = nil
		return n.otherwise(m, row)
	case p != nil && p.known == n:
		return n.inside.Run(m)
	case p != nil && n.block != nil && n.block == p.block:
		p.more = p.more || p.fork != nil
		p.fork = forkAt(m, n, row)
		return n.inside.Run(m)
	case n.region != nil:
		row = slices.Clone(row) // the branch may reuse the slot of the condition
		if alive, ok := speculate(m, n.region, forkAt(m, n, row), n.Run); ok {
			return alive
		}
	}
	return n.doubted(m, row)
}

// otherwise runs the branch as devices do that decide otherwise.
func (n *decided) otherwise(m *machine.Machine, row []ball.Ball) bool {
	cond := registers(m, n.cond)
	given := slices.Clone(cond)
	defer copy(cond, given)
	for l := range cond {
		if row[min(l, len(row)-1)].E != 0 && RowMask(m, row)[l] != 0 {
			cond[l] = ^cond[l]
		}
	}
	return n.inside.Run(m)
}

// doubted runs the branch, and makes what it sets unknown in the uncertain lanes.
func (n *decided) doubted(m *machine.Machine, row []ball.Ball) bool {
	b := BallsOf(m)
	note(m, n.pos, Unstable)
	mask, before, anyUncertain := slices.Clone(m.Mask), slices.Clone(b.uncertain[:m.N]), b.anyUncertain
	inDoubt(m, row)
	alive := n.inside.Run(m)
	forgetAll(m, n.sets, mask)
	if !n.leaves {
		copy(b.uncertain, before)
		b.anyUncertain = anyUncertain
	}
	return alive
}

// unsure reports whether an active lane of a row is not certain.
func unsure(m *machine.Machine, row []ball.Ball) bool {
	if len(row) == 1 {
		return row[0].E != 0
	}
	for l, on := range m.Mask {
		if on != 0 && row[l].E != 0 {
			return true
		}
	}
	return false
}

// forgetAll makes variables unknown in the uncertain lanes of a mask.
func forgetAll(m *machine.Machine, sets []variable, mask []uint32) {
	for _, v := range sets {
		if v.has {
			forgetRow(m, writableRow(m, v.at), mask, BallsOf(m).uncertain[:m.N])
		}
	}
}

// forgetRow makes a register unknown in the uncertain lanes of a mask.
func forgetRow(m *machine.Machine, row []ball.Ball, mask, uncertain []uint32) {
	for l, on := range mask {
		if on&uncertain[l] != 0 {
			i := min(l, len(row)-1)
			row[i] = ball.Unknown(row[i].X)
		}
	}
}

// decision wraps a branch whose condition has balls; first is the number of its construct.
func decision(c *codegen.Compiler, n *ir.If, at machine.Slot, first int, inside machine.Node) machine.Node {
	if ExactOf(c.P) == nil || !ExactOf(c.P).Depends(n.Cond) {
		return inside
	}
	d := &decided{inside: inside, cond: at, pos: n.Pos, sets: sets(c, n)}
	elsewhere := false
	ir.Walk([]ir.Node{n}, func(x ir.Node) bool {
		if e, ok := x.(*ir.Exit); ok && !leads(n, e) {
			elsewhere = elsewhere || e.Block == nil || d.leaves && e.Block != d.block
			d.leaves, d.block = true, e.Block
		}
		return true
	})
	if elsewhere || d.block == c.P.Kernel.Body[0] {
		d.block = nil
	}
	if !d.leaves {
		d.region = speculativeRegion(c, n, first)
	}
	return d
}

// leads reports whether the target of an exit is in a node.
func leads(n ir.Node, e *ir.Exit) bool {
	return ir.Contains([]ir.Node{n}, func(x ir.Node) bool {
		switch x := x.(type) {
		case *ir.Loop:
			return x == e.Loop
		case *ir.Block:
			return x == e.Block
		}
		return false
	})
}

// sets are the variables that nodes set.
func sets(c *codegen.Compiler, nodes ...ir.Node) (of []variable) {
	seen := map[ir.Reg]bool{}
	for in := range ir.Instrs(nodes...) {
		for _, r := range in.Dst {
			if c.P.Kernel.Regs[r].Kind == ir.Variable && !seen[r] {
				seen[r] = true
				of = append(of, variable{c.P.Slots[r], c.Typ(r), ExactOf(c.P).Depends(r)})
			}
		}
	}
	return of
}

// doubts makes the lanes uncertain for which another device may leave a loop earlier or later. All that they set from
// then on is unknown.
func doubts(c *codegen.Compiler, n *ir.Loop) machine.Op {
	if ExactOf(c.P) == nil || n.Cond == ir.None || !ExactOf(c.P).Depends(n.Cond) {
		return nil
	}
	at, sets := c.P.Slots[n.Cond], sets(c, n)
	return func(m *machine.Machine) {
		if inDoubt(m, ReadRow(m, at)) {
			note(m, n.Pos, Unstable)
			forgetAll(m, sets, m.Mask)
		}
	}
}
