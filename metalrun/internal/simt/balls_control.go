package simt

import (
	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// decided is a construct whose way other devices may find otherwise, with the
// registers that it sets.
type decided struct {
	inside node
	cond   slot
	pos    syntax.Pos
	sets   []slot
	leaves bool // something in it leaves a construct around it: the doubt stays
}

func (n *decided) run(m *machine) bool {
	row, b := m.row(n.cond), m.balls
	before, doubtful := b.doubt[:m.n], b.doubtful
	unsure := false
	for l, on := range m.mask {
		if on != 0 && row[min(l, len(row)-1)].E != 0 {
			unsure = true
			break
		}
	}
	if !unsure {
		return n.inside.run(m)
	}
	m.note(n.pos, Unstable)
	mask := append([]uint32(nil), m.mask...)
	saved := append([]uint32(nil), before...)
	m.inDoubt(row)
	alive := n.inside.run(m)
	for _, d := range n.sets {
		m.forgetRow(m.row(d), mask, b.doubt[:m.n])
	}
	if !n.leaves {
		copy(b.doubt, saved)
		b.doubtful = doubtful
	}
	return alive
}

// forgetRow makes registers unknown in the lanes of a mask that are in doubt.
func (m *machine) forgetRow(row []ball.Ball, mask, doubt []uint32) {
	for l, on := range mask {
		if on&doubt[l] != 0 {
			i := min(l, len(row)-1)
			row[i] = ball.Unknown(row[i].X)
		}
	}
}

// decision wraps a branch whose condition has balls.
func (c *compiler) decision(n *ir.If, at slot, inside node) node {
	if c.p.exact == nil || !c.p.exact.has[n.Cond] {
		return inside
	}
	d := &decided{inside: inside, cond: at, pos: n.Pos, sets: c.sets(n.Then, n.Else)}
	d.leaves = ir.Contains([]ir.Node{n}, func(x ir.Node) bool {
		e, ok := x.(*ir.Exit)
		return ok && !leads(n, e)
	})
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

// sets are the variables with balls that nodes set.
func (c *compiler) sets(lists ...[]ir.Node) (of []slot) {
	seen := map[ir.Reg]bool{}
	for _, nodes := range lists {
		for in := range ir.Instrs(nodes...) {
			for _, r := range in.Dst {
				if c.p.exact.has[r] && c.p.kernel.Regs[r].Kind == ir.Variable && !seen[r] {
					seen[r] = true
					of = append(of, c.p.slots[r])
				}
			}
		}
	}
	return of
}

// doubts puts lanes in doubt for which another device may leave a loop earlier or later. What
// they do from then on is unknown.
func (c *compiler) doubts(n *ir.Loop) op {
	if c.p.exact == nil || n.Cond == ir.None || !c.p.exact.has[n.Cond] {
		return nil
	}
	at, sets := c.p.slots[n.Cond], c.sets(n.Head, n.Body, n.Post)
	return func(m *machine) {
		if m.inDoubt(m.row(at)) {
			m.note(n.Pos, Unstable)
			for _, d := range sets {
				m.forgetRow(m.row(d), m.mask, m.balls.doubt[:m.n])
			}
		}
	}
}
