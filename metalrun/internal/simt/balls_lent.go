package simt

import (
	"slices"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// A row of a thread's memory that holds a ball in every lane is not copied when it is loaded: the
// register looks at it in place, until the row is written.

// lending is which rows are looked at so. A row is numbered by its cell of a thread.
type lending struct {
	filled []bool        // by row: every lane has a ball
	to     []int32       // by row: the slot that looks at it, counted from 1
	rows   [][]ball.Ball // by slot: the row that it looks at; nil: its own
	any    bool          // some slot does
}

func (p *program) newLending() lending {
	cells := exactOf(p).privateCells
	return lending{make([]bool, cells), make([]int32, cells), make([][]ball.Ball, p.slots32), false}
}

func (n *lending) clear() {
	clear(n.filled)
	clear(n.to)
	clear(n.rows)
	n.any = false
}

// lend makes a register look at a row.
func (n *lending) lend(at slot, cells []ball.Ball, row int) {
	n.any = true
	n.to[row], n.rows[at.index] = int32(at.index)+1, cells
}

// own makes a register look at nothing but its own row.
func (n *lending) own(at slot) {
	if n.any && at.varying && !at.wide {
		n.rows[at.index] = nil
	}
}

// keep copies a row that a register looks at to its own.
func (m *machine) keep(at slot) {
	if n := &ballsOf(m).lent; n.any && at.varying && !at.wide && n.rows[at.index] != nil {
		row := n.rows[at.index]
		n.rows[at.index] = nil
		copy(m.rawRow(at), row)
	}
}

// recall prepares for a store to a row: of the registers that are still to be read, the one that
// looks at it gets a copy.
func (m *machine) recall(row int, live []slot) {
	n := &ballsOf(m).lent
	if !n.any || n.to[row] == 0 {
		return
	}
	index := int(n.to[row]) - 1
	n.to[row] = 0
	looks := n.rows[index]
	if len(looks) == 0 || &looks[0] != &ballsOf(m).private[row*m.stride] {
		return
	}
	for _, at := range live {
		if at.index == index {
			m.keep(at)
			return
		}
	}
	n.rows[index] = nil
}

// recallAll prepares for stores to anywhere.
func (m *machine) recallAll() {
	n := &ballsOf(m).lent
	if !n.any {
		return
	}
	for index, row := range n.rows {
		if row != nil {
			m.keep(slot{varying: true, index: index})
		}
	}
	clear(n.to)
	n.any = false
}

// fill notes that active lanes store the balls of registers, nil for none, to a row.
func (m *machine) fill(row int, of []ball.Ball) {
	switch n := &ballsOf(m).lent; {
	case of == nil:
		n.filled[row] = false
	case m.whole:
		n.filled[row] = true
	}
}

// borrow notes which registers a load may make look at memory, and gives the slots of those that are
// to be read after it.
func (c *compiler) borrow(in *ir.Instr) []slot {
	live := c.borrowing()
	if in.Mem.Space == syntax.Thread {
		for _, r := range in.Dst {
			if c.left[r] > 0 && c.reusable(r) {
				c.borrowers = append(c.borrowers, r)
			}
		}
	}
	return live
}

// borrowing are the slots of registers that may look at memory and are still to be read.
func (c *compiler) borrowing() (live []slot) {
	c.borrowers = slices.DeleteFunc(c.borrowers, func(r ir.Reg) bool { return c.left[r] == 0 })
	for _, r := range c.borrowers {
		live = append(live, c.p.slots[r])
	}
	return live
}

// setCell writes the ball at a place of an object, or, if mem is nil, of a lane's memory.
func (m *machine) setCell(mem *memory, off int64, cell *ball.Ball, b ball.Ball) {
	if *cell = b; mem == nil && b.None() {
		ballsOf(m).lent.filled[off>>exactOf(m.p).privateLog] = false
	}
}
