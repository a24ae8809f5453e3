package simt

import (
	"slices"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// decided is a branch whose way other devices may find otherwise.
type decided struct {
	inside node
	cond   slot
	pos    syntax.Pos
	sets   []variable
	leaves bool      // something in it leaves a construct around it: the doubt stays …
	block  *ir.Block // … until the end of this function, where all that leaves it leads there
	tried  *tried    // nil: cannot be tried both ways by itself
}

func (n *decided) run(m *machine) bool {
	row, b := m.look(n.cond), m.balls
	if !m.unsure(row) {
		return n.inside.run(m)
	}
	switch p := b.pending; {
	case b.flip == n:
		b.flip = nil
		return n.otherwise(m, row)
	case p != nil && p.known == n:
		return n.inside.run(m)
	case p != nil && n.block != nil && n.block == p.block:
		p.more = p.more || p.fork != nil
		p.fork = m.forkAt(n, row)
		return n.inside.run(m)
	case n.tried != nil:
		row = slices.Clone(row) // what it runs may take the place of the condition
		if alive, ok := m.tryBoth(n.tried, m.forkAt(n, row), n.run); ok {
			return alive
		}
	}
	return n.doubted(m, row)
}

// otherwise runs it as devices do that decide otherwise.
func (n *decided) otherwise(m *machine, row []ball.Ball) bool {
	cond := m.registers(n.cond)
	given := slices.Clone(cond)
	defer copy(cond, given)
	for l := range cond {
		if row[min(l, len(row)-1)].E != 0 && m.rowMask(row)[l] != 0 {
			cond[l] = ^cond[l]
		}
	}
	return n.inside.run(m)
}

// doubted makes what it sets unknown in the lanes that another device may send elsewhere.
func (n *decided) doubted(m *machine, row []ball.Ball) bool {
	b := m.balls
	m.note(n.pos, Unstable)
	mask, before, doubtful := slices.Clone(m.mask), slices.Clone(b.doubt[:m.n]), b.doubtful
	m.inDoubt(row)
	alive := n.inside.run(m)
	m.forgetAll(n.sets, mask)
	if !n.leaves {
		copy(b.doubt, before)
		b.doubtful = doubtful
	}
	return alive
}

// unsure reports whether an active lane of a row is not certain.
func (m *machine) unsure(row []ball.Ball) bool {
	if len(row) == 1 {
		return row[0].E != 0
	}
	for l, on := range m.mask {
		if on != 0 && row[l].E != 0 {
			return true
		}
	}
	return false
}

// forgetAll makes variables unknown in the lanes of a mask that are in doubt.
func (m *machine) forgetAll(sets []variable, mask []uint32) {
	for _, v := range sets {
		if v.has {
			m.forgetRow(m.row(v.at), mask, m.balls.doubt[:m.n])
		}
	}
}

// forgetRow makes a register unknown in the lanes of a mask that are in doubt.
func (m *machine) forgetRow(row []ball.Ball, mask, doubt []uint32) {
	for l, on := range mask {
		if on&doubt[l] != 0 {
			i := min(l, len(row)-1)
			row[i] = ball.Unknown(row[i].X)
		}
	}
}

// decision wraps a branch whose condition has balls; first is the number of its construct.
func (c *compiler) decision(n *ir.If, at slot, first int, inside node) node {
	if c.p.exact == nil || !c.p.exact.Depends(n.Cond) {
		return inside
	}
	d := &decided{inside: inside, cond: at, pos: n.Pos, sets: c.sets(n)}
	elsewhere := false
	ir.Walk([]ir.Node{n}, func(x ir.Node) bool {
		if e, ok := x.(*ir.Exit); ok && !leads(n, e) {
			elsewhere = elsewhere || e.Block == nil || d.leaves && e.Block != d.block
			d.leaves, d.block = true, e.Block
		}
		return true
	})
	if elsewhere || d.block == c.p.kernel.Body[0] {
		d.block = nil
	}
	if !d.leaves {
		d.tried = c.triable(n, first)
	}
	return d
}

// leads reports whether an exit leads to within a node.
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
func (c *compiler) sets(nodes ...ir.Node) (of []variable) {
	seen := map[ir.Reg]bool{}
	for in := range ir.Instrs(nodes...) {
		for _, r := range in.Dst {
			if c.p.kernel.Regs[r].Kind == ir.Variable && !seen[r] {
				seen[r] = true
				of = append(of, variable{c.p.slots[r], c.typ(r), c.p.exact.Depends(r)})
			}
		}
	}
	return of
}

// doubts puts lanes in doubt for which another device may leave a loop earlier or later. What
// they do from then on is unknown.
func (c *compiler) doubts(n *ir.Loop) op {
	if c.p.exact == nil || n.Cond == ir.None || !c.p.exact.Depends(n.Cond) {
		return nil
	}
	at, sets := c.p.slots[n.Cond], c.sets(n)
	return func(m *machine) {
		if m.inDoubt(m.look(at)) {
			m.note(n.Pos, Unstable)
			m.forgetAll(sets, m.mask)
		}
	}
}
